/**
 * Examples of the OpenAPI document. All are from one small log and verify under
 * {@linkcode NETWORK}.
 *
 * @module
 */

/** SHA-256 of "hello", the hash of most examples. */
export const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

export const NETWORK = {
  id: "countersign.example/log",
  witnesses: [{
    id: "countersign.example/log/w1",
    pubkey: "95616be5dc18c63e4cfc07756320a34a5eac64a12ec4a33bb10e1ab991ffe04c",
    vkey: "countersign.example/log/w1+aad510f7+BJVha+XcGMY+TPwHdWMgo0perGShLsSjO7EOGrmR/+BM",
  }, {
    id: "countersign.example/log/w2",
    pubkey: "eb8920da7f0a6e6094f0535d2e99fa0dc27cf44c1bd5fd1d06cf5d2efb961da4",
    vkey: "countersign.example/log/w2+f1f2f7d4+BOuJINp/Cm5glPBTXS6Z+g3CfPRMG9X9HQbPXS77lh2k",
  }, {
    id: "countersign.example/log/w3",
    pubkey: "40ce84646287db13d33d838be8c8a84a485cc0ddc996d8c01ba4401b3b95dcc5",
    vkey: "countersign.example/log/w3+163ad437+BEDOhGRih9sT0z2Di+jIqEpIXMDdyZbYwBukQBs7ldzF",
  }],
  threshold: 2,
  signature_scheme: "ed25519",
  federation: {
    enabled: true,
    peer_networks: [{
      id: "peer.example/log",
      gateway_url: "https://peer.example",
      min_witnesses: 2,
    }],
    cross_anchor_threshold: 1,
  },
  log_vkey: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
  merge_delay_seconds: 60,
};

export const SIGNED_ATTESTATION = {
  attestation: {
    hash: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    timestamp: 1766275200,
    network_id: "countersign.example/log",
    sequence: 0,
  },
  round: {
    index: 0,
    size: 2,
    inclusion_path: ["8bf9a8c56a5c8a86bbb54ef1e3a6894067387fcf8f7cba3def700c86b954da20"],
    beacon: null,
  },
  signatures: [{
    witness_id: "countersign.example/log/w1",
    signature:
      "4b77f2773855661fc2f849ab6e77046e71aae949ed6e1d877e8a8530d17fc687277a44c10181b8e6d197f327ff6e6a78ae5d8855c464e5c8aac9f3e4b2a6ba05",
  }, {
    witness_id: "countersign.example/log/w2",
    signature:
      "12dd414d568b8d087dabf7e4716d7ac654b798c8c2c3109c185432e6b03fa7ee756f96a98d41b8910aece92a86893e318a1115769f08c1dd1625444e4db14a06",
  }],
};

/** Tree head of the first batch. */
export const FIRST_STH = {
  tree_head: {
    network_id: "countersign.example/log",
    tree_size: 2,
    timestamp: 1766275210,
    root_hash: "292f8309ab4a370784280dbacf16085c4ff0e10951af7879d7d7dad1e7590e5e",
  },
  signatures: [{
    witness_id: "countersign.example/log/w1",
    signature:
      "77ec4930a0655eeb17ff886ef071fffab11779de7922c462970f83e0ab099efaeed853c5735518c32ca9dd90c1600eccc86576da99de6bfd6270f84916f14b09",
  }, {
    witness_id: "countersign.example/log/w2",
    signature:
      "e79e241bf7af11a0244854e89701aac366d1b1d24505c56f2d76b06a56fbc16806bc1095e779fb436501943db37d8feab2c8cf1ac731a11f775d03946f2a2b05",
  }],
};
export const SECOND_STH = {
  tree_head: {
    network_id: "countersign.example/log",
    tree_size: 3,
    timestamp: 1766275240,
    root_hash: "d816235d188442a92faca225dbf332d1319ba94cd2e919440161dfa847062dff",
  },
  signatures: [{
    witness_id: "countersign.example/log/w1",
    signature:
      "75a871fd4d4996b088e2021e0edffd453c13e5d405bb645b660b3408ec19ab1f9f55b1279ffe5e8d5cb2ad6ad0fc697d113d6fb79dcf9a7eb04159ddd342730f",
  }, {
    witness_id: "countersign.example/log/w2",
    signature:
      "196a00c96a137a15b733e10b29f25a1714b0af7e3b6af4d88b7848f249b15efa5a000af0e3db16644b21e5b2a168916ba89f2e55b89cc00e950a9ae5f3f9e004",
  }],
};

export const BATCH = {
  id: 2,
  network_id: "countersign.example/log",
  root_hash: "292f8309ab4a370784280dbacf16085c4ff0e10951af7879d7d7dad1e7590e5e",
  tree_size: 2,
  first_index: 0,
  attestation_count: 2,
  period_start: 0,
  period_end: 1766275210,
};

export const MERKLE_PROOF = {
  hash: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  leaf_hash: "8fda56dc6aba87a354cef761f13d8321feb93f7cc3df46476de711b2b077181f",
  leaf_index: 0,
  tree_size: 2,
  inclusion_path: ["8bf9a8c56a5c8a86bbb54ef1e3a6894067387fcf8f7cba3def700c86b954da20"],
  root_hash: "292f8309ab4a370784280dbacf16085c4ff0e10951af7879d7d7dad1e7590e5e",
  batch_id: 2,
};

export const INCLUSION_PROOF = {
  hash: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  leaf_hash: "8fda56dc6aba87a354cef761f13d8321feb93f7cc3df46476de711b2b077181f",
  leaf_index: 0,
  tree_size: 3,
  inclusion_path: [
    "8bf9a8c56a5c8a86bbb54ef1e3a6894067387fcf8f7cba3def700c86b954da20",
    "519537e897739a17ed5e02f25a70741c7f1cc1627928384963fb306e9c7d775e",
  ],
  sth: SECOND_STH,
};

export const CONSISTENCY_PROOF = {
  first: 2,
  second: 3,
  first_sth: FIRST_STH,
  second_sth: SECOND_STH,
  consistency_path: ["519537e897739a17ed5e02f25a70741c7f1cc1627928384963fb306e9c7d775e"],
};

/** Cosigned by the witnesses of the peer in {@linkcode NETWORK}. */
export const CROSS_ANCHOR = {
  witnessing_network: "peer.example/log",
  consistency_path: ["519537e897739a17ed5e02f25a70741c7f1cc1627928384963fb306e9c7d775e"],
  tree_head: {
    network_id: "countersign.example/log",
    tree_size: 3,
    timestamp: 1766275250,
    root_hash: "d816235d188442a92faca225dbf332d1319ba94cd2e919440161dfa847062dff",
  },
  signatures: [{
    witness_id: "peer.example/log/w1",
    signature:
      "20e51ccb97aad1351a15dbfab5a4fe60fb04f565c7c2d59ec8ffd30059435f5d7d643574c393654bf910e8a7aa42123dc4830325213ee4897d33d73bb2e1e909",
  }, {
    witness_id: "peer.example/log/w2",
    signature:
      "9495a8279ab7609699814aacf6110436e2e8fc7b4f0a6484e50359401aecc899c731046cb2d06eafa4c345b600e7324f2f938847fd0fc0485b5380848b8bb008",
  }],
};

export const EXTERNAL_ANCHOR = {
  provider: "rfc3161",
  status: "anchored",
  timestamp: 1766275241,
  tree_head: {
    network_id: "countersign.example/log",
    tree_size: 3,
    timestamp: 1766275240,
    root_hash: "d816235d188442a92faca225dbf332d1319ba94cd2e919440161dfa847062dff",
  },
  consistency_path: ["519537e897739a17ed5e02f25a70741c7f1cc1627928384963fb306e9c7d775e"],
  digest: "b4a0934ba0675c99888d565eccd5f9051b984026955feaab1075a89e6c51d856",
  proof: { token: "MIIB" },
};

export const PROOF_BUNDLE = {
  signed_attestation: SIGNED_ATTESTATION,
  batch_inclusion: { batch: BATCH, merkle_proof: MERKLE_PROOF, sth: FIRST_STH },
  cross_anchors: [CROSS_ANCHOR],
  external_anchors: [],
};

/** Checkpoint of {@linkcode SECOND_STH}. */
export const CHECKPOINT =
  "countersign.example/log\n3\n2BYjXRiEQqkvrKIl2/My0TGbqUzS6RlEAWHfqEcGLf8=\n\n— countersign.example/log 6w8kK513/7dJpIkSAbrA2/hVM4cl56om9UOINlyUJus2u/ghDbkYIL0vL0nT5a9JO3ypim1dfYB6794oPPTErkAeGQM=\n— countersign.example/log/w1 qtUQ9wAAAABpRziodahx/U1JlrCI4gIeDt/9RTwT5dQFu2RbZgs0COwZqx+fVbEnn/5ejVyyrWrQ/Gl9ET1vt53Pmn6wQVnd00JzDw==\n— countersign.example/log/w2 8fL31AAAAABpRzioGWoAyWoTehW3M+ELKfJaFxSwr347avTYi3hI8kmxXvpaAArw49sWZEsh5bKhaJFrqJ8uVbicwA6VCprl8/ngBA==\n";

/** Signed by the peer in {@linkcode NETWORK}. */
export const SEEN_TREE_HEAD = {
  origin: "peer.example/log",
  seen_at: 1766275205,
  sth: {
    tree_head: {
      network_id: "peer.example/log",
      tree_size: 2,
      timestamp: 1766275200,
      root_hash: "1a1620d3b39b804d0d4591e746fccdca1d0a3e5a6bf75d3b32e11dd6fc1e71d4",
    },
    signatures: [{
      witness_id: "peer.example/log/w1",
      signature:
        "7967c5ad78d67a7b1ebbeb66751f23a125d93fec46dbea911d3cd6dac2fc786dcd04338fc46b16d9d419b6588f74534a2e637d396280c9ab1b3bf7faba65fd06",
    }, {
      witness_id: "peer.example/log/w2",
      signature:
        "2a578c8361575046b058a54d9ba3dfbda2c321dace7045cf686740704c7330f74a90ba02b2bfb651a2da1b6b9fc91b42e83d1726f4d5dc71dbef0649347b9d06",
    }],
  },
  log_signature:
    "06309ec28d2b5e0aff2b4f971589672b1f1976a7874b30c1d6c1ff50ce00d70e2a593a7bb8848a9ff3eb26de6ba292d155725216bd0d7d46f497c1c052069402",
};

/** The peer also signed another root for the size of {@linkcode SEEN_TREE_HEAD}. */
export const CONTRADICTION = {
  origin: "peer.example/log",
  found_at: 1766275231,
  first: { sth: SEEN_TREE_HEAD.sth, log_signature: SEEN_TREE_HEAD.log_signature },
  second: {
    sth: {
      tree_head: {
        network_id: "peer.example/log",
        tree_size: 2,
        timestamp: 1766275230,
        root_hash: "854a9410ca85f345e1ef54e870ed9cfc6173118a1a3ef25050ba366f55cf5612",
      },
      signatures: [{
        witness_id: "peer.example/log/w1",
        signature:
          "3ec71bd82a625ebded6ba091223b7ef4ede9f0b05a0e30059365c976dd7e8c62bed681469ed3919a8660addff437e8abd1105b7d9388a8be86b10d9f6847e40a",
      }, {
        witness_id: "peer.example/log/w2",
        signature:
          "07be4827e809b21c46d8f4ef51cd71ff4c91ed24c3367374a486e7fdade222ab0df191b5f119da9a094da13be2c0d973267f29c8a53c4a3eff8cae56cae3f203",
      }],
    },
    log_signature:
      "fbe90b87ba3a69201c952ec63a9d57b94108d3e657968f9914d96b0640ebd75889ad97a4ac7fb1a7dee6a44f17d901914852ae4c46ff37c769a7866ba8c2ce07",
  },
  consistency_path: [],
};

/** Proof of the third leaf, in the tree of {@linkcode SECOND_STH}. */
export const TLOG_PROOF =
  `c2sp.org/tlog-proof@v1\nindex 2\nKS+DCatKNweEKA26zxYIXE/w4QlRr3h519fa0edZDl4=\n\n${CHECKPOINT}`;
