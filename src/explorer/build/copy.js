var fh = [
    "malformed_hash",
    "malformed_json",
    "malformed_parameter",
    "malformed_request",
    "body_too_large",
    "unsupported_media_type",
    "method_not_allowed",
    "misdirected_request",
    "route_not_found",
    "hash_unknown",
    "not_confirmed",
    "not_batched",
    "tree_size_not_published",
    "batch_not_found",
    "tile_not_found",
    "no_tree_head",
    "rate_limited",
    "overloaded",
    "shutting_down",
    "standby",
    "log_ended",
    "store_rolled_back",
    "storage_failed",
    "internal",
    "token_required",
    "token_refused",
    "token_invalid",
    "token_expired",
    "token_spent",
    "api_key_required",
    "api_key_refused",
    "work_refused",
    "token_request_refused",
    "network_refused",
    "origin_unknown",
    "time_refused",
    "sequence_conflict",
    "tree_size_conflict",
    "log_signature_refused",
    "consistency_refused",
    "beacon_refused",
    "epoch_mismatch",
    "tree_head_refused",
    "tree_heads_contradict",
    "witnesses_unavailable",
    "malformed_text",
    "malformed_bundle",
    "malformed_configuration",
    "invalid_configuration",
    "invalid_key",
    "usage",
    "file_failed",
    "data_in_use",
    "address_in_use",
    "network_changed",
    "store_copied",
    "pin_differs",
    "format_unsupported",
    "witness_state_missing",
    "configuration_missing",
    "gateway_unreachable",
    "gateway_refused",
    "witness_unreachable",
    "witness_refused",
    "witness_storage_failed",
    "signer_unavailable",
    "peer_unreachable",
    "peer_refused",
    "anchor_unreachable",
    "anchor_refused",
    "beacon_unavailable",
    "issuer_unreachable",
    "issuer_refused",
    "tokens_missing",
    "operator_unreachable",
    "operator_refused",
    "threshold_not_met",
    "proof_refused",
    "fence_lost",
    "store_corrupt",
  ],
  O = class extends Error {
    name = "CountersignError";
    code;
    constructor(e, n, r) {
      super(n, r), this.code = e;
    }
  };
function Ue(t, e) {
  return (n, r) => new O(t, `${e}: ${n}`, r);
}
function yt(t, e) {
  return t instanceof O && t.code === e;
}
function Lr(t) {
  if (t instanceof O) return t;
  throw t;
}
function lt(t) {
  try {
    return t();
  } catch (e) {
    Lr(e);
    return;
  }
}
function bo(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var ki = (t) => t ? `"${t}" ` : "";
function ht(t, e = "") {
  if (typeof t != "number") throw new TypeError(ki(e) + "expected number, got " + typeof t);
  if (!Number.isSafeInteger(t) || t < 0) {
    throw new RangeError(ki(e) + "expected integer >= 0, got " + t);
  }
  return t;
}
function lh(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(ki(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function Te(t, e, n = "") {
  if (bo(t) && (e === void 0 || t.length === e)) return t;
  e !== void 0 && ht(e, "length");
  let r = bo(t),
    o = e !== void 0 ? ` of length ${e}` : "",
    s = r ? `length=${t.length}` : `type=${typeof t}`,
    i = ki(n) + "expected Uint8Array" + o + ", got " + s;
  throw r ? new RangeError(i) : new TypeError(i);
}
function Hr(t) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError("expected hash wrapped by utils.createHasher");
  }
  if (ht(t.outputLen), ht(t.blockLen), t.outputLen < 1 || t.blockLen < 1) {
    throw new Error("hash blockLen / outputLen must be >= 1");
  }
}
var Fx = (t, e) => {
    if (t === null || typeof t != "object" || Array.isArray(t)) {
      throw new TypeError(
        (e === "object" ? "" : `"${e}" `) + "expected object, got type=" + typeof t,
      );
    }
  },
  dh = (t, e) => {
    Fx(t, e);
    let n = Object.getPrototypeOf(t);
    if (n !== Object.prototype && n !== null) throw new TypeError(`"${e}" expected plain object`);
    if (Object.hasOwn(t, "__proto__")) throw new TypeError(`"${e}.__proto__" is not allowed`);
  };
function Pn(t, e = !0) {
  if (t.destroyed) throw new Error("hash was destroyed");
  if (e && t.finished) throw new Error("digest() was already called");
}
function xo(t, e) {
  Te(t, void 0, "output");
  let n = e.outputLen;
  if (!(t.length >= n)) throw new RangeError('"output" expected length >= ' + n);
}
function cf(t) {
  return new Uint32Array(t.buffer, t.byteOffset, Math.floor(t.byteLength / 4));
}
function Ct(...t) {
  for (let e = 0; e < t.length; e++) t[e].fill(0);
}
function Oi(t) {
  return new DataView(t.buffer, t.byteOffset, t.byteLength);
}
function rn(t, e) {
  return t << 32 - e | t >>> e;
}
var hh = new Uint8Array(new Uint32Array([287454020]).buffer)[0] === 68;
function Px(t) {
  return t << 24 & 4278190080 | t << 8 & 16711680 | t >>> 8 & 65280 | t >>> 24 & 255;
}
function jx(t) {
  for (let e = 0; e < t.length; e++) t[e] = Px(t[e]);
  return t;
}
var ff = hh ? (t) => t : jx,
  ph = typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function",
  Dx = Array.from({ length: 256 }, (t, e) => e.toString(16).padStart(2, "0"));
function Jn(t) {
  if (Te(t), ph) return t.toHex();
  let e = "";
  for (let n = 0; n < t.length; n++) e += Dx[t[n]];
  return e;
}
function uh(t) {
  return t >= 48 && t <= 57
    ? t - 48
    : t >= 65 && t <= 70
    ? t - 55
    : t >= 97 && t <= 102
    ? t - 87
    : void 0;
}
function _o(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  if (ph) {
    try {
      return Uint8Array.fromHex(t);
    } catch (o) {
      throw o instanceof SyntaxError ? new RangeError(o.message) : o;
    }
  }
  let e = t.length, n = e / 2;
  if (e % 2) throw new RangeError("hex string expected, got unpadded hex of length " + e);
  let r = new Uint8Array(n);
  for (let o = 0, s = 0; o < n; o++, s += 2) {
    let i = uh(t.charCodeAt(s)), a = uh(t.charCodeAt(s + 1));
    if (i === void 0 || a === void 0) {
      let f = t[s] + t[s + 1];
      throw new RangeError('hex string expected, got non-hex character "' + f + '" at index ' + s);
    }
    r[o] = i * 16 + a;
  }
  return r;
}
function Eo(...t) {
  let e = 0;
  for (let r = 0; r < t.length; r++) {
    let o = t[r];
    Te(o), e += o.length;
  }
  let n = new Uint8Array(e);
  for (let r = 0, o = 0; r < t.length; r++) {
    let s = t[r];
    n.set(s, o), o += s.length;
  }
  return n;
}
function df(t, e, n = "opts") {
  return dh(t, "defaults"), e !== void 0 && dh(e, n), Object.assign(Object.create(null), t, e);
}
function vo(t, e = {}) {
  if (typeof t != "function") {
    throw new TypeError('"hashCons" expected function, got type=' + typeof t);
  }
  e = df({}, e, "info");
  let n = (o, s) => t(s).update(o).digest(), r = t(void 0);
  return n.outputLen = r.outputLen,
    n.blockLen = r.blockLen,
    n.canXOF = r.canXOF,
    n.create = (o) => t(o),
    Object.assign(n, e),
    Object.freeze(n);
}
function Ai(t = 32) {
  ht(t, "bytesLength");
  let e = typeof globalThis == "object" ? globalThis.crypto : null;
  if (typeof e?.getRandomValues != "function") {
    throw new Error("crypto.getRandomValues must be defined");
  }
  if (t > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${t}`);
  return e.getRandomValues(new Uint8Array(t));
}
var Mr = (t) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, t]) });
var Ni = Uint8Array;
function ys(t, e) {
  if (Ni.prototype.toBase64) return Ni.prototype.toBase64.call(t, { alphabet: e });
  let n = btoa(Array.from(t, (r) => String.fromCharCode(r)).join(""));
  return e === "base64" ? n : n.replaceAll("+", "-").replaceAll("/", "_");
}
function uf(t, e) {
  try {
    if (Ni.fromBase64) return Ni.fromBase64(t, { alphabet: e });
    let n = e === "base64" ? t : t.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(n), (r) => r.charCodeAt(0));
  } catch {
    return;
  }
}
var S = 32,
  mh = 2 ** 53,
  Ux = new TextEncoder(),
  zx = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 });
function ee(t) {
  return Ux.encode(t);
}
function rt(t, e = "malformed_text") {
  try {
    return zx.decode(t);
  } catch (n) {
    throw new O(e, "Cannot read text: bytes are not UTF-8", { cause: n });
  }
}
function V(t) {
  return Jn(t);
}
function we(t) {
  return _o(t);
}
function Pe(t, e) {
  return t.length === e * 2 && /^[0-9a-f]*$/.test(t);
}
function ze(t, e) {
  return Pe(t, e) ? we(t) : void 0;
}
function So(t) {
  return ys(t, "base64");
}
function mn(t) {
  let e = uf(t, "base64");
  return e !== void 0 && So(e) === t ? e : void 0;
}
function gh(t) {
  return ys(t, "base64url").replaceAll("=", "");
}
function To(t) {
  let e = uf(t, "base64url"), n = e && ys(e, "base64url");
  return t === n || t === n?.replaceAll("=", "") ? e : void 0;
}
function pe(...t) {
  let e = 0;
  for (let o of t) e += o.length;
  let n = new Uint8Array(e), r = 0;
  for (let o of t) n.set(o, r), r += o.length;
  return n;
}
var qx = 128;
function Be(t, e) {
  if (t.length !== e.length) return !1;
  let n = 0;
  if (t.length >= qx && t.byteOffset % 4 === 0 && e.byteOffset % 4 === 0) {
    let r = t.length >>> 2,
      o = new Int32Array(t.buffer, t.byteOffset, r),
      s = new Int32Array(e.buffer, e.byteOffset, r);
    for (let i = 0; i < r; i++) if (o[i] !== s[i]) return !1;
    n = 4 * r;
  }
  for (let r = n; r < t.length; r++) if (t[r] !== e[r]) return !1;
  return !0;
}
function ko(t) {
  let e = new Uint8Array(8);
  return new DataView(e.buffer).setBigUint64(0, BigInt(t)), e;
}
function bt(t) {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(t)) return;
  let e = Number(t);
  return Number.isSafeInteger(e) ? e : void 0;
}
function ke(t) {
  return Number.isSafeInteger(t) && t >= 0;
}
var $r = Ue("malformed_text", "Cannot read signed note"),
  wh = 1 << 20,
  yh = 256,
  lf = 4,
  hf = 8,
  Gx = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
function Oo(t) {
  if (t.length <= hf) return;
  let e = new DataView(t.buffer, t.byteOffset, hf), n = Number(e.getBigUint64(0));
  if (Number.isSafeInteger(n)) return { timestamp: n, signature: t.slice(hf) };
}
function gn(t) {
  if (t.length > wh) throw $r(`more than ${wh} characters`);
  if (!t.isWellFormed()) throw $r("invalid Unicode");
  if (/[\u0000-\u0009\u000b-\u001f]/.test(t)) throw $r("control character");
  let e = t.lastIndexOf(`

`);
  if (e < 0) throw $r("no empty line before the signatures");
  let n = t.slice(e + 2).split(`
`);
  if (n.pop() !== "" || n.length === 0) throw $r("no signature line, or no newline at the end");
  if (n.length > yh) throw $r(`more than ${yh} signatures`);
  return { text: t.slice(0, e + 1), signatures: n.map(Vx) };
}
function Vx(t) {
  let [, e = "", n = ""] = Gx.exec(t) ?? [], r = mn(n);
  if (e === "" || r === void 0 || r.length <= lf) throw $r("malformed signature line");
  return { name: e, keyId: r.slice(0, lf), payload: r.slice(lf) };
}
var Bi = BigInt(4294967295), bh = BigInt(32);
function Kx(t, e = !1) {
  return e
    ? { h: Number(t & Bi), l: Number(t >> bh & Bi) }
    : { h: Number(t >> bh & Bi) | 0, l: Number(t & Bi) | 0 };
}
function Ci(t, e = !1) {
  let n = t.length, r = new Uint32Array(n), o = new Uint32Array(n);
  for (let s = 0; s < n; s++) {
    let { h: i, l: a } = Kx(t[s], e);
    [r[s], o[s]] = [i, a];
  }
  return [r, o];
}
var Wx = (t) => t / 2 ** 32 | 0, Yx = (t) => t >>> 0;
function xh(t, e, n, r) {
  let o = Wx(n), s = Yx(n);
  t.setUint32(e, r ? s : o, r), t.setUint32(e + 4, r ? o : s, r);
}
var pf = (t, e, n) => t >>> n,
  mf = (t, e, n) => t << 32 - n | e >>> n,
  Fr = (t, e, n) => t >>> n | e << 32 - n,
  Pr = (t, e, n) => t << 32 - n | e >>> n,
  bs = (t, e, n) => t << 64 - n | e >>> n - 32,
  xs = (t, e, n) => t >>> n - 32 | e << 64 - n;
function wn(t, e, n, r) {
  let o = (e >>> 0) + (r >>> 0);
  return { h: t + n + (o / 2 ** 32 | 0) | 0, l: o | 0 };
}
var _h = (t, e, n) => (t >>> 0) + (e >>> 0) + (n >>> 0),
  Eh = (t, e, n, r) => e + n + r + (t / 2 ** 32 | 0) | 0,
  vh = (t, e, n, r) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0),
  Sh = (t, e, n, r, o) => e + n + r + o + (t / 2 ** 32 | 0) | 0,
  Th = (t, e, n, r, o) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0) + (o >>> 0),
  kh = (t, e, n, r, o, s) => e + n + r + o + s + (t / 2 ** 32 | 0) | 0;
function Oh(t, e, n) {
  return t & e ^ ~t & n;
}
function Ah(t, e, n) {
  return t & e ^ t & n ^ e & n;
}
var _s = class {
    blockLen;
    outputLen;
    canXOF = !1;
    padOffset;
    isLE;
    buffer;
    view;
    finished = !1;
    length = 0;
    pos = 0;
    destroyed = !1;
    constructor(e, n, r, o) {
      this.blockLen = e,
        this.outputLen = n,
        this.padOffset = r,
        this.isLE = o,
        this.buffer = new Uint8Array(e),
        this.view = Oi(this.buffer);
    }
    update(e) {
      Pn(this), Te(e);
      let { view: n, buffer: r, blockLen: o } = this, s = e.length, i = !1;
      for (let a = 0; a < s;) {
        let f = Math.min(o - this.pos, s - a);
        if (f === o) {
          let d = Oi(e);
          for (; o <= s - a; a += o) this.process(d, a);
          i = !0;
          continue;
        }
        r.set(a === 0 && f === s ? e : e.subarray(a, a + f), this.pos),
          this.pos += f,
          a += f,
          this.pos === o && (this.process(n, 0), this.pos = 0, i = !0);
      }
      return this.length += e.length, i && this.roundClean(), this;
    }
    digestInto(e) {
      Pn(this), xo(e, this), this.finished = !0;
      let { buffer: n, view: r, blockLen: o, isLE: s } = this, { pos: i } = this;
      n[i++] = 128,
        n.fill(0, i),
        this.padOffset > o - i && (this.process(r, 0), n.fill(0)),
        xh(r, o - 8, this.length * 8, s),
        this.process(r, 0),
        this.roundClean();
      let a = e === n ? r : Oi(e), f = this.outputLen, d = f / 4, u = this.get();
      if (f % 4 || d > u.length) throw new Error("invalid outputLen");
      for (let l = 0; l < d; l++) a.setUint32(4 * l, u[l], s);
    }
    digest() {
      let { buffer: e, outputLen: n } = this;
      this.digestInto(e);
      let r = e.slice(0, n);
      return this.destroy(), r;
    }
    _cloneIntoMeta(e) {
      let { buffer: n, length: r, finished: o, destroyed: s, pos: i } = this;
      return e.destroyed = s, e.finished = o, e.length = r, e.pos = i, i && e.buffer.set(n), e;
    }
    clone() {
      return this._cloneInto();
    }
  },
  Nh = Uint32Array.from([
    1779033703,
    3144134277,
    1013904242,
    2773480762,
    1359893119,
    2600822924,
    528734635,
    1541459225,
  ]);
var Bh = Uint32Array.from([
    3418070365,
    3238371032,
    1654270250,
    914150663,
    2438529370,
    812702999,
    355462360,
    4144912697,
    1731405415,
    4290775857,
    2394180231,
    1750603025,
    3675008525,
    1694076839,
    1203062813,
    3204075428,
  ]),
  Ch = Uint32Array.from([
    1779033703,
    4089235720,
    3144134277,
    2227873595,
    1013904242,
    4271175723,
    2773480762,
    1595750129,
    1359893119,
    2917565137,
    2600822924,
    725511199,
    528734635,
    4215389547,
    1541459225,
    327033209,
  ]);
var Zx = Uint32Array.from([
    1116352408,
    1899447441,
    3049323471,
    3921009573,
    961987163,
    1508970993,
    2453635748,
    2870763221,
    3624381080,
    310598401,
    607225278,
    1426881987,
    1925078388,
    2162078206,
    2614888103,
    3248222580,
    3835390401,
    4022224774,
    264347078,
    604807628,
    770255983,
    1249150122,
    1555081692,
    1996064986,
    2554220882,
    2821834349,
    2952996808,
    3210313671,
    3336571891,
    3584528711,
    113926993,
    338241895,
    666307205,
    773529912,
    1294757372,
    1396182291,
    1695183700,
    1986661051,
    2177026350,
    2456956037,
    2730485921,
    2820302411,
    3259730800,
    3345764771,
    3516065817,
    3600352804,
    4094571909,
    275423344,
    430227734,
    506948616,
    659060556,
    883997877,
    958139571,
    1322822218,
    1537002063,
    1747873779,
    1955562222,
    2024104815,
    2227730452,
    2361852424,
    2428436474,
    2756734187,
    3204031479,
    3329325298,
  ]),
  Qn = new Uint32Array(64),
  gf = class extends _s {
    A = 0;
    B = 0;
    C = 0;
    D = 0;
    E = 0;
    F = 0;
    G = 0;
    H = 0;
    constructor(e, n) {
      super(64, e, 8, !1),
        this.A = n[0] | 0,
        this.B = n[1] | 0,
        this.C = n[2] | 0,
        this.D = n[3] | 0,
        this.E = n[4] | 0,
        this.F = n[5] | 0,
        this.G = n[6] | 0,
        this.H = n[7] | 0;
    }
    get() {
      let { A: e, B: n, C: r, D: o, E: s, F: i, G: a, H: f } = this;
      return [e, n, r, o, s, i, a, f];
    }
    set(e, n, r, o, s, i, a, f) {
      this.A = e | 0,
        this.B = n | 0,
        this.C = r | 0,
        this.D = o | 0,
        this.E = s | 0,
        this.F = i | 0,
        this.G = a | 0,
        this.H = f | 0;
    }
    _cloneInto(e) {
      return (e ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(e);
    }
    process(e, n) {
      for (let l = 0; l < 16; l++, n += 4) Qn[l] = e.getUint32(n, !1);
      for (let l = 16; l < 64; l++) {
        let h = Qn[l - 15],
          p = Qn[l - 2],
          m = rn(h, 7) ^ rn(h, 18) ^ h >>> 3,
          g = rn(p, 17) ^ rn(p, 19) ^ p >>> 10;
        Qn[l] = g + Qn[l - 7] + m + Qn[l - 16] | 0;
      }
      let { A: r, B: o, C: s, D: i, E: a, F: f, G: d, H: u } = this;
      for (let l = 0; l < 64; l++) {
        let h = rn(a, 6) ^ rn(a, 11) ^ rn(a, 25),
          p = u + h + Oh(a, f, d) + Zx[l] + Qn[l] | 0,
          g = (rn(r, 2) ^ rn(r, 13) ^ rn(r, 22)) + Ah(r, o, s) | 0;
        u = d, d = f, f = a, a = i + p | 0, i = s, s = o, o = r, r = p + g | 0;
      }
      r = r + this.A | 0,
        o = o + this.B | 0,
        s = s + this.C | 0,
        i = i + this.D | 0,
        a = a + this.E | 0,
        f = f + this.F | 0,
        d = d + this.G | 0,
        u = u + this.H | 0,
        this.set(r, o, s, i, a, f, d, u);
    }
    roundClean() {
      Ct(Qn);
    }
    destroy() {
      this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), Ct(this.buffer);
    }
  },
  wf = class extends gf {
    constructor() {
      super(32, Nh);
    }
  };
var Ih = Ci(
    [
      "0x428a2f98d728ae22",
      "0x7137449123ef65cd",
      "0xb5c0fbcfec4d3b2f",
      "0xe9b5dba58189dbbc",
      "0x3956c25bf348b538",
      "0x59f111f1b605d019",
      "0x923f82a4af194f9b",
      "0xab1c5ed5da6d8118",
      "0xd807aa98a3030242",
      "0x12835b0145706fbe",
      "0x243185be4ee4b28c",
      "0x550c7dc3d5ffb4e2",
      "0x72be5d74f27b896f",
      "0x80deb1fe3b1696b1",
      "0x9bdc06a725c71235",
      "0xc19bf174cf692694",
      "0xe49b69c19ef14ad2",
      "0xefbe4786384f25e3",
      "0x0fc19dc68b8cd5b5",
      "0x240ca1cc77ac9c65",
      "0x2de92c6f592b0275",
      "0x4a7484aa6ea6e483",
      "0x5cb0a9dcbd41fbd4",
      "0x76f988da831153b5",
      "0x983e5152ee66dfab",
      "0xa831c66d2db43210",
      "0xb00327c898fb213f",
      "0xbf597fc7beef0ee4",
      "0xc6e00bf33da88fc2",
      "0xd5a79147930aa725",
      "0x06ca6351e003826f",
      "0x142929670a0e6e70",
      "0x27b70a8546d22ffc",
      "0x2e1b21385c26c926",
      "0x4d2c6dfc5ac42aed",
      "0x53380d139d95b3df",
      "0x650a73548baf63de",
      "0x766a0abb3c77b2a8",
      "0x81c2c92e47edaee6",
      "0x92722c851482353b",
      "0xa2bfe8a14cf10364",
      "0xa81a664bbc423001",
      "0xc24b8b70d0f89791",
      "0xc76c51a30654be30",
      "0xd192e819d6ef5218",
      "0xd69906245565a910",
      "0xf40e35855771202a",
      "0x106aa07032bbd1b8",
      "0x19a4c116b8d2d0c8",
      "0x1e376c085141ab53",
      "0x2748774cdf8eeb99",
      "0x34b0bcb5e19b48a8",
      "0x391c0cb3c5c95a63",
      "0x4ed8aa4ae3418acb",
      "0x5b9cca4f7763e373",
      "0x682e6ff3d6b2b8a3",
      "0x748f82ee5defb2fc",
      "0x78a5636f43172f60",
      "0x84c87814a1f0ab72",
      "0x8cc702081a6439ec",
      "0x90befffa23631e28",
      "0xa4506cebde82bde9",
      "0xbef9a3f7b2c67915",
      "0xc67178f2e372532b",
      "0xca273eceea26619c",
      "0xd186b8c721c0c207",
      "0xeada7dd6cde0eb1e",
      "0xf57d4f7fee6ed178",
      "0x06f067aa72176fba",
      "0x0a637dc5a2c898a6",
      "0x113f9804bef90dae",
      "0x1b710b35131c471b",
      "0x28db77f523047d84",
      "0x32caab7b40c72493",
      "0x3c9ebe0a15c9bebc",
      "0x431d67c49c100d4c",
      "0x4cc5d4becb3e42b6",
      "0x597f299cfc657e2a",
      "0x5fcb6fab3ad6faec",
      "0x6c44198c4a475817",
    ].map((t) => BigInt(t)),
  ),
  Jx = Ih[0],
  Qx = Ih[1],
  er = new Uint32Array(80),
  tr = new Uint32Array(80),
  Ii = class extends _s {
    Ah = 0;
    Al = 0;
    Bh = 0;
    Bl = 0;
    Ch = 0;
    Cl = 0;
    Dh = 0;
    Dl = 0;
    Eh = 0;
    El = 0;
    Fh = 0;
    Fl = 0;
    Gh = 0;
    Gl = 0;
    Hh = 0;
    Hl = 0;
    constructor(e, n) {
      super(128, e, 16, !1),
        this.Ah = n[0] | 0,
        this.Al = n[1] | 0,
        this.Bh = n[2] | 0,
        this.Bl = n[3] | 0,
        this.Ch = n[4] | 0,
        this.Cl = n[5] | 0,
        this.Dh = n[6] | 0,
        this.Dl = n[7] | 0,
        this.Eh = n[8] | 0,
        this.El = n[9] | 0,
        this.Fh = n[10] | 0,
        this.Fl = n[11] | 0,
        this.Gh = n[12] | 0,
        this.Gl = n[13] | 0,
        this.Hh = n[14] | 0,
        this.Hl = n[15] | 0;
    }
    get() {
      let {
        Ah: e,
        Al: n,
        Bh: r,
        Bl: o,
        Ch: s,
        Cl: i,
        Dh: a,
        Dl: f,
        Eh: d,
        El: u,
        Fh: l,
        Fl: h,
        Gh: p,
        Gl: m,
        Hh: g,
        Hl: w,
      } = this;
      return [e, n, r, o, s, i, a, f, d, u, l, h, p, m, g, w];
    }
    set(e, n, r, o, s, i, a, f, d, u, l, h, p, m, g, w) {
      this.Ah = e | 0,
        this.Al = n | 0,
        this.Bh = r | 0,
        this.Bl = o | 0,
        this.Ch = s | 0,
        this.Cl = i | 0,
        this.Dh = a | 0,
        this.Dl = f | 0,
        this.Eh = d | 0,
        this.El = u | 0,
        this.Fh = l | 0,
        this.Fl = h | 0,
        this.Gh = p | 0,
        this.Gl = m | 0,
        this.Hh = g | 0,
        this.Hl = w | 0;
    }
    _cloneInto(e) {
      return (e ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(e);
    }
    process(e, n) {
      for (let y = 0; y < 16; y++, n += 4) er[y] = e.getUint32(n), tr[y] = e.getUint32(n += 4);
      for (let y = 16; y < 80; y++) {
        let _ = er[y - 15] | 0,
          v = tr[y - 15] | 0,
          I = Fr(_, v, 1) ^ Fr(_, v, 8) ^ pf(_, v, 7),
          N = Pr(_, v, 1) ^ Pr(_, v, 8) ^ mf(_, v, 7),
          R = er[y - 2] | 0,
          z = tr[y - 2] | 0,
          ne = Fr(R, z, 19) ^ bs(R, z, 61) ^ pf(R, z, 6),
          ae = Pr(R, z, 19) ^ xs(R, z, 61) ^ mf(R, z, 6),
          he = vh(N, ae, tr[y - 7], tr[y - 16]),
          He = Sh(he, I, ne, er[y - 7], er[y - 16]);
        er[y] = He | 0, tr[y] = he | 0;
      }
      let {
        Ah: r,
        Al: o,
        Bh: s,
        Bl: i,
        Ch: a,
        Cl: f,
        Dh: d,
        Dl: u,
        Eh: l,
        El: h,
        Fh: p,
        Fl: m,
        Gh: g,
        Gl: w,
        Hh: b,
        Hl: x,
      } = this;
      for (let y = 0; y < 80; y++) {
        let _ = Fr(l, h, 14) ^ Fr(l, h, 18) ^ bs(l, h, 41),
          v = Pr(l, h, 14) ^ Pr(l, h, 18) ^ xs(l, h, 41),
          I = l & p ^ ~l & g,
          N = h & m ^ ~h & w,
          R = Th(x, v, N, Qx[y], tr[y]),
          z = kh(R, b, _, I, Jx[y], er[y]),
          ne = R | 0,
          ae = Fr(r, o, 28) ^ bs(r, o, 34) ^ bs(r, o, 39),
          he = Pr(r, o, 28) ^ xs(r, o, 34) ^ xs(r, o, 39),
          He = r & s ^ r & a ^ s & a,
          X = o & i ^ o & f ^ i & f;
        b = g | 0,
          x = w | 0,
          g = p | 0,
          w = m | 0,
          p = l | 0,
          m = h | 0,
          { h: l, l: h } = wn(d | 0, u | 0, z | 0, ne | 0),
          d = a | 0,
          u = f | 0,
          a = s | 0,
          f = i | 0,
          s = r | 0,
          i = o | 0;
        let fe = _h(ne, he, X);
        r = Eh(fe, z, ae, He), o = fe | 0;
      }
      ({ h: r, l: o } = wn(this.Ah | 0, this.Al | 0, r | 0, o | 0)),
        { h: s, l: i } = wn(this.Bh | 0, this.Bl | 0, s | 0, i | 0),
        { h: a, l: f } = wn(this.Ch | 0, this.Cl | 0, a | 0, f | 0),
        { h: d, l: u } = wn(this.Dh | 0, this.Dl | 0, d | 0, u | 0),
        { h: l, l: h } = wn(this.Eh | 0, this.El | 0, l | 0, h | 0),
        { h: p, l: m } = wn(this.Fh | 0, this.Fl | 0, p | 0, m | 0),
        { h: g, l: w } = wn(this.Gh | 0, this.Gl | 0, g | 0, w | 0),
        { h: b, l: x } = wn(this.Hh | 0, this.Hl | 0, b | 0, x | 0),
        this.set(r, o, s, i, a, f, d, u, l, h, p, m, g, w, b, x);
    }
    roundClean() {
      Ct(er, tr);
    }
    destroy() {
      this.destroyed = !0,
        Ct(this.buffer),
        this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  },
  yf = class extends Ii {
    constructor() {
      super(64, Ch);
    }
  },
  bf = class extends Ii {
    constructor() {
      super(48, Bh);
    }
  };
var on = vo(() => new wf(), Mr(1));
var Es = vo(() => new yf(), Mr(3)), Rh = vo(() => new bf(), Mr(2));
var e1 = Uint8Array.of(0), v3 = Uint8Array.of(1);
function sn(t) {
  return on(t);
}
function Ao(t, e) {
  return t.sha256(pe(e1, e));
}
var Re = { ed25519: 1, cosignature: 4, mlDsaCosignature: 6, private: 255 },
  t1 = { [Re.ed25519]: 32, [Re.cosignature]: 32, [Re.mlDsaCosignature]: 1312 },
  n1 = [Re.ed25519, Re.cosignature];
function jr(t) {
  let { name: e, type: n, identifier: r = "", publicKey: o } = t;
  return sn(pe(
    ee(`${e}
`),
    Uint8Array.of(n),
    ee(r),
    o,
  )).slice(0, 4);
}
function Li(t) {
  let e = pe(Uint8Array.of(t.type), t.publicKey);
  return `${t.name}+${V(jr(t))}+${So(e)}`;
}
function ot(t, e = n1) {
  let [, n = "", , r = ""] = /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(t) ?? [],
    o = mn(r) ?? new Uint8Array(),
    s = { name: n, type: o[0] ?? 0, publicKey: o.slice(1) };
  if (!(e.includes(s.type) && s.publicKey.length === t1[s.type]) || Li(s) !== t) {
    throw new O(
      "invalid_key",
      `Cannot read verifier key: not a C2SP note key of type ${
        e.map((a) => `0x0${a}`).join(" or ")
      }`,
    );
  }
  return s;
}
var { rawJSON: r1 = (t) => t } = JSON,
  vs = class {
    text;
    constructor(e) {
      this.text = e;
    }
    toJSON() {
      return r1(this.text);
    }
  },
  Lh = 32,
  o1 = 40,
  s1 = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  Hi = /[^"\\\u0000-\u001f]*/y,
  i1 = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y,
  a1 = 15,
  xf = 48,
  c1 = 57;
function xt(t, e, n = 1 / 0, r = "JSON") {
  return new _f(t, e, n, r).read();
}
function Ss(t) {
  return JSON.stringify(t.slice(0, o1));
}
var _f = class {
  #e;
  #t;
  #n;
  #o;
  #r = 0;
  #i = 0;
  constructor(e, n, r, o) {
    this.#e = e, this.#t = n, this.#n = r, this.#o = o;
  }
  read() {
    let e = this.#s(0);
    if (this.#r !== this.#e.length) throw this.#l("text after the value");
    return e;
  }
  #s(e) {
    if (e > Lh) throw this.#l(`more than ${Lh} levels`);
    if (++this.#i > this.#n) throw this.#l(`more than ${this.#n} values`);
    this.#d();
    let n = this.#a(e);
    return this.#d(), n;
  }
  #a(e) {
    switch (this.#e[this.#r]) {
      case "{":
        return this.#u(e);
      case "[":
        return this.#w(e);
      case '"':
        return this.#m();
      case "t":
        return this.#c("true", !0);
      case "f":
        return this.#c("false", !1);
      case "n":
        return this.#c("null", null);
    }
    return this.#h() ?? this.#p();
  }
  #c(e, n) {
    if (!this.#e.startsWith(e, this.#r)) throw this.#l("not a JSON value");
    return this.#r += e.length, n;
  }
  #h() {
    let e = this.#r, n = e, r = 0;
    for (; n < e + a1; n++) {
      let i = this.#e.charCodeAt(n);
      if (!(i >= xf && i <= c1)) break;
      r = 10 * r + i - xf;
    }
    let o = "0123456789.eE".includes(this.#e[n] ?? " "),
      s = n > e + 1 && this.#e.charCodeAt(e) === xf;
    if (!(n === e || o || s)) return this.#r = n, r;
  }
  #p() {
    let e = this.#g(s1);
    if (e === void 0) throw this.#l("not a JSON value");
    return bt(e) ?? new vs(e);
  }
  #u(e) {
    let n = Object.create(null);
    if (this.#r++, this.#d(), this.#f("}")) return n;
    do {
      this.#d();
      let r = this.#m();
      if (Object.hasOwn(n, r)) throw this.#l(`duplicate member ${Ss(r)}`);
      if (this.#d(), !this.#f(":")) throw this.#l('no ":" after a member name');
      n[r] = this.#s(e + 1);
    } while (this.#f(","));
    if (!this.#f("}")) throw this.#l('no "," or "}" after a member');
    return n;
  }
  #w(e) {
    let n = [];
    if (this.#r++, this.#d(), this.#f("]")) return n;
    do n.push(this.#s(e + 1)); while (this.#f(","));
    if (!this.#f("]")) throw this.#l('no "," or "]" after a list item');
    return n;
  }
  #m() {
    let e = this.#r;
    if (!this.#f('"')) throw this.#l("not a member name");
    Hi.lastIndex = this.#r, Hi.test(this.#e);
    let n = Hi.lastIndex;
    if (this.#e[n] === '"') return this.#r = n + 1, this.#e.slice(e + 1, n);
    do this.#g(Hi); while (this.#g(i1) !== void 0);
    if (!this.#f('"')) throw this.#l("invalid or unterminated string");
    return JSON.parse(this.#e.slice(e, this.#r));
  }
  #d() {
    for (;; this.#r++) {
      let e = this.#e[this.#r];
      if (
        e !== " " && e !== `
` &&
        e !== "	" && e !== "\r"
      ) return;
    }
  }
  #f(e) {
    return this.#e[this.#r] !== e ? !1 : (this.#r++, !0);
  }
  #g(e) {
    e.lastIndex = this.#r;
    let n = e.exec(this.#e)?.[0];
    return n !== void 0 && (this.#r += n.length), n;
  }
  #l(e) {
    return new O(this.#t, `Cannot read ${this.#o}: ${e} at character ${this.#r}`);
  }
};
var Ut = class {
    path;
    problem;
    subject;
    constructor(e, n, r = e) {
      this.path = e, this.problem = n, this.subject = r;
    }
  },
  Zt = class t {
    read;
    describe;
    constructor(e, n) {
      this.read = e, this.describe = n;
    }
    parse(e, { where: n, code: r }) {
      try {
        return this.read(e, "");
      } catch (o) {
        throw o instanceof Ut ? new O(r, `Cannot read ${n}${o.subject}: ${o.problem}`) : o;
      }
    }
    parseText(e, n, r) {
      return this.parse(xt(e, n.code, r), n);
    }
    with(e) {
      return new t(this.read, (n) => ({ ...this.describe(n), ...e }));
    }
    named(e, n = {}) {
      return new t(
        this.read,
        (
          r,
        ) => (Object.hasOwn(r, e) || (r[e] = {}, r[e] = { ...this.describe(r), ...n }),
          { $ref: `#/components/schemas/${e}` }),
      );
    }
    map(e, n) {
      return new t((r, o) => {
        let s = e(this.read(r, o));
        if (s === void 0) throw new Ut(o, `expected ${n}`);
        return s;
      }, this.describe);
    }
    optional() {
      return new Ts(this.read, this.describe);
    }
  },
  Ts = class extends Zt {
    isOptional = !0;
  },
  Ef = class extends Zt {
    members;
    constructor(e, n) {
      super(
        (r, o) => f1(e, r, o, n === "refused"),
        (r) => ({
          type: "object",
          properties: Object.fromEntries(Object.entries(e).map(([o, s]) => [o, s.describe(r)])),
          required: Object.keys(e).filter((o) => !(e[o] instanceof Ts)),
          ...n !== "allowed" && { additionalProperties: !1 },
        }),
      ), this.members = e;
    }
  };
function f1(t, e, n, r) {
  if (!(typeof e == "object" && e !== null && !Array.isArray(e)) || e instanceof vs) {
    throw new Ut(n, "expected an object");
  }
  let s = e, i = {};
  for (let [f, d] of Object.entries(t)) {
    if (Object.hasOwn(s, f)) i[f] = d.read(s[f], `${n}.${f}`);
    else if (!(d instanceof Ts)) throw new Ut(`${n}.${f}`, `member ${f} is missing`, n);
  }
  let a = Object.keys(s).find((f) => !Object.hasOwn(t, f));
  if (r && a !== void 0) throw new Ut(n, `unknown member ${Ss(a)}`);
  return i;
}
function D(t, e = "refused") {
  return new Ef(t, e);
}
function Mi(t, e, n) {
  return new Zt((r, o) => {
    if (!t(r)) throw new Ut(o, `expected ${e}`);
    return r;
  }, () => n);
}
var ye = Mi((t) => typeof t == "string", "text", { type: "string" }),
  ks = Mi((t) => typeof t == "boolean", "true or false", { type: "boolean" }),
  d1 = Mi((t) => t === null, "null", { type: "null" }),
  jn = Mi(ke, "an integer from 0 to 2^53 - 1", { type: "integer", minimum: 0, maximum: mh - 1 }),
  No = new Zt(
    (t) => t ?? null,
    () => ({ type: ["string", "number", "boolean", "null", "array", "object"] }),
  ).named("JsonValue", { description: "Any JSON value" });
function yn(t) {
  return ye.with({ description: t });
}
function vf(t) {
  return ks.with({ description: t });
}
function te(t) {
  return jn.with({ description: t });
}
function qe(t) {
  return jn.with({ description: `${t}, Unix seconds`, example: 1766275200 });
}
function Hh(t) {
  return ye.map((e) => t.test(e) ? e : void 0, `text that matches ${t.source}`).with({
    pattern: t.source,
  });
}
function _t(t, e) {
  let n = 2 * t;
  return ye.map((r) => Pe(r, t) ? r : void 0, `${n} lowercase hex digits`).with({
    pattern: `^[0-9a-f]{${n}}$`,
    description: e,
  });
}
var st = _t(S, "32 bytes, lowercase hex").named("Hash"),
  It = be(st).named("HashPath", {
    description:
      "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
  });
function Jt(t) {
  return ye.map((e) => t.find((n) => n === e), t.join(" or ")).with({ enum: t });
}
function be(t, e = 0, n = 1 / 0) {
  return new Zt(
    (r, o) => {
      if (!Array.isArray(r)) throw new Ut(o, "expected a list");
      if (r.length < e || r.length > n) {
        let s = n < 1 / 0 ? `${e} to ${n}` : `${e} or more`;
        throw new Ut(o, `expected a list of ${s} items`);
      }
      return r.map((s, i) => t.read(s, `${o}[${i}]`));
    },
    (r) => ({
      type: "array",
      items: t.describe(r),
      ...e > 0 && { minItems: e },
      ...n < 1 / 0 && { maxItems: n },
    }),
  );
}
function Dr(...t) {
  return new Zt((e, n) => {
    let r;
    for (let o of t) {
      try {
        return o.read(e, n);
      } catch (s) {
        if (!(s instanceof Ut)) throw s;
        (r === void 0 || s.path.length > r.path.length) && (r = s);
      }
    }
    throw r;
  }, (e) => ({ anyOf: t.map((n) => n.describe(e)) }));
}
function nr(t) {
  return Dr(t, d1);
}
var Sf = "countersign/attestation/v1",
  Mh = "countersign/round/v1",
  $h = "cosignature/v1",
  Fh = `subtree/v1
\0`,
  Ph = "countersign/trust-core/v1",
  jh = "countersign/trust-core/v2",
  Dh = "countersign/succession/v1",
  Uh = "countersign/epoch-end/v1",
  zh = "countersign/next-log/v1";
var qh = ["cosignature/", "countersign/", "subtree/"],
  Os = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
  Tf = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
var Gh = "countersign/bls-aggregate/v1", Vh = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
var Kh = 48,
  Wh = 80,
  u1 = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/,
  $i = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;
function zt(t) {
  return t.length <= Kh && $i.test(t) && !qh.some((e) => t.startsWith(e));
}
function Bo(t) {
  return t.length <= Wh && $i.test(t);
}
var it = ye.named("NetworkId", {
    minLength: 1,
    maxLength: Kh,
    pattern: $i.source,
    description: "The log's C2SP origin",
  }),
  Qt = ye.named("WitnessId", {
    minLength: 1,
    maxLength: Wh,
    pattern: $i.source,
    description: "The witness's C2SP key name",
  }),
  Co = Hh(u1).with({
    description: "The gateway's name for the service; only where it has several of this provider",
  });
var mt = { ed25519: 64, bls: 48 }, bn = { ed25519: 32, bls: 96 };
function Dn(t) {
  return "signatures" in t;
}
function rr(t) {
  return Dn(t) ? t.signatures.map(({ witness_id: e }) => e) : t.signers;
}
var Fi = Qt.map((t) => Bo(t) ? t : void 0, "a witness id of 1 to 80 characters"),
  l1 = be(
    D({ witness_id: Fi, signature: _t(mt.ed25519, "Ed25519 signature (RFC 8032)") }).named(
      "WitnessSignature",
    ),
  ).with({ description: "One signature per witness, strictly ascending by witness_id" });
function Ur(t, e, n) {
  return Dr(
    D({ ...e, signatures: l1 }).named(`Ed25519${t}`),
    D({
      ...e,
      signature: _t(mt.bls, "Aggregate BLS12-381 signature in G1, compressed"),
      signers: be(Fi).with({
        description: "Ids of the witnesses in the aggregate, strictly ascending",
      }),
    }).named(`Bls${t}`),
  ).named(t, n);
}
var As = Ue("malformed_text", "Cannot read tree head"),
  zr = D({
    network_id: it,
    tree_size: te("Number of leaves").with({ example: 2 }),
    timestamp: qe("Timestamp of the head"),
    root_hash: st,
  }).named("TreeHead"),
  Ns = _t(mt.ed25519, "The log key's Ed25519 signature over the checkpoint body"),
  h1 = _t(
    mt.ed25519,
    "The log key's Ed25519 signature over the Sig_structure of this head's COSE receipts",
  ),
  xn = Ur("SignedTreeHead", {
    tree_head: zr,
    log_signature: Ns.optional(),
    receipt_signature: h1.optional(),
  }, { description: "Size and root hash of the log at a time, cosigned by the threshold" });
function _n(t) {
  if (!zt(t.network_id)) throw As("the origin is not a network id");
  if (!ke(t.tree_size)) throw As("the tree size is not an integer in [0, 2^53)");
  if (!Pe(t.root_hash, S)) throw As("the root hash is not 32 bytes");
  let e = So(we(t.root_hash));
  return `${t.network_id}
${t.tree_size}
${e}
`;
}
function Io(t) {
  let [e = "", n = "", r = ""] = t.split(`
`),
    o = { network_id: e, tree_size: bt(n) ?? NaN, root_hash: V(mn(r) ?? new Uint8Array()) };
  if (_n(o) !== t) throw As("the text is not canonical");
  return o;
}
function Pi(t) {
  return ji(t.timestamp, _n(t));
}
function ji(t, e) {
  if (!ke(t)) throw As("the time is not an integer in [0, 2^53)");
  return `${$h}
time ${t}
${e}`;
}
var Yh = "malformed_text", kf = 1;
function Xh(t) {
  let { sth: e, fingerprint: n, seenAt: r, logSignature: o } = t;
  return JSON.stringify({
    version: kf,
    fingerprint: n,
    seen_at: r,
    sth: e,
    ...o && { log_signature: V(o) },
  });
}
var p1 = D({ version: jn, fingerprint: st, seen_at: jn, sth: xn, log_signature: Ns.optional() });
function Zh(t, e) {
  let { version: n, fingerprint: r, seen_at: o, sth: s, log_signature: i } = p1.parseText(t, {
    where: "remembered head",
    code: Yh,
  });
  if (n !== kf || s.tree_head.network_id !== e) {
    throw new O(Yh, `Cannot read remembered head: expected version ${kf} of network ${e}`);
  }
  return { sth: s, fingerprint: r, seenAt: o, ...i !== void 0 && { logSignature: we(i) } };
}
async function Di(t, e, n, r) {
  if (e.log_vkey === void 0) return;
  let o = _n(n), { publicKey: s } = ot(e.log_vkey);
  for (let { name: i, payload: a } of m1(o, r)) {
    if (i !== e.id || a.length !== mt.ed25519) continue;
    let f = Uint8Array.from(a);
    if (await t.ed25519(s, ee(o), f)) return f;
  }
}
function m1(t, e) {
  let n = lt(() => gn(e));
  return n?.text === t ? n.signatures : [];
}
var Ui = "countersign.head.",
  Bs = "countersign.fork.",
  Ro = class {
    #e;
    constructor(e) {
      this.#e = e;
    }
    read(e) {
      let n = this.#t(Ui + e);
      if (n === void 0) return { kind: "blocked" };
      if (n === null) return { kind: "none" };
      try {
        return { kind: "head", text: n, head: Zh(n, e) };
      } catch (r) {
        if (!(r instanceof O)) throw r;
        return { kind: "damaged", text: n };
      }
    }
    replace(e, n) {
      let r = Ui + n.sth.tree_head.network_id, o = this.#t(r);
      return o === void 0 ? "blocked" : o !== (e ?? null) ? "changed" : this.#n(r, Xh(n));
    }
    evidence(e) {
      return this.#t(Bs + e) ?? void 0;
    }
    keepEvidence(e, n) {
      let r = this.#t(Bs + e);
      return r === void 0 ? "blocked" : r === null ? this.#n(Bs + e, n) : "kept";
    }
    forget(e) {
      try {
        let n = this.#e();
        n.removeItem(Ui + e), n.removeItem(Bs + e);
      } catch {}
    }
    concerns(e, n) {
      return n === null || n === Ui + e || n === Bs + e;
    }
    #t(e) {
      try {
        return this.#e().getItem(e);
      } catch {
        return;
      }
    }
    #n(e, n) {
      try {
        return this.#e().setItem(e, n), "kept";
      } catch {
        return "full";
      }
    }
  };
function Jh(t, e, n) {
  return t.verify(e, e, n, Tf);
}
function qt(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
var Oe = (t, e, n) => Te(t, e, n), Af = ht;
function or(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function qr(t, e) {
  if (typeof t != "function") {
    throw new TypeError(`"${e}" is invalid: expected function, got ${typeof t}`);
  }
  return t;
}
var Gr = Jn,
  dt = (...t) => Eo(...t),
  Vr = (t) => _o(t),
  En = bo,
  Un = (t) => Ai(t),
  zi = BigInt(0),
  Of = BigInt(1),
  g1 = (t) => t ? `"${t}" ` : "";
function $t(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(g1(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function w1(t) {
  if (typeof t == "bigint") {
    if (!sr(t)) {
      throw new RangeError("positive bigint expected, got " + t);
    }
  } else Af(t);
  return t;
}
function Ye(t, e = "") {
  if (typeof t != "number") {
    let n = e && `"${e}" `;
    throw new TypeError(n + "expected number, got type=" + typeof t);
  }
  if (!Number.isSafeInteger(t)) {
    let n = e && `"${e}" `;
    throw new RangeError(n + "expected safe integer, got " + t);
  }
}
function Qh(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  return t === "" ? zi : BigInt("0x" + t);
}
function Gt(t) {
  return Qh(Jn(t));
}
function vn(t) {
  return Qh(Jn(Tn(Te(t)).reverse()));
}
function Sn(t, e) {
  if (ht(e), e === 0) throw new Error("zero output length is invalid");
  t = w1(t);
  let n = e * 2, r = t.toString(16);
  if (r.length > n) throw new RangeError("number is too large");
  return _o(r.padStart(n, "0"));
}
function Nf(t, e) {
  return Sn(t, e).reverse();
}
function Tn(t) {
  return Uint8Array.from(Oe(t));
}
function qi(t) {
  if (typeof t != "string") throw new TypeError("ascii string expected, got " + typeof t);
  return Uint8Array.from(t, (e, n) => {
    let r = e.charCodeAt(0);
    if (e.length !== 1 || r > 127) {
      throw new RangeError(
        `string contains non-ASCII character "${t[n]}" with code ${r} at position ${n}`,
      );
    }
    return r;
  });
}
function sr(t) {
  return typeof t == "bigint" && zi <= t;
}
function Bf(t, e, n) {
  return sr(t) && sr(e) && sr(n) && e <= t && t < n;
}
function Kr(t, e, n, r) {
  if (!Bf(e, n, r)) {
    throw new RangeError("expected valid " + t + ": " + n + " <= n < " + r + ", got " + e);
  }
}
function en(t) {
  if (t < zi) throw new Error("expected non-negative bigint, got " + t);
  return t === zi ? 0 : t.toString(2).length;
}
function ep(t, e) {
  if (typeof t != "bigint") throw new TypeError('"n" expected bigint, got type=' + typeof t);
  return Ye(e, "pos"), t >> BigInt(e) & Of;
}
var Gi = (t) => (Ye(t, "n"), (Of << BigInt(t)) - Of);
function Xe(t, e = {}, n = {}, r = "object") {
  or(t, r), or(e, "fields"), or(n, "optFields");
  function o(i, a, f) {
    let d = r === "object" ? `param "${String(i)}"` : `"${r}.${String(i)}"`, u = t[i];
    if (!Object.hasOwn(t, i) && (f ? u !== void 0 : a !== "function")) {
      throw new TypeError(`${d} is invalid: expected own property`);
    }
    if (f && u === void 0) return;
    let l = typeof u;
    if (l !== a || u === null) throw new TypeError(`${d} is invalid: expected ${a}, got ${l}`);
  }
  let s = (i, a) => Object.entries(i).forEach(([f, d]) => o(f, d, a));
  s(e, !1), s(n, !0);
}
var an = () => {
  throw new Error("not implemented");
};
var at = BigInt(0),
  Le = BigInt(1),
  Wr = BigInt(2),
  rp = BigInt(3),
  Ki = BigInt(4),
  op = BigInt(5),
  y1 = BigInt(7),
  sp = BigInt(8),
  b1 = BigInt(9),
  ip = BigInt(15),
  ap = BigInt(16),
  cp = BigInt("0x10000000000000000");
function et(t, e) {
  if (e <= at) throw new Error("mod: expected positive modulus, got " + e);
  let n = t % e;
  return n >= at ? n : e + n;
}
function x1(t, e, n) {
  if (n <= Le) throw new Error("pow: expected modulus > 1, got " + n);
  if (typeof e != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof e);
  }
  if (e < at) throw new Error("invalid exponent, negatives unsupported");
  if (e === at) return Le;
  if (e === Le) return t;
  let r = t % n;
  if (r < at && (r += n), e < cp) {
    let a = Le;
    for (; e > at;) e & Le && (a = a * r % n), r = r * r % n, e >>= Le;
    return a;
  }
  let o = [];
  for (; e > at;) o.push(Number(e & ip)), e >>= Ki;
  let s = new Array(16);
  s[0] = Le, s[1] = r;
  for (let a = 2; a < 16; a++) s[a] = s[a - 1] * r % n;
  let i = s[o[o.length - 1]];
  for (let a = o.length - 2; a >= 0; a--) {
    i = i * i % n, i = i * i % n, i = i * i % n, i = i * i % n;
    let f = o[a];
    f !== 0 && (i = i * s[f] % n);
  }
  return i;
}
function cn(t, e, n) {
  if (n <= Le) throw new Error("pow2: expected modulus > 1, got " + n);
  if (e < at) throw new Error("pow2: expected non-negative exponent, got " + e);
  let r = t;
  for (; e-- > at;) r *= r, r %= n;
  return r;
}
function tp(t, e) {
  if (t === at) throw new Error("invert: expected non-zero number");
  if (e <= Le) throw new Error("invert: expected modulus > 1, got " + e);
  let n = et(t, e), r = e, o = at, s = Le;
  for (; n !== at;) {
    let a = r / n, f = r - n * a, d = o - s * a;
    r = n, n = f, o = s, s = d;
  }
  if (r !== Le) throw new Error("invert: does not exist");
  return et(o, e);
}
function Cf(t, e, n) {
  let r = t;
  if (!r.eql(r.sqr(e), n)) throw new Error("Cannot find square root");
}
function If(t, e) {
  if ((t & Le) === at) throw new Error(e + ": expected odd modulus, got " + t);
}
function fp(t, e) {
  let n = t, r = (n.ORDER + Le) / Ki, o = n.pow(e, r);
  return Cf(n, o, e), o;
}
function _1(t, e) {
  let n = t,
    r = (n.ORDER - op) / sp,
    o = n.mul(e, Wr),
    s = n.pow(o, r),
    i = n.mul(e, s),
    a = n.mul(n.mul(i, Wr), s),
    f = n.mul(i, n.sub(a, n.ONE));
  return Cf(n, f, e), f;
}
function E1(t) {
  let e = ir(t),
    n = dp(t),
    r = n(e, e.neg(e.ONE)),
    o = n(e, r),
    s = n(e, e.neg(r)),
    i = (t + y1) / ap;
  return (a, f) => {
    let d = a,
      u = d.pow(f, i),
      l = d.mul(u, r),
      h = d.mul(u, o),
      p = d.mul(u, s),
      m = d.eql(d.sqr(l), f),
      g = d.eql(d.sqr(h), f);
    u = d.cmov(u, l, m), l = d.cmov(p, h, g);
    let w = d.eql(d.sqr(l), f), b = d.cmov(u, l, w);
    return Cf(d, b, f), b;
  };
}
function dp(t) {
  if (t < rp) throw new Error("sqrt is not defined for small field");
  If(t, "tonelliShanks");
  let e = t - Le, n = 0;
  for (; e % Wr === at;) e /= Wr, n++;
  let r = Wr, o = ir(t);
  for (; zn(o, r) === 1;) {
    if (r++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
  }
  if (n === 1) return fp;
  let s = o.pow(r, e), i = (e + Le) / Wr;
  return function (f, d) {
    let u = f;
    if (u.is0(d)) return d;
    if (zn(u, d) !== 1) throw new Error("Cannot find square root");
    let l = n, h = u.mul(u.ONE, s), p = u.pow(d, e), m = u.pow(d, i);
    for (; !u.eql(p, u.ONE);) {
      if (u.is0(p)) throw new Error("Cannot find square root: probably non-prime P");
      let g = 1, w = u.sqr(p);
      for (; !u.eql(w, u.ONE);) {
        if (g++, w = u.sqr(w), g === l) throw new Error("Cannot find square root");
      }
      let b = Le << BigInt(l - g - 1), x = u.pow(h, b);
      l = g, h = u.sqr(x), p = u.mul(p, h), m = u.mul(m, x);
    }
    return m;
  };
}
function v1(t) {
  return If(t, "Fp.sqrt"), t % Ki === rp ? fp : t % sp === op ? _1 : t % ap === b1 ? E1(t) : dp(t);
}
var up = (t, e) => (et(t, e) & Le) === Le,
  S1 = [
    "create",
    "isValid",
    "is0",
    "neg",
    "inv",
    "sqrt",
    "sqr",
    "eql",
    "add",
    "sub",
    "mul",
    "pow",
    "div",
    "addN",
    "subN",
    "mulN",
    "sqrN",
  ];
function Ft(t) {
  if (or(t, "field"), typeof t.ORDER != "bigint") {
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof t.ORDER);
  }
  Ye(t.BYTES, "BYTES"), Ye(t.BITS, "BITS");
  for (let e of S1) qr(t[e], "field." + e);
  if (t.BYTES < 1 || t.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
  if (t.ORDER <= Le) throw new Error("invalid field: expected ORDER > 1, got " + t.ORDER);
  return t;
}
function Wi(t, e, n) {
  Ft(t);
  let r = t;
  if (typeof n != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof n);
  }
  if (n < at) throw new Error("invalid exponent, negatives unsupported");
  if (n === at) return r.ONE;
  if (n === Le) return e;
  if (n < cp) {
    let a = r.ONE, f = e;
    for (; n > at;) n & Le && (a = r.mul(a, f)), f = r.sqr(f), n >>= Le;
    return a;
  }
  let o = [];
  for (; n > at;) o.push(Number(n & ip)), n >>= Ki;
  let s = new Array(16);
  s[0] = r.ONE, s[1] = e;
  for (let a = 2; a < 16; a++) s[a] = r.mul(s[a - 1], e);
  let i = s[o[o.length - 1]];
  for (let a = o.length - 2; a >= 0; a--) {
    i = r.sqr(r.sqr(r.sqr(r.sqr(i))));
    let f = o[a];
    f !== 0 && (i = r.mul(i, s[f]));
  }
  return i;
}
function fn(t, e, n = !1) {
  Ft(t), qt(e, "nums"), $t(n, "passZero");
  let r = t,
    o = new Array(e.length).fill(n ? r.ZERO : void 0),
    s = e.reduce((a, f, d) => r.is0(f) ? a : (o[d] = a, r.mul(a, f)), r.ONE),
    i = r.inv(s);
  return e.reduceRight((a, f, d) => r.is0(f) ? a : (o[d] = r.mul(a, o[d]), r.mul(a, f)), i), o;
}
function zn(t, e) {
  Ft(t);
  let n = t;
  If(n.ORDER, "FpLegendre");
  let r = (n.ORDER - Le) / Wr,
    o = n.pow(e, r),
    s = n.eql(o, n.ONE),
    i = n.eql(o, n.ZERO),
    a = n.eql(o, n.neg(n.ONE));
  if (!s && !i && !a) throw new Error("invalid Legendre symbol result");
  return s ? 1 : i ? 0 : -1;
}
function Rf(t, e) {
  return zn(t, e) !== -1;
}
function T1(t, e) {
  if (e !== void 0 && Af(e), t <= at) {
    throw new Error("invalid n length: expected positive n, got " + t);
  }
  if (e !== void 0 && e < 1) {
    throw new Error("invalid n length: expected positive bit length, got " + e);
  }
  let n = en(t);
  if (e !== void 0 && e < n) {
    throw new Error(`invalid n length: expected nBitLength (${e}) >= bitLen(n) (${n})`);
  }
  let r = e !== void 0 ? e : n, o = Math.ceil(r / 8);
  return { nBitLength: r, nByteLength: o };
}
var np = new WeakMap(),
  Vi = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO = at;
    ONE = Le;
    _lengths;
    _mod;
    constructor(e, n = {}) {
      if (e <= Le) throw new Error("invalid field: expected ORDER > 1, got " + e);
      let r;
      this.isLE = !1,
        n != null && typeof n == "object" &&
        (typeof n.BITS == "number" && (r = n.BITS),
          typeof n.sqrt == "function" &&
          Object.defineProperty(this, "sqrt", { value: n.sqrt, enumerable: !0 }),
          typeof n.isLE == "boolean" && (this.isLE = n.isLE),
          n.allowedLengths && (this._lengths = Object.freeze(n.allowedLengths.slice())),
          typeof n.modFromBytes == "boolean" && (this._mod = n.modFromBytes));
      let { nBitLength: o, nByteLength: s } = T1(e, r);
      if (s > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
      this.ORDER = e, this.BITS = o, this.BYTES = s, Object.freeze(this);
    }
    create(e) {
      return et(e, this.ORDER);
    }
    isValid(e) {
      if (typeof e != "bigint") {
        throw new TypeError("invalid field element: expected bigint, got " + typeof e);
      }
      return at <= e && e < this.ORDER;
    }
    is0(e) {
      return e === at;
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    isOdd(e) {
      return (e & Le) === Le;
    }
    neg(e) {
      return et(-e, this.ORDER);
    }
    eql(e, n) {
      return e === n;
    }
    sqr(e) {
      return et(e * e, this.ORDER);
    }
    add(e, n) {
      return et(e + n, this.ORDER);
    }
    sub(e, n) {
      return et(e - n, this.ORDER);
    }
    mul(e, n) {
      return et(e * n, this.ORDER);
    }
    pow(e, n) {
      return x1(e, n, this.ORDER);
    }
    div(e, n) {
      return et(e * tp(n, this.ORDER), this.ORDER);
    }
    sqrN(e) {
      return e * e;
    }
    addN(e, n) {
      return e + n;
    }
    subN(e, n) {
      return e - n;
    }
    mulN(e, n) {
      return e * n;
    }
    inv(e) {
      return tp(e, this.ORDER);
    }
    sqrt(e) {
      let n = np.get(this);
      return n || np.set(this, n = v1(this.ORDER)), n(this, e);
    }
    toBytes(e) {
      return this.isLE ? Nf(e, this.BYTES) : Sn(e, this.BYTES);
    }
    fromBytes(e, n = !1) {
      Oe(e);
      let { _lengths: r, BYTES: o, isLE: s, ORDER: i, _mod: a } = this;
      if (r) {
        if (e.length < 1 || !r.includes(e.length) || e.length > o) {
          throw new Error("Field.fromBytes: expected " + r + " bytes, got " + e.length);
        }
        let d = new Uint8Array(o);
        d.set(e, s ? 0 : d.length - e.length), e = d;
      }
      if (e.length !== o) {
        throw new Error("Field.fromBytes: expected " + o + " bytes, got " + e.length);
      }
      let f = s ? vn(e) : Gt(e);
      if (a && (f = et(f, i)), !n && !this.isValid(f)) {
        throw new Error("invalid field element: outside of range 0..ORDER");
      }
      return f;
    }
    invertBatch(e) {
      return fn(this, e, !0);
    }
    cmov(e, n, r) {
      return $t(r, "condition"), r ? n : e;
    }
  };
function ir(t, e = {}) {
  return Object.freeze(Vi.prototype), new Vi(t, e);
}
function lp(t) {
  if (typeof t != "bigint") throw new Error("field order must be bigint");
  if (t <= Le) throw new Error("field order must be greater than 1");
  let e = en(t - Le);
  return Math.ceil(e / 8);
}
function Lf(t) {
  let e = lp(t);
  return e + Math.ceil(e / 2);
}
function hp(t, e, n = !1) {
  Oe(t);
  let r = t.length, o = lp(e), s = Math.max(Lf(e), 16);
  if (r < s || r > 1024) throw new Error("expected " + s + "-1024 bytes of input, got " + r);
  let i = n ? vn(t) : Gt(t), a = et(i, e - Le) + Le;
  return n ? Nf(a, o) : Sn(a, o);
}
var $f = BigInt(0), Cs = BigInt(1), O1 = BigInt(4), Hf = 16, pp = 128, A1 = 5, mp = 2 ** 31;
function ar(t) {
  let e = t;
  if (typeof e != "function") {
    throw new TypeError('"Point" expected constructor, got type=' + typeof t);
  }
  qr(e.fromAffine, "Point.fromAffine"),
    qr(e.fromBytes, "Point.fromBytes"),
    qr(e.fromHex, "Point.fromHex"),
    or(e.BASE, "Point.BASE"),
    or(e.ZERO, "Point.ZERO"),
    Ft(e.Fp),
    Ft(e.Fn);
}
function Yi(t, e) {
  ar(t), yp(e, t);
  let n = fn(t.Fp, e.map((r) => r.Z));
  return e.map((r, o) => t.fromAffine(r.toAffine(n[o])));
}
function N1(t, e, n = 1) {
  if (!Number.isSafeInteger(t) || t < n || t > e) {
    throw new Error("invalid window size, expected [" + n + ".." + e + "], got W=" + t);
  }
}
function B1(t, e) {
  let n = t * (4 * e + 128);
  if (n > mp) {
    throw new Error(
      "invalid window size: table would need ~" + Math.ceil(n / 2 ** 20) + " MiB, max " +
        mp / 2 ** 20 + " MiB",
    );
  }
}
function wp(t, e) {
  if (t !== void 0) {
    qr(t, "randomBytes");
    try {
      let n = t(e);
      if (!En(n) || n.length !== e) return;
    } catch {
      return;
    }
    return t;
  }
}
function yp(t, e) {
  qt(t, "points"),
    t.forEach((n, r) => {
      if (!(n instanceof e)) throw new Error("invalid point at index " + r);
    });
}
function C1(t, e, n) {
  if (!Array.isArray(t)) throw new Error("array of scalars expected");
  t.forEach((r, o) => {
    if (!(n === void 0 ? e.isValid(r) : sr(r) && r < n)) {
      throw new Error("invalid scalar at index " + o);
    }
  });
}
var bp = new WeakMap();
function Mf(t) {
  return bp.get(t) || 1;
}
function I1(t, e) {
  let n = t.double(), r = [t];
  for (let o = 1; o < e; o++) r.push(r[o - 1].add(n));
  return r;
}
function R1(t, e) {
  let n = 2 ** e, r = n / 2, o = BigInt(n - 1), s = [];
  for (; t > $f;) {
    let i = 0;
    t & Cs && (i = Number(t & o), i >= r && (i -= n), t -= BigInt(i)), s.push(i), t >>= Cs;
  }
  return s;
}
function L1(t, e, n) {
  let r = 2 ** e, o = r / 2, s = BigInt(r - 1), i = BigInt(e), a = [];
  for (let f = 0; f < n; f++) {
    let d = Number(t & s);
    t >>= i, d > o && (d -= r, t += Cs), a.push(d);
  }
  if (t !== $f) throw new Error("invalid wnaf");
  return a;
}
function H1(t, e, n) {
  let r = 0;
  for (let s of n) r = Math.max(r, s.length);
  let o = t;
  for (let s = r - 1; s >= 0; s--) {
    s !== r - 1 && (o = o.double());
    for (let i = 0; i < n.length; i++) {
      let a = n[i][s];
      if (a) {
        let f = e[i][Math.abs(a) - 1 >> 1];
        o = o.add(a < 0 ? f.negate() : f);
      }
    }
  }
  return o;
}
var Lo = class {
  Point;
  BASE;
  ZERO;
  randomBytes;
  wnafPrecomputes = new WeakMap();
  baseCanBeBlinded;
  bits;
  constructor(e, n) {
    ar(e),
      this.randomBytes = wp(n, Hf),
      this.Point = e,
      this.BASE = e.BASE,
      this.ZERO = e.ZERO,
      this.bits = e.Fn.BITS;
  }
  buildWnafTable(e, n, r) {
    let o = Math.ceil(r / n) + 1, s = 2 ** (n - 1), i = [], a = e;
    for (let f = 0; f < o; f++) {
      let d = a;
      for (let u = 0; u < s; u++) i.push(d), d = d.add(a);
      a = i[i.length - 1].double();
    }
    return { W: n, bits: r, windows: o, comp: i };
  }
  wnafCachedCT(e, n) {
    let { W: r, windows: o, comp: s } = e,
      i = 2 ** (r - 1),
      a = L1(n, r, o),
      f = this.ZERO,
      d = this.BASE;
    for (let u = 0; u < o; u++) {
      let l = a[u], h = u * i, p = Math.abs(l) - 1, m = s[h];
      for (let w = 1; w < i; w++) m = w === p ? s[h + w] : m;
      let g = m.negate();
      l === 0 ? d = d.add(s[h]) : f = f.add(l < 0 ? g : m);
    }
    return { p: f, f: d };
  }
  getWnafPrecomputes(e, n, r, o) {
    let s = this.wnafPrecomputes.get(n), i = s?.find((a) => a.W === e && a.bits === r);
    return i ||
      (i = this.buildWnafTable(n, e, r),
        typeof o == "function" && (i = { ...i, comp: o(i.comp) }),
        s || (s = [], this.wnafPrecomputes.set(n, s)),
        s.push(i)),
      i;
  }
  assertPoint(e) {
    if (!(e instanceof this.Point)) {
      throw new TypeError('"point" expected Point instance, got type=' + typeof e);
    }
  }
  validateMulInput(e, n) {
    if (this.assertPoint(e), !Bf(n, Cs, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
  }
  runCT(e, n, r, o) {
    let s = Mf(e);
    return s === 1
      ? this.fixedWindowCT(e, n, r)
      : this.wnafCachedCT(this.getWnafPrecomputes(s, e, r, o), n);
  }
  mulCT(e, n, r) {
    return this.validateMulInput(e, n), this.runCT(e, n, this.bits, r);
  }
  mulCTBlinded(e, n, r) {
    if (this.validateMulInput(e, n), this.randomBytes === void 0) {
      throw new Error("randomBytes is required for scalar blinding");
    }
    let o = this.Point.Fn.BITS + pp, s = this.randomBytes(Hf);
    if (!En(s) || s.length !== Hf) throw new Error("randomBytes returned invalid byte array");
    s[0] = s[0] & 63 | 128;
    let i = n + Gt(s) * this.Point.Fn.ORDER;
    return this.runCT(e, i, o, r);
  }
  fixedWindowCT(e, n, r) {
    let o = A1, s = 1 << o, i = Gi(o), a = new Array(s);
    a[0] = this.ZERO;
    for (let u = 1; u < s; u++) a[u] = a[u - 1].add(e);
    let f = Math.ceil(r / o), d = this.ZERO;
    for (let u = f - 1; u >= 0; u--) {
      if (u !== f - 1) { for (let p = 0; p < o; p++) d = d.double(); }
      let l = Number(n >> BigInt(u * o) & i), h = a[0];
      for (let p = 1; p < s; p++) h = p === l ? a[p] : h;
      d = d.add(h);
    }
    return { p: d, f: d };
  }
  shouldBlind(e, n) {
    return this.randomBytes === void 0
      ? !1
      : n === Cs
      ? !0
      : e !== this.BASE
      ? !1
      : (this.baseCanBeBlinded === void 0 &&
        (this.baseCanBeBlinded = this.mulUnsafe(this.BASE, this.Point.Fn.ORDER).is0()),
        this.baseCanBeBlinded);
  }
  mulSecret(e, n, r, o) {
    return this.shouldBlind(e, r) ? this.mulCTBlinded(e, n, o) : this.mulCT(e, n, o);
  }
  mulUnsafe(e, n, r) {
    if (this.assertPoint(e), !sr(n)) throw new Error("invalid scalar");
    let o = Mf(e);
    if (o === 1 || n >= this.Point.Fn.ORDER) return Xi(this.Point, [e], [n], !0);
    let s = this.getWnafPrecomputes(o, e, this.bits, r);
    return this.wnafCachedCT(s, n).p;
  }
  setWindowSize(e, n) {
    this.assertPoint(e), N1(n, this.bits);
    let r = Math.ceil((this.bits + pp) / n) + 1;
    B1(r * 2 ** (n - 1), this.Point.Fp.BYTES), bp.set(e, n), this.wnafPrecomputes.delete(e);
  }
  hasWindowSize(e) {
    return Mf(e) !== 1;
  }
};
function Xi(t, e, n, r = !1) {
  if (
    ar(t),
      yp(e, t),
      $t(r, "allowOversized"),
      C1(n, t.Fn, r ? t.Fn.ORDER ** O1 : void 0),
      e.length !== n.length
  ) throw new Error("arrays of points and scalars must have equal length");
  let o = e.map((i) => I1(i, 4)), s = n.map((i) => R1(i, 4));
  return H1(t.ZERO, o, s);
}
function gp(t, e, n) {
  if (e) {
    if (e.ORDER !== t) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
    return Ft(e), e;
  } else return ir(t, { isLE: n });
}
function Zi(t, e, n = {}, r) {
  if (t !== "weierstrass" && t !== "edwards") {
    throw new Error('expected curve type "weierstrass" or "edwards"');
  }
  if (r === void 0 && (r = t === "edwards"), !e || typeof e != "object") {
    throw new Error(`expected valid ${t} CURVE object`);
  }
  Xe(n);
  for (let f of ["p", "n", "h"]) {
    let d = e[f];
    if (!(sr(d) && d !== $f)) throw new Error(`CURVE.${f} must be positive bigint`);
  }
  let o = gp(e.p, n.Fp, r),
    s = gp(e.n, n.Fn, r),
    a = ["Gx", "Gy", "a", t === "weierstrass" ? "b" : "d"];
  for (let f of a) {
    if (!o.isValid(e[f])) throw new Error(`CURVE.${f} must be valid field element of CURVE.Fp`);
  }
  return e = Object.freeze(Object.assign({}, e)), { CURVE: e, Fp: o, Fn: s };
}
function Ff(t, e) {
  return function (r) {
    let o = t(r);
    return { secretKey: o, publicKey: e(o) };
  };
}
var Ji = BigInt(0), Qi = BigInt(1), ea = BigInt(2), M1 = BigInt(4), xp = BigInt(8);
function $1(t, e, n, r) {
  let o = t.sqr(n),
    s = t.sqr(r),
    i = t.add(t.mul(e.a, o), s),
    a = t.add(t.ONE, t.mul(e.d, t.mul(o, s)));
  return t.eql(i, a);
}
function _p(t, e = {}) {
  Xe(e, {}, {}, "extraOpts");
  let n = e, r = Zi("edwards", t, n, n.FpFnLE), { Fp: o, Fn: s } = r, i = r.CURVE, { h: a } = i;
  if (zn(o, i.a) !== 1) {
    throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
  }
  if (zn(o, i.d) !== -1) {
    throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
  }
  Xe(n, {}, { uvRatio: "function", randomBytes: "function" });
  let f = n.randomBytes === void 0 ? Un : n.randomBytes, d = ea << BigInt(o.BYTES * 8) - Qi;
  function u(x) {
    if (!o.isOdd) throw new Error("Field does not have .isOdd()");
    return o.isOdd(x);
  }
  let l = n.uvRatio === void 0
    ? (x, y) => {
      try {
        return { isValid: !0, value: o.sqrt(o.div(x, y)) };
      } catch {
        return { isValid: !1, value: Ji };
      }
    }
    : n.uvRatio;
  if (!$1(o, i, i.Gx, i.Gy)) throw new Error("bad curve params: generator point");
  let h = o.eql(i.a, o.neg(o.ONE))
    ? (x) => o.neg(x)
    : o.eql(i.a, o.ONE)
    ? (x) => x
    : (x) => o.mul(i.a, x);
  function p(x, y, _ = !1) {
    let v = _ ? Qi : Ji;
    return Kr("coordinate " + x, y, v, d), y;
  }
  function m(x) {
    if (!(x instanceof g)) throw new Error("EdwardsPoint expected");
  }
  class g {
    static BASE = new g(i.Gx, i.Gy, o.ONE, o.mul(i.Gx, i.Gy));
    static ZERO = new g(o.ZERO, o.ONE, o.ONE, o.ZERO);
    static Fp = o;
    static Fn = s;
    X;
    Y;
    Z;
    T;
    constructor(y, _, v, I) {
      this.X = p("x", y),
        this.Y = p("y", _),
        this.Z = p("z", v, !0),
        this.T = p("t", I),
        Object.freeze(this);
    }
    static CURVE() {
      return i;
    }
    static fromAffine(y) {
      if (y instanceof g) throw new Error("extended point not allowed");
      let { x: _, y: v } = y || {};
      return p("x", _), p("y", v), new g(_, v, o.ONE, o.mul(_, v));
    }
    static fromBytes(y, _ = !1) {
      let v = o.BYTES, { a: I, d: N } = i;
      y = Tn(Oe(y, v, "point")), $t(_, "zip215");
      let R = Tn(y), z = y[v - 1];
      R[v - 1] = z & -129;
      let ne = vn(R), ae = _ ? d : o.ORDER;
      Kr("point.y", ne, Ji, ae);
      let he = o.sqr(ne),
        He = o.sub(he, o.ONE),
        X = o.sub(o.mulN(N, he), I),
        { isValid: fe, value: de } = l(He, X);
      if (!fe) throw new Error("bad point: invalid y coordinate");
      let A = u(de), q = (z & 128) !== 0;
      if (!_ && o.is0(de) && q) throw new Error("bad point: x=0 and x_0=1");
      return q !== A && (de = o.neg(de)), g.fromAffine({ x: de, y: ne });
    }
    static fromHex(y, _ = !1) {
      return g.fromBytes(Vr(y), _);
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(y = 6, _ = !0) {
      return b.setWindowSize(this, y), _ || this.multiply(ea), this;
    }
    assertValidity() {
      let y = this, { a: _, d: v } = i;
      if (y.is0()) throw new Error("bad point: ZERO");
      let { X: I, Y: N, Z: R, T: z } = y,
        ne = o.sqr(I),
        ae = o.sqr(N),
        he = o.sqr(R),
        He = o.sqr(he),
        X = o.mul(ne, _),
        fe = o.mul(o.add(X, ae), he),
        de = o.add(He, o.mul(v, o.mul(ne, ae)));
      if (!o.eql(fe, de)) throw new Error("bad point: equation left != right (1)");
      let A = o.mul(I, N), q = o.mul(R, z);
      if (!o.eql(A, q)) throw new Error("bad point: equation left != right (2)");
    }
    equals(y) {
      m(y);
      let { X: _, Y: v, Z: I } = this,
        { X: N, Y: R, Z: z } = y,
        ne = o.mul(_, z),
        ae = o.mul(N, I),
        he = o.mul(v, z),
        He = o.mul(R, I);
      return o.eql(ne, ae) && o.eql(he, He);
    }
    is0() {
      return this.equals(g.ZERO);
    }
    negate() {
      return new g(o.neg(this.X), this.Y, this.Z, o.neg(this.T));
    }
    double() {
      let { X: y, Y: _, Z: v } = this,
        I = o.sqr(y),
        N = o.sqr(_),
        R = o.mul(o.sqr(v), ea),
        z = h(I),
        ne = o.addN(y, _),
        ae = o.sub(o.subN(o.sqr(ne), I), N),
        he = o.addN(z, N),
        He = o.subN(he, R),
        X = o.subN(z, N),
        fe = o.mul(ae, He),
        de = o.mul(he, X),
        A = o.mul(ae, X),
        q = o.mul(He, he);
      return new g(fe, de, q, A);
    }
    add(y) {
      m(y);
      let { d: _ } = i,
        { X: v, Y: I, Z: N, T: R } = this,
        { X: z, Y: ne, Z: ae, T: he } = y,
        He = o.mul(v, z),
        X = o.mul(I, ne),
        fe = o.mul(o.mulN(R, _), he),
        de = o.mul(N, ae),
        A = o.sub(o.subN(o.mulN(o.addN(v, I), o.addN(z, ne)), He), X),
        q = o.subN(de, fe),
        K = o.addN(de, fe),
        F = o.sub(X, h(He)),
        T = o.mul(A, q),
        L = o.mul(K, F),
        $ = o.mul(A, F),
        P = o.mul(q, K);
      return new g(T, L, P, $);
    }
    subtract(y) {
      return m(y), this.add(y.negate());
    }
    multiply(y) {
      if (!s.isValidNot0(y)) throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
      let { p: _, f: v } = b.mulSecret(this, y, a, w);
      return w([_, v])[0];
    }
    multiplyUnsafe(y) {
      if (!s.isValid(y)) throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
      return y === Ji ? g.ZERO : this.is0() || y === Qi ? this : b.mulUnsafe(this, y, w);
    }
    isSmallOrder() {
      return this.clearCofactor().is0();
    }
    isTorsionFree() {
      return b.mulUnsafe(this, i.n).is0();
    }
    toAffine(y) {
      let _ = this, v = y;
      if (v != null && typeof v != "bigint") {
        throw new TypeError('"invertedZ" expected bigint, got type=' + typeof v);
      }
      let { X: I, Y: N, Z: R } = _, z = _.is0();
      v == null && (v = z ? o.create(xp) : o.inv(R));
      let ne = o.mul(I, v), ae = o.mul(N, v), he = o.mul(R, v);
      if (z) return { x: o.ZERO, y: o.ONE };
      if (!o.eql(he, o.ONE)) throw new Error("invZ was invalid");
      return { x: ne, y: ae };
    }
    clearCofactor() {
      return a === Qi
        ? this
        : a === ea
        ? this.double()
        : a === M1
        ? this.double().double()
        : a === xp
        ? this.double().double().double()
        : this.multiplyUnsafe(a);
    }
    toBytes() {
      let { x: y, y: _ } = this.toAffine(), v = o.toBytes(_);
      return v[v.length - 1] |= u(y) ? 128 : 0, v;
    }
    toHex() {
      return Gr(this.toBytes());
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let w = (x) => Yi(g, x), b = new Lo(g, f);
  return b.bits >= 6 && g.BASE.precompute(6), Object.freeze(g.prototype), Object.freeze(g), g;
}
function Ep(t, e, n = {}) {
  if (ar(t), typeof e != "function") throw new Error('"hash" function param is required');
  let r = e, o = n;
  Xe(o, {}, {
    adjustScalarBytes: "function",
    randomBytes: "function",
    domain: "function",
    prehash: "function",
    zip215: "boolean",
    mapToCurve: "function",
    toMontgomery: "function",
    toMontgomerySecret: "function",
  });
  let { prehash: s } = o, { BASE: i, Fp: a, Fn: f } = t, d = r.outputLen, u = 2 * a.BYTES;
  if (d !== void 0 && (Ye(d, "hash.outputLen"), d !== u)) {
    throw new Error(`hash.outputLen must be ${u}, got ${d}`);
  }
  let l = o.randomBytes === void 0 ? Un : o.randomBytes,
    h = o.toMontgomery,
    p = o.toMontgomerySecret,
    m = o.adjustScalarBytes === void 0 ? (X) => X : o.adjustScalarBytes,
    g = o.domain === void 0
      ? (X, fe, de) => {
        if ($t(de, "phflag"), fe.length || de) {
          throw new Error("Contexts/pre-hash are not supported");
        }
        return X;
      }
      : o.domain;
  function w(X) {
    return f.create(vn(X));
  }
  function b(X) {
    let fe = z.secretKey;
    Oe(X, z.secretKey, "secretKey");
    let de = Oe(r(X), 2 * fe, "hashedSecretKey"),
      A = m(de.slice(0, fe)),
      q = de.slice(fe, 2 * fe),
      K = w(A);
    return { head: A, prefix: q, scalar: K };
  }
  function x(X) {
    let { head: fe, prefix: de, scalar: A } = b(X), q = i.multiply(A), K = q.toBytes();
    return { head: fe, prefix: de, scalar: A, point: q, pointBytes: K };
  }
  function y(X) {
    return x(X).pointBytes;
  }
  function _(X = Uint8Array.of(), ...fe) {
    let de = dt(...fe);
    return w(r(g(de, Oe(X, void 0, "context"), !!s)));
  }
  function v(X, fe, de = {}) {
    Xe(de, {}, {}, "options"), X = Tn(Oe(X, void 0, "message")), s && (X = s(X));
    let { prefix: A, scalar: q, pointBytes: K } = x(fe),
      F = _(de.context, A, X),
      T = i.multiply(F).toBytes(),
      L = _(de.context, T, K, X),
      $ = f.create(F + L * q);
    if (!f.isValid($)) throw new Error("sign failed: invalid s");
    let P = dt(T, f.toBytes($));
    return Oe(P, z.signature, "result");
  }
  let I = { zip215: o.zip215 };
  function N(X, fe, de, A = I) {
    Xe(A);
    let { context: q } = A, K = A.zip215 === void 0 ? !!I.zip215 : A.zip215, F = z.signature;
    X = Oe(X, F, "signature"),
      fe = Oe(fe, void 0, "message"),
      de = Oe(de, z.publicKey, "publicKey"),
      K !== void 0 && $t(K, "zip215"),
      s && (fe = s(fe));
    let T = F / 2, L = X.subarray(0, T), $ = vn(X.subarray(T, F)), P, U, E;
    try {
      P = t.fromBytes(de, K), U = t.fromBytes(L, K), E = i.multiplyUnsafe($);
    } catch {
      return !1;
    }
    if (!K && P.isSmallOrder()) return !1;
    let B = _(q, L, de, fe);
    return U.add(P.multiplyUnsafe(B)).subtract(E).clearCofactor().is0();
  }
  let R = a.BYTES, z = { secretKey: R, publicKey: R, signature: 2 * R, seed: R };
  function ne(X) {
    return X = X === void 0 ? l(z.seed) : X, Oe(X, z.seed, "seed");
  }
  function ae(X) {
    return En(X) && X.length === z.secretKey;
  }
  function he(X, fe) {
    try {
      return !!t.fromBytes(X, fe === void 0 ? I.zip215 : fe);
    } catch {
      return !1;
    }
  }
  let He = {
    getExtendedPublicKey: x,
    randomSecretKey: ne,
    isValidSecretKey: ae,
    isValidPublicKey: he,
    toMontgomery(X) {
      if (h === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return h(t.fromBytes(X));
    },
    toMontgomerySecret(X) {
      if (p === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return p(X);
    },
  };
  return Object.freeze(z),
    Object.freeze(He),
    Object.freeze({
      keygen: Ff(ne, y),
      getPublicKey: y,
      sign: v,
      verify: N,
      utils: He,
      Point: t,
      lengths: z,
    });
}
function Is(t, e = "n") {
  if (typeof t != "number") {
    throw new TypeError(`wrong u32 integer "${e}": expected number, got type=${typeof t}`);
  }
  if (!Number.isSafeInteger(t) || t < 0 || t > 4294967295) {
    throw new RangeError(`wrong u32 integer "${e}": expected 0..4294967295, got ${t}`);
  }
  return t;
}
function Sp(t) {
  return Is(t, "x"), (t & t - 1) === 0 && t !== 0;
}
function Pf(t, e) {
  if (Is(t), typeof e != "number") {
    throw new TypeError('"bits" expected number, got type=' + typeof e);
  }
  if (!Number.isSafeInteger(e) || e < 0 || e > 32) {
    throw new Error(`expected integer 0 <= bits <= 32, got ${e}`);
  }
  let n = 0;
  for (let r = 0; r < e; r++, t >>>= 1) n = n << 1 | t & 1;
  return n >>> 0;
}
function Tp(t) {
  return Is(t), 31 - Math.clz32(t);
}
function vp(t) {
  if (!t || typeof t != "object" || typeof t.length != "number") {
    throw new TypeError('"values" expected array-like, got type=' + typeof t);
  }
  let e = t.length;
  if (!Sp(e)) throw new Error("expected positive power-of-two length, got " + e);
  let n = Tp(e);
  for (let r = 0; r < e; r++) {
    let o = Pf(r, n);
    if (r < o) {
      let s = t[r];
      t[r] = t[o], t[o] = s;
    }
  }
  return t;
}
var jf = (t, e) => {
  Xe(e, { N: "number", roots: "object", dit: "boolean" }, {
    invertButterflies: "boolean",
    skipStages: "number",
    brp: "boolean",
  }, "coreOpts");
  let { N: n, roots: r, dit: o, invertButterflies: s = !1, skipStages: i = 0, brp: a = !0 } = e;
  Is(n, "coreOpts.N");
  let f = Tp(n);
  if (!Sp(n)) throw new Error("FFT: Polynomial size should be power of two");
  Is(i, "coreOpts.skipStages");
  let d = f === 0 ? 0 : f - 1;
  if (i > d) throw new Error(`FFT: wrong skipStages: expected 0 <= skipStages <= ${d}`);
  if (r.length !== n) throw new Error(`FFT: wrong roots length: expected ${n}, got ${r.length}`);
  let u = o !== s;
  return (l) => {
    if (l.length !== n) throw new Error("FFT: wrong Polynomial length");
    o && a && vp(l);
    for (let h = 0, p = 1; h < f - i; h++) {
      let m = o ? h + 1 + i : f - h, g = 1 << m, w = g >> 1, b = n >> m;
      for (let x = 0; x < n; x += g) {
        for (let y = 0, _ = p++; y < w; y++) {
          let v = s ? o ? n - _ : _ : y * b,
            I = x + y,
            N = x + y + w,
            R = r[v],
            z = l[N],
            ne = l[I];
          if (u) {
            let ae = t.mul(z, R);
            l[I] = t.add(ne, ae), l[N] = t.sub(ne, ae);
          } else {s
              ? (l[I] = t.add(z, ne), l[N] = t.mul(t.sub(z, ne), R))
              : (l[I] = t.add(ne, z), l[N] = t.mul(t.sub(ne, z), R));}
        }
      }
    }
    return !o && a && vp(l), l;
  };
};
var kp = BigInt(0), kn = BigInt(1), cr = BigInt(2), Op = BigInt(3), Ap = BigInt(4), F1 = Gt;
function Yr(t, e) {
  if (Ye(t), Ye(e), e < 0 || e > 4) throw new Error("invalid I2OSP length: " + e);
  if (t < 0 || t > 2 ** (8 * e) - 1) throw new Error("invalid I2OSP input: " + t);
  let n = Array.from({ length: e }).fill(0);
  for (let r = e - 1; r >= 0; r--) n[r] = t & 255, t >>>= 8;
  return new Uint8Array(n);
}
function P1(t, e) {
  let n = new Uint8Array(t.length);
  for (let r = 0; r < t.length; r++) n[r] = t[r] ^ e[r];
  return n;
}
function Np(t) {
  if (!En(t) && typeof t != "string") throw new Error("DST must be Uint8Array or ascii string");
  let e = typeof t == "string" ? qi(t) : t;
  if (e.length === 0) throw new Error("DST must be non-empty");
  return e;
}
function j1(t, e, n, r) {
  if (Oe(t), Ye(n), typeof r != "function") {
    throw new Error("expand_message_xmd: expected hash function");
  }
  Ye(r.outputLen, "hash.outputLen"),
    Ye(r.blockLen, "hash.blockLen"),
    e = Np(e),
    e.length > 255 && (e = r(dt(qi("H2C-OVERSIZE-DST-"), e)));
  let { outputLen: o, blockLen: s } = r, i = Math.ceil(n / o);
  if (n > 65535 || i > 255) throw new Error("expand_message_xmd: invalid lenInBytes");
  let a = dt(e, Yr(e.length, 1)),
    f = new Uint8Array(s),
    d = Yr(n, 2),
    u = new Array(i),
    l = r(dt(f, t, d, Yr(0, 1), a));
  u[0] = r(dt(l, Yr(1, 1), a));
  for (let p = 1; p < i; p++) {
    let m = [P1(l, u[p - 1]), Yr(p + 1, 1), a];
    u[p] = r(dt(...m));
  }
  return dt(...u).slice(0, n);
}
function D1(t, e, n, r, o) {
  if (Oe(t), Ye(n), Ye(r, "k"), r < 0) throw new Error("expand_message_xof: invalid k");
  if (typeof o != "function") throw new Error("expand_message_xof: expected XOF function");
  if (typeof o.create != "function") throw new Error("expand_message_xof: expected XOF create");
  if (e = Np(e), n < 0 || n > 65535) throw new Error("expand_message_xof: invalid lenInBytes");
  if (e.length > 255) {
    let s = Math.ceil(2 * r / 8);
    e = o.create({ dkLen: s }).update(qi("H2C-OVERSIZE-DST-")).update(e).digest();
  }
  if (e.length > 255) throw new Error("expand_message_xof: invalid DST");
  return o.create({ dkLen: n }).update(t).update(Yr(n, 2)).update(e).update(Yr(e.length, 1))
    .digest();
}
function Df(t, e, n) {
  Xe(n, { p: "bigint", m: "number", k: "number", hash: "function" });
  let { p: r, k: o, m: s, hash: i, expand: a, DST: f } = n;
  if (Ye(i.outputLen, "valid hash"), Oe(t), Ye(e), Ye(s, "m"), Ye(o, "k"), r <= BigInt(1)) {
    throw new Error("hash_to_field: expected valid field characteristic");
  }
  if (e < 1) throw new Error("hash_to_field: expected count >= 1");
  if (s < 1) throw new Error("hash_to_field: expected m >= 1");
  if (o < 0) throw new Error("hash_to_field: invalid k");
  let d = r.toString(2).length, u = Math.ceil((d + o) / 8), l = e * s * u, h;
  if (a === "xmd") h = j1(t, f, l, i);
  else if (a === "xof") h = D1(t, f, l, o, i);
  else if (a === "_internal_pass") h = t;
  else throw new Error('expand must be "xmd" or "xof"');
  let p = new Array(e);
  for (let m = 0; m < e; m++) {
    let g = new Array(s);
    for (let w = 0; w < s; w++) {
      let b = u * (w + m * s), x = h.subarray(b, b + u);
      g[w] = et(F1(x), r);
    }
    p[m] = g;
  }
  return p;
}
function Uf(t, e) {
  Ft(t), qt(e, "map");
  let n = e.map((r, o) => {
    if (qt(r, "map[" + o + "]"), r.length < 1) {
      throw new Error("isogenyMap: expected non-empty coefficients");
    }
    return Array.from(r).reverse();
  });
  return (r, o) => {
    let [s, i, a, f] = n.map((h) => h.reduce((p, m) => t.add(t.mul(p, r), m))),
      d = t.is0(i) || t.is0(f),
      [u, l] = fn(t, [i, f], !0);
    return r = t.mul(s, u),
      o = t.mul(o, t.mul(a, l)),
      d ? { x: t.ZERO, y: t.ZERO } : { x: r, y: o };
  };
}
var U1 = "HashToScalar-";
function zf(t, e, n) {
  if (typeof e != "function") throw new Error("mapToCurve() must be defined");
  Xe(n);
  let r = (f) =>
      Object.freeze({
        ...f,
        DST: En(f.DST) ? Tn(f.DST) : f.DST,
        ...f.encodeDST === void 0
          ? {}
          : { encodeDST: En(f.encodeDST) ? Tn(f.encodeDST) : f.encodeDST },
      }),
    o = r(n),
    s = (f) => f && f.DST !== void 0 ? { DST: f.DST } : void 0;
  function i(f) {
    return t.fromAffine(e(f));
  }
  function a(f) {
    let d = f.clearCofactor();
    return d.equals(t.ZERO) ? t.ZERO : (d.assertValidity(), d);
  }
  return Object.freeze({
    get defaults() {
      return r(o);
    },
    Point: t,
    hashToCurve(f, d) {
      let u = Object.assign({}, o, s(d)), l = Df(f, 2, u), h = i(l[0]), p = i(l[1]);
      return a(h.add(p));
    },
    encodeToCurve(f, d) {
      let u = o.encodeDST === void 0 ? {} : { DST: o.encodeDST },
        l = Object.assign({}, o, u, s(d)),
        h = Df(f, 1, l),
        p = i(h[0]);
      return a(p);
    },
    mapToCurve(f) {
      if (o.m === 1) {
        if (typeof f != "bigint") throw new Error("expected bigint (m=1)");
        return a(i([f]));
      }
      if (!Array.isArray(f)) throw new Error("expected array of bigints");
      if (f.length !== o.m) throw new Error(`expected array of ${o.m} bigints`);
      for (let d of f) if (typeof d != "bigint") throw new Error("expected array of bigints");
      return a(i(f));
    },
    hashToScalar(f, d) {
      let u = t.Fn.ORDER, l = Object.assign({}, o, { DST: U1 }, s(d), { p: u, m: 1 });
      return Df(f, 1, l)[0][0];
    },
  });
}
function z1(t, e) {
  let n = Ft(t), r = n.ORDER, o = kp;
  for (let g = r - kn; g % cr === kp; g /= cr) o += kn;
  let s = o,
    i = cr << s - kn - kn,
    a = i * cr,
    f = (r - kn) / a,
    d = (f - kn) / cr,
    u = a - kn,
    l = i,
    h = n.pow(e, f),
    p = n.pow(e, (f + kn) / cr),
    m = (g, w) => {
      let b = h, x = n.pow(w, u), y = n.sqr(x);
      y = n.mul(y, w);
      let _ = n.mul(g, y);
      _ = n.pow(_, d), _ = n.mul(_, x), x = n.mul(_, w), y = n.mul(_, g);
      let v = n.mul(y, x);
      _ = n.pow(v, l);
      let I = n.eql(_, n.ONE);
      x = n.mul(y, p), _ = n.mul(v, b), y = n.cmov(x, y, I), v = n.cmov(_, v, I);
      for (let N = s; N > kn; N--) {
        let R = N - cr;
        R = cr << R - kn;
        let z = n.pow(v, R), ne = n.eql(z, n.ONE);
        x = n.mul(y, b),
          b = n.mul(b, b),
          z = n.mul(v, b),
          y = n.cmov(x, y, ne),
          v = n.cmov(z, v, ne);
      }
      return { isValid: !n.is0(w) && (I || n.is0(g)), value: y };
    };
  if (n.ORDER % Ap === Op) {
    let g = (n.ORDER - Op) / Ap, w = n.sqrt(n.neg(e));
    m = (b, x) => {
      let y = n.sqr(x), _ = n.mul(b, x);
      y = n.mul(y, _);
      let v = n.pow(y, g);
      v = n.mul(v, _);
      let I = n.mul(v, w), N = n.mul(n.sqr(v), x), R = n.eql(N, b), z = n.cmov(I, v, R);
      return { isValid: !n.is0(x) && R, value: z };
    };
  }
  return m;
}
function qf(t, e) {
  let n = Ft(t);
  Xe(e, {}, {}, "opts");
  let { A: r, B: o, Z: s } = e;
  if (!n.isValidNot0(r) || !n.isValidNot0(o) || !n.isValid(s)) {
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  }
  if (n.eql(s, n.neg(n.ONE)) || Rf(n, s)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let i = n.mul(o, n.inv(n.mul(s, r))), a = n.add(n.add(n.mul(n.sqr(i), i), n.mul(r, i)), o);
  if (!Rf(n, a)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let f = z1(n, s);
  if (!n.isOdd) throw new Error("Field does not have .isOdd()");
  return (d) => {
    let u, l, h, p, m, g, w, b;
    u = n.sqr(d),
      u = n.mul(u, s),
      l = n.sqr(u),
      l = n.add(l, u),
      h = n.add(l, n.ONE),
      h = n.mul(h, o),
      p = n.cmov(s, n.neg(l), !n.eql(l, n.ZERO)),
      p = n.mul(p, r),
      l = n.sqr(h),
      g = n.sqr(p),
      m = n.mul(g, r),
      l = n.add(l, m),
      l = n.mul(l, h),
      g = n.mul(g, p),
      m = n.mul(g, o),
      l = n.add(l, m),
      w = n.mul(u, h);
    let { isValid: x, value: y } = f(l, g);
    b = n.mul(u, d), b = n.mul(b, y), w = n.cmov(w, h, x), b = n.cmov(b, y, x);
    let _ = n.isOdd(d) === n.isOdd(b);
    b = n.cmov(n.neg(b), b, _);
    let v = fn(n, [p], !0)[0];
    return w = n.mul(w, v), { x: w, y: b };
  };
}
var Gf = BigInt(1), Bp = BigInt(2);
var q1 = BigInt(5),
  G1 = BigInt(8),
  Vf = BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"),
  V1 = {
    p: Vf,
    n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
    h: G1,
    a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
    d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
    Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
    Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658"),
  };
function K1(t) {
  let e = BigInt(10),
    n = BigInt(20),
    r = BigInt(40),
    o = BigInt(80),
    s = Vf,
    a = t * t % s * t % s,
    f = cn(a, Bp, s) * a % s,
    d = cn(f, Gf, s) * t % s,
    u = cn(d, q1, s) * d % s,
    l = cn(u, e, s) * u % s,
    h = cn(l, n, s) * l % s,
    p = cn(h, r, s) * h % s,
    m = cn(p, o, s) * p % s,
    g = cn(m, o, s) * p % s,
    w = cn(g, e, s) * u % s;
  return { pow_p_5_8: cn(w, Bp, s) * t % s, b2: a };
}
function Rp(t) {
  return t[0] &= 248, t[31] &= 127, t[31] |= 64, t;
}
var Cp = BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function W1(t, e) {
  let n = Vf,
    r = et(e * e * e, n),
    o = et(r * r * e, n),
    s = K1(t * o).pow_p_5_8,
    i = et(t * r * s, n),
    a = et(e * i * i, n),
    f = i,
    d = et(i * Cp, n),
    u = a === t,
    l = a === et(-t, n),
    h = a === et(-t * Cp, n);
  return u && (i = f),
    (l || h) && (i = d),
    up(i, n) && (i = et(-i, n)),
    { isValid: u || l, value: i };
}
var Kf = _p(V1, { uvRatio: W1 }), Ip = Kf.Fp;
function Y1(t) {
  let { y: e } = t;
  return Ip.toBytes(Ip.div(Gf + e, Gf - e));
}
function X1(t) {
  let e = Kf.Fp.BYTES;
  return Te(t, e), Rp(Es(t.subarray(0, e))).subarray(0, e);
}
function Z1(t) {
  return Ep(
    Kf,
    Es,
    Object.assign(
      { adjustScalarBytes: Rp, toMontgomery: Y1, toMontgomerySecret: X1, zip215: !0 },
      t,
    ),
  );
}
var Lp = Z1({});
var Ho = 32,
  J1 = 64,
  Q1 = we("01".padEnd(64, "0")),
  e_ = [we("01".padEnd(62, "0") + "80"), we("ec".padEnd(64, "f"))];
function t_(t) {
  return !(t[0] >= 237 && t.subarray(1, 31).every((n) => n === 255) && t[31] % 128 === 127) &&
    !e_.some((n) => Be(n, t));
}
function Wf(t, e) {
  return t.length === Ho && e.length === J1 && t_(t) && !Be(e.subarray(0, Ho), Q1);
}
var n_ = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  r_ = "72",
  o_ = [{
    valid: !0,
    r: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
    s: "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  }, {
    valid: !1,
    r: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
    s: "f52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10",
  }, {
    valid: !1,
    r: "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
    s: "4ef5a0ba81641a15df29eff27aa679daff0db06a08e08eaecacbfcd9650b0a0c",
  }, {
    valid: !1,
    r: "0100000000000000000000000000000000000000000000000000000000000000",
    s: "675d054595fa17cb6a44e3ada6ca385e55667e41a63fdab0ac22d10000354002",
  }, {
    valid: !1,
    r: "0100000000000000000000000000000000000000000000000000000000000080",
    s: "bd498620dc071c7bd37de37a8b3208e5475dd11db9151270fb200f690ae0d009",
  }, {
    valid: !1,
    r: "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    s: "0a0403c78756704394a791302d07acbdf846e02e6371010b73f9c021313bde01",
  }];
async function Hp(t) {
  let e = we(n_), n = we(r_);
  for (let { valid: r, r: o, s } of o_) if (await t(e, n, we(o + s)) !== r) return !1;
  return !0;
}
var dn = class {
  #e;
  #t = new Map();
  constructor(e) {
    this.#e = e;
  }
  get(e) {
    return this.#t.get(V(e));
  }
  set(e, n) {
    if (this.#t.size >= this.#e) {
      for (let r of this.#t.keys()) {
        this.#t.delete(r);
        break;
      }
    }
    this.#t.set(V(e), n);
  }
};
var ta = Ue("invalid_key", "Cannot use Ed25519 public key"), { Point: Yf } = Lp, { Fn: Mp } = Yf;
function jp(t) {
  try {
    return Yf.fromBytes(t);
  } catch {
    return;
  }
}
var $p = new dn(16384);
function Xf(t) {
  if ($p.get(t)) return;
  if (t.length !== Ho) throw ta(`it has ${t.length} bytes instead of 32`);
  let e = jp(t);
  if (e === void 0 || !Be(e.toBytes(), t)) {
    throw ta("it is not the canonical encoding of a curve point");
  }
  if (e.isSmallOrder()) throw ta("the point has small order");
  if (!e.isTorsionFree()) throw ta("the point has mixed order");
  $p.set(t, !0);
}
function s_(t, e, n) {
  if (!Wf(t, n)) return !1;
  let r = n.subarray(0, Ho), o = vn(n.subarray(Ho));
  if (!Mp.isValid(o)) return !1;
  let s = jp(t);
  if (s === void 0) return !1;
  let i = Mp.create(vn(Es(pe(r, t, e)))),
    a = Yf.BASE.multiplyUnsafe(o).subtract(s.multiplyUnsafe(i));
  return Be(a.toBytes(), r);
}
var Fp = new dn(256);
async function i_(t, e) {
  let n = Fp.get(e);
  if (n !== void 0) return n;
  try {
    let r = await t.importKey("raw", e, "Ed25519", !1, ["verify"]);
    return Fp.set(e, r), r;
  } catch (r) {
    if (r instanceof DOMException) return;
    throw r;
  }
}
async function Pp(t, e, n) {
  let r = globalThis.crypto?.subtle;
  if (r === void 0 || !Wf(t, n)) return !1;
  let [o, s] = [e.slice(), n.slice()], i = await i_(r, t.slice());
  return i === void 0 ? !1 : await r.verify("Ed25519", i, s, o);
}
async function Zf() {
  return await Hp(Pp) ? Pp : s_;
}
var na = class {
    oHash;
    iHash;
    blockLen;
    outputLen;
    canXOF = !1;
    finished = !1;
    destroyed = !1;
    constructor(e, n) {
      if (
        Hr(e), Te(n, void 0, "key"), this.iHash = e.create(), typeof this.iHash.update != "function"
      ) throw new Error("expected Hash instance");
      this.blockLen = this.iHash.blockLen, this.outputLen = this.iHash.outputLen;
      let r = this.blockLen, o = new Uint8Array(r);
      o.set(n.length > r ? e.create().update(n).digest() : n);
      for (let s = 0; s < o.length; s++) o[s] ^= 54;
      this.iHash.update(o), this.oHash = e.create();
      for (let s = 0; s < o.length; s++) o[s] ^= 106;
      this.oHash.update(o), Ct(o);
    }
    update(e) {
      return Pn(this), this.iHash.update(e), this;
    }
    digestInto(e) {
      Pn(this), xo(e, this), this.finished = !0;
      let n = e.subarray(0, this.outputLen);
      this.iHash.digestInto(n), this.oHash.update(n), this.oHash.digestInto(n), this.destroy();
    }
    digest() {
      let e = new Uint8Array(this.oHash.outputLen);
      return this.digestInto(e), e;
    }
    _cloneInto(e) {
      e ||= Object.create(Object.getPrototypeOf(this), {});
      let { oHash: n, iHash: r, finished: o, destroyed: s, blockLen: i, outputLen: a, canXOF: f } =
        this;
      return e = e,
        e.finished = o,
        e.destroyed = s,
        e.blockLen = i,
        e.outputLen = a,
        e.canXOF = f,
        e.oHash = n._cloneInto(e.oHash),
        e.iHash = r._cloneInto(e.iHash),
        e;
    }
    clone() {
      return this._cloneInto();
    }
    destroy() {
      this.destroyed = !0, this.oHash.destroy(), this.iHash.destroy();
    }
  },
  Jf = (() => {
    let t = (e, n, r) => new na(e, n).update(r).digest();
    return t.create = (e, n) => new na(e, n), t;
  })();
var Dp = (t, e) => (t + (t >= 0 ? e : -e) / c_) / e;
function a_(t, e, n) {
  Kr("scalar", t, Mo, n);
  let [[r, o], [s, i]] = e,
    a = Dp(i * t, n),
    f = Dp(-o * t, n),
    d = t - a * r - f * s,
    u = -a * o - f * i,
    l = d < Mo,
    h = u < Mo;
  l && (d = -d), h && (u = -u);
  let p = Gi(Math.ceil(en(n) / 2)) + Rs;
  if (d < Mo || d >= p || u < Mo || u >= p) {
    throw new Error("splitScalar (endomorphism): failed for k");
  }
  return { k1neg: l, k1: d, k2neg: h, k2: u };
}
var Mo = BigInt(0), Rs = BigInt(1), c_ = BigInt(2), Qf = BigInt(3), f_ = BigInt(4);
function ed(t, e = {}) {
  let n = Zi("weierstrass", t, e), r = n.Fp, o = n.Fn, s = n.CURVE, { h: i, n: a } = s;
  Xe(e, {}, {
    allowInfinityPoint: "boolean",
    clearCofactor: "function",
    isTorsionFree: "function",
    fromBytes: "function",
    toBytes: "function",
    endo: "object",
    randomBytes: "function",
  });
  let {
      endo: f,
      allowInfinityPoint: d,
      clearCofactor: u,
      isTorsionFree: l,
      fromBytes: h,
      toBytes: p,
    } = e,
    m = e.randomBytes === void 0 ? Un : e.randomBytes;
  if (f && (!r.is0(s.a) || typeof f.beta != "bigint" || !Array.isArray(f.basises))) {
    throw new Error('invalid endo: expected "beta": bigint and "basises": array');
  }
  let g = f ? { beta: f.beta, basises: f.basises.map((F) => [...F]) } : void 0, w = u_(r, o);
  function b() {
    if (!r.isOdd) throw new Error("compression is not supported: Field does not have .isOdd()");
  }
  function x(F, T, L) {
    if (T.is0()) {
      if (!d) throw new Error("bad point: ZERO");
      return Uint8Array.of(0);
    }
    let { x: $, y: P } = T.toAffine(), U = r.toBytes($);
    if ($t(L, "isCompressed"), L) {
      b();
      let E = !r.isOdd(P);
      return dt(d_(E), U);
    } else return dt(Uint8Array.of(4), U, r.toBytes(P));
  }
  function y(F) {
    Oe(F, void 0, "Point");
    let { publicKey: T, publicKeyUncompressed: L } = w, $ = F.length, P = F[0], U = F.subarray(1);
    if (d && $ === 1 && P === 0) return { x: r.ZERO, y: r.ZERO };
    if ($ === T && (P === 2 || P === 3)) {
      let E = r.fromBytes(U);
      if (!r.isValid(E)) throw new Error("bad point: is not on curve, wrong x");
      let B = R(E), k;
      try {
        k = r.sqrt(B);
      } catch (G) {
        let oe = G instanceof Error ? ": " + G.message : "";
        throw new Error("bad point: is not on curve, sqrt error" + oe);
      }
      b();
      let C = r.isOdd(k);
      return (P & 1) === 1 !== C && (k = r.neg(k)), { x: E, y: k };
    } else if ($ === L && P === 4) {
      let E = r.BYTES, B = r.fromBytes(U.subarray(0, E)), k = r.fromBytes(U.subarray(E, E * 2));
      if (!z(B, k)) throw new Error("bad point: is not on curve");
      return { x: B, y: k };
    } else {throw new Error(
        `bad point: got length ${$}, expected compressed=${T} or uncompressed=${L}`,
      );}
  }
  let _ = p === void 0 ? x : p,
    v = h === void 0 ? y : h,
    I = r.mul(s.b, Qf),
    N = r.is0(s.a) ? (F) => r.ZERO : (F) => r.mul(s.a, F);
  function R(F) {
    let T = r.sqr(F), L = r.mul(T, F);
    return r.add(r.add(L, r.mul(F, s.a)), s.b);
  }
  function z(F, T) {
    let L = r.sqr(T), $ = R(F);
    return r.eql(L, $);
  }
  if (!z(s.Gx, s.Gy)) throw new Error("bad curve params: generator point");
  let ne = r.mul(r.pow(s.a, Qf), f_), ae = r.mul(r.sqr(s.b), BigInt(27));
  if (r.is0(r.add(ne, ae))) throw new Error("bad curve params: a or b");
  function he(F, T, L = !1) {
    if (!r.isValid(T) || L && r.is0(T)) throw new Error(`bad point coordinate ${F}`);
    return typeof T == "object" && T !== null ? r.create(T) : T;
  }
  function He(F) {
    if (!(F instanceof A)) throw new Error("Weierstrass Point expected");
  }
  function X(F) {
    if (!g || !g.basises) throw new Error("no endo");
    return a_(F, g.basises, o.ORDER);
  }
  function fe(F, T, L, $) {
    if (!o.isValid($)) throw new RangeError("invalid scalar: out of range");
    if (g) {
      let { k1neg: P, k1: U, k2neg: E, k2: B } = X($), k = new A(r.mul(L.X, g.beta), L.Y, L.Z);
      F.push(P ? L.negate() : L, E ? k.negate() : k), T.push(U, B);
    } else F.push(L), T.push($);
  }
  let de = new WeakSet();
  class A {
    static BASE = new A(s.Gx, s.Gy, r.ONE);
    static ZERO = new A(r.ZERO, r.ONE, r.ZERO);
    static Fp = r;
    static Fn = o;
    X;
    Y;
    Z;
    constructor(T, L, $) {
      this.X = he("x", T), this.Y = he("y", L, !0), this.Z = he("z", $), Object.freeze(this);
    }
    static CURVE() {
      return s;
    }
    static fromAffine(T) {
      let { x: L, y: $ } = T || {};
      if (!T || !r.isValid(L) || !r.isValid($)) throw new Error("invalid affine point");
      if (T instanceof A) throw new Error("projective point not allowed");
      return r.is0(L) && r.is0($) ? A.ZERO : new A(L, $, r.ONE);
    }
    static fromBytes(T) {
      let L = A.fromAffine(v(Oe(T, void 0, "point")));
      return L.assertValidity(), L;
    }
    static fromHex(T) {
      return A.fromBytes(Vr(T));
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(T = 6, L = !0) {
      return K.setWindowSize(this, T), L || this.multiply(Qf), this;
    }
    assertValidity() {
      let T = this;
      if (T.is0()) {
        if (d && r.is0(T.X) && r.eql(T.Y, r.ONE) && r.is0(T.Z)) return;
        throw new Error("bad point: ZERO");
      }
      if (de.has(T)) return;
      let { x: L, y: $ } = T.toAffine();
      if (!r.isValid(L) || !r.isValid($)) throw new Error("bad point: x or y not field elements");
      if (!z(L, $)) throw new Error("bad point: equation left != right");
      if (!T.isTorsionFree()) throw new Error("bad point: not in prime-order subgroup");
      de.add(T);
    }
    hasEvenY() {
      let { y: T } = this.toAffine();
      if (!r.isOdd) throw new Error("Field doesn't support isOdd");
      return !r.isOdd(T);
    }
    equals(T) {
      He(T);
      let { X: L, Y: $, Z: P } = this,
        { X: U, Y: E, Z: B } = T,
        k = r.eql(r.mul(L, B), r.mul(U, P)),
        C = r.eql(r.mul($, B), r.mul(E, P));
      return k && C;
    }
    negate() {
      return new A(this.X, r.neg(this.Y), this.Z);
    }
    double() {
      let { X: T, Y: L, Z: $ } = this,
        P = r.ZERO,
        U = r.ZERO,
        E = r.ZERO,
        B = r.mul(T, T),
        k = r.mul(L, L),
        C = r.mul($, $),
        M = r.mul(T, L);
      return M = r.add(M, M),
        E = r.mul(T, $),
        E = r.add(E, E),
        P = N(E),
        U = r.mul(I, C),
        U = r.add(P, U),
        P = r.sub(k, U),
        U = r.add(k, U),
        U = r.mul(P, U),
        P = r.mul(M, P),
        E = r.mul(I, E),
        C = N(C),
        M = r.sub(B, C),
        M = N(M),
        M = r.add(M, E),
        E = r.add(B, B),
        B = r.add(E, B),
        B = r.add(B, C),
        B = r.mul(B, M),
        U = r.add(U, B),
        C = r.mul(L, $),
        C = r.add(C, C),
        B = r.mul(C, M),
        P = r.sub(P, B),
        E = r.mul(C, k),
        E = r.add(E, E),
        E = r.add(E, E),
        new A(P, U, E);
    }
    add(T) {
      He(T);
      let { X: L, Y: $, Z: P } = this,
        { X: U, Y: E, Z: B } = T,
        k = r.ZERO,
        C = r.ZERO,
        M = r.ZERO,
        G = r.mul(L, U),
        oe = r.mul($, E),
        me = r.mul(P, B),
        Me = r.add(L, $),
        ge = r.add(U, E);
      Me = r.mul(Me, ge), ge = r.add(G, oe), Me = r.sub(Me, ge), ge = r.add(L, P);
      let Se = r.add(U, B);
      return ge = r.mul(ge, Se),
        Se = r.add(G, me),
        ge = r.sub(ge, Se),
        Se = r.add($, P),
        k = r.add(E, B),
        Se = r.mul(Se, k),
        k = r.add(oe, me),
        Se = r.sub(Se, k),
        M = N(ge),
        k = r.mul(I, me),
        M = r.add(k, M),
        k = r.sub(oe, M),
        M = r.add(oe, M),
        C = r.mul(k, M),
        oe = r.add(G, G),
        oe = r.add(oe, G),
        me = N(me),
        ge = r.mul(I, ge),
        oe = r.add(oe, me),
        me = r.sub(G, me),
        me = N(me),
        ge = r.add(ge, me),
        G = r.mul(oe, ge),
        C = r.add(C, G),
        G = r.mul(Se, ge),
        k = r.mul(Me, k),
        k = r.sub(k, G),
        G = r.mul(Me, oe),
        M = r.mul(Se, M),
        M = r.add(M, G),
        new A(k, C, M);
    }
    subtract(T) {
      return He(T), this.add(T.negate());
    }
    is0() {
      return this.equals(A.ZERO);
    }
    multiply(T) {
      if (!o.isValidNot0(T)) throw new RangeError("invalid scalar: out of range");
      let { p: L, f: $ } = K.mulSecret(this, T, i, q);
      return q([L, $])[0];
    }
    multiplyUnsafe(T) {
      let L = this, $ = T;
      if (!o.isValid($)) throw new RangeError("invalid scalar: out of range");
      if ($ === Mo || L.is0()) return A.ZERO;
      if ($ === Rs) return L;
      if (K.hasWindowSize(this)) return K.mulUnsafe(L, $, q);
      let P = [], U = [];
      return fe(P, U, L, $), Xi(A, P, U);
    }
    mulAddUnsafe(T, L, $) {
      He(L);
      let P = [], U = [];
      return fe(P, U, this, T), fe(P, U, L, $), Xi(A, P, U);
    }
    toAffine(T) {
      let L = this, $ = T;
      if ($ != null && !r.isValid($)) {
        throw new RangeError('"invertedZ" expected valid field element');
      }
      let { X: P, Y: U, Z: E } = L;
      if (r.eql(E, r.ONE)) return { x: P, y: U };
      let B = L.is0();
      $ == null && ($ = B ? r.ONE : r.inv(E));
      let k = r.mul(P, $), C = r.mul(U, $), M = r.mul(E, $);
      if (B) return { x: r.ZERO, y: r.ZERO };
      if (!r.eql(M, r.ONE)) throw new Error("invZ was invalid");
      return { x: k, y: C };
    }
    isTorsionFree() {
      return i === Rs ? !0 : l ? l(A, this) : K.mulUnsafe(this, a).is0();
    }
    clearCofactor() {
      return i === Rs ? this : u ? u(A, this) : this.multiplyUnsafe(i);
    }
    isSmallOrder() {
      return i === Rs ? this.is0() : this.clearCofactor().is0();
    }
    toBytes(T = !0) {
      return $t(T, "isCompressed"), this.assertValidity(), _(A, this, T);
    }
    toHex(T = !0) {
      return Gr(this.toBytes(T));
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let q = (F) => Yi(A, F), K = new Lo(A, m);
  return K.bits >= 6 && A.BASE.precompute(6), Object.freeze(A.prototype), Object.freeze(A), A;
}
function d_(t) {
  return Uint8Array.of(t ? 2 : 3);
}
function u_(t, e) {
  return {
    secretKey: e.BYTES,
    publicKey: 1 + t.BYTES,
    publicKeyUncompressed: 1 + 2 * t.BYTES,
    publicKeyHasPrefix: !0,
    signature: 2 * e.BYTES,
  };
}
var l_ = BigInt(0), ra = BigInt(1), Up = BigInt(2), $o = BigInt(3);
function h_(t) {
  let e = [];
  for (; t > ra; t >>= ra) {
    (t & ra) === l_ ? e.unshift(0) : (t & $o) === $o ? (e.unshift(-1), t += ra) : e.unshift(1);
  }
  return e;
}
function td(t) {
  if (!Array.isArray(t) || t.length === 0) throw new Error("expected non-empty array");
}
function p_(t, e, n, r) {
  if (
    Xe(
      t,
      { Fp: "object", Fr: "object", Fp2: "object", Fp12: "object" },
      { Fp6: "object" },
      "fields",
    ), typeof e != "function"
  ) throw new TypeError('"G1_Point" expected point constructor, got type=' + typeof e);
  if (typeof n != "function") {
    throw new TypeError('"G2_Point" expected point constructor, got type=' + typeof n);
  }
  Xe(r, { ateLoopSize: "bigint", xNegative: "boolean", twistType: "string" }, {
    randomBytes: "function",
    postPrecompute: "function",
  }, "params");
  let { Fp: o, Fr: s, Fp2: i, Fp12: a } = t,
    { twistType: f, ateLoopSize: d, xNegative: u, postPrecompute: l } = r,
    h = (A, q) => ({ c0: A, c1: q }),
    p = ({ c0: A, c1: q }) => Object.freeze({ c0: A, c1: q }),
    m = (A, q) => h(o.add(A.c0, q.c0), o.add(A.c1, q.c1)),
    g = (A, q) => h(o.sub(A.c0, q.c0), o.sub(A.c1, q.c1)),
    w = (A, q) => {
      let K = o.mul(A.c0, q.c0), F = o.mul(A.c1, q.c1);
      return h(o.sub(K, F), o.sub(o.mul(o.add(A.c0, A.c1), o.add(q.c0, q.c1)), o.add(K, F)));
    },
    b = (A, q) => h(o.mul(A.c0, q), o.mul(A.c1, q)),
    x = (A) => i.mulByNonresidue(A),
    y = ({ c0: A, c1: q }, K, F, T, L, $) => {
      let P = b(F, L),
        U = b(T, $),
        { c0: E, c1: B, c2: k } = A,
        { c0: C, c1: M, c2: G } = q,
        oe = w(E, K),
        me = w(B, P),
        Me = m(x(g(w(m(B, k), P), me)), oe),
        ge = g(g(w(m(K, P), m(E, B)), oe), me),
        Se = m(g(w(m(E, k), K), oe), me),
        nt = x(w(G, U)),
        Tt = w(C, U),
        Qe = w(M, U),
        ut = m(E, C),
        kt = m(B, M),
        Dt = m(k, G),
        se = m(P, U),
        Bt = w(ut, K),
        Ne = w(kt, se),
        We = m(x(g(w(m(kt, Dt), se), Ne)), Bt),
        ft = g(g(w(m(K, se), m(ut, kt)), Bt), Ne),
        Mt = m(g(w(m(ut, Dt), K), Bt), Ne);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(Qe), Me)), c1: p(m(nt, ge)), c2: p(m(Tt, Se)) }),
        c1: Object.freeze({
          c0: p(g(g(We, Me), nt)),
          c1: p(g(g(ft, ge), Tt)),
          c2: p(g(g(Mt, Se), Qe)),
        }),
      });
    },
    _ = ({ c0: A, c1: q }, K, F, T, L, $) => {
      let P = b(K, $),
        U = b(F, L),
        { c0: E, c1: B, c2: k } = A,
        { c0: C, c1: M, c2: G } = q,
        oe = w(E, P),
        me = w(B, P),
        Me = w(k, P),
        ge = w(C, U),
        Se = w(M, T),
        nt = m(x(g(w(m(M, G), T), Se)), ge),
        Tt = g(g(w(m(U, T), m(C, M)), ge), Se),
        Qe = m(g(w(m(C, G), U), ge), Se),
        ut = m(E, C),
        kt = m(B, M),
        Dt = m(k, G),
        se = m(P, U),
        Bt = w(ut, se),
        Ne = w(kt, T),
        We = m(x(g(w(m(kt, Dt), T), Ne)), Bt),
        ft = g(g(w(m(se, T), m(ut, kt)), Bt), Ne),
        Mt = m(g(w(m(ut, Dt), se), Bt), Ne);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(Qe), oe)), c1: p(m(nt, me)), c2: p(m(Tt, Me)) }),
        c1: Object.freeze({
          c0: p(g(g(We, oe), nt)),
          c1: p(g(g(ft, me), Tt)),
          c2: p(g(g(Mt, Me), Qe)),
        }),
      });
    },
    v;
  if (f === "multiplicative") v = (A, q, K, F, T, L) => y(F, A, q, K, T, L);
  else if (f === "divisive") v = (A, q, K, F, T, L) => _(F, K, q, A, T, L);
  else throw new Error("bls: unknown twist type");
  let I = i.div(i.ONE, i.mul(i.ONE, Up));
  function N(A, q, K, F) {
    let T = i.sqr(K),
      L = i.sqr(F),
      $ = i.mulByB(i.mul(L, $o)),
      P = i.mul($, $o),
      U = i.sub(i.sub(i.sqr(i.add(K, F)), L), T),
      E = i.sub($, T),
      B = i.mul(i.sqr(q), $o),
      k = i.neg(U);
    return A.push([E, B, k]),
      q = i.mul(i.mul(i.mul(i.sub(T, P), q), K), I),
      K = i.sub(i.sqr(i.mul(i.add(T, P), I)), i.mul(i.sqr($), $o)),
      F = i.mul(T, U),
      { Rx: q, Ry: K, Rz: F };
  }
  function R(A, q, K, F, T, L) {
    let $ = i.sub(K, i.mul(L, F)),
      P = i.sub(q, i.mul(T, F)),
      U = i.sub(i.mul($, T), i.mul(P, L)),
      E = i.neg($),
      B = P;
    A.push([U, E, B]);
    let k = i.sqr(P),
      C = i.mul(k, P),
      M = i.mul(k, q),
      G = i.add(i.sub(C, i.mul(M, Up)), i.mul(i.sqr($), F));
    return q = i.mul(P, G),
      K = i.sub(i.mul(i.sub(M, G), $), i.mul(C, K)),
      F = i.mul(F, C),
      { Rx: q, Ry: K, Rz: F };
  }
  let z = h_(d),
    ne = (A) => {
      if (!(A instanceof n)) throw new TypeError('"point" expected G2 point, got type=' + typeof A);
      let q = A,
        { x: K, y: F } = q.toAffine(),
        T = K,
        L = F,
        $ = i.neg(F),
        P = T,
        U = L,
        E = i.ONE,
        B = [];
      for (let k of z) {
        let C = [];
        ({ Rx: P, Ry: U, Rz: E } = N(C, P, U, E)),
          k && ({ Rx: P, Ry: U, Rz: E } = R(C, P, U, E, T, k === -1 ? $ : L)),
          B.push(C);
      }
      if (l) {
        let k = B[B.length - 1];
        l(P, U, E, T, L, R.bind(null, k));
      }
      return B;
    };
  function ae(A, q = !1) {
    qt(A, "pairs", (F, T) => {
      if (qt(F, T), F.length !== 3) throw new TypeError(`"${T}" expected precompute tuple`);
      qt(F[0], T + "[0]");
    });
    let K = a.ONE;
    if (A.length) {
      let F = A[0][0].length;
      for (let T = 0; T < F; T++) {
        T !== 0 && (K = a.sqr(K));
        for (let [L, $, P] of A) for (let [U, E, B] of L[T]) K = v(U, E, B, K, $, P);
      }
    }
    return u && (K = a.conjugate(K)), q ? a.finalExponentiate(K) : K;
  }
  function he(A, q = !0) {
    qt(A, "pairs");
    let K = [];
    for (let F = 0; F < A.length; F++) {
      let T = A[F];
      Xe(T, { g1: "object", g2: "object" }, {}, "pairs[" + F + "]");
      let { g1: L, g2: $ } = T;
      if (!(L instanceof e)) {
        throw new TypeError('"pairs[' + F + '].g1" expected G1 point, got type=' + typeof L);
      }
      if (!($ instanceof n)) {
        throw new TypeError('"pairs[' + F + '].g2" expected G2 point, got type=' + typeof $);
      }
      if (L.is0() || $.is0()) throw new Error("pairing is not available for ZERO point");
      L.assertValidity(), $.assertValidity();
      let P = L.toAffine();
      K.push([ne($), P.x, P.y]);
    }
    return ae(K, q);
  }
  function He(A, q, K = !0) {
    if (!(A instanceof e)) throw new TypeError('"Q" expected G1 point, got type=' + typeof A);
    if (!(q instanceof n)) throw new TypeError('"P" expected G2 point, got type=' + typeof q);
    return he([{ g1: A, g2: q }], K);
  }
  let X = { seed: Lf(s.ORDER) },
    fe = r.randomBytes === void 0 ? Un : r.randomBytes,
    de = (A) => (A = A === void 0 ? fe(X.seed) : A, Oe(A, X.seed, "seed"), hp(A, s.ORDER));
  return Object.freeze(X), {
    lengths: X,
    Fr: s,
    Fp12: a,
    millerLoopBatch: ae,
    pairing: He,
    pairingBatch: he,
    calcPairingPrecomputes: ne,
    randomSecretKey: de,
  };
}
function zp(t, e, n, r, o, s) {
  let { Fr: i, Fp12: a, pairingBatch: f, randomSecretKey: d, lengths: u } = t;
  s || (s = { fromBytes: an, fromHex: an, toBytes: an, toHex: an });
  let l = Object.freeze({ ...s });
  function h(w) {
    return w instanceof e ? w : e.fromBytes(w);
  }
  function p(w) {
    return w instanceof n ? w : l.fromBytes(w);
  }
  function m(w) {
    if (!(w instanceof n)) {
      throw new Error(`expected valid message hashed to ${r ? "G1" : "G2"} curve`);
    }
    return w;
  }
  let g = r ? (w, b) => ({ g1: b, g2: w }) : (w, b) => ({ g1: w, g2: b });
  return Object.freeze({
    lengths: Object.freeze({ ...u, secretKey: i.BYTES }),
    keygen(w) {
      let b = d(w), x = this.getPublicKey(b);
      return { secretKey: b, publicKey: x };
    },
    getPublicKey(w) {
      let b;
      try {
        b = e.Fn.fromBytes(w);
      } catch (x) {
        throw new Error("invalid private key: " + typeof w, { cause: x });
      }
      return e.BASE.multiply(b);
    },
    sign(w, b, x) {
      if (x != null) throw new Error("sign() expects 2 arguments");
      let y = e.Fn.fromBytes(b);
      return m(w).assertValidity(), w.multiply(y);
    },
    verify(w, b, x, y) {
      if (y != null) throw new Error("verify() expects 3 arguments");
      w = p(w), x = h(x);
      let _ = x.negate(), v = e.BASE, I = m(b), N = w;
      try {
        let R = f([g(_, I), g(v, N)]);
        return a.eql(R, a.ONE);
      } catch {
        return !1;
      }
    },
    verifyBatch(w, b) {
      td(b);
      let x = p(w), y = b.map((R) => m(R.message)), _ = b.map((R) => h(R.publicKey)), v = new Map();
      for (let R = 0; R < _.length; R++) {
        let z = _[R], ne = y[R], ae = v.get(ne);
        ae === void 0 && (ae = [], v.set(ne, ae)), ae.push(z);
      }
      let I = [], N = e.BASE;
      try {
        for (let [R, z] of v) {
          let ne = z.reduce((ae, he) => ae.add(he));
          I.push(g(ne, R));
        }
        return I.push(g(N.negate(), x)), a.eql(f(I), a.ONE);
      } catch {
        return !1;
      }
    },
    aggregatePublicKeys(w) {
      td(w), w = w.map((x) => h(x));
      let b = w.reduce((x, y) => x.add(y), e.ZERO);
      return b.assertValidity(), b;
    },
    aggregateSignatures(w) {
      td(w), w = w.map((x) => p(x));
      let b = w.reduce((x, y) => x.add(y), n.ZERO);
      return b.assertValidity(), b;
    },
    hash(w, b) {
      return Oe(w), o(w, b === void 0 ? void 0 : { DST: b });
    },
    Signature: Object.freeze({ ...l }),
  });
}
function m_(t, e, n, r) {
  let { Fp: o, Fr: s, Fp2: i, Fp6: a, Fp12: f } = t,
    d = { Point: e },
    u = { Point: n },
    l = p_(t, e, n, r),
    {
      millerLoopBatch: h,
      pairing: p,
      pairingBatch: m,
      calcPairingPrecomputes: g,
      randomSecretKey: w,
      lengths: b,
    } = l;
  return d.Point.BASE.precompute(4),
    Object.freeze(d),
    Object.freeze(u),
    Object.freeze({
      lengths: Object.freeze(b),
      millerLoopBatch: h,
      pairing: p,
      pairingBatch: m,
      G1: d,
      G2: u,
      fields: Object.freeze({ Fr: s, Fp: o, Fp2: i, Fp6: a, Fp12: f }),
      params: Object.freeze({
        ateLoopSize: r.ateLoopSize,
        xNegative: r.xNegative,
        twistType: r.twistType,
        postPrecompute: r.postPrecompute,
      }),
      utils: Object.freeze({ randomSecretKey: w, calcPairingPrecomputes: g }),
    });
}
function g_(t, e, n, r, o) {
  let s = m_(t, e, n, r);
  Xe(o, { hasherOpts: "object", hasherOptsG1: "object", hasherOptsG2: "object" }, {
    mapToG1: "function",
    mapToG2: "function",
  }, "hasherParams");
  let i = zf(e, o.mapToG1 === void 0 ? an : o.mapToG1, { ...o.hasherOpts, ...o.hasherOptsG1 }),
    a = zf(n, o.mapToG2 === void 0 ? an : o.mapToG2, { ...o.hasherOpts, ...o.hasherOptsG2 });
  return Object.freeze({ ...s, G1: i, G2: a });
}
function qp(t, e, n, r, o, s) {
  let i = g_(t, e, n, r, o),
    a = {
      ...i,
      Fr: i.fields.Fr,
      Fp12: i.fields.Fp12,
      calcPairingPrecomputes: i.utils.calcPairingPrecomputes,
      randomSecretKey: i.utils.randomSecretKey,
    },
    f = zp(a, e, n, !1, i.G2.hashToCurve, s?.LongSignature),
    d = zp(a, n, e, !0, i.G1.hashToCurve, s?.ShortSignature);
  return Object.freeze({ ...i, longSignatures: f, shortSignatures: d });
}
var nd = BigInt(0),
  fr = BigInt(1),
  Rt = BigInt(2),
  Gp = BigInt(3),
  w_ = BigInt(6),
  y_ = BigInt(12),
  Xr = (t) => !!t && typeof t == "object";
function Kp(t, e, n, r, o = 1, s) {
  Ye(o, "num"), Ye(r, "degree");
  let i = s === void 0 ? r : s;
  Ye(i, "divisor");
  let a = t;
  if (typeof n != "bigint" || n <= fr) {
    throw new Error("calcFrobeniusCoefficients: expected valid modulus, got " + n);
  }
  if (r <= 0) throw new Error("calcFrobeniusCoefficients: expected positive degree, got " + r);
  if (o <= 0) throw new Error("calcFrobeniusCoefficients: expected positive row count, got " + o);
  if (i <= 0) throw new Error("calcFrobeniusCoefficients: expected positive divisor, got " + i);
  let f = BigInt(i), d = n ** BigInt(r), u = [];
  for (let l = 0; l < o; l++) {
    let h = BigInt(l + 1), p = [];
    for (let m = 0, g = fr; m < r; m++) {
      let w = h * g - h;
      if (w % f) throw new Error("calcFrobeniusCoefficients: inexact tower exponent");
      let b = w / f % d;
      p.push(a.pow(e, b)), g *= n;
    }
    u.push(p);
  }
  return u;
}
function Wp(t, e, n) {
  if (
    Ft(t),
      Ft(e),
      Xe(e, {
        Fp: "object",
        frobeniusMap: "function",
        fromBigTuple: "function",
        mulByB: "function",
        mulByNonresidue: "function",
        reim: "function",
        Fp4Square: "function",
        NONRESIDUE: "object",
      }, {}),
      !Xr(n) || Array.isArray(n)
  ) throw new TypeError('"base" expected Fp2 element, got type=' + typeof n);
  if (!e.isValid(n)) throw new RangeError('"base" expected valid Fp2 element');
  let r = e.pow(n, (t.ORDER - fr) / Gp), o = e.pow(n, (t.ORDER - fr) / Rt);
  function s(h, p) {
    let m = e.mul(e.frobeniusMap(h, 1), r), g = e.mul(e.frobeniusMap(p, 1), o);
    return [m, g];
  }
  let i = e.pow(n, (t.ORDER ** Rt - fr) / Gp), a = e.pow(n, (t.ORDER ** Rt - fr) / Rt);
  if (!e.eql(a, e.neg(e.ONE))) throw new Error("psiFrobenius: PSI2_Y!==-1");
  function f(h, p) {
    return [e.mul(h, i), e.neg(p)];
  }
  let d = (h) => (p, m) => {
      if (typeof p != "function") {
        throw new TypeError('"c" expected point constructor, got type=' + typeof p);
      }
      if (ar(p), !(m instanceof p)) {
        throw new TypeError('"P" expected Point instance, got type=' + typeof m);
      }
      let g = m.toAffine(), w = h(g.x, g.y);
      return p.fromAffine({ x: w[0], y: w[1] });
    },
    u = d(s),
    l = d(f);
  return { psi: s, psi2: f, G2psi: u, G2psi2: l, PSI_X: r, PSI_Y: o, PSI2_X: i, PSI2_Y: a };
}
var rd = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp;
    NONRESIDUE;
    mulByB;
    Fp_NONRESIDUE;
    Fp_div2;
    constructor(e, n = {}) {
      let { NONRESIDUE: r = BigInt(-1), FP2_NONRESIDUE: o, Fp2mulByB: s } = n,
        i = e.ORDER,
        a = i * i;
      this.Fp = e,
        this.ORDER = a,
        this.BITS = en(a),
        this.BYTES = Math.ceil(en(a) / 8),
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.Fp_NONRESIDUE = e.create(r),
        this.Fp_div2 = e.div(e.ONE, Rt),
        this.NONRESIDUE = this.create({ c0: o[0], c1: o[1] }),
        this.mulByB = (f) => {
          let { c0: d, c1: u } = s(f);
          return Object.freeze({ c0: d, c1: u });
        },
        Object.freeze(this);
    }
    fromBigTuple(e) {
      if (!Array.isArray(e) || e.length !== 2) throw new Error("invalid Fp2.fromBigTuple");
      let [n, r] = e;
      if (typeof n != "bigint" || typeof r != "bigint") throw new Error("invalid Fp2.fromBigTuple");
      return this.create({ c0: n, c1: r });
    }
    create(e) {
      let { Fp: n } = this, r = n.create(e.c0), o = n.create(e.c1);
      return Object.freeze({ c0: r, c1: o });
    }
    isValid(e) {
      if (!Xr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!Xr(e)) return !1;
      let { c0: n, c1: r } = e, { Fp: o } = this;
      return o.is0(n) && o.is0(r);
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    eql({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp: s } = this;
      return s.eql(e, r) && s.eql(n, o);
    }
    neg({ c0: e, c1: n }) {
      let { Fp: r } = this;
      return Object.freeze({ c0: r.neg(e), c1: r.neg(n) });
    }
    pow(e, n) {
      return Wi(this, e, n);
    }
    invertBatch(e) {
      return fn(this, e, !0);
    }
    add(e, n) {
      let { Fp: r } = this, { c0: o, c1: s } = e, { c0: i, c1: a } = n;
      return Object.freeze({ c0: r.add(o, i), c1: r.add(s, a) });
    }
    sub({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp: s } = this;
      return Object.freeze({ c0: s.sub(e, r), c1: s.sub(n, o) });
    }
    mul({ c0: e, c1: n }, r) {
      let { Fp: o } = this;
      if (typeof r == "bigint") return Object.freeze({ c0: o.mul(e, r), c1: o.mul(n, r) });
      let { c0: s, c1: i } = r,
        a = o.mul(e, s),
        f = o.mul(n, i),
        d = o.sub(a, f),
        u = o.sub(o.mul(o.add(e, n), o.add(s, i)), o.add(a, f));
      return Object.freeze({ c0: d, c1: u });
    }
    sqr({ c0: e, c1: n }) {
      let { Fp: r } = this, o = r.add(e, n), s = r.sub(e, n), i = r.add(e, e);
      return Object.freeze({ c0: r.mul(o, s), c1: r.mul(i, n) });
    }
    addN(e, n) {
      return this.add(e, n);
    }
    subN(e, n) {
      return this.sub(e, n);
    }
    mulN(e, n) {
      return this.mul(e, n);
    }
    sqrN(e) {
      return this.sqr(e);
    }
    div(e, n) {
      let { Fp: r } = this;
      return this.mul(e, typeof n == "bigint" ? r.inv(r.create(n)) : this.inv(n));
    }
    inv({ c0: e, c1: n }) {
      let { Fp: r } = this, o = r.inv(r.create(e * e + n * n));
      return Object.freeze({ c0: r.mul(o, r.create(e)), c1: r.mul(o, r.create(-n)) });
    }
    sqrt(e) {
      let { Fp: n } = this, r = this, { c0: o, c1: s } = e;
      if (n.is0(s)) {
        return zn(n, o) === 1
          ? r.create({ c0: n.sqrt(o), c1: n.ZERO })
          : r.create({ c0: n.ZERO, c1: n.sqrt(n.div(o, this.Fp_NONRESIDUE)) });
      }
      let i = n.sqrt(n.sub(n.sqr(o), n.mul(n.sqr(s), this.Fp_NONRESIDUE))),
        a = n.mul(n.add(i, o), this.Fp_div2);
      zn(n, a) === -1 && (a = n.sub(a, i));
      let d = n.sqrt(a), u = r.create({ c0: d, c1: n.div(n.mul(s, this.Fp_div2), d) });
      if (!r.eql(r.sqr(u), e)) throw new Error("Cannot find square root");
      let l = u, h = r.neg(l), { re: p, im: m } = r.reim(l), { re: g, im: w } = r.reim(h);
      return m > w || m === w && p > g ? l : h;
    }
    isOdd(e) {
      let { re: n, im: r } = this.reim(e), o = n % Rt, s = n === nd, i = r % Rt;
      return BigInt(o || s && i) == fr;
    }
    fromBytes(e) {
      let { Fp: n } = this;
      if (Oe(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      return dt(this.Fp.toBytes(e), this.Fp.toBytes(n));
    }
    cmov({ c0: e, c1: n }, { c0: r, c1: o }, s) {
      let { Fp: i } = this;
      return this.create({ c0: i.cmov(e, r, s), c1: i.cmov(n, o, s) });
    }
    reim({ c0: e, c1: n }) {
      return { re: e, im: n };
    }
    Fp4Square(e, n) {
      let r = this, o = r.sqr(e), s = r.sqr(n);
      return {
        first: r.add(r.mulByNonresidue(s), o),
        second: r.sub(r.sub(r.sqr(r.add(e, n)), o), s),
      };
    }
    mulByNonresidue({ c0: e, c1: n }) {
      let { Fp: r, NONRESIDUE: o } = this;
      return o.c0 === r.ONE && o.c1 === r.ONE
        ? Object.freeze({ c0: r.sub(e, n), c1: r.add(e, n) })
        : o.c1 === r.ONE
        ? Object.freeze({ c0: r.sub(r.mul(e, o.c0), n), c1: r.add(e, r.mul(n, o.c0)) })
        : this.mul({ c0: e, c1: n }, o);
    }
    frobeniusMap(e, n) {
      let { c0: r, c1: o } = e, { Fp: s } = this;
      return Object.freeze({ c0: r, c1: n % 2 === 0 ? o : s.neg(o) });
    }
  },
  od = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp2;
    constructor(e) {
      this.Fp2 = e,
        this.ORDER = e.Fp.ORDER ** w_,
        this.BITS = 3 * e.BITS,
        this.BYTES = 3 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO, c2: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO, c2: e.ZERO }),
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS_1() {
      let e = oa.get(this);
      if (e) return e[0];
      let { Fp2: n } = this,
        { Fp: r } = n,
        o = Kp(n, n.NONRESIDUE, r.ORDER, 6, 2, 3),
        s = [Object.freeze(o[0]), Object.freeze(o[1])];
      return oa.set(this, s), s[0];
    }
    get FROBENIUS_COEFFICIENTS_2() {
      let e = oa.get(this);
      return e ? e[1] : (this.FROBENIUS_COEFFICIENTS_1, oa.get(this)[1]);
    }
    add({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }) {
      let { Fp2: a } = this;
      return Object.freeze({ c0: a.add(e, o), c1: a.add(n, s), c2: a.add(r, i) });
    }
    sub({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }) {
      let { Fp2: a } = this;
      return Object.freeze({ c0: a.sub(e, o), c1: a.sub(n, s), c2: a.sub(r, i) });
    }
    mul({ c0: e, c1: n, c2: r }, o) {
      let { Fp2: s } = this;
      if (typeof o == "bigint") {
        return Object.freeze({ c0: s.mul(e, o), c1: s.mul(n, o), c2: s.mul(r, o) });
      }
      let { c0: i, c1: a, c2: f } = o, d = s.mul(e, i), u = s.mul(n, a), l = s.mul(r, f);
      return Object.freeze({
        c0: s.add(d, s.mulByNonresidue(s.sub(s.mul(s.add(n, r), s.add(a, f)), s.add(u, l)))),
        c1: s.add(s.sub(s.mul(s.add(e, n), s.add(i, a)), s.add(d, u)), s.mulByNonresidue(l)),
        c2: s.sub(s.add(u, s.mul(s.add(e, r), s.add(i, f))), s.add(d, l)),
      });
    }
    sqr({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this,
        s = o.sqr(e),
        i = o.mul(o.mul(e, n), Rt),
        a = o.mul(o.mul(n, r), Rt),
        f = o.sqr(r);
      return Object.freeze({
        c0: o.add(o.mulByNonresidue(a), s),
        c1: o.add(o.mulByNonresidue(f), i),
        c2: o.sub(o.sub(o.add(o.add(i, o.sqr(o.add(o.sub(e, n), r))), a), s), f),
      });
    }
    addN(e, n) {
      return this.add(e, n);
    }
    subN(e, n) {
      return this.sub(e, n);
    }
    mulN(e, n) {
      return this.mul(e, n);
    }
    sqrN(e) {
      return this.sqr(e);
    }
    create(e) {
      let { Fp2: n } = this, r = n.create(e.c0), o = n.create(e.c1), s = n.create(e.c2);
      return Object.freeze({ c0: r, c1: o, c2: s });
    }
    isValid(e) {
      if (!Xr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r, c2: o } = e, { Fp2: s } = this;
      return s.isValid(n) && s.isValid(r) && s.isValid(o);
    }
    is0(e) {
      if (!Xr(e)) return !1;
      let { c0: n, c1: r, c2: o } = e, { Fp2: s } = this;
      return s.is0(n) && s.is0(r) && s.is0(o);
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    neg({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return Object.freeze({ c0: o.neg(e), c1: o.neg(n), c2: o.neg(r) });
    }
    eql({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }) {
      let { Fp2: a } = this;
      return a.eql(e, o) && a.eql(n, s) && a.eql(r, i);
    }
    sqrt(e) {
      return an();
    }
    div(e, n) {
      let { Fp2: r } = this, { Fp: o } = r;
      return this.mul(e, typeof n == "bigint" ? o.inv(o.create(n)) : this.inv(n));
    }
    pow(e, n) {
      return Wi(this, e, n);
    }
    invertBatch(e) {
      return fn(this, e, !0);
    }
    inv({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this,
        s = o.sub(o.sqr(e), o.mulByNonresidue(o.mul(r, n))),
        i = o.sub(o.mulByNonresidue(o.sqr(r)), o.mul(e, n)),
        a = o.sub(o.sqr(n), o.mul(e, r)),
        f = o.inv(o.add(o.mulByNonresidue(o.add(o.mul(r, i), o.mul(n, a))), o.mul(e, s)));
      return Object.freeze({ c0: o.mul(f, s), c1: o.mul(f, i), c2: o.mul(f, a) });
    }
    fromBytes(e) {
      let { Fp2: n } = this;
      if (Oe(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      let r = n.BYTES;
      return this.create({
        c0: n.fromBytes(e.subarray(0, r)),
        c1: n.fromBytes(e.subarray(r, r * 2)),
        c2: n.fromBytes(e.subarray(2 * r)),
      });
    }
    toBytes({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return dt(o.toBytes(e), o.toBytes(n), o.toBytes(r));
    }
    cmov({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }, a) {
      let { Fp2: f } = this;
      return this.create({ c0: f.cmov(e, o, a), c1: f.cmov(n, s, a), c2: f.cmov(r, i, a) });
    }
    fromBigSix(e) {
      let { Fp2: n } = this;
      if (!Array.isArray(e) || e.length !== 6) throw new Error("invalid Fp6.fromBigSix");
      for (let o = 0; o < 6; o++) {
        if (typeof e[o] != "bigint") throw new Error("invalid Fp6.fromBigSix");
      }
      let r = e;
      return this.create({
        c0: n.fromBigTuple(r.slice(0, 2)),
        c1: n.fromBigTuple(r.slice(2, 4)),
        c2: n.fromBigTuple(r.slice(4, 6)),
      });
    }
    frobeniusMap(e, n) {
      let { c0: r, c1: o, c2: s } = e;
      if (n % 6 === 0) return Object.freeze({ c0: r, c1: o, c2: s });
      let { Fp2: i } = this;
      return Object.freeze({
        c0: i.frobeniusMap(r, n),
        c1: i.mul(i.frobeniusMap(o, n), this.FROBENIUS_COEFFICIENTS_1[n % 6]),
        c2: i.mul(i.frobeniusMap(s, n), this.FROBENIUS_COEFFICIENTS_2[n % 6]),
      });
    }
    mulByFp2({ c0: e, c1: n, c2: r }, o) {
      let { Fp2: s } = this;
      return Object.freeze({ c0: s.mul(e, o), c1: s.mul(n, o), c2: s.mul(r, o) });
    }
    mulByNonresidue({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return Object.freeze({ c0: o.mulByNonresidue(r), c1: e, c2: n });
    }
    mul1({ c0: e, c1: n, c2: r }, o) {
      let { Fp2: s } = this;
      return Object.freeze({
        c0: s.mulByNonresidue(s.mul(r, o)),
        c1: s.mul(e, o),
        c2: s.mul(n, o),
      });
    }
    mul01({ c0: e, c1: n, c2: r }, o, s) {
      let { Fp2: i } = this, a = i.mul(e, o), f = i.mul(n, s);
      return Object.freeze({
        c0: i.add(i.mulByNonresidue(i.sub(i.mul(i.add(n, r), s), f)), a),
        c1: i.sub(i.sub(i.mul(i.add(o, s), i.add(e, n)), a), f),
        c2: i.add(i.sub(i.mul(i.add(e, r), o), a), f),
      });
    }
  },
  oa = new WeakMap(),
  sd = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp6;
    X_LEN;
    finalExponentiate;
    constructor(e, n) {
      let { X_LEN: r, Fp12finalExponentiate: o } = n, { Fp2: s } = e, { Fp: i } = s;
      this.Fp6 = e,
        this.ORDER = i.ORDER ** y_,
        this.BITS = 2 * e.BITS,
        this.BYTES = 2 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.X_LEN = r,
        this.finalExponentiate = (a) => {
          let f = ({ c0: l, c1: h }) => Object.freeze({ c0: l, c1: h }),
            d = ({ c0: l, c1: h, c2: p }) => Object.freeze({ c0: f(l), c1: f(h), c2: f(p) }),
            u = o(a);
          return Object.freeze({ c0: d(u.c0), c1: d(u.c1) });
        },
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS() {
      let e = Vp.get(this);
      if (e) return e;
      let { Fp2: n } = this.Fp6,
        { Fp: r } = n,
        o = Object.freeze(Kp(n, n.NONRESIDUE, r.ORDER, 12, 1, 6)[0]);
      return Vp.set(this, o), o;
    }
    create(e) {
      let { Fp6: n } = this, r = n.create(e.c0), o = n.create(e.c1);
      return Object.freeze({ c0: r, c1: o });
    }
    isValid(e) {
      if (!Xr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp6: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!Xr(e)) return !1;
      let { c0: n, c1: r } = e, { Fp6: o } = this;
      return o.is0(n) && o.is0(r);
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    neg({ c0: e, c1: n }) {
      let { Fp6: r } = this;
      return Object.freeze({ c0: r.neg(e), c1: r.neg(n) });
    }
    eql({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp6: s } = this;
      return s.eql(e, r) && s.eql(n, o);
    }
    sqrt(e) {
      return an();
    }
    inv({ c0: e, c1: n }) {
      let { Fp6: r } = this, o = r.inv(r.sub(r.sqr(e), r.mulByNonresidue(r.sqr(n))));
      return Object.freeze({ c0: r.mul(e, o), c1: r.neg(r.mul(n, o)) });
    }
    div(e, n) {
      let { Fp6: r } = this, { Fp2: o } = r, { Fp: s } = o;
      return this.mul(e, typeof n == "bigint" ? s.inv(s.create(n)) : this.inv(n));
    }
    pow(e, n) {
      return Wi(this, e, n);
    }
    invertBatch(e) {
      return fn(this, e, !0);
    }
    add({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp6: s } = this;
      return Object.freeze({ c0: s.add(e, r), c1: s.add(n, o) });
    }
    sub({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp6: s } = this;
      return Object.freeze({ c0: s.sub(e, r), c1: s.sub(n, o) });
    }
    mul({ c0: e, c1: n }, r) {
      let { Fp6: o } = this;
      if (typeof r == "bigint") return Object.freeze({ c0: o.mul(e, r), c1: o.mul(n, r) });
      let { c0: s, c1: i } = r, a = o.mul(e, s), f = o.mul(n, i);
      return Object.freeze({
        c0: o.add(a, o.mulByNonresidue(f)),
        c1: o.sub(o.mul(o.add(e, n), o.add(s, i)), o.add(a, f)),
      });
    }
    sqr({ c0: e, c1: n }) {
      let { Fp6: r } = this, o = r.mul(e, n);
      return Object.freeze({
        c0: r.sub(
          r.sub(r.mul(r.add(r.mulByNonresidue(n), e), r.add(e, n)), o),
          r.mulByNonresidue(o),
        ),
        c1: r.add(o, o),
      });
    }
    addN(e, n) {
      return this.add(e, n);
    }
    subN(e, n) {
      return this.sub(e, n);
    }
    mulN(e, n) {
      return this.mul(e, n);
    }
    sqrN(e) {
      return this.sqr(e);
    }
    fromBytes(e) {
      let { Fp6: n } = this;
      if (Oe(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      let { Fp6: r } = this;
      return dt(r.toBytes(e), r.toBytes(n));
    }
    cmov({ c0: e, c1: n }, { c0: r, c1: o }, s) {
      let { Fp6: i } = this;
      return this.create({ c0: i.cmov(e, r, s), c1: i.cmov(n, o, s) });
    }
    fromBigTwelve(e) {
      let { Fp6: n } = this;
      if (!Array.isArray(e) || e.length !== 12) throw new Error("invalid Fp12.fromBigTwelve");
      for (let o = 0; o < 12; o++) {
        if (typeof e[o] != "bigint") throw new Error("invalid Fp12.fromBigTwelve");
      }
      let r = e;
      return this.create({ c0: n.fromBigSix(r.slice(0, 6)), c1: n.fromBigSix(r.slice(6, 12)) });
    }
    frobeniusMap(e, n) {
      let r = n % 12;
      if (r === 0) return Object.freeze({ c0: e.c0, c1: e.c1 });
      if (r === 6) return this.conjugate(e);
      let { Fp6: o } = this,
        { Fp2: s } = o,
        { c0: i, c1: a, c2: f } = o.frobeniusMap(e.c1, n),
        d = this.FROBENIUS_COEFFICIENTS[r];
      return Object.freeze({
        c0: o.frobeniusMap(e.c0, n),
        c1: Object.freeze({ c0: s.mul(i, d), c1: s.mul(a, d), c2: s.mul(f, d) }),
      });
    }
    mulByFp2({ c0: e, c1: n }, r) {
      let { Fp6: o } = this;
      return Object.freeze({ c0: o.mulByFp2(e, r), c1: o.mulByFp2(n, r) });
    }
    conjugate({ c0: e, c1: n }) {
      return Object.freeze({ c0: e, c1: this.Fp6.neg(n) });
    }
    _cyclotomicSquare({ c0: e, c1: n }) {
      let { Fp6: r } = this,
        { Fp2: o } = r,
        { c0: s, c1: i, c2: a } = e,
        { c0: f, c1: d, c2: u } = n,
        { first: l, second: h } = o.Fp4Square(s, d),
        { first: p, second: m } = o.Fp4Square(f, a),
        { first: g, second: w } = o.Fp4Square(i, u),
        b = o.mulByNonresidue(w);
      return Object.freeze({
        c0: Object.freeze({
          c0: o.add(o.mul(o.sub(l, s), Rt), l),
          c1: o.add(o.mul(o.sub(p, i), Rt), p),
          c2: o.add(o.mul(o.sub(g, a), Rt), g),
        }),
        c1: Object.freeze({
          c0: o.add(o.mul(o.add(b, f), Rt), b),
          c1: o.add(o.mul(o.add(h, d), Rt), h),
          c2: o.add(o.mul(o.add(m, u), Rt), m),
        }),
      });
    }
    _cyclotomicExp(e, n) {
      if (Kr("cyclotomic exponent", n, nd, fr << BigInt(this.X_LEN)), n === nd) return this.ONE;
      let r = e;
      for (let o = en(n) - 2; o >= 0; o--) {
        r = this._cyclotomicSquare(r), ep(n, o) && (r = this.mul(r, e));
      }
      return r;
    }
  },
  Vp = new WeakMap();
function Yp(t) {
  if (
    Xe(t, {
      ORDER: "bigint",
      X_LEN: "number",
      FP2_NONRESIDUE: "object",
      Fp2mulByB: "function",
      Fp12finalExponentiate: "function",
    }, { NONRESIDUE: "bigint" }),
      Ye(t.X_LEN, "X_LEN"),
      t.X_LEN < 1
  ) throw new Error("invalid X_LEN");
  let e = t.FP2_NONRESIDUE;
  if (!Array.isArray(e) || e.length !== 2) throw new Error("invalid FP2_NONRESIDUE");
  if (typeof e[0] != "bigint" || typeof e[1] != "bigint") throw new Error("invalid FP2_NONRESIDUE");
  let n = ir(t.ORDER), r = new rd(n, t), o = new od(r), s = new sd(o, t);
  return { Fp: n, Fp2: r, Fp6: o, Fp12: s };
}
var ud = BigInt(0),
  Xp = BigInt(1),
  sa = BigInt(2),
  Fo = BigInt(3),
  Po = BigInt(4),
  Zr = BigInt("0xd201000000010000"),
  b_ = en(Zr),
  Ls = {
    p: BigInt(
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ),
    n: BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
    h: BigInt("0x396c8c005555e1568c00aaab0000aaab"),
    a: ud,
    b: Po,
    Gx: BigInt(
      "0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    ),
    Gy: BigInt(
      "0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    ),
  },
  ld = ir(Ls.n, { modFromBytes: !0 });
function x_(t, e, { g2: n, g3: r, g4: o, g5: s }) {
  return { c0: { c0: t, c1: o, c2: r }, c1: { c0: n, c1: e, c2: s } };
}
function __({ c0: t, c1: e }) {
  return { g2: e.c0, g3: t.c2, g4: t.c1, g5: e.c2 };
}
function E_({ g2: t, g3: e, g4: n, g5: r }) {
  let { first: o, second: s } = Z.Fp4Square(n, r),
    { first: i, second: a } = Z.Fp4Square(t, e),
    f = Z.add(t, t),
    d = Z.add(e, e),
    u = Z.add(n, n),
    l = Z.add(r, r);
  return {
    g2: Z.add(Z.mul(Z.mulByNonresidue(s), Fo), f),
    g3: Z.sub(Z.mul(o, Fo), d),
    g4: Z.sub(Z.mul(i, Fo), u),
    g5: Z.add(Z.mul(a, Fo), l),
  };
}
function v_({ g2: t, g3: e, g4: n, g5: r }) {
  return Z.is0(t) ? { num: Z.mul(Z.mul(n, r), sa), den: e } : {
    num: Z.add(Z.sub(Z.mul(Z.sqr(n), Fo), Z.mul(e, sa)), Z.mulByNonresidue(Z.sqr(r))),
    den: Z.mul(t, Po),
  };
}
function S_(t, { g2: e, g3: n, g4: r, g5: o }) {
  let s = Z.mul(n, r), i = Z.add(Z.sub(Z.mul(Z.sub(Z.sqr(t), s), sa), s), Z.mul(e, o));
  return Z.add(Z.mulByNonresidue(i), Z.ONE);
}
function T_(t, e) {
  let n = [], r = __(t);
  for (let f of e) {
    for (let d = 0; d < f; d++) r = E_(r);
    n.push(r);
  }
  let o = n.map(({ g2: f, g3: d }) => Z.is0(f) && Z.is0(d)),
    s = n.map(v_),
    i = Z.invertBatch(s.map(({ den: f }) => f)),
    a = n.map((f, d) => {
      if (o[d]) return Ce.ONE;
      let u = Z.mul(s[d].num, i[d]);
      return x_(S_(u, f), u, f);
    });
  return { result: Ce.mul(Ce.mul(a[0], a[1]), a[2]), last: a[2] };
}
function k_(t) {
  let { result: e, last: n } = T_(t, [16, 32, 9]), r = e, o = n;
  for (let s = 0; s < 3; s++) o = Ce._cyclotomicSquare(o);
  r = Ce.mul(r, o);
  for (let s = 0; s < 2; s++) o = Ce._cyclotomicSquare(o);
  return r = Ce.mul(r, o), o = Ce._cyclotomicSquare(o), Ce.mul(r, o);
}
var { Fp: De, Fp2: Z, Fp6: O_, Fp12: Ce } = Yp({
    ORDER: Ls.p,
    X_LEN: b_,
    FP2_NONRESIDUE: [Xp, Xp],
    Fp2mulByB: ({ c0: t, c1: e }) => {
      let n = De.mul(t, Po), r = De.mul(e, Po);
      return { c0: De.sub(n, r), c1: De.add(n, r) };
    },
    Fp12finalExponentiate: (t) => {
      let e = (m) => Ce.conjugate(k_(m)),
        n = Ce.div(Ce.frobeniusMap(t, 6), t),
        r = Ce.mul(Ce.frobeniusMap(n, 2), n),
        o = e(r),
        s = Ce.mul(Ce.conjugate(Ce._cyclotomicSquare(r)), o),
        i = e(s),
        a = e(i),
        f = Ce.mul(e(a), Ce._cyclotomicSquare(o)),
        d = e(f),
        u = Ce.frobeniusMap(Ce.mul(o, a), 2),
        l = Ce.frobeniusMap(Ce.mul(i, r), 3),
        h = Ce.frobeniusMap(Ce.mul(f, Ce.conjugate(r)), 1),
        p = Ce.mul(Ce.mul(d, Ce.conjugate(s)), r);
      return Ce.mul(Ce.mul(Ce.mul(u, l), h), p);
    },
  }),
  Zp,
  am = () => Zp || (Zp = Wp(De, Z, Z.div(Z.ONE, Z.NONRESIDUE))),
  fd = (t, e) => {
    let n = am().G2psi;
    return fd = n, n(t, e);
  },
  cm = (t, e) => {
    let n = am().G2psi2;
    return cm = n, n(t, e);
  },
  id = Object.freeze({
    DST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    encodeDST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    p: De.ORDER,
    m: 2,
    k: 128,
    expand: "xmd",
    hash: on,
  }),
  fm = {
    p: Z.ORDER,
    n: Ls.n,
    h: BigInt(
      "0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5",
    ),
    a: Z.ZERO,
    b: Z.fromBigTuple([Po, Po]),
    Gx: Z.fromBigTuple([
      BigInt(
        "0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
      ),
      BigInt(
        "0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e",
      ),
    ]),
    Gy: Z.fromBigTuple([
      BigInt(
        "0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801",
      ),
      BigInt(
        "0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be",
      ),
    ]),
  },
  Jp = (t, e) => {
    for (let n of t) if (n !== ud) return !!(n * sa / e);
    return !1;
  },
  Qp = {
    encode({ c0: t, c1: e }) {
      let { BYTES: n } = De;
      return dt(Sn(e, n), Sn(t, n));
    },
    decode(t) {
      let { BYTES: e } = De;
      return Z.create({ c0: dd(t.subarray(e)), c1: dd(t.subarray(0, e)) });
    },
  },
  em = De;
function dd(t) {
  return De.fromBytes(t);
}
var dm = (t, e, n, r, o, s) => {
  let i = e, a = r, f = o, d = i.BYTES;
  return (u) => ({
    encode(l, h = !0) {
      if (!h && !u) throw new Error("invalid signature: expected compressed encoding");
      let p = l.is0(), { x: m, y: g } = l.toAffine(), w = h ? a(m) : dt(a(m), a(g)), b;
      return h && !p && (b = Jp(s(g), em.ORDER)), N_(w, { compressed: h, infinity: p, sort: b });
    },
    decode(l) {
      let h = u ? Oe(l, void 0, "point") : Oe(l, d, "signature"),
        { compressed: p, infinity: m, sort: g, value: w } = A_(h);
      if (!u && !p) throw new Error("invalid signature: expected compressed encoding");
      let b = p ? d : 2 * d;
      if (w.length !== b) throw new Error(`invalid ${t} point: expected ${b} bytes`);
      if (m) {
        for (let _ of w) if (_) throw new Error(`invalid ${t} point: non-canonical zero`);
        return { x: i.ZERO, y: i.ZERO };
      }
      let x = f(p ? w : w.subarray(0, d)), y;
      if (p) {
        if (y = i.sqrt(i.add(i.pow(x, Fo), n)), !y) {
          throw new Error(`invalid ${t} point: compressed`);
        }
        Jp(s(y), em.ORDER) !== g && (y = i.neg(y));
      } else y = f(w.subarray(d));
      if (!p && i.is0(x) && i.is0(y)) throw new Error(`invalid ${t} point: uncompressed`);
      return { x, y };
    },
  });
};
function um({ compressed: t, infinity: e, sort: n }) {
  if (!t && !e && n || !t && e && n || t && e && n) throw new Error("invalid encoding flag");
}
function A_(t) {
  t = Tn(t);
  let e = t[0] & 224, n = !!(e >> 7 & 1), r = !!(e >> 6 & 1), o = !!(e >> 5 & 1);
  return um({ compressed: n, infinity: r, sort: o }),
    t[0] &= 31,
    { compressed: n, infinity: r, sort: o, value: t };
}
function N_(t, e) {
  if (t[0] & 224) throw new Error("setMask: non-empty mask");
  return um({ compressed: !!e.compressed, infinity: !!e.infinity, sort: !!e.sort }),
    e.compressed && (t[0] |= 128),
    e.infinity && (t[0] |= 64),
    e.sort && (t[0] |= 32),
    t;
}
var tm = dm("G1", De, De.create(Ls.b), (t) => Sn(t, De.BYTES), dd, (t) => [t]),
  ia = { point: tm(!0), sig: tm(!1) },
  ad = (t) => (t.assertValidity(), ia.sig.encode(t));
function nm(t) {
  let n = On.G1.Point.fromAffine(ia.sig.decode(t));
  return n.assertValidity(), n;
}
var rm = dm("G2", Z, fm.b, Qp.encode, Qp.decode, (t) => [t.c1, t.c0]),
  aa = { point: rm(!0), sig: rm(!1) },
  cd = (t) => (t.assertValidity(), aa.sig.encode(t));
function om(t) {
  let n = On.G2.Point.fromAffine(aa.sig.decode(t));
  return n.assertValidity(), n;
}
var B_ = {
    ShortSignature: {
      fromBytes(t) {
        return nm(Oe(t));
      },
      fromHex(t) {
        return nm(Vr(t));
      },
      toBytes(t) {
        return ad(t);
      },
      toRawBytes(t) {
        return ad(t);
      },
      toHex(t) {
        return Gr(ad(t));
      },
    },
    LongSignature: {
      fromBytes(t) {
        return om(Oe(t));
      },
      fromHex(t) {
        return om(Vr(t));
      },
      toBytes(t) {
        return cd(t);
      },
      toRawBytes(t) {
        return cd(t);
      },
      toHex(t) {
        return Gr(cd(t));
      },
    },
  },
  C_ = { Fp: De, Fp2: Z, Fp6: O_, Fp12: Ce, Fr: ld },
  I_ = ed(Ls, {
    allowInfinityPoint: !0,
    Fn: ld,
    fromBytes: ia.point.decode,
    toBytes: (t, e, n) => ia.point.encode(e, n),
    isTorsionFree: (t, e) => {
      let n = BigInt(
          "0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe",
        ),
        r = new t(De.mul(e.X, n), e.Y, e.Z);
      return e.multiplyUnsafe(Zr).negate().multiplyUnsafe(Zr).equals(r);
    },
    clearCofactor: (t, e) => e.multiplyUnsafe(Zr).add(e),
  }),
  R_ = ed(fm, {
    Fp: Z,
    allowInfinityPoint: !0,
    Fn: ld,
    fromBytes: aa.point.decode,
    toBytes: (t, e, n) => aa.point.encode(e, n),
    isTorsionFree: (t, e) => e.multiplyUnsafe(Zr).negate().equals(fd(t, e)),
    clearCofactor: (t, e) => {
      let n = Zr, r = e.multiplyUnsafe(n).negate(), o = fd(t, e), s = e.double();
      return s = cm(t, s),
        s = s.subtract(o),
        o = r.add(o),
        o = o.multiplyUnsafe(n).negate(),
        s = s.add(o),
        s = s.subtract(r),
        s.subtract(e);
    },
  }),
  L_ = {
    mapToG1: j_,
    mapToG2: D_,
    hasherOpts: id,
    hasherOptsG1: {
      ...id,
      m: 1,
      DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
      encodeDST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    },
    hasherOptsG2: { ...id },
  },
  H_ = { ateLoopSize: Zr, xNegative: !0, twistType: "multiplicative", randomBytes: Un },
  On = qp(C_, I_, R_, H_, L_, B_),
  M_ = Uf(
    Z,
    [[[
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6",
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6",
    ], [
      "0x0",
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71a",
    ], [
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71e",
      "0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38d",
    ], [
      "0x171d6541fa38ccfaed6dea691f5fb614cb14b4e7f4e810aa22d6108f142b85757098e38d0f671c7188e2aaaaaaaa5ed1",
      "0x0",
    ]], [[
      "0x0",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa63",
    ], [
      "0xc",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa9f",
    ], ["0x1", "0x0"]], [[
      "0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706",
      "0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706",
    ], [
      "0x0",
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97be",
    ], [
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71c",
      "0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38f",
    ], [
      "0x124c9ad43b6cf79bfbf7043de3811ad0761b0f37a1e26286b0e977c69aa274524e79097a56dc4bd9e1b371c71c718b10",
      "0x0",
    ]], [[
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa8fb",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa8fb",
    ], [
      "0x0",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa9d3",
    ], [
      "0x12",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa99",
    ], ["0x1", "0x0"]]].map((t) => t.map((e) => Z.fromBigTuple(e.map(BigInt)))),
  ),
  $_ = Uf(
    De,
    [[
      "0x11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7",
      "0x17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb",
      "0xd54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0",
      "0x1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861",
      "0xe99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9",
      "0x1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983",
      "0xd6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84",
      "0x17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e",
      "0x80d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317",
      "0x169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e",
      "0x10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b",
      "0x6e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229",
    ], [
      "0x8ca8d548cff19ae18b2e62f4bd3fa6f01d5ef4ba35b48ba9c9588617fc8ac62b558d681be343df8993cf9fa40d21b1c",
      "0x12561a5deb559c4348b4711298e536367041e8ca0cf0800c0126c2588c48bf5713daa8846cb026e9e5c8276ec82b3bff",
      "0xb2962fe57a3225e8137e629bff2991f6f89416f5a718cd1fca64e00b11aceacd6a3d0967c94fedcfcc239ba5cb83e19",
      "0x3425581a58ae2fec83aafef7c40eb545b08243f16b1655154cca8abc28d6fd04976d5243eecf5c4130de8938dc62cd8",
      "0x13a8e162022914a80a6f1d5f43e7a07dffdfc759a12062bb8d6b44e833b306da9bd29ba81f35781d539d395b3532a21e",
      "0xe7355f8e4e667b955390f7f0506c6e9395735e9ce9cad4d0a43bcef24b8982f7400d24bc4228f11c02df9a29f6304a5",
      "0x772caacf16936190f3e0c63e0596721570f5799af53a1894e2e073062aede9cea73b3538f0de06cec2574496ee84a3a",
      "0x14a7ac2a9d64a8b230b3f5b074cf01996e7f63c21bca68a81996e1cdf9822c580fa5b9489d11e2d311f7d99bbdcc5a5e",
      "0xa10ecf6ada54f825e920b3dafc7a3cce07f8d1d7161366b74100da67f39883503826692abba43704776ec3a79a1d641",
      "0x95fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a",
      "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    ], [
      "0x90d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33",
      "0x134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696",
      "0xcc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6",
      "0x1f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb",
      "0x8cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb",
      "0x16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0",
      "0x4ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2",
      "0x987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29",
      "0x9fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587",
      "0xe1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30",
      "0x19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132",
      "0x18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e",
      "0xb182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8",
      "0x245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133",
      "0x5c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b",
      "0x15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604",
    ], [
      "0x16112c4c3a9c98b252181140fad0eae9601a6de578980be6eec3232b5be72e7a07f3688ef60c206d01479253b03663c1",
      "0x1962d75c2381201e1a0cbd6c43c348b885c84ff731c4d59ca4a10356f453e01f78a4260763529e3532f6102c2e49a03d",
      "0x58df3306640da276faaae7d6e8eb15778c4855551ae7f310c35a5dd279cd2eca6757cd636f96f891e2538b53dbf67f2",
      "0x16b7d288798e5395f20d23bf89edb4d1d115c5dbddbcd30e123da489e726af41727364f2c28297ada8d26d98445f5416",
      "0xbe0e079545f43e4b00cc912f8228ddcc6d19c9f0f69bbb0542eda0fc9dec916a20b15dc0fd2ededda39142311a5001d",
      "0x8d9e5297186db2d9fb266eaac783182b70152c65550d881c5ecd87b6f0f5a6449f38db9dfa9cce202c6477faaf9b7ac",
      "0x166007c08a99db2fc3ba8734ace9824b5eecfdfa8d0cf8ef5dd365bc400a0051d5fa9c01a58b1fb93d1a1399126a775c",
      "0x16a3ef08be3ea7ea03bcddfabba6ff6ee5a4375efa1f4fd7feb34fd206357132b920f5b00801dee460ee415a15812ed9",
      "0x1866c8ed336c61231a1be54fd1d74cc4f9fb0ce4c6af5920abc5750c4bf39b4852cfe2f7bb9248836b233d9d55535d4a",
      "0x167a55cda70a6e1cea820597d94a84903216f763e13d87bb5308592e7ea7d4fbc7385ea3d529b35e346ef48bb8913f55",
      "0x4d2f259eea405bd48f010a01ad2911d9c6dd039bb61a6290e591b36e636a5c871a5c29f4f83060400f8b49cba8f6aa8",
      "0xaccbb67481d033ff5852c1e48c50c477f94ff8aefce42d28c0f9a88cea7913516f968986f7ebbea9684b529e2561092",
      "0xad6b9514c767fe3c3613144b45f1496543346d98adf02267d5ceef9a00d9b8693000763e3b90ac11e99b138573345cc",
      "0x2660400eb2e4f3b628bdd0d53cd76f2bf565b94e72927c1cb748df27942480e420517bd8714cc80d1fadc1326ed06f7",
      "0xe0fa1d816ddc03e6b24255e0d7819c171c40f65e273b853324efcd6356caa205ca2f570f13497804415473a1d634b8f",
      "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    ]].map((t) => t.map((e) => BigInt(e))),
  ),
  sm,
  im,
  F_ = () =>
    sm || (sm = qf(De, {
      A: De.create(
        BigInt(
          "0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d",
        ),
      ),
      B: De.create(
        BigInt(
          "0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0",
        ),
      ),
      Z: De.create(BigInt(11)),
    })),
  P_ = () =>
    im ||
    (im = qf(Z, {
      A: Z.create({ c0: De.create(ud), c1: De.create(BigInt(240)) }),
      B: Z.create({ c0: De.create(BigInt(1012)), c1: De.create(BigInt(1012)) }),
      Z: Z.create({ c0: De.create(BigInt(-2)), c1: De.create(BigInt(-1)) }),
    }));
function j_(t) {
  let { x: e, y: n } = F_()(De.create(t[0]));
  return $_(e, n);
}
function D_(t) {
  let { x: e, y: n } = P_()(Z.fromBigTuple(t));
  return M_(e, n);
}
var { G1: { Point: U_ }, G2: { Point: md }, fields: { Fp12: hd } } = On,
  z_ = 48,
  q_ = 96,
  lm = new dn(1024),
  hm;
function pm(t, e, n) {
  if (t.length !== e) return;
  let r;
  try {
    r = n(t), r.assertValidity();
  } catch {
    return;
  }
  return r.is0() || !Be(r.toBytes(!0), t) ? void 0 : r;
}
function Hs(t) {
  return pm(t, z_, (e) => U_.fromBytes(e));
}
function pd(t) {
  let e = lm.get(t);
  if (e !== void 0) return e;
  let n = pm(t, q_, (o) => md.fromBytes(o));
  if (n === void 0) return;
  let r = { point: n };
  return lm.set(t, r), r;
}
function gd(t, e) {
  let n = t;
  for (let r of e) {
    if (r === void 0) return;
    n = n.add(r);
  }
  return n.is0() ? void 0 : n;
}
function ca(t) {
  if (t.length === 1) return pd(t[0]);
  let e = gd(md.ZERO, t.map((n) => pd(n)?.point));
  return e === void 0 ? void 0 : { point: e };
}
function Ms(t, e) {
  return On.G1.hashToCurve(t, { DST: e });
}
function wd(t, e) {
  hm ??= On.utils.calcPairingPrecomputes(md.BASE.negate());
  let n = [],
    r = (s, i) => {
      if (s.is0()) return;
      let { x: a, y: f } = s.toAffine();
      n.push([i, a, f]);
    };
  r(t, hm);
  for (let { point: s, key: i } of e) r(s, i.lines ??= On.utils.calcPairingPrecomputes(i.point));
  let o = hd.finalExponentiate(On.millerLoopBatch(n));
  return hd.eql(o, hd.ONE);
}
var dr = {
  keyValidate: (t) => pd(t) !== void 0,
  verify(t, e, n, r) {
    return dr.fastAggregateVerify([t], e, n, r);
  },
  fastAggregateVerify(t, e, n, r) {
    let o = ca(t), s = Hs(n);
    return o !== void 0 && s !== void 0 && wd(s, [{ point: Ms(e, r), key: o }]);
  },
};
var Vt = ye.with({
    pattern: "^[^+\\s]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*$",
    description: "C2SP verifier key",
    example: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
  }),
  $s = te("Number of witnesses that must sign").with({ minimum: 1, example: 2 }),
  Fs = _t(mt.bls, "Signature of the key over itself"),
  yd = ye.with({
    format: "uri",
    description: "Where anybody may submit checkpoints to the witness (tlog-witness)",
  }),
  fa = {
    ed25519: _t(bn.ed25519, "Ed25519 public key"),
    bls: _t(bn.bls, "BLS12-381 public key in G2, compressed"),
  },
  bd = D({
    enabled: ks,
    peer_networks: be(
      D({
        id: it,
        gateway_url: ye.with({ format: "uri" }).optional(),
        min_witnesses: te("Number of its witnesses that must cosign").optional(),
      }, "ignored").named("PeerNetwork"),
    ),
    cross_anchor_threshold: te("Number of peers that must cosign a tree head"),
  }, "ignored").named("FederationPolicy"),
  xd = {
    id: it,
    epoch: te("Number of this configuration; absent in the first, which is 0").optional(),
    threshold: $s,
    log_vkey: Vt.optional(),
    log_ml_dsa_vkey: Vt.optional(),
    merge_delay_seconds: te("Seconds within which the log includes a confirmed attestation").with({
      example: 60,
    }).optional(),
  },
  ym = "malformed_configuration",
  bm = [Re.mlDsaCosignature],
  mm = 128,
  Lt = Ue("invalid_configuration", "Cannot use network configuration"),
  _d = { enabled: !1, peer_networks: [], cross_anchor_threshold: 0 },
  gm = { where: "network", code: ym },
  G_ = D({ signature_scheme: ye }, "ignored"),
  V_ = { ed25519: wm("ed25519"), bls: wm("bls") };
function wm(t) {
  let e = D({
    id: Qt,
    pubkey: fa[t],
    vkey: Vt.optional(),
    ml_dsa_vkey: Vt.optional(),
    public_url: yd.optional(),
    proof_of_possession: Fs.optional(),
  }, "ignored");
  return D({ ...xd, witnesses: be(e), federation: bd.optional() }, "ignored");
}
function Jr(t, e = dr) {
  return K_(xt(t, ym), e);
}
function K_(t, e = dr) {
  let { signature_scheme: n } = G_.parse(t, gm);
  if (n !== "ed25519" && n !== "bls") throw Lt("unknown signature_scheme");
  let r = V_[n].parse(t, gm), o = { federation: _d, ...r, signature_scheme: n };
  return Ed(o, e), o;
}
function Ed(t, e = dr) {
  let { id: n, threshold: r, witnesses: o, signature_scheme: s } = t;
  if (!zt(n)) throw Lt("malformed network id");
  if (r < 1 || r > o.length) throw Lt(`threshold ${r} is not from 1 to ${o.length}`);
  let i = o.map((a) => a.pubkey);
  for (let a of o) {
    if (!Bo(a.id)) throw Lt("malformed witness id");
    s === "bls" ? Y_(a, e) : W_(a);
  }
  if (t.log_vkey !== void 0) {
    let a = ot(t.log_vkey);
    if (a.type !== Re.ed25519 || a.name !== n) {
      throw Lt(`log_vkey is not of type 0x01 or not named ${n}`);
    }
    Xf(a.publicKey), i.push(V(a.publicKey));
  }
  if (new Set(o.map((a) => a.id)).size !== o.length) throw Lt("duplicate witness id");
  if (new Set(i).size !== i.length) {
    throw Lt("duplicate public key among the witnesses and the log");
  }
  X_(t), Z_(t);
}
function vd({ log_ml_dsa_vkey: t }) {
  return t === void 0 ? void 0 : ot(t, bm);
}
function Sd({ ml_dsa_vkey: t }) {
  return t === void 0 ? void 0 : ot(t, bm);
}
function xm(t) {
  let e = new Set(t.witnesses.map((n) => n.pubkey));
  return t.log_vkey !== void 0 && e.add(V(ot(t.log_vkey).publicKey)), e;
}
function W_(t) {
  let e = ze(t.pubkey, bn.ed25519) ?? new Uint8Array();
  Xf(e);
  let n = Li({ name: t.id, type: Re.cosignature, publicKey: e });
  if (t.vkey !== void 0 && t.vkey !== n) {
    throw Lt(`vkey of ${t.id} does not match its id and pubkey`);
  }
}
function Y_({ id: t, pubkey: e, vkey: n, proof_of_possession: r }, o) {
  if (n !== void 0) throw Lt(`bls witness ${t} has a vkey`);
  let s = ze(e, bn.bls) ?? new Uint8Array();
  if (!o.keyValidate(s)) {
    throw new O(
      "invalid_key",
      `Cannot use BLS public key of ${t}: not the encoding of a point of G2 of order r`,
    );
  }
  let i = ze(r ?? "", mt.bls);
  if (i === void 0 || !Jh(o, s, i)) {
    throw Lt(`proof_of_possession of ${t} is ${r === void 0 ? "missing" : "invalid"}`);
  }
}
function X_(t) {
  let e = t.witnesses.flatMap((o) => {
      let s = Sd(o);
      return s === void 0 ? [] : [{ key: s, owner: o.id }];
    }),
    n = vd(t);
  if (n !== void 0 && e.push({ key: n, owner: t.id }), e.length === 0) return;
  if (t.signature_scheme !== "ed25519") throw Lt("a bls network has no ML-DSA-44 keys");
  let r = e.find(({ key: o, owner: s }) => o.name !== s);
  if (r !== void 0) throw Lt(`the ML-DSA-44 vkey of ${r.owner} has another name than its owner`);
  if (new Set(e.map(({ key: o }) => V(o.publicKey))).size !== e.length) {
    throw Lt("duplicate ML-DSA-44 key among the witnesses and the log");
  }
  if (e.length > mm) throw Lt(`more than ${mm} ML-DSA-44 keys`);
}
function Z_(t) {
  let { peer_networks: e } = t.federation, n = new Set(e.map((r) => r.id));
  if (n.size !== e.length || n.has(t.id) || !e.every((r) => zt(r.id))) {
    throw Lt("a peer id is malformed, duplicate or the network's own");
  }
}
var Ps = Ue("malformed_text", "Cannot read trust core"),
  J_ = D({
    id: it,
    epoch: te("Number of the configuration, from 0"),
    signature_scheme: Jt(["ed25519", "bls"]),
    threshold: $s,
    log_vkey: Vt.optional(),
    log_ml_dsa_vkey: Vt.optional(),
    witnesses: be(
      D({
        id: Qt,
        pubkey: ye.with({ description: "Public key, lowercase hex" }),
        ml_dsa_vkey: Vt.optional(),
        proof_of_possession: Fs.optional(),
      }).named("CoreWitness"),
      1,
    ).with({ description: "Strictly ascending by id" }),
  }),
  Td = J_.map(
    (t) => Q_(t) ? t : void 0,
    "a trust core with witnesses in ascending order, and proofs of possession exactly if it is bls",
  ).named("TrustCore", {
    description: "Who signs in an epoch: the part of a configuration that verifiers trust",
  });
function kd(t) {
  let { id: e, epoch: n = 0, signature_scheme: r, threshold: o, log_vkey: s, log_ml_dsa_vkey: i } =
    t;
  return {
    id: e,
    epoch: n,
    signature_scheme: r,
    threshold: o,
    ...s !== void 0 && { log_vkey: s },
    ...i !== void 0 && { log_ml_dsa_vkey: i },
    witnesses: t.witnesses.map(({ id: a, pubkey: f, ml_dsa_vkey: d, proof_of_possession: u }) => ({
      id: a,
      pubkey: f,
      ...d !== void 0 && { ml_dsa_vkey: d },
      ...r === "bls" && u !== void 0 && { proof_of_possession: u },
    })).sort((a, f) => a.id < f.id ? -1 : 1),
  };
}
function Em(t) {
  let { id: e, epoch: n, signature_scheme: r, threshold: o, log_vkey: s, witnesses: i } = t,
    { log_ml_dsa_vkey: a } = t;
  if (!zt(e)) throw Ps("the network id is not a valid C2SP origin");
  if (!ke(n)) throw Ps("the epoch is not an integer in [0, 2^53)");
  if (!ke(o)) throw Ps("the threshold is not an integer in [0, 2^53)");
  s !== void 0 && ot(s);
  let f = a !== void 0 || i.some(({ ml_dsa_vkey: l }) => l !== void 0),
    d = i.map(({ id: l, pubkey: h, ml_dsa_vkey: p }) => {
      if (!Bo(l)) throw Ps("a witness id is malformed");
      if (!Pe(h, bn[r])) throw Ps(`the key of ${l} is malformed`);
      return f ? `${l} ${h} ${_m(p)}` : `${l} ${h}`;
    });
  return `${
    [f ? jh : Ph, e, n, r, o, s ?? "none", ...f ? [_m(a)] : [], ...d].join(`
`)
  }
`;
}
function _m(t) {
  return t !== void 0 && ot(t, [Re.mlDsaCosignature]), t ?? "none";
}
function qn(t) {
  return V(sn(ee(Em(t))));
}
function Ht(t) {
  return qn(kd(t));
}
function Q_(t) {
  let { signature_scheme: e, witnesses: n } = t;
  return lt(() => Em(t)) !== void 0 &&
    n.every(({ id: r, proof_of_possession: o }, s) =>
      (s === 0 || n[s - 1].id < r) && o !== void 0 == (e === "bls")
    );
}
var ur = Ue("malformed_text", "Cannot read succession"),
  Od = be(
    D({
      witness_id: Fi,
      signature: ye.map(
        (t) => Object.values(mt).some((e) => Pe(t, e)) ? t : void 0,
        "64 or 48 bytes in lowercase hex",
      ),
    }).named("SuccessionSignature"),
  ).with({ description: "Each witness's own signature, strictly ascending by witness_id" }),
  vm = _t(mt.ed25519, "Ed25519 signature of a log key"),
  e2 = D({ origin: it, log_vkey: Vt, core: st.with({ description: "SHA-256 of its trust core" }) })
    .named("NextLog", { description: "The log that continues a frozen one" }),
  Sm = {
    predecessor: Td,
    successor: nr(Td),
    next_log: e2.optional(),
    tree_size: te("Size of a published tree head; the epoch ends after it"),
    timestamp: qe("When the succession was proposed"),
    nonce: st.with({ description: "32 random bytes, so that nobody else can log its digest" }),
    signatures: D({
      predecessor: Od,
      successor: Od,
      log: vm.optional(),
      successor_log: vm.optional(),
    }).named("SuccessionSignatures"),
  },
  K6 = D(Sm).map((t) => km(t) ? t : void 0, "a succession; next_log only without a successor")
    .named("Succession", { description: "Leads from one configuration to the next, when signed" }),
  t2 = D({
    tree_size: te("Number of leaves of this and all earlier epochs"),
    root_hash: st,
    timestamp: qe("Timestamp of the last attestation, whose hash is that of the succession"),
    inclusion_path: It,
    signatures: Od,
  }).named("EpochEnd", { description: "The tree with which an epoch ended" }),
  Ad = D({ ...Sm, end: t2 }).map(
    (t) => km(t) ? t : void 0,
    "a succession; next_log only without a successor",
  ).named("SuccessionLink", {
    description: "A succession that took effect, and the tree at which it did",
  }),
  n2 = be(Ad).named("SuccessionChain", {
    description: "The links from the first epoch on, in order, without a gap",
  });
function da(t) {
  let { predecessor: e, successor: n, next_log: r, tree_size: o, timestamp: s, nonce: i } = t;
  if (!ke(o)) throw ur("the tree size is not an integer in [0, 2^53)");
  if (!ke(s)) throw ur("the time is not an integer in [0, 2^53)");
  if (!Pe(i, S)) throw ur("the nonce is not 32 bytes");
  return `${
    [Dh, e.id, e.epoch + 1, qn(e), n === null ? r2(r) : qn(n), o, s, i].join(`
`)
  }
`;
}
function jo(t) {
  return V(sn(ee(da(t))));
}
function Tm(t, { tree_size: e, root_hash: n }) {
  if (!ke(e)) throw ur("the tree size is not an integer in [0, 2^53)");
  if (!Pe(n, S)) throw ur("the root hash is not 32 bytes");
  let { id: r, epoch: o } = t.predecessor;
  return `${
    [Uh, r, o, jo(t), e, n].join(`
`)
  }
`;
}
function ua(t, e = "malformed_configuration") {
  return n2.parseText(t, { where: "succession chain", code: e });
}
function km(t) {
  return (t.next_log === void 0 || t.successor === null) && lt(() => da(t)) !== void 0;
}
function r2(t) {
  if (t === void 0) return "none";
  let { origin: e, log_vkey: n, core: r } = t;
  if (!zt(e)) throw ur("the next log's id is not a valid C2SP origin");
  if (ot(n).name !== e) throw ur(`log_vkey is not named ${e}`);
  if (!Pe(r, S)) throw ur("the next log's core digest is not 32 bytes");
  return V(sn(ee(`${
    [zh, e, n, r].join(`
`)
  }
`)));
}
var Pt = {
  network_mismatch: "It names another network than the pinned one.",
  field_mismatch: "A field that repeats signed or computed data differs from it.",
  scheme_mismatch: "The signatures have the shape of another scheme than the network's.",
  signer_duplicate: "A witness is named twice, which makes the whole set invalid.",
  signers_unordered: "The witnesses are not in ascending order, which makes the set invalid.",
  signer_unknown: "An aggregate names a witness that is not configured, which makes it invalid.",
  signature_invalid: "A configured witness's signature is wrong, which makes the set invalid.",
  threshold_not_met: "Fewer configured witnesses have signed than the network requires.",
  hash_mismatch: "It is about another hash than the expected one.",
  round_size_invalid: "The round's size is not from 1 to 512.",
  round_index_invalid: "The attestation's index is not in the round, or is above its sequence.",
  round_path_invalid: "The path to the round's root has the wrong length.",
  empty_root_wrong: "An empty tree has another root.",
  tree_size_mismatch: "The proof is about another tree size than the expected one.",
  leaf_beyond_tree: "The tree head is too small to hold the attestation at its sequence.",
  inclusion_invalid: "The inclusion path does not lead from the leaf to the signed root.",
  consistency_invalid:
    "The consistency path does not prove that one tree is a prefix of the other.",
  batch_count_wrong: "The batch's count is not the growth from its first index to its tree size.",
  batch_range_wrong: "The batch begins after the attestation's sequence.",
  head_outdated: "The gateway's latest tree head is smaller than one it showed before.",
  head_forked: "The log has signed two roots for one tree size: evidence of a fork.",
  anchor_precedes_batch: "The anchored tree head is older than the batch.",
  peer_is_home: "A network cannot be its own peer.",
  peer_not_pinned: "The pinned configuration does not name this network as a peer.",
  peer_configuration_missing: "No configuration was supplied for this peer.",
  peer_key_shared: "The peer shares a key with the home network or with a peer already counted.",
  peer_already_counted: "An anchor of this peer has been counted, and a peer counts once.",
  peer_anchors_surplus: "Only the first 8 anchors of a peer are verified.",
  min_witnesses_not_met: "Fewer of the peer's witnesses have signed than min_witnesses requires.",
  federation_disabled: "The pinned configuration does not ask for cross-anchors.",
  cross_anchors_missing: "Fewer peers count than the pinned configuration requires.",
  beacon_chain_unknown: "The beacon is of another chain than drand quicknet.",
  beacon_invalid: "The chain did not sign this beacon for its round.",
  digest_mismatch: "The anchored digest is not that of the tree head's checkpoint.",
  no_known_signature: "No line is a signature by a known key.",
  log_key_missing: "The pinned configuration has no log key.",
  log_signature_missing: "The log's signature is missing.",
  log_signature_invalid: "The log's signature is wrong.",
  contradiction_unproven: "The path does not prove that the two tree heads contradict each other.",
  core_invalid: "A configuration of the succession is invalid.",
  threshold_too_low: "In a succession, more than half of the witnesses have to sign.",
  succession_unrelated: "The succession does not lead from or to the pinned configuration.",
  succession_conflict: "It is another succession than the one that was followed.",
  successor_unsigned: "Not every witness of the succeeding configuration has signed.",
  boundary_wrong: "The epoch ends before a tree that was published in it, or before the last one.",
  log_ended: "The log ended before this position.",
  lower_layer_unverified: "The layer below is not verified.",
};
function js(t) {
  let e = t.find(([, n, r]) => n !== r);
  return e && { reason: "field_mismatch", field: e[0] };
}
function gt(t, e) {
  if (!(e.valid || e.reason === void 0)) {
    return { reason: e.reason, field: e.field ? `${t}.${e.field}` : t };
  }
}
var Do = Ue("malformed_text", "Cannot read attestation"),
  Om = D({
    hash: st,
    timestamp: qe("Timestamp of the round"),
    network_id: it,
    sequence: te("Order of acceptance, from 0; also the index of the leaf in the log"),
  }).named("Attestation");
function Qr(t) {
  let { network_id: e, hash: n, timestamp: r, sequence: o } = t;
  if (!zt(e)) throw Do("network_id is not a valid C2SP origin");
  if (!Pe(n, S)) throw Do("hash is not 64 lowercase hex digits");
  if (!ke(r)) throw Do("timestamp is not an integer in [0, 2^53)");
  if (!ke(o)) throw Do("sequence is not an integer in [0, 2^53)");
  return `${Sf}
${e}
${n}
${r}
${o}
`;
}
function Ds(t) {
  let [e, n = "", r = "", o = "", s = ""] = t.split(`
`);
  if (e !== Sf) throw Do("the first line is not the domain");
  let i = { hash: r, timestamp: bt(o) ?? NaN, network_id: n, sequence: bt(s) ?? NaN };
  if (Qr(i) !== t) throw Do("the text is not canonical");
  return i;
}
function Am(t, e, n) {
  let r = [], o = t;
  for (let s = e; s < n; s *= 2) {
    o / s % 2 === 1
      ? (r.push({ start: o - s, end: o }), o -= s)
      : o + s < n && r.push({ start: o + s, end: Math.min(o + 2 * s, n) });
  }
  return r;
}
function Nm(t, e) {
  return ke(t) && ke(e) && t < e;
}
function Nd(t, e) {
  return ke(t) && ke(e) && t >= 1 && t <= e;
}
function la(t) {
  return t.length === S;
}
function ha(t, e) {
  if (!Nm(t, e)) throw new O("internal", `No leaf ${t} in a tree of ${e}`);
}
function o2(t, e) {
  return ha(t, e), Am(t, 1, e);
}
function Us(t, e) {
  if (!Nd(t, e)) throw new O("internal", `No consistency proof from ${t} to ${e}`);
  if (t === e) return [];
  let n = 1;
  for (; t / n % 2 === 0;) n *= 2;
  let r = t - n, o = Am(r, n, e);
  return r === 0 ? o : [{ start: r, end: t }, ...o];
}
function zs(t, e) {
  let { leafHash: n, index: r, size: o, path: s } = e;
  if (!Nm(r, o) || !la(n) || !s.every(la)) return;
  let i = o2(r, o);
  if (s.length !== i.length) return;
  let a = n.slice();
  for (let [f, d] of i.entries()) {
    let u = s[f];
    a = d.start < r ? t.nodeHash(u, a) : t.nodeHash(a, u);
  }
  return a;
}
function Bm(t, e) {
  let n = zs(t, e);
  return n !== void 0 && Be(n, e.root);
}
function Bd(t, { first: e, second: n, firstRoot: r, path: o }) {
  if (!Nd(e, n) || !la(r) || !o.every(la)) return;
  let s = Us(e, n);
  if (e === n || o.length !== s.length) return;
  let i = r.slice(), a = i;
  for (let [f, d] of s.entries()) {
    let u = o[f];
    d.start >= e
      ? a = t.nodeHash(a, u)
      : f === 0
      ? (i = u.slice(), a = i)
      : (i = t.nodeHash(u, i), a = t.nodeHash(u, a));
  }
  return { first: i, second: a };
}
function Cm(t, e) {
  let { first: n, second: r, firstRoot: o, secondRoot: s, path: i } = e;
  if (!Nd(n, r)) return !1;
  if (n === r) return i.length === 0 && Be(o, s);
  let a = Bd(t, e);
  return a !== void 0 && Be(a.first, o) && Be(a.second, s);
}
function pa(t) {
  let e = t.map((n) => ze(n, S));
  return e.every((n) => n !== void 0) ? e : void 0;
}
function Cd(t, e, n) {
  let r = pa(n);
  if (r === void 0) return;
  let o = zs(t, { ...e, path: r });
  return o && V(o);
}
function eo(t, e, n, r) {
  let o = pa(r), s = ze(e.root_hash, S), i = ze(n.root_hash, S);
  return o === void 0 || s === void 0 || i === void 0
    ? !1
    : Cm(t, { first: e.tree_size, second: n.tree_size, firstRoot: s, secondRoot: i, path: o });
}
function Uo(t, e, n, r) {
  if (e.index >= r.tree_size) return { reason: "leaf_beyond_tree", field: "leaf_index" };
  if (Cd(t, { ...e, size: r.tree_size }, n) !== r.root_hash) {
    return { reason: "inclusion_invalid", field: "inclusion_path" };
  }
}
async function to(t, e, n, r) {
  let o = Dn(r);
  if (o !== (e.signature_scheme === "ed25519")) return qs(e, [], "scheme_mismatch");
  let s = o ? r.signatures.map((u) => u.witness_id) : r.signers,
    i = new Map(e.witnesses.map((u) => [u.id, u.pubkey])),
    a = s.filter((u) => !i.has(u)),
    f = s2(s);
  if (f !== void 0) return qs(e, a, ...f);
  if (!o) {
    return a.length > 0
      ? qs(e, a, "signer_unknown", a[0])
      : s.length > 0 && !i2(t, s.map((u) => i.get(u)), n, r)
      ? qs(e, a, "signature_invalid")
      : Id(e, s, a);
  }
  let d = [];
  for (let { witness_id: u, signature: l } of r.signatures) {
    let h = i.get(u);
    if (h !== void 0) {
      if (!await ma(t, "ed25519", h, n, l)) return qs(e, a, "signature_invalid", u);
      d.push(u);
    }
  }
  return Id(e, d, a);
}
function s2(t) {
  let e = new Set();
  for (let r of t) {
    if (e.has(r)) return ["signer_duplicate", r];
    e.add(r);
  }
  let n = t.find((r, o) => o > 0 && r < t[o - 1]);
  return n === void 0 ? void 0 : ["signers_unordered", n];
}
async function ma(t, e, n, r, o) {
  let s = ze(n, bn[e]), i = ze(o, mt[e]);
  return s === void 0 || i === void 0
    ? !1
    : e === "ed25519"
    ? await t.ed25519(s, r, i)
    : t.bls.fastAggregateVerify([s], r, i, Os);
}
function ga(t, e, n, r) {
  return ma(t, "ed25519", V(ot(e).publicKey), n, r);
}
function i2(t, e, n, r) {
  let o = e.map((i) => ze(i, bn.bls)), s = ze(r.signature, mt.bls);
  return s !== void 0 && o.every((i) => i !== void 0) && t.bls.fastAggregateVerify(o, n, s, Os);
}
function Id(t, e, n) {
  let r = e.filter((i) => !t.distrusted?.includes(i)),
    o = e.filter((i) => t.distrusted?.includes(i)),
    s = r.length >= t.threshold;
  return {
    met: s,
    ...t.epoch && { epoch: t.epoch },
    verified: r.length,
    required: t.threshold,
    signers: r,
    unknown: n,
    ...o.length > 0 && { distrusted: o },
    ...!s && { reason: "threshold_not_met" },
  };
}
function qs(t, e, n, r) {
  return { ...Id(t, [], e), reason: n, ...r !== void 0 && { witness: r } };
}
async function a2(t, e, n = []) {
  let { predecessor: r, successor: o, signatures: s } = e, i = await c2(t, e);
  if (i !== void 0) return i;
  if (!Mm(r, s.predecessor, n)) {
    return { reason: "threshold_not_met", field: "signatures.predecessor" };
  }
  if (r.log_vkey !== void 0 && s.log === void 0) {
    return { reason: "log_signature_missing", field: "signatures.log" };
  }
  if (o !== null) {
    return s.successor.length < o.witnesses.length
      ? { reason: "successor_unsigned", field: "signatures.successor" }
      : Lm(e) && s.successor_log === void 0
      ? { reason: "log_signature_missing", field: "signatures.successor_log" }
      : void 0;
  }
}
function Lm({ predecessor: t, successor: e }) {
  let n = e?.log_vkey;
  return n !== void 0 && n !== t.log_vkey;
}
async function c2(t, e) {
  let { predecessor: n, successor: r, signatures: o } = e,
    s = Im(t, n, "predecessor") ?? (r === null ? void 0 : Im(t, r, "successor") ?? d2(n, r));
  if (s !== void 0) return s;
  let i = ee(da(e)), { log: a, successor_log: f } = o;
  return await Rd(t, n, i, o.predecessor, "predecessor") ??
    await Rd(t, r, i, o.successor, "successor") ?? await Rm(t, n.log_vkey, i, a, "log") ??
    await Rm(t, Lm(e) ? r?.log_vkey : void 0, i, f, "successor_log");
}
async function Hm(t, e, n = []) {
  let { predecessor: r, end: o } = e,
    s = await a2(t, e, n) ?? gt("end", { valid: !1, ...f2(t, e) });
  if (s !== void 0) return s;
  let i = ee(Tm(e, o)), a = await Rd(t, r, i, o.signatures, "end");
  return a !== void 0
    ? { ...a, field: "end.signatures" }
    : Mm(r, o.signatures, n)
    ? void 0
    : { reason: "threshold_not_met", field: "end.signatures" };
}
function f2(t, e) {
  let { tree_size: n, root_hash: r, timestamp: o, inclusion_path: s } = e.end;
  if (n <= e.tree_size) return { reason: "boundary_wrong", field: "tree_size" };
  let { id: i } = e.predecessor,
    a = n - 1,
    f = jo(e),
    d = ee(Qr({ network_id: i, hash: f, timestamp: o, sequence: a })),
    u = { leafHash: Ao(t.kernels, d), index: a };
  return Uo(t.kernels, u, s, { network_id: i, tree_size: n, root_hash: r });
}
function Im(t, e, n) {
  return 2 * e.threshold <= e.witnesses.length
    ? { reason: "threshold_too_low", field: n }
    : lt(() => (Ed({ ...e, federation: _d }, t.bls), !0))
    ? void 0
    : { reason: "core_invalid", field: n };
}
function d2(t, e) {
  return e.id === t.id && e.epoch === t.epoch + 1 && e.signature_scheme === t.signature_scheme
    ? void 0
    : { reason: "succession_unrelated", field: "successor" };
}
async function Rd(t, e, n, r, o) {
  let s = (i) => `signatures.${o}[${i}]`;
  for (let [i, { witness_id: a, signature: f }] of r.entries()) {
    if (i > 0 && a <= r[i - 1].witness_id) return { reason: "signers_unordered", field: s(i) };
    let d = e?.witnesses.find((u) => u.id === a);
    if (e === null || d === void 0) return { reason: "signer_unknown", field: s(i) };
    if (!await ma(t, e.signature_scheme, d.pubkey, n, f)) {
      return { reason: "signature_invalid", field: s(i) };
    }
  }
}
async function Rm(t, e, n, r, o) {
  if (r === void 0) return;
  let s = `signatures.${o}`;
  return e === void 0
    ? { reason: "log_key_missing", field: s }
    : await ga(t, e, n, r)
    ? void 0
    : { reason: "log_signature_invalid", field: s };
}
function Mm(t, e, n) {
  return e.filter(({ witness_id: o }) => !n.includes(o)).length >= t.threshold;
}
async function wa(t, e, n) {
  let r = e.links ?? [], o = n.length > r.length ? n : r, s = u2(e, n, r.length);
  if (s !== void 0) return { network: e, failure: s };
  for (let [d, u] of n.entries()) {
    if (m2(u, r[d])) continue;
    let l = l2(e, n, d) ?? h2(u, r[d]) ?? await Hm(t, u, xa({ ...e, links: n }, u.end.tree_size)),
      h = l && gt(`succession[${d}]`, { valid: !1, ...l });
    if (h !== void 0) return { network: e, failure: h };
  }
  if (o === r) return { network: e };
  let i = o.map(({ predecessor: d, end: u }) => ({
      network: $m(e, d),
      end: u.tree_size,
      endTime: u.timestamp,
    })
    ),
    a = o.at(-1).successor,
    f = a === null ? [] : [{ network: $m(e, a) }];
  return { network: { ...e, epochs: [...i, ...f], links: o } };
}
function Gn(t, e) {
  let { epochs: n = [{ network: t }] } = t,
    r = n.find(({ end: s = 1 / 0 }) => e <= s),
    o = xa(t, e);
  return r && o.length > 0 ? { ...r.network, distrusted: o } : r?.network;
}
function ya(t, e) {
  return Gn(t, e + 1);
}
function ba({ links: t = [] }, { tree_size: e, root_hash: n }) {
  return t.some(({ end: o }) => o.tree_size === e && o.root_hash !== n)
    ? { reason: "head_forked" }
    : void 0;
}
function u2(t, e, n) {
  if (e.length <= n) return;
  let { epoch: r = 0 } = t, o = e[r]?.predecessor ?? e[r - 1]?.successor;
  if (!(o && qn(o) === qn(kd(t)))) return { reason: "succession_unrelated", field: "succession" };
}
function l2(t, e, n) {
  let { predecessor: r, end: o } = e[n],
    s = { reason: "succession_unrelated", field: "predecessor" };
  if (r.epoch !== n || r.id !== t.id) return s;
  let i = e[n - 1];
  if (i !== void 0) {
    return i.successor === null || qn(i.successor) !== qn(r)
      ? s
      : o.tree_size > i.end.tree_size
      ? void 0
      : { reason: "boundary_wrong", field: "end.tree_size" };
  }
}
function h2(t, e) {
  if (!(e === void 0 || p2(t, e))) return { reason: "succession_conflict" };
}
function p2(t, e) {
  return jo(t) === jo(e) && t.end.tree_size === e.end.tree_size &&
    t.end.root_hash === e.end.root_hash;
}
function m2(t, e) {
  return e !== void 0 && JSON.stringify(t) === JSON.stringify(e);
}
function xa({ distrust: t = [], links: e = [] }, n) {
  let r = new Set(t.filter((f) => n > f.size).map(({ witness: f }) => f));
  if (r.size === 0) return [];
  let s = e.flatMap(({ predecessor: f, successor: d }) => [f, d]).flatMap((f) =>
      f?.witnesses ?? []
    ),
    i = new Set(s.filter(({ id: f }) => r.has(f)).map(({ pubkey: f }) => f)),
    a = s.filter(({ pubkey: f }) => i.has(f)).map(({ id: f }) => f);
  return [...new Set([...r, ...a])];
}
function $m(t, e) {
  let { federation: n, merge_delay_seconds: r } = t;
  return { ...e, federation: n, ...r !== void 0 && { merge_delay_seconds: r } };
}
async function g2(t, e) {
  try {
    return (await t.succession(e)).value;
  } catch (n) {
    return e?.throwIfAborted(), Lr(n), [];
  }
}
async function _a(t, e, n, r) {
  let o = await g2(e, r), s = await wa(t, n, o);
  return s.failure === void 0 && s.network !== n ? s.network : void 0;
}
var tn = class t {
  where;
  code;
  #e;
  constructor(e, { where: n, code: r }, o, s = {}) {
    if (this.where = n, this.code = r, typeof e != "object" || e === null || !w2(e)) {
      throw this.error("expected an object");
    }
    this.#e = e;
    for (let a of o) if (!this.has(a)) throw this.error(`member ${a} is missing`);
    if (s.ignoreUnknown) return;
    let i = new Set([...o, ...s.optional ?? []]);
    for (let a of Object.keys(e)) if (!i.has(a)) throw this.error(`unknown member ${Ss(a)}`);
  }
  static parse(e, n, r, o = {}) {
    let s = xt(e, n.code, o.maxValues, `JSON of ${n.where}`);
    return new t(s, n, r, o);
  }
  has(e) {
    return Object.hasOwn(this.#e, e);
  }
  value(e) {
    return this.has(e) ? this.#e[e] : void 0;
  }
  text(e) {
    let n = this.value(e);
    if (typeof n != "string") throw this.error(`${e} must be a string`);
    return n;
  }
  flag(e) {
    let n = this.value(e);
    if (typeof n != "boolean") throw this.error(`${e} must be true or false`);
    return n;
  }
  integer(e) {
    let n = this.value(e);
    if (!ke(n)) throw this.error(`${e} must be an integer from 0 to 2^53 - 1`);
    return n;
  }
  hex(e, n) {
    let r = this.text(e);
    if (!Pe(r, n)) throw this.error(`${e} must be ${2 * n} lowercase hex digits`);
    return r;
  }
  base64(e) {
    let n = mn(this.text(e));
    if (n === void 0) throw this.error(`${e} must be padded base64`);
    return n;
  }
  base64Url(e) {
    let n = To(this.text(e));
    if (n === void 0) throw this.error(`${e} must be base64url`);
    return n;
  }
  list(e) {
    let n = this.value(e);
    if (!Array.isArray(n)) throw this.error(`${e} must be a list`);
    return n;
  }
  texts(e) {
    let n = this.list(e);
    if (!n.every((r) => typeof r == "string")) throw this.error(`${e} must be a list of strings`);
    return n;
  }
  object(e, n, r = {}) {
    return this.within(this.value(e), e, n, r);
  }
  objects(e, n, r = {}) {
    return this.list(e).map((o, s) => this.within(o, `${e}[${s}]`, n, r));
  }
  within(e, n, r, o = {}) {
    return new t(e, { where: `${this.where}.${n}`, code: this.code }, r, o);
  }
  error(e) {
    return new O(this.code, `Cannot read ${this.where}: ${e}`);
  }
};
function w2(t) {
  return Object.getPrototypeOf(t) === null;
}
var y2 = new Set(fh),
  b2 = 300,
  x2 = /^[0-9a-f]{16}$/,
  _2 = new Set([301, 302, 303, 307, 308]),
  E2 = "a redirect, which is not followed",
  xe = class extends O {
    status;
    reason;
    retryAfter;
    requestId;
    constructor(e, n) {
      let { status: r, reason: o, detail: s, retryAfter: i, requestId: a } = n;
      super(
        "gateway_refused",
        `Cannot get ${e}: the gateway answered ${r}` + (o === void 0 ? "" : ` ${o}`) +
          (s === void 0 ? "" : ` (${s})`),
      ),
        this.status = r,
        this.reason = o,
        this.retryAfter = i,
        this.requestId = a;
    }
  };
function zo(t, e, n) {
  let { status: r } = e;
  return new xe(t, {
    status: r,
    ..._2.has(r) ? { detail: E2 } : v2(n),
    retryAfter: bt(e.headers.get("Retry-After") ?? ""),
  });
}
function v2(t) {
  try {
    let e = xt(rt(t), "gateway_refused"),
      n = new tn(e, { where: "problem", code: "gateway_refused" }, ["code"], { ignoreUnknown: !0 }),
      r = n.text("code"),
      o = n.has("request_id") ? n.text("request_id") : "";
    return {
      ...S2(r) && { reason: r },
      ...n.has("detail") && { detail: n.text("detail").slice(0, b2) },
      ...x2.test(o) && { requestId: o },
    };
  } catch (e) {
    if (e instanceof O) return {};
    throw e;
  }
}
function S2(t) {
  return y2.has(t);
}
var Ea = 48;
var Ld = Object.freeze({
  name: "drand quicknet",
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey: we(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
  periodSeconds: 3,
  genesisTime: 1692803367,
});
function Hd(t, e) {
  return t.genesisTime + (e - 1) * t.periodSeconds;
}
function T2(t) {
  return sn(ko(t));
}
function Fm(t, e, n) {
  let r = k2(e, n);
  return r !== void 0 && t.verify(e.publicKey, T2(n.round), r, Vh);
}
function k2(t, e) {
  let { chain_hash: n, round: r, signature: o } = e;
  if (!(!Pe(n, S) || n !== t.hash) && !(!(r >= 1) || !Number.isSafeInteger(Hd(t, r)))) {
    return ze(o, Ea);
  }
}
var Gs = Ue("malformed_text", "Cannot write round message"),
  qo = 512,
  O2 = D({
    chain_hash: st,
    round: te("Round of the beacon"),
    signature: _t(Ea, "Signature of the beacon over that round"),
  }).named("Beacon", {
    description: "Public drand randomness: the round was signed after the beacon was published",
  }),
  Pm = D({
    index: te("Index of the attestation in the round").with({ maximum: qo - 1 }),
    size: te("Number of attestations").with({ minimum: 1, maximum: qo }),
    inclusion_path: It,
    beacon: nr(O2),
  }).named("RoundInclusion", {
    description:
      "Position of the attestation in its round, and its inclusion path to the round's root",
  });
function jm(t) {
  let { network_id: e, timestamp: n, size: r, root: o, beacon: s } = t;
  if (!zt(e)) throw Gs("network_id is not a valid C2SP origin");
  if (!ke(n)) throw Gs("timestamp is not an integer in [0, 2^53)");
  if (!ke(r) || r < 1 || r > qo) throw Gs(`size is not an integer from 1 to ${qo}`);
  if (!Pe(o, S)) throw Gs("root is not 64 lowercase hex digits");
  return `${Mh}
${e}
${n}
${r}
${o}
${A2(s)}
`;
}
function A2(t) {
  if (t === null) return "none";
  if (!Pe(t.chain_hash, S) || !ke(t.round) || !Pe(t.signature, Ea)) throw Gs("malformed beacon");
  return `drand/${t.chain_hash}/${t.round}/${t.signature}`;
}
function va({ met: t, ...e }) {
  return { valid: t, ...e };
}
function An(t, e) {
  return { valid: !1, ...e, verified: 0, required: t.threshold, signers: [], unknown: [] };
}
function Et(t, e) {
  return e === void 0 ? t : { ...t, valid: !1, ...e };
}
function Go(t, e) {
  return Ao(t, ee(Qr(e)));
}
async function Vs(t, e, n) {
  let r = N2(e, n);
  if (r !== void 0) return An(e, r);
  let { attestation: o, round: s } = n,
    i = Go(t.kernels, o),
    a = Cd(t.kernels, { ...s, leafHash: i }, s.inclusion_path);
  if (a === void 0) return An(e, { reason: "round_path_invalid", field: "round.inclusion_path" });
  let f = jm({ network_id: e.id, timestamp: o.timestamp, size: s.size, root: a, beacon: s.beacon }),
    d = ya(e, o.sequence);
  if (d === void 0) return An(e, { reason: "log_ended", field: "attestation.sequence" });
  let u = await to(t, d, ee(f), n), l = u.verified + (u.distrusted?.length ?? 0) >= u.required;
  return { ...va(u), ...l && { leafHash: i } };
}
function N2(t, { attestation: e, round: n }) {
  if (e.network_id !== t.id) return { reason: "network_mismatch", field: "attestation.network_id" };
  if (n.size < 1 || n.size > qo) return { reason: "round_size_invalid", field: "round.size" };
  if (n.index >= n.size || n.index > e.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
}
var Md = class {
    tag;
    value;
    constructor(e, n) {
      this.tag = e, this.value = n;
    }
  },
  [B2, C2, I2, R2, L2, H2, M2] = [0, 1, 2, 3, 4, 5, 6],
  $2 = 246;
function Vo(t) {
  if (t === null) return Uint8Array.of($2);
  if (typeof t == "number") return t < 0 ? no(C2, -1 - t) : no(B2, t);
  if (typeof t == "string") {
    let n = ee(t);
    return pe(no(R2, n.length), n);
  }
  if (t instanceof Uint8Array) return pe(no(I2, t.length), t);
  if (t instanceof Md) return pe(no(M2, t.tag), Vo(t.value));
  if (t instanceof Map) {
    let n = Array.from(t, (r) => r.map(Vo));
    return n.sort(([r], [o]) => F2(r, o)), pe(no(H2, n.length), ...n.flat());
  }
  let e = t;
  return pe(no(L2, e.length), ...e.map(Vo));
}
function no(t, e) {
  let n = e < 24 ? 0 : e < 256 ? 1 : e < 65536 ? 2 : e < 4294967296 ? 4 : 8,
    r = new Uint8Array(1 + n);
  r[0] = t * 32 + (n === 0 ? e : 24 + Math.log2(n));
  let o = e;
  for (let s = n; s > 0; s--) r[s] = o % 256, o = Math.floor(o / 256);
  return r;
}
function F2(t, e) {
  let n = t.findIndex((r, o) => r !== e[o]);
  return n < 0 ? t.length - e.length : t[n] - (e[n] ?? -1);
}
var [P2, j2, D2, U2] = [1, 4, 15, 395], z2 = 1, q2 = "countersign/tree-size", G2 = -8, V2 = 1;
function K2(t, e) {
  return Vo(["Signature1", Y2(t), new Uint8Array(), e]);
}
function Dm(t, e) {
  let n = { name: e.network_id, type: Re.ed25519, publicKey: t };
  return K2(W2(n, e.tree_size), we(e.root_hash));
}
function W2(t, e) {
  return { origin: t.name, keyId: jr(t), treeSize: e };
}
function Y2({ origin: t, keyId: e, treeSize: n }) {
  return Vo(new Map([[P2, G2], [j2, e], [D2, new Map([[z2, t]])], [U2, V2], [q2, n]]));
}
var X2 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
async function pt(t, e, n) {
  let r = n.tree_head;
  if (r.network_id !== e.id) {
    return An(e, { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  if (r.tree_size === 0 && r.root_hash !== X2) {
    return An(e, { reason: "empty_root_wrong", field: "tree_head.root_hash" });
  }
  let o = Gn(e, r.tree_size);
  if (o === void 0) return An(e, { reason: "log_ended", field: "tree_head.tree_size" });
  let s = ee(Pi(r)), i = va(await to(t, o, s, n));
  return i.valid ? Et(i, ba(e, r) ?? await Z2(t, o, n)) : i;
}
async function Z2(t, { log_vkey: e }, { tree_head: n, log_signature: r, receipt_signature: o }) {
  if (e === void 0) return;
  let s = async (a, f, d) =>
      d !== void 0 && !await ga(t, e, f, d)
        ? { reason: "log_signature_invalid", field: a }
        : void 0,
    i = Dm(ot(e).publicKey, n);
  return await s("log_signature", ee(_n(n)), r) ?? await s("receipt_signature", i, o);
}
var Um = [
  "batch_inclusion.batch.first_index",
  "batch_inclusion.batch.attestation_count",
  "batch_inclusion.batch.period_start",
];
async function zm(t, e, n, r) {
  let o = await pt(t, e, n.sth),
    s = r.attestation.sequence,
    i = gt("sth", o) ?? J2(e, n, r) ?? Q2(n.batch, s) ??
      gt("merkle_proof", {
        valid: !1,
        ...Uo(
          t.kernels,
          { leafHash: r.leafHash, index: s },
          n.merkle_proof.inclusion_path,
          n.sth.tree_head,
        ),
      });
  return Et(o, gt("batch_inclusion", { valid: !1, ...i }));
}
function J2(t, { batch: e, merkle_proof: n, sth: r }, { attestation: o, leafHash: s }) {
  let i = r.tree_head;
  return js([
    ["merkle_proof.hash", n.hash, o.hash],
    ["merkle_proof.leaf_hash", n.leaf_hash, V(s)],
    ["merkle_proof.leaf_index", n.leaf_index, o.sequence],
    ["merkle_proof.tree_size", n.tree_size, i.tree_size],
    ["merkle_proof.root_hash", n.root_hash, i.root_hash],
    ["merkle_proof.batch_id", n.batch_id, i.tree_size],
    ["batch.id", e.id, i.tree_size],
    ["batch.network_id", e.network_id, t.id],
    ["batch.root_hash", e.root_hash, i.root_hash],
    ["batch.tree_size", e.tree_size, i.tree_size],
    ["batch.period_end", e.period_end, i.timestamp],
  ]);
}
function Q2(t, e) {
  if (t.attestation_count !== t.tree_size - t.first_index) {
    return { reason: "batch_count_wrong", field: "batch.attestation_count" };
  }
  if (t.first_index > e) return { reason: "batch_range_wrong", field: "batch.first_index" };
}
var eE = 8;
async function Gm(t, e, n, r) {
  let o = [], s = new Map();
  for (let i of n) {
    let { witnessing_network: a } = i, f = s.get(a) ?? 0;
    s.set(a, f + 1),
      o.push(
        r === void 0
          ? ro(i, "not_checked", { reason: "lower_layer_unverified" })
          : f >= eE
          ? ro(i, "not_checked", Ko("peer_anchors_surplus"))
          : await tE(t, e, i, r),
      );
  }
  return sE(e, o);
}
function ro(t, e, n) {
  return { network: t.witnessing_network, status: e, counted: !1, ...n };
}
async function tE(t, e, n, r) {
  let { network: o } = e,
    s = n.tree_head,
    i = n.witnessing_network,
    a = o.federation.peer_networks.find((g) => g.id === i);
  if (i === o.id) return ro(n, "failed", Ko("peer_is_home"));
  if (a === void 0) return ro(n, "failed", Ko("peer_not_pinned"));
  if (s.network_id !== o.id) {
    return ro(n, "failed", { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  let f = e.peers.find((g) => g.id === i);
  if (f === void 0) return ro(n, "not_checked", Ko("peer_configuration_missing"));
  let d = await rE(t, f, s, n, r.timestamp);
  if (d === void 0) return ro(n, "failed", Ko("log_ended"));
  let { met: u, reason: l, witness: h, ...p } = d,
    m = l !== void 0 ? { reason: l } : oE(t, a, n, { head: r, verified: p.verified });
  return {
    network: i,
    status: u && m === void 0 ? "verified" : "failed",
    counted: !1,
    ...m,
    signatures: p,
    ...h !== void 0 && { witness: h },
  };
}
function nE(t, e) {
  let { epochs: n = [{ network: t }], distrust: r = [] } = t, o = xa(t, 1 / 0);
  return n.filter(({ endTime: s }) => s === void 0 || e <= s).map(({ network: s }) =>
    r.length > 0 ? { ...s, distrusted: o } : s
  ).reverse();
}
async function rE(t, e, n, r, o = 0) {
  let [s, ...i] = nE(e, o);
  if (s === void 0) return;
  let a = ee(Pi(n)), f = await to(t, s, a, r);
  for (let d of f.met ? [] : i) {
    let u = await to(t, d, a, r);
    if (u.met) return u;
  }
  return f;
}
function qm(t) {
  let e = t.epochs ?? [{ network: t }];
  return new Set(e.flatMap((n) => [...xm(n.network)]));
}
function Ko(t) {
  return { reason: t, field: "witnessing_network" };
}
function oE(t, e, n, { head: r, verified: o }) {
  if (o < (e.min_witnesses ?? 0)) {
    return { reason: "min_witnesses_not_met", field: Dn(n) ? "signatures" : "signers" };
  }
  if (n.tree_head.tree_size < r.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!eo(t.kernels, r, n.tree_head, n.consistency_path)) {
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
}
function sE(t, e) {
  let { enabled: n, peer_networks: r, cross_anchor_threshold: o } = t.network.federation,
    s = qm(t.network),
    i = [],
    a = new Map();
  for (let { id: f } of r) {
    let d = e.filter((g) => g.network === f && g.status === "verified"),
      [u] = d,
      l = t.peers.find((g) => g.id === f);
    if (u === void 0 || l === void 0) continue;
    let h = qm(l),
      p = [...h].some((g) => s.has(g)),
      m = Ko(p ? "peer_key_shared" : "peer_already_counted");
    for (let g of d) a.set(g, { ...g, ...m });
    if (!p) {
      for (let g of h) s.add(g);
      i.push(f), a.set(u, { ...u, counted: !0 });
    }
  }
  return {
    layers: e.map((f) => a.get(f) ?? f),
    summary: { counted: i, required: o, ...iE(n, o, i.length) },
  };
}
function iE(t, e, n) {
  return !t || e < 1
    ? { reason: "federation_disabled" }
    : n < e
    ? { reason: "cross_anchors_missing" }
    : void 0;
}
function Vm(t, e, n) {
  let r = e.map((s) => {
      let i = aE(t, s, n), { provider: a, service: f } = s;
      return { provider: a, ...f !== void 0 && { service: f }, bound: i === void 0, ...i };
    }),
    o = r.filter((s) => s.bound).length;
  return { present: o, unbound: r.length - o, anchors: r };
}
function aE(t, e, n) {
  if (n === void 0) return { reason: "lower_layer_unverified" };
  let r = e.tree_head;
  return r.network_id !== n.network_id
    ? { reason: "network_mismatch", field: "tree_head.network_id" }
    : V(t.sha256(ee(_n(r)))) !== e.digest
    ? { reason: "digest_mismatch", field: "digest" }
    : r.tree_size < n.tree_size
    ? { reason: "anchor_precedes_batch", field: "tree_head.tree_size" }
    : eo(t, n, r, e.consistency_path)
    ? void 0
    : { reason: "consistency_invalid", field: "consistency_path" };
}
var Km = Object.freeze({ not_before: [], not_after: [], failed: [], contradictions: [] });
function Wm(t) {
  return { chain: Ld, verify: (e) => Fm(t, Ld, e) };
}
function Ym(t, { attestation: e, round: n }, r) {
  if (!r.valid) return Km;
  let o = { time: e.timestamp, source: "attestation", word: Fd(e.network_id, r.verified) };
  return $d({ ...Km, ...cE(t, n) }, { not_after: [o] });
}
function Xm({ network_id: t, tree_size: e, timestamp: n }, r) {
  return { time: n, source: `tree head of size ${e}`, word: Fd(t, r) };
}
function Zm({ tree_head: t, witnessing_network: e }, n) {
  return { time: t.timestamp, source: `cross-anchor of size ${t.tree_size}`, word: Fd(e, n) };
}
function $d(t, e) {
  let n = [...t.not_before, ...e.not_before ?? []].toSorted((i, a) => a.time - i.time),
    r = [...t.not_after, ...e.not_after ?? []].toSorted((i, a) => i.time - a.time),
    [o] = n,
    s = o === void 0
      ? []
      : r.filter(({ time: i }) => i < o.time).map((i) => ({ not_before: o, not_after: i }));
  return { ...t, not_before: n, not_after: r, contradictions: s };
}
function cE(t, { beacon: e }) {
  if (e === null) return { not_before: [], failed: [] };
  let { chain: n } = t;
  if (e.chain_hash !== n.hash) {
    let s = `drand chain ${e.chain_hash} round ${e.round}`;
    return { not_before: [], failed: [{ source: s, reason: "beacon_chain_unknown" }] };
  }
  let r = `${n.name} round ${e.round}`;
  return t.verify(e)
    ? {
      not_before: [{ time: Hd(n, e.round), source: r, word: `the nodes of ${n.name}` }],
      failed: [],
    }
    : { not_before: [], failed: [{ source: r, reason: "beacon_invalid" }] };
}
function Fd(t, e) {
  return `${e} ${e === 1 ? "witness" : "witnesses"} of ${t}`;
}
var oo = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
];
var fE = BigInt(0),
  Ks = BigInt(1),
  dE = BigInt(2),
  uE = BigInt(7),
  lE = BigInt(256),
  hE = BigInt(113),
  eg = [],
  tg = [],
  ng = [];
for (let t = 0, e = Ks, n = 1, r = 0; t < 24; t++) {
  [n, r] = [r, (2 * n + 3 * r) % 5], eg.push(2 * (5 * r + n)), tg.push((t + 1) * (t + 2) / 2 % 64);
  let o = fE;
  for (let s = 0; s < 7; s++) {
    e = (e << Ks ^ (e >> uE) * hE) % lE, e & dE && (o ^= Ks << (Ks << BigInt(s)) - Ks);
  }
  ng.push(o);
}
var rg = Ci(ng, !0),
  pE = rg[0],
  mE = rg[1],
  gE = (t, e, n) => t << n | e >>> 32 - n,
  wE = (t, e, n) => e << n | t >>> 32 - n,
  yE = (t, e, n) => e << n - 32 | t >>> 64 - n,
  bE = (t, e, n) => t << n - 32 | e >>> 64 - n,
  Jm = (t, e, n) => n > 32 ? yE(t, e, n) : gE(t, e, n),
  Qm = (t, e, n) => n > 32 ? bE(t, e, n) : wE(t, e, n),
  Wo = new Uint32Array(5 * 2);
function xE(t, e = 24) {
  if (!(t instanceof Uint32Array)) {
    throw new TypeError('"s" expected Uint32Array(50), got type=' + typeof t);
  }
  if (t.length !== 50) throw new RangeError('"s" expected Uint32Array(50), got length=' + t.length);
  if (ht(e, "rounds"), e < 1 || e > 24) throw new Error('"rounds" expected integer 1..24');
  for (let n = 24 - e; n < 24; n++) {
    for (let s = 0; s < 10; s++) Wo[s] = t[s] ^ t[s + 10] ^ t[s + 20] ^ t[s + 30] ^ t[s + 40];
    for (let s = 0; s < 10; s += 2) {
      let i = (s + 8) % 10,
        a = (s + 2) % 10,
        f = Wo[a],
        d = Wo[a + 1],
        u = Jm(f, d, 1) ^ Wo[i],
        l = Qm(f, d, 1) ^ Wo[i + 1];
      for (let h = 0; h < 50; h += 10) t[s + h] ^= u, t[s + h + 1] ^= l;
    }
    let r = t[2], o = t[3];
    for (let s = 0; s < 24; s++) {
      let i = tg[s], a = Jm(r, o, i), f = Qm(r, o, i), d = eg[s];
      r = t[d], o = t[d + 1], t[d] = a, t[d + 1] = f;
    }
    for (let s = 0; s < 50; s += 10) {
      let i = t[s], a = t[s + 1], f = t[s + 2], d = t[s + 3];
      t[s] ^= ~t[s + 2] & t[s + 4],
        t[s + 1] ^= ~t[s + 3] & t[s + 5],
        t[s + 2] ^= ~t[s + 4] & t[s + 6],
        t[s + 3] ^= ~t[s + 5] & t[s + 7],
        t[s + 4] ^= ~t[s + 6] & t[s + 8],
        t[s + 5] ^= ~t[s + 7] & t[s + 9],
        t[s + 6] ^= ~t[s + 8] & i,
        t[s + 7] ^= ~t[s + 9] & a,
        t[s + 8] ^= ~i & f,
        t[s + 9] ^= ~a & d;
    }
    t[0] ^= pE[n], t[1] ^= mE[n];
  }
  Ct(Wo);
}
var Pd = class t {
  state;
  pos = 0;
  posOut = 0;
  finished = !1;
  state32;
  destroyed = !1;
  blockLen;
  suffix;
  outputLen;
  canXOF;
  enableXOF = !1;
  rounds;
  constructor(e, n, r, o = !1, s = 24) {
    if (
      ht(e, "blockLen"),
        ht(n, "suffix"),
        ht(s, "rounds"),
        lh(o, "enableXOF"),
        this.blockLen = e,
        this.suffix = n,
        this.outputLen = r,
        this.enableXOF = o,
        this.canXOF = o,
        this.rounds = s,
        ht(r, "outputLen"),
        !(0 < e && e < 200)
    ) throw new Error('"blockLen" must be 1..199');
    this.state = new Uint8Array(200), this.state32 = cf(this.state);
  }
  clone() {
    return this._cloneInto();
  }
  keccak() {
    ff(this.state32),
      xE(this.state32, this.rounds),
      ff(this.state32),
      this.posOut = 0,
      this.pos = 0;
  }
  update(e) {
    Pn(this), Te(e);
    let { blockLen: n, state: r, state32: o } = this,
      s = e.length,
      i = n % 4 === 0 && e.byteOffset % 4 === 0,
      a = n / 4,
      f = i && s >= n ? cf(e) : void 0;
    for (let d = 0; d < s;) {
      if (f !== void 0 && this.pos === 0 && d % 4 === 0 && s - d >= n) {
        for (let l = 0, h = d / 4; l < a; l++) o[l] ^= f[h + l];
        d += n, this.pos = n, this.keccak();
        continue;
      }
      let u = Math.min(n - this.pos, s - d);
      for (let l = 0; l < u; l++) r[this.pos++] ^= e[d++];
      this.pos === n && this.keccak();
    }
    return this;
  }
  finish() {
    if (this.finished) return;
    this.finished = !0;
    let { state: e, suffix: n, pos: r, blockLen: o } = this;
    e[r] ^= n, (n & 128) !== 0 && r === o - 1 && this.keccak(), e[o - 1] ^= 128, this.keccak();
  }
  writeInto(e) {
    Pn(this, !1), Te(e), this.finish();
    let n = this.state, { blockLen: r } = this;
    for (let o = 0, s = e.length; o < s;) {
      this.posOut >= r && this.keccak();
      let i = Math.min(r - this.posOut, s - o);
      e.set(n.subarray(this.posOut, this.posOut + i), o), this.posOut += i, o += i;
    }
    return e;
  }
  xofInto(e) {
    if (!this.enableXOF) throw new Error("XOF is not enabled");
    return this.writeInto(e);
  }
  xof(e) {
    return ht(e), this.xofInto(new Uint8Array(e));
  }
  digestInto(e) {
    if (xo(e, this), this.finished) throw new Error("digest() was already called");
    this.writeInto(e.length === this.outputLen ? e : e.subarray(0, this.outputLen)), this.destroy();
  }
  digest() {
    let e = new Uint8Array(this.outputLen);
    return this.digestInto(e), e;
  }
  destroy() {
    this.destroyed = !0, Ct(this.state);
  }
  _cloneInto(e) {
    let { blockLen: n, suffix: r, outputLen: o, rounds: s, enableXOF: i } = this;
    return e ||= new t(n, r, o, i, s),
      e.blockLen = n,
      e.state32.set(this.state32),
      e.pos = this.pos,
      e.posOut = this.posOut,
      e.finished = this.finished,
      e.rounds = s,
      e.suffix = r,
      e.outputLen = o,
      e.enableXOF = i,
      e.canXOF = this.canXOF,
      e.destroyed = this.destroyed,
      e;
  }
};
var og = (t, e, n, r = {}) =>
    vo((o = {}) => (o = df({}, o), new Pd(e, t, o.dkLen === void 0 ? n : o.dkLen, !0)), r),
  sg = og(31, 168, 16, Mr(11)),
  jt = og(31, 136, 32, Mr(12));
var lr = Te;
var jd = Ai;
function _E(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
function EE(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function Dd(t, e) {
  if (t = Te(t), e = Te(e), t.length !== e.length) return !1;
  let n = 0;
  for (let r = 0; r < t.length; r++) n |= t[r] ^ e[r];
  return n === 0;
}
function vE(t) {
  if (bo(t)) throw new TypeError('"opts" expected object, got Uint8Array');
  EE(t, "opts");
  let e = Object.getPrototypeOf(t);
  if (e !== null && e !== Object.prototype) throw new TypeError('"opts" expected a plain object');
}
var SE = Object.freeze(["context"]), TE = Object.freeze(["context", "extraEntropy"]);
function Sa(t, e) {
  vE(t);
  let n = Object.assign(Object.create(null), t);
  for (let [r, o] of Object.entries(n)) {
    if (o !== void 0 && !e.includes(r)) {
      throw new TypeError(
        'unexpected option "' + String(r) + '"; expected one of: ' + e.join(", "),
      );
    }
  }
  return Object.freeze(n);
}
function Ud(t, e = SE) {
  let n = Sa(t, e);
  return n.context !== void 0 && Te(n.context, void 0, "opts.context"), n;
}
function Ta(t, e = TE) {
  let n = Sa(t, e);
  return n.context !== void 0 && Te(n.context, void 0, "opts.context"),
    n.extraEntropy !== !1 && n.extraEntropy !== void 0 &&
    Te(n.extraEntropy, void 0, "opts.extraEntropy"),
    n;
}
function Ws(t, ...e) {
  let n = (o) => typeof o == "number" ? o : o.bytesLen, r = e.reduce((o, s) => o + n(s), 0);
  return {
    bytesLen: r,
    encode: (o) => {
      let s = new Uint8Array(r);
      for (let i = 0, a = 0; i < e.length; i++) {
        let f = e[i], d = n(f), u = typeof f == "number" ? o[i] : f.encode(o[i]);
        Te(u, d, t), s.set(u, a), typeof f != "number" && u.fill(0), a += d;
      }
      return s;
    },
    decode: (o) => {
      Te(o, r, t);
      let s = [];
      for (let i of e) {
        let a = n(i), f = o.subarray(0, a);
        s.push(typeof i == "number" ? f : i.decode(f)), o = o.subarray(a);
      }
      return s;
    },
  };
}
function so(t, e) {
  let n = t, r = e * n.bytesLen;
  return {
    bytesLen: r,
    encode: (o) => {
      let s = _E(o, "u");
      if (s.length !== e) {
        throw new RangeError(`vecCoder.encode: wrong length=${s.length}. Expected: ${e}`);
      }
      let i = new Uint8Array(r);
      for (let a = 0, f = 0; a < s.length; a++) {
        let d = n.encode(s[a]);
        i.set(d, f), d.fill(0), f += d.length;
      }
      return i;
    },
    decode: (o) => {
      Te(o, r);
      let s = [];
      for (let i = 0; i < o.length; i += n.bytesLen) {
        s.push(n.decode(o.subarray(i, i + n.bytesLen)));
      }
      return s;
    },
  };
}
function vt(...t) {
  for (let e of t) {
    if (Array.isArray(e)) { for (let n of e) n.fill(0); }
    else e.fill(0);
  }
}
function zd(t) {
  if (ht(t, "bits"), t > 32) throw new RangeError('"bits" expected <= 32, got ' + t);
  return t === 32 ? 4294967295 : ~(-1 << t) >>> 0;
}
var ig = Uint8Array.of();
function qd(t, e = ig) {
  if (Te(t, void 0, "msg"), Te(e, void 0, "ctx"), e.length > 255) {
    throw new RangeError("context should be 255 bytes or less");
  }
  return Eo(new Uint8Array([0, e.length]), e, t);
}
var kE = Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2]),
  OE = { "060960864801650304020b": 32, "060960864801650304020c": 64 };
function Gd(t, e = 0) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError('"hash" expected hash function, got type=' + typeof t);
  }
  Hr(t), ht(e, "requiredStrength");
  let n = t.oid;
  if (Te(n, void 0, "hash.oid"), !Dd(n.subarray(0, 10), kE)) {
    throw new Error('"hash.oid" is invalid: expected NIST hash');
  }
  let r = OE[Jn(n)];
  if (r !== void 0 && t.outputLen !== r) {
    throw new Error(
      "Pre-hash XOF output length must be " + r + " bytes for this OID, got: " + t.outputLen,
    );
  }
  let o = t.outputLen * 8 / 2;
  if (e > o) throw new Error("Pre-hash security strength too low: " + o + ", required: " + e);
}
function Vd(t, e, n = ig) {
  if (Gd(t), Te(e, void 0, "msg"), Te(n, void 0, "ctx"), n.length > 255) {
    throw new RangeError("context should be 255 bytes or less");
  }
  let r = t(e);
  return Eo(new Uint8Array([1, n.length]), n, t.oid, r);
}
var ag = (t) => {
    let { newPoly: e, N: n, Q: r, F: o, ROOT_OF_UNITY: s, brvBits: i, isKyber: a } = t,
      f = (y, _ = r) => {
        let v = y % _ | 0;
        return (v >= 0 ? v | 0 : _ + v | 0) | 0;
      },
      d = (y, _ = r) => {
        let v = f(y, _) | 0;
        return (v > _ >> 1 ? v - _ | 0 : v) | 0;
      };
    function u() {
      let y = e(n);
      for (let _ = 0; _ < n; _++) {
        let v = Pf(_, i), I = BigInt(s) ** BigInt(v) % BigInt(r);
        y[_] = Number(I) | 0;
      }
      return y;
    }
    let l = u(),
      h = (y) => {
        throw new Error("not implemented");
      },
      p = a
        ? {
          add: (y, _) => {
            let v = y + _ | 0;
            return v >= r ? v - r | 0 : v;
          },
          sub: (y, _) => {
            let v = y - _ | 0;
            return v < 0 ? v + r | 0 : v;
          },
          mul: (y, _) => f((y | 0) * (_ | 0)) | 0,
          inv: h,
        }
        : {
          add: (y, _) => f((y | 0) + (_ | 0)) | 0,
          sub: (y, _) => f((y | 0) - (_ | 0)) | 0,
          mul: (y, _) => f((y | 0) * (_ | 0)) | 0,
          inv: h,
        },
      m = { N: n, roots: l, invertButterflies: !0, skipStages: a ? 1 : 0, brp: !1 },
      g = jf(p, { dit: !1, ...m }),
      w = jf(p, { dit: !0, ...m }),
      b = {
        encode: (y) => g(y),
        decode: (y) => {
          w(y);
          for (let _ = 0; _ < y.length; _++) y[_] = f(o * y[_]);
          return y;
        },
      };
    return {
      mod: f,
      smod: d,
      nttZetas: l,
      NTT: { encode: (y) => b.encode(y), decode: (y) => b.decode(y) },
      bitsCoder: (y, _) => {
        for (let N = 0, R = 0; N < n; N++) R += y, R > 32 && zd(R), R %= 8;
        let v = zd(y), I = y * (n / 8);
        return {
          bytesLen: I,
          encode: (N) => {
            let R = N, z = new Uint8Array(I);
            for (let ne = 0, ae = 0, he = 0, He = 0; ne < R.length; ne++) {
              for (ae |= (_.encode(R[ne]) & v) << he, he += y; he >= 8; he -= 8, ae >>= 8) {
                z[He++] = ae & 255;
              }
            }
            return z;
          },
          decode: (N) => {
            let R = e(n);
            for (let z = 0, ne = 0, ae = 0, he = 0; z < N.length; z++) {
              for (ne |= N[z] << ae, ae += 8; ae >= y; ae -= y, ne >>= y) {
                R[he++] = _.decode(ne & v);
              }
            }
            return R;
          },
        };
      },
    };
  },
  cg = (t) => (e, n) => {
    n || (n = t.blockLen);
    let r = new Uint8Array(e.length + 2);
    r.set(e);
    let o = e.length, s = new Uint8Array(n), i = t.create({}), a = 0, f = 0;
    return {
      stats: () => ({ calls: a, xofs: f }),
      get: (
        d,
        u,
      ) => (r[o + 0] = d,
        r[o + 1] = u,
        i.destroy(),
        i = t.create({}).update(r),
        a++,
        () => (f++, i.xofInto(s))),
      clean: () => {
        i.destroy(), vt(s, r);
      },
    };
  },
  fg = cg(sg),
  dg = cg(jt);
var ug = Object.freeze(["extraEntropy", "externalMu"]), AE = Object.freeze(["externalMu"]);
function lg(t, e) {
  let n = Sa(t, e);
  return n.externalMu !== void 0 && $t(n.externalMu, "opts.externalMu"), n;
}
var Ke = 256,
  mr = 8380417,
  NE = 1753,
  BE = 8347681,
  io = 13,
  Kd = Math.floor((mr - 1) / 88) | 0,
  Wd = Math.floor((mr - 1) / 32) | 0,
  CE = Object.freeze({
    2: Object.freeze({
      K: 4,
      L: 4,
      D: io,
      GAMMA1: 2 ** 17,
      GAMMA2: Kd,
      TAU: 39,
      ETA: 2,
      OMEGA: 80,
    }),
    3: Object.freeze({
      K: 6,
      L: 5,
      D: io,
      GAMMA1: 2 ** 19,
      GAMMA2: Wd,
      TAU: 49,
      ETA: 4,
      OMEGA: 55,
    }),
    5: Object.freeze({
      K: 8,
      L: 7,
      D: io,
      GAMMA1: 2 ** 19,
      GAMMA2: Wd,
      TAU: 60,
      ETA: 2,
      OMEGA: 75,
    }),
  }),
  Kt = (t) => new Int32Array(t),
  $e = ag({ N: Ke, Q: mr, F: BE, ROOT_OF_UNITY: NE, newPoly: Kt, isKyber: !1, brvBits: 8 }),
  hg = (t) => t,
  Ys = (t, e = hg, n = hg) => $e.bitsCoder(t, { encode: (r) => e(n(r)), decode: (r) => n(e(r)) }),
  hr = (t, e) => {
    let n = t, r = e;
    for (let o = 0; o < n.length; o++) n[o] = $e.mod(n[o] + r[o]);
    return n;
  },
  pg = (t, e) => {
    let n = t, r = e;
    for (let o = 0; o < n.length; o++) n[o] = $e.mod(n[o] - r[o]);
    return n;
  },
  IE = (t) => {
    let e = t;
    for (let n = 0; n < Ke; n++) e[n] <<= io;
    return e;
  },
  Xs = (t, e) => {
    let n = t;
    for (let r = 0; r < Ke; r++) if (Math.abs($e.smod(n[r])) >= e) return !0;
    return !1;
  },
  pr = (t, e) => {
    let n = t, r = e, o = Kt(Ke);
    for (let s = 0; s < n.length; s++) o[s] = $e.mod(n[s] * r[s]);
    return o;
  };
function ka(t) {
  let e = t, n = Kt(Ke);
  for (let r = 0; r < Ke;) {
    let o = e();
    if (o.length % 3) throw new Error("RejNTTPoly: unaligned block");
    for (let s = 0; r < Ke && s <= o.length - 3; s += 3) {
      let i = (o[s + 0] | o[s + 1] << 8 | o[s + 2] << 16) & 8388607;
      i < mr && (n[r++] = i);
    }
  }
  return n;
}
function RE(t) {
  let e = t,
    { K: n, L: r, GAMMA1: o, GAMMA2: s, TAU: i, ETA: a, OMEGA: f } = e,
    { CRH_BYTES: d, TR_BYTES: u, C_TILDE_BYTES: l, XOF128: h, XOF256: p, securityLevel: m } = e;
  if (![2, 4].includes(a)) throw new Error("Wrong ETA");
  if (![1 << 17, 1 << 19].includes(o)) throw new Error("Wrong GAMMA1");
  if (![Kd, Wd].includes(s)) throw new Error("Wrong GAMMA2");
  let g = i * a,
    w = (E) => {
      let B = $e.mod(E), k = $e.smod(B, 2 * s) | 0;
      return B - k === mr - 1
        ? { r1: 0, r0: k - 1 | 0 }
        : { r1: Math.floor((B - k) / (2 * s)) | 0, r0: k };
    },
    b = (E) => w(E).r1,
    x = (E) => w(E).r0,
    y = (E, B) => E <= s || E > mr - s || E === mr - s && B === 0 ? 0 : 1,
    _ = Math.floor((mr - 1) / (2 * s)),
    v = (E, B) => {
      let { r1: k, r0: C } = w(B);
      return E === 1 ? C > 0 ? $e.mod(k + 1, _) | 0 : $e.mod(k - 1, _) | 0 : k | 0;
    },
    I = (E) => {
      let B = $e.mod(E), k = $e.smod(B, 2 ** io) | 0;
      return { r1: Math.floor((B - k) / 2 ** io) | 0, r0: k };
    },
    N = {
      bytesLen: f + n,
      encode: (E) => {
        let B = E;
        if (B === !1) throw new Error("hint.encode: hint is false");
        let k = new Uint8Array(f + n);
        for (let C = 0, M = 0; C < n; C++) {
          for (let G = 0; G < Ke; G++) B[C][G] !== 0 && (k[M++] = G);
          k[f + C] = M;
        }
        return k;
      },
      decode: (E) => {
        let B = [], k = 0;
        for (let C = 0; C < n; C++) {
          let M = Kt(Ke);
          if (E[f + C] < k || E[f + C] > f) return !1;
          for (let G = k; G < E[f + C]; G++) {
            if (G > k && E[G] <= E[G - 1]) return !1;
            M[E[G]] = 1;
          }
          k = E[f + C], B.push(M);
        }
        for (let C = k; C < f; C++) if (E[C] !== 0) return !1;
        return B;
      },
    },
    R = Ys(a === 2 ? 3 : 4, (E) => a - E, (E) => {
      if (!(-a <= E && E <= a)) {
        throw new Error(`malformed key s1/s3 ${E} outside of ETA range [${-a}, ${a}]`);
      }
      return E;
    }),
    z = Ys(13, (E) => (1 << io - 1) - E),
    ne = Ys(10),
    ae = Ys(o === 1 << 17 ? 18 : 20, (E) => $e.smod(o - E)),
    he = Ys(s === Kd ? 6 : 4),
    He = so(he, n),
    X = Ws("publicKey", 32, so(ne, n)),
    fe = Ws("secretKey", 32, 32, u, so(R, r), so(R, n), so(z, n)),
    de = Ws("signature", l, so(ae, r), N),
    A = a === 2 ? (E) => E < 15 ? 2 - E % 5 : !1 : (E) => E < 9 ? 4 - E : !1;
  function q(E) {
    let B = E, k = Kt(Ke);
    for (let C = 0; C < Ke;) {
      let M = B();
      for (let G = 0; C < Ke && G < M.length; G += 1) {
        let oe = A(M[G] & 15), me = A(M[G] >> 4 & 15);
        oe !== !1 && (k[C++] = oe), C < Ke && me !== !1 && (k[C++] = me);
      }
    }
    return k;
  }
  let K = (E) => {
      let B = Kt(Ke), k = jt.create({}).update(E), C = new Uint8Array(jt.blockLen);
      k.xofInto(C);
      let M = C.slice(0, 8);
      for (let G = Ke - i, oe = 8, me = 0, Me = 0; G < Ke; G++) {
        let ge = G + 1;
        for (; ge > G;) ge = C[oe++], !(oe < jt.blockLen) && (k.xofInto(C), oe = 0);
        B[G] = B[ge], B[ge] = 1 - ((M[me] >> Me++ & 1) << 1), Me >= 8 && (me++, Me = 0);
      }
      return B;
    },
    F = (E) => {
      let B = E, k = Kt(Ke), C = Kt(Ke);
      for (let M = 0; M < B.length; M++) {
        let { r0: G, r1: oe } = I(B[M]);
        k[M] = G, C[M] = oe;
      }
      return { r0: k, r1: C };
    },
    T = (E, B) => {
      let k = E, C = B;
      for (let M = 0; M < Ke; M++) k[M] = v(C[M], k[M]);
      return k;
    },
    L = (E, B) => {
      let k = E, C = B, M = Kt(Ke), G = 0;
      for (let oe = 0; oe < Ke; oe++) {
        let me = y(k[oe], C[oe]);
        M[oe] = me, G += me;
      }
      return { v: M, cnt: G };
    },
    $ = 32,
    P = Ws("seed", 32, 64, 32),
    U = Object.freeze({
      info: Object.freeze({ type: "internal-ml-dsa" }),
      lengths: Object.freeze({
        secretKey: fe.bytesLen,
        publicKey: X.bytesLen,
        seed: 32,
        signature: de.bytesLen,
        signRand: $,
      }),
      keygen: (E) => {
        let B = new Uint8Array(34), k = E === void 0;
        k && (E = jd(32)), lr(E, 32, "seed"), B.set(E), k && vt(E), B[32] = n, B[33] = r;
        let [C, M, G] = P.decode(jt(B, { dkLen: P.bytesLen })), oe = p(M), me = [];
        for (let se = 0; se < r; se++) me.push(q(oe.get(se & 255, se >> 8 & 255)));
        let Me = [];
        for (let se = r; se < r + n; se++) Me.push(q(oe.get(se & 255, se >> 8 & 255)));
        let ge = me.map((se) => $e.NTT.encode(se.slice())),
          Se = [],
          nt = [],
          Tt = h(C),
          Qe = Kt(Ke);
        for (let se = 0; se < n; se++) {
          vt(Qe);
          for (let We = 0; We < r; We++) {
            let ft = ka(Tt.get(We, se));
            hr(Qe, pr(ft, ge[We]));
          }
          $e.NTT.decode(Qe);
          let { r0: Bt, r1: Ne } = F(hr(Qe, Me[se]));
          Se.push(Bt), nt.push(Ne);
        }
        let ut = X.encode([C, nt]),
          kt = jt(ut, { dkLen: u }),
          Dt = fe.encode([C, G, kt, me, Me, Se]);
        return Tt.clean(),
          oe.clean(),
          vt(C, M, G, me, Me, ge, Qe, Se, nt, kt, B),
          { publicKey: ut, secretKey: Dt };
      },
      getPublicKey: (E) => {
        let [B, k, C, M, G, oe] = fe.decode(E),
          me = h(B),
          Me = M.map((nt) => $e.NTT.encode(nt.slice())),
          ge = [],
          Se = Kt(Ke);
        for (let nt = 0; nt < n; nt++) {
          Se.fill(0);
          for (let Qe = 0; Qe < r; Qe++) {
            let ut = ka(me.get(Qe, nt));
            hr(Se, pr(ut, Me[Qe]));
          }
          $e.NTT.decode(Se), hr(Se, G[nt]);
          let { r1: Tt } = F(Se);
          ge.push(Tt);
        }
        return me.clean(), vt(Se, Me, oe, M, G), X.encode([B, ge]);
      },
      sign: (E, B, k = {}) => {
        k = Ta(k, ug), k = lg(k, ug);
        let { extraEntropy: C, externalMu: M = !1 } = k;
        M && lr(E, d, "mu");
        let G = C === !1 || C === void 0,
          oe = C === !1 ? new Uint8Array(32) : C === void 0 ? jd($) : C;
        lr(oe, 32, "extraEntropy");
        let me = (() => {
            try {
              return fe.decode(B);
            } catch (Ne) {
              throw G && vt(oe), Ne;
            }
          })(),
          [Me, ge, Se, nt, Tt, Qe] = me,
          ut = [],
          kt = h(Me);
        for (let Ne = 0; Ne < n; Ne++) {
          let We = [];
          for (let ft = 0; ft < r; ft++) We.push(ka(kt.get(ft, Ne)));
          ut.push(We);
        }
        kt.clean();
        for (let Ne = 0; Ne < r; Ne++) $e.NTT.encode(nt[Ne]);
        for (let Ne = 0; Ne < n; Ne++) $e.NTT.encode(Tt[Ne]), $e.NTT.encode(Qe[Ne]);
        let Dt = M ? E : jt.create({ dkLen: d }).update(Se).update(E).digest(),
          se = jt.create({ dkLen: d }).update(ge).update(oe).update(Dt).digest();
        G && vt(oe), lr(se, d);
        let Bt = p(se, ae.bytesLen);
        e: for (let Ne = 0;;) {
          let We = [];
          for (let Ve = 0; Ve < r; Ve++, Ne++) We.push(ae.decode(Bt.get(Ne & 255, Ne >> 8)()));
          let ft = We.map((Ve) => $e.NTT.encode(Ve.slice())), Mt = [];
          for (let Ve = 0; Ve < n; Ve++) {
            let Rr = Kt(Ke);
            for (let pn = 0; pn < r; pn++) hr(Rr, pr(ut[Ve][pn], ft[pn]));
            $e.NTT.decode(Rr), Mt.push(Rr);
          }
          let Cr = Mt.map((Ve) => Ve.map(b)),
            Ir = jt.create({ dkLen: l }).update(Dt).update(He.encode(Cr)).digest(),
            Xn = $e.NTT.encode(K(Ir)),
            Zn = nt.map((Ve) => pr(Ve, Xn));
          for (let Ve = 0; Ve < r; Ve++) {
            if (hr($e.NTT.decode(Zn[Ve]), We[Ve]), Xs(Zn[Ve], o - g)) {
              vt(Ir, Zn, Xn, Cr, Mt, ft, We);
              continue e;
            }
          }
          let ah = 0, yo = [];
          for (let Ve = 0; Ve < n; Ve++) {
            let Rr = $e.NTT.decode(pr(Tt[Ve], Xn)), pn = pg(Mt[Ve], Rr).map(x);
            if (Xs(pn, s - g)) {
              vt(Ir, Zn, Xn, Cr, Mt, ft, We, yo, Rr, pn);
              continue e;
            }
            let af = $e.NTT.decode(pr(Qe[Ve], Xn));
            if (Xs(af, s)) {
              vt(Ir, Zn, Xn, Cr, Mt, ft, We, yo, Rr, pn, af);
              continue e;
            }
            hr(pn, af);
            let ch = L(pn, Cr[Ve]);
            yo.push(ch.v), ah += ch.cnt;
          }
          if (ah > f) {
            vt(Ir, Zn, Xn, Cr, Mt, ft, We, yo);
            continue;
          }
          Bt.clean();
          let $x = de.encode([Ir, Zn, yo]);
          return vt(Ir, Zn, yo, Xn, Cr, Mt, ft, We, se, nt, Tt, Qe, ...ut), M || vt(Dt), $x;
        }
        throw new Error("Unreachable code path reached, report this error");
      },
      verify: (E, B, k, C = {}) => {
        C = lg(C, AE);
        let { externalMu: M = !1 } = C;
        M && lr(B, d, "mu");
        let [G, oe] = X.decode(k), me = jt(k, { dkLen: u });
        if (E.length !== de.bytesLen) return !1;
        let [Me, ge, Se] = de.decode(E);
        if (Se === !1) return !1;
        for (let se = 0; se < r; se++) if (Xs(ge[se], o - g)) return !1;
        let nt = M ? B : jt.create({ dkLen: d }).update(me).update(B).digest(),
          Tt = $e.NTT.encode(K(Me)),
          Qe = ge.map((se) => se.slice());
        for (let se = 0; se < r; se++) $e.NTT.encode(Qe[se]);
        let ut = [], kt = h(G);
        for (let se = 0; se < n; se++) {
          let Bt = pr($e.NTT.encode(IE(oe[se])), Tt), Ne = Kt(Ke);
          for (let ft = 0; ft < r; ft++) {
            let Mt = ka(kt.get(ft, se));
            hr(Ne, pr(Mt, Qe[ft]));
          }
          let We = $e.NTT.decode(pg(Ne, Bt));
          ut.push(T(We, Se[se]));
        }
        kt.clean();
        let Dt = jt.create({ dkLen: l }).update(nt).update(He.encode(ut)).digest();
        for (let se of Se) if (!(se.reduce((Ne, We) => Ne + We, 0) <= f)) return !1;
        for (let se of ge) if (Xs(se, o - g)) return !1;
        return Dd(Me, Dt);
      },
    });
  return Object.freeze({
    info: Object.freeze({ type: "ml-dsa" }),
    internal: U,
    securityLevel: m,
    keygen: U.keygen,
    lengths: U.lengths,
    getPublicKey: U.getPublicKey,
    sign: (E, B, k = {}) => {
      k = Ta(k);
      let C = qd(E, k.context), M = U.sign(C, B, { extraEntropy: k.extraEntropy, externalMu: !1 });
      return vt(C), M;
    },
    verify: (
      E,
      B,
      k,
      C = {},
    ) => (C = Ud(C),
      lr(E, void 0, "signature"),
      U.verify(E, qd(B, C.context), k, { externalMu: !1 })),
    prehash: (E) => {
      Gd(E, m);
      let B = E;
      return Object.freeze({
        info: Object.freeze({ type: "hashml-dsa" }),
        securityLevel: m,
        lengths: U.lengths,
        keygen: U.keygen,
        getPublicKey: U.getPublicKey,
        sign: (k, C, M = {}) => {
          M = Ta(M);
          let G = Vd(B, k, M.context),
            oe = U.sign(G, C, { extraEntropy: M.extraEntropy, externalMu: !1 });
          return vt(G), oe;
        },
        verify: (
          k,
          C,
          M,
          G = {},
        ) => (G = Ud(G),
          lr(k, void 0, "signature"),
          U.verify(k, Vd(B, C, G.context), M, { externalMu: !1 })),
      });
    },
  });
}
var mg = RE({
  ...CE[2],
  CRH_BYTES: 64,
  TR_BYTES: 64,
  C_TILDE_BYTES: 32,
  XOF128: fg,
  XOF256: dg,
  securityLevel: 128,
});
var yg = "ML-DSA-44", gg = new dn(256);
async function bg(t, e, n) {
  if (t.length !== 1312 || n.length !== 2420) return !1;
  let [r, o, s] = [t.slice(), e.slice(), n.slice()], i = await HE(r);
  return i === void 0 ? LE(r, o, s) : await crypto.subtle.verify(yg, i, s, o);
}
function LE(t, e, n) {
  return t.length === 1312 && n.length === 2420 && mg.verify(n, e, t);
}
async function HE(t) {
  let e = gg.get(t);
  if (e !== void 0) return e;
  try {
    let r = await crypto.subtle.importKey("raw-public", t, yg, !1, ["verify"]);
    return gg.set(t, r), r;
  } catch {
    return;
  }
}
function xg(t, e) {
  if (t.length !== Math.ceil(e / 8)) return;
  let n = [];
  for (let r = 0; r < 8 * t.length; r++) {
    if ((t[r >>> 3] & 128 >>> (r & 7)) !== 0) {
      if (r >= e) return;
      n.push(r);
    }
  }
  return n;
}
function Oa(t) {
  let e = t.witnesses.toSorted((r, o) => r.id < o.id ? -1 : 1),
    n = e.map(({ id: r, pubkey: o }) =>
      `${r} ${o}
`
    ).join("");
  return { name: t.id, type: Re.private, identifier: Gh, publicKey: sn(ee(n)), witnesses: e };
}
function Aa(t, e) {
  let n = Oo(e);
  if (n === void 0) return;
  let r = n.signature.length - mt.bls,
    o = n.signature.subarray(0, Math.max(0, r)),
    s = xg(o, t.witnesses.length);
  if (!(r < 0 || s === void 0)) {
    return { timestamp: n.timestamp, signers: s, signature: n.signature.slice(r) };
  }
}
var Zs = Ue("malformed_text", "Cannot read checkpoint");
function Na(t) {
  let [e = "", n = "", r = "", ...o] = t.split(`
`),
    s = bt(n),
    i = mn(r),
    a = o.slice(0, -1);
  if (e === "") throw Zs("it has no origin");
  if (s === void 0) throw Zs("the tree size is not an integer in [0, 2^53)");
  if (i?.length !== S) throw Zs("the root hash is not 32 bytes");
  if (o.at(-1) !== "") throw Zs("it does not end in a newline");
  if (a.includes("")) throw Zs("it has an empty extension line");
  return { origin: e, size: s, root: i, extensions: a };
}
var Eg = 255, Ba = Ue("malformed_text", "Cannot write subtree cosignature");
function ME(t) {
  let { length: e } = ee(t);
  return e >= 1 && e <= Eg;
}
function vg(t) {
  let { cosigner: e, timestamp: n, origin: r, start: o, end: s, root: i } = t;
  if (![n, o, s].every(ke)) throw Ba("the time, start and end are not integers in [0, 2^53)");
  if (o > s || o > 0 && n > 0) {
    throw Ba("start is above end, or a time is given with a start above 0");
  }
  if (i.length !== S) throw Ba("the root hash is not 32 bytes");
  return pe(ee(Fh), _g(e), ko(n), _g(r), ko(o), ko(s), i);
}
function _g(t) {
  let e = ee(t);
  if (!ME(t)) throw Ba(`a name is not 1 to ${Eg} bytes`);
  return pe(Uint8Array.of(e.length), e);
}
async function Yd(t, e, n) {
  let r = e.map((i) => ({ key: i, id: jr(i) })), o = [], s = 0;
  for (let [i, a] of n.signatures.entries()) {
    let f = r.find(({ key: u, id: l }) => u.name === a.name && Be(l, a.keyId));
    if (f === void 0) {
      s++;
      continue;
    }
    let d = await $E(t, f.key, n.text, a);
    if (d === void 0) {
      return {
        valid: !1,
        reason: "signature_invalid",
        field: `signatures[${i}]`,
        lines: [],
        unknown: s,
      };
    }
    o.push(d);
  }
  return o.length === 0
    ? { valid: !1, reason: "no_known_signature", lines: o, unknown: s }
    : { valid: !0, lines: o, unknown: s };
}
async function $E(t, e, n, r) {
  if ("witnesses" in e) return PE(t, e, n, r);
  if (e.type === Re.ed25519) {
    return await t.ed25519(e.publicKey, ee(n), r.payload) ? { key: e } : void 0;
  }
  let o = Oo(r.payload);
  if (o === void 0) return;
  let { timestamp: s, signature: i } = o;
  if (e.type === Re.mlDsaCosignature) {
    let f = FE(e.name, s, n);
    return f && await bg(e.publicKey, f, i) ? { key: e, timestamp: s } : void 0;
  }
  if (e.type !== Re.cosignature) return;
  let a = ee(ji(s, n));
  return await t.ed25519(e.publicKey, a, i) ? { key: e, timestamp: s } : void 0;
}
function FE(t, e, n) {
  return lt(() => {
    let { origin: r, size: o, root: s } = Na(n);
    return vg({ cosigner: t, timestamp: e, origin: r, start: 0, end: o, root: s });
  });
}
function PE(t, e, n, r) {
  let o = Aa(e, r.payload);
  if (o === void 0) return;
  let { timestamp: s, signature: i } = o,
    a = o.signers.map((u) => e.witnesses[u]),
    f = a.map(({ pubkey: u }) => we(u)),
    d = ee(ji(s, n));
  return t.bls.fastAggregateVerify(f, d, i, Os)
    ? { key: e, timestamp: s, signers: a.map(({ id: u }) => u) }
    : void 0;
}
async function Js(t, e, n) {
  let r = gn(n),
    o = Io(r.text),
    s = { head: o, verified: 0, required: e.threshold, signers: [], cosigners: [] },
    i = Gn(e, o.tree_size);
  if (i === void 0) return { valid: !1, reason: "log_ended", field: "tree_size", ...s };
  let a = jE(i, o);
  if (a !== void 0) return { valid: !1, ...a, ...s };
  let f = await Yd(t, DE(i), r);
  if (!f.valid) {
    let { valid: h, reason: p, field: m } = f;
    return { valid: h, ...s, ...p && { reason: p }, ...m && { field: m } };
  }
  let d = zE(f.lines).filter(({ id: h }) => !i.distrusted?.includes(h)),
    u = {
      head: o,
      verified: d.length,
      required: i.threshold,
      ...i.epoch && { epoch: i.epoch },
      signers: d.map(({ id: h }) => h),
      cosigners: d,
      ...UE(i, f.lines),
    };
  if (!f.lines.some(({ key: h }) => h.type === Re.ed25519)) {
    return { valid: !1, reason: "log_signature_missing", ...u };
  }
  if (d.length < i.threshold) return { valid: !1, reason: "threshold_not_met", ...u };
  let l = ba(e, o);
  return { valid: l === void 0, ...l, ...u };
}
function jE(t, e) {
  return e.network_id !== t.id
    ? { reason: "network_mismatch", field: "origin" }
    : t.log_vkey === void 0
    ? { reason: "log_key_missing" }
    : void 0;
}
function DE(t) {
  let e = [vd(t), ...t.witnesses.map(Sd)].filter((o) => o !== void 0),
    n = t.signature_scheme === "bls" ? [Oa(t)] : t.witnesses.map(({ id: o, pubkey: s }) => ({
      name: o,
      type: Re.cosignature,
      publicKey: we(s),
    }));
  return [...t.log_vkey === void 0 ? [] : [ot(t.log_vkey)], ...n, ...e];
}
function UE({ id: t }, e) {
  let n = new Set(
    e.filter(({ key: o }) => o.type === Re.mlDsaCosignature).map(({ key: o }) => o.name),
  );
  return n.size === 0 ? {} : { mlDsa: { log: n.delete(t), witnesses: [...n].sort() } };
}
function zE(t) {
  let e = new Map();
  for (let { key: n, timestamp: r, signers: o = [n.name] } of t) {
    if (!(r === void 0 || n.type === Re.mlDsaCosignature)) {
      for (let s of o) e.set(s, Math.max(r, e.get(s) ?? 0));
    }
  }
  return [...e].map(([n, r]) => ({ id: n, timestamp: r })).sort((n, r) => n.id < r.id ? -1 : 1);
}
async function Sg(t, e, { checkpoint: n, inclusion_path: r }, o) {
  if (o.hash === void 0) return { status: "not_checked", reason: "lower_layer_unverified" };
  let s = await Js(t, e, n),
    { head: { tree_size: i, root_hash: a }, verified: f, required: d, signers: u } = s,
    l = { verified: f, required: d, signers: u, unknown: [] },
    h = (b, x) => ({ status: "failed", reason: b, field: `witnessed.${x}`, signatures: l });
  if (!s.valid) return h(s.reason, "checkpoint");
  let { sequence: p, hash: m } = o;
  if (p >= i) return h("leaf_beyond_tree", "checkpoint");
  let g = r.map((b) => we(b)), w = zs(t.kernels, { leafHash: m, index: p, size: i, path: g });
  return w === void 0 || !Be(w, we(a))
    ? h("inclusion_invalid", "inclusion_path")
    : { status: "verified", tree_size: i, signatures: l };
}
async function Vn(t, e, n, r = {}) {
  let o = n.succession ?? [],
    { network: s, failure: i } = await wa(t, e.network, o),
    a = { ...e, network: s },
    f = i === void 0 ? await qE(t, s, n, r.hash) : An(s, i),
    d = await GE(t, a, n, f),
    u = d.status === "verified" ? n.batch_inclusion?.sth.tree_head : void 0,
    { layers: l, summary: h } = await Gm(t, a, n.cross_anchors, u),
    p = {
      attestation: Tg(f),
      batch: d,
      cross_anchors: l,
      federation: h,
      external_anchors: Vm(t.kernels, n.external_anchors, u),
      ...n.witnessed !== void 0 &&
        {
          witnessed: await Sg(t, s, n.witnessed, {
            sequence: n.signed_attestation.attestation.sequence,
            hash: u && we(n.batch_inclusion.merkle_proof.leaf_hash),
          }),
        },
    };
  return {
    valid: f.valid,
    level: KE(p),
    layers: p,
    signers: f.valid ? f.signers : [],
    time: VE(a.beacons ?? Wm(t.bls), n, { attested: f, layers: p }),
    unauthenticated: WE(s, n, p),
    notProven: oo,
    ...s !== e.network && { followed: s },
  };
}
async function qE(t, e, n, r) {
  let o = n.signed_attestation, s = await Vs(t, e, o);
  return s.valid
    ? (r ?? o.attestation.hash) === o.attestation.hash
      ? s
      : Et(s, { reason: "hash_mismatch", field: "signed_attestation.attestation.hash" })
    : Et(s, gt("signed_attestation", s));
}
async function GE(t, e, n, r) {
  if (n.batch_inclusion === null) return { status: "absent" };
  if (!(r.valid || r.reason === "threshold_not_met") || r.leafHash === void 0) {
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  let s = { attestation: n.signed_attestation.attestation, leafHash: r.leafHash };
  return Tg(await zm(t, e.network, n.batch_inclusion, s));
}
function Tg(t) {
  let { valid: e, reason: n, field: r, witness: o, leafHash: s, ...i } = t;
  return {
    status: e ? "verified" : "failed",
    ...n !== void 0 && { reason: n },
    ...r !== void 0 && { field: r },
    ...o !== void 0 && { witness: o },
    signatures: i,
  };
}
function VE(
  t,
  { signed_attestation: e, batch_inclusion: n, cross_anchors: r },
  { attested: o, layers: s },
) {
  let i = Ym(t, e, o);
  if (n === null || s.batch.status !== "verified") return i;
  let a = ({ signatures: f }) => f?.verified ?? 0;
  return $d(i, {
    not_after: [
      Xm(n.sth.tree_head, a(s.batch)),
      ...s.cross_anchors.flatMap((f, d) => f.status === "verified" ? Zm(r[d], a(f)) : []),
    ],
  });
}
function KE(t) {
  return t.attestation.status !== "verified"
    ? "invalid"
    : t.batch.status !== "verified"
    ? "basic"
    : t.federation.reason === void 0
    ? "federated"
    : "batched";
}
function WE(t, e, n) {
  let r = Xd("signed_attestation", n.attestation, e.signed_attestation);
  if (e.batch_inclusion !== null) {
    let o = e.batch_inclusion.sth;
    if (
      r.push(...Xd("batch_inclusion", n.batch, o, ".sth")),
        n.batch.status === "verified" &&
        (r.push(...Um), Gn(t, o.tree_head.tree_size)?.log_vkey === void 0)
    ) {
      let s = ["log_signature", "receipt_signature"].filter((i) => o[i] !== void 0);
      r.push(...s.map((i) => `batch_inclusion.sth.${i}`));
    }
  }
  for (let [o, s] of n.cross_anchors.entries()) {
    r.push(...Xd(`cross_anchors[${o}]`, s, e.cross_anchors[o]));
  }
  n.witnessed !== void 0 && n.witnessed.status !== "verified" && r.push("witnessed");
  for (let [o, { bound: s, service: i }] of n.external_anchors.anchors.entries()) {
    let a = `external_anchors[${o}]`, f = [...YE, ...i === void 0 ? [] : ["service"]];
    s ? r.push(...f.map((d) => `${a}.${d}`)) : r.push(a);
  }
  return r;
}
var YE = ["provider", "status", "timestamp", "tree_head.timestamp", "proof"];
function Xd(t, e, n, r = "") {
  if (e.status !== "verified") return [t];
  if (!Dn(n)) return [];
  let o = new Set(e.signatures?.unknown);
  return n.signatures.flatMap(({ witness_id: s }, i) =>
    o.has(s) ? [`${t}${r}.signatures[${i}]`] : []
  );
}
function wt(t) {
  return Math.floor(t.nowMs() / 1e3);
}
var gr = {
  nowMs: () => Date.now(),
  sleep(t, e) {
    return new Promise((n) => {
      if (e?.aborted) return n();
      let r = () => {
          clearTimeout(o), e?.removeEventListener("abort", r), n();
        },
        o = setTimeout(r, t);
      e?.addEventListener("abort", r, { once: !0 });
    });
  },
};
function Yo(...t) {
  let e = new AbortController();
  for (let n of t) {
    let r = () => e.abort(n.reason);
    n.aborted ? r() : n.addEventListener("abort", r, { once: !0, signal: e.signal });
  }
  return e.signal;
}
var ao = "trust", Ca = "malformed_configuration", kg = ["text", "source", "name", "pinned_at"];
function Ag(t, e, n) {
  return { network: Jr(t, n), text: t, ...e };
}
function Ng(t, e) {
  let n = t.read(ao);
  if (n === void 0) return;
  let r = new tn(xt(n, Ca), { where: "pinned trust", code: Ca }, ["home", "peers"]);
  return {
    home: Og(r.object("home", kg), e),
    peers: r.list("peers").map((o, s) => Og(r.within(o, `peers[${s}]`, kg), e)),
  };
}
var XE = 4 * 1024 * 1024;
async function Ia({ crypto: t, clock: e }, n) {
  let { name: r, size: o } = n;
  if (o > XE) throw new O(Ca, `Cannot read ${r}: ${o} bytes is too large`);
  let s = await n.text().catch((a) => {
      throw new O("file_failed", `Cannot read ${r}`, { cause: a });
    }),
    i = { source: "file", name: r, pinnedAt: wt(e) };
  return Ag(s, i, await t.blsFor(s));
}
function Og(t, e) {
  let n = t.text("source");
  if (n !== "file" && n !== "gateway") throw new O(Ca, "Cannot read the pin: unknown source");
  let r = { source: n, name: t.text("name"), pinnedAt: t.integer("pinned_at") };
  return Ag(t.text("text"), r, e);
}
function Bg(t, e) {
  let n = ({ text: o, source: s, name: i, pinnedAt: a }) => ({
      text: o,
      source: s,
      name: i,
      pinned_at: a,
    }),
    r = { home: n(e.home), peers: e.peers.map(n) };
  return t.write(ao, JSON.stringify(r));
}
function Cg(t, e) {
  if (e.network.id === t.home.network.id) {
    throw new O(
      "invalid_configuration",
      "Cannot pin a peer: this is the configuration of the pinned network itself",
    );
  }
  return { ...t, peers: [...Zd(t, e.network.id).peers, e] };
}
function Zd(t, e) {
  return { ...t, peers: t.peers.filter(({ network: n }) => n.id !== e) };
}
function Xo({ home: t, peers: e }) {
  return { network: t.network, peers: e.map(({ network: n }) => n) };
}
function Jd(t) {
  let { network: e, peers: n } = Xo(t);
  return { network: e, fingerprint: Ht(e), isPinned: !0, peers: n, pins: t };
}
async function Wt({ api: t, trust: e }, n) {
  let r = await ZE(e, n);
  if (r.state === "broken") throw r.error;
  if (r.state === "pinned") return Jd(r.trust);
  let { value: o } = await t.network(n);
  return { network: o, fingerprint: Ht(o), isPinned: !1, peers: [] };
}
function ZE(t, e) {
  return new Promise((n, r) => {
    let o = () => {
        t.state.state !== "loading" && (i(), e.removeEventListener("abort", s), n(t.state));
      },
      s = () => {
        i(), r(e.reason);
      },
      i = t.subscribe(o);
    e.addEventListener("abort", s, { once: !0 }), e.aborted ? s() : o();
  });
}
function Ot(t) {
  return t.state === "pinned"
    ? [t.trust.home, ...t.trust.peers].map((e) => e.text).join(`
`)
    : t.state;
}
async function Nn(t, e, n) {
  let [r, { value: o }, s] = await Promise.all([Wt(t, n), t.api.sth(e, n), t.crypto.crypto()]),
    { tree_size: i } = o.tree_head;
  if (e !== void 0 && i !== e) {
    throw new O(
      "malformed_bundle",
      `The gateway answered a tree head of size ${i} instead of ${e}`,
    );
  }
  let a = await pt(s, r.network, o);
  if (a.valid) return { sth: o, outcome: a, trust: r };
  let f = await _a(s, t.api, r.network, n);
  if (f === void 0) return { sth: o, outcome: a, trust: r };
  let d = { ...r, network: f };
  return { sth: o, outcome: await pt(s, f, o), trust: d };
}
async function Qs(t, e, n) {
  let r = await t.bundle(e, n);
  if (r.value.signed_attestation.attestation.hash === e) return r;
  throw new O("malformed_bundle", "The gateway answered the proof of another hash");
}
async function Ra(t, e, n) {
  let [r, { text: o, value: s }, i] = await Promise.all([
    Wt(t, n),
    Qs(t.api, e, n),
    t.crypto.crypto(),
  ]);
  return { text: o, bundle: s, verdict: await Vn(i, r, s, { hash: e }), trust: r };
}
async function La(t, e) {
  let [{ value: n }, { network: r, fingerprint: o, isPinned: s }] = await Promise.all([
    t.api.network(e),
    Wt(t, e),
  ]);
  return { shown: n, fingerprint: Ht(n), ...s && { pinned: { id: r.id, fingerprint: o } } };
}
function wr(t, e) {
  return t instanceof xe ? t.reason === e : yt(t, e);
}
var Ig = Object.defineProperty,
  Qd = (t, e) => {
    let n = {};
    for (var r in t) Ig(n, r, { get: t[r], enumerable: !0 });
    return e || Ig(n, Symbol.toStringTag, { value: "Module" }), n;
  };
var Ha = Symbol("RENDERER"),
  co = Symbol("ERROR_HANDLER"),
  je = Symbol("STASH"),
  Ma = Symbol("INTERNAL"),
  $a = Symbol("MEMO"),
  Rg = Symbol("PERMALINK"),
  JE = Symbol("RENDERED_JSX");
var eu = (t) => (t[Ma] = !0, t);
var Lg = (t) => ({ value: e, children: n }) => {
    if (!n) return;
    let r = {
      children: [{
        tag: eu(() => {
          t.push(e);
        }),
        props: {},
      }],
    };
    Array.isArray(n) ? r.children.push(...n.flat()) : r.children.push(n),
      r.children.push({
        tag: eu(() => {
          t.pop();
        }),
        props: {},
      });
    let o = { tag: "", props: r, type: "" };
    return o[co] = (s) => {
      throw t.pop(), s;
    },
      o;
  },
  fo = (t) => {
    let e = [t], n = Lg(e);
    return n.values = e, n.Provider = n, Zo.push(n), n;
  };
var ei = {
    title: [],
    script: ["src"],
    style: ["data-href"],
    link: ["href"],
    meta: ["name", "httpEquiv", "charset", "itemProp"],
  },
  tu = {},
  Fa = "data-precedence",
  nu = (t) => t.rel === "stylesheet" && "precedence" in t,
  ru = (t, e) => t === "link" ? e : ei[t].length > 0;
var ou = (t) => Array.isArray(t) ? t : [t];
var ev = new Map([
    ["className", "class"],
    ["htmlFor", "for"],
    ["crossOrigin", "crossorigin"],
    ["httpEquiv", "http-equiv"],
    ["itemProp", "itemprop"],
    ["fetchPriority", "fetchpriority"],
    ["noModule", "nomodule"],
    ["formAction", "formaction"],
  ]),
  Pa = (t) => ev.get(t) || t;
var Mg = (t, e, n) => {
  t.size >= e && t.clear(), t.add(n);
};
var tv = /[\s"'():;\\/\[\]{}\x00-\x1f\x7f-\x9f]/,
  su = new Set(),
  $g = 1024,
  nv = (t) => {
    if (su.has(t)) return !0;
    let e = t.length;
    if (e === 0) return !1;
    for (let n = 0; n < e; n++) {
      let r = t.charCodeAt(n);
      if (
        !(r >= 97 && r <= 122 || r >= 65 && r <= 90 || r >= 48 && r <= 57 || r === 45 || r === 95)
      ) return tv.test(t) ? !1 : (Mg(su, $g, t), !0);
    }
    return Mg(su, $g, t), !0;
  },
  rv = /[;"'\\/\[\](){}]/,
  ov = (t) => {
    if (!rv.test(t)) return !1;
    let e = 0, n = [];
    for (let r = 0, o = t.length; r < o; r++) {
      let s = t.charCodeAt(r);
      if (s === 92) {
        if (r === o - 1) return !0;
        r++;
      } else if (e !== 0) {
        if (s === 10 || s === 12 || s === 13) return !0;
        s === e && (e = 0);
      } else if (s === 47 && t.charCodeAt(r + 1) === 42) {
        let i = t.indexOf("*/", r + 2);
        if (i === -1) return !0;
        r = i + 1;
      } else if (s === 34 || s === 39) e = s;
      else if (s === 40) n.push(41);
      else if (s === 91) n.push(93);
      else {
        if (s === 123 || s === 125) return !0;
        if (s === 41 || s === 93) {
          if (n[n.length - 1] !== s) return !0;
          n.pop();
        } else if (s === 59 && n.length === 0) return !0;
      }
    }
    return e !== 0 || n.length !== 0;
  },
  iu = (t, e) => {
    for (let [n, r] of Object.entries(t)) {
      let o = n[0] === "-" || !/[A-Z]/.test(n)
        ? n
        : n.replace(/[A-Z]/g, (i) => `-${i.toLowerCase()}`);
      if (!nv(o)) continue;
      if (r == null) {
        e(o, null);
        continue;
      }
      let s;
      if (typeof r == "number") {
        s = o.match(
            /^(?:a|border-im|column(?:-c|s)|flex(?:$|-[^b])|grid-(?!.*gap)(?:ar|[^a])|font-w|li|or|sca|st|ta|wido|z)|ty$/,
          )
          ? `${r}`
          : `${r}px`;
      } else if (typeof r == "string") {
        if (ov(r)) continue;
        s = r;
      } else continue;
      e(o, s);
    }
  };
var Zo = [],
  Fg = !1,
  au,
  sv,
  iv = 0,
  Pg = !1,
  av = () => {
    if (Fg) return au;
    Fg = !0;
    let t = globalThis, e;
    for (
      let n of [
        () => t.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage,
        () => t.process?.mainModule?.require?.("node:async_hooks")?.AsyncLocalStorage,
      ]
    ) {
      try {
        e = n();
      } catch {}
      if (e) break;
    }
    return e && (au = new e()), au;
  },
  cv = () => av()?.getStore() || sv,
  fv = () => {
    iv > 0 && !Pg && (Pg = !0,
      console.warn(
        "hono/jsx: AsyncLocalStorage is unavailable in this runtime, so useContext() after an await in an async component falls back to the context default value during server-side rendering. To get provided values across await boundaries, use a runtime with AsyncLocalStorage (Node.js >= 20.16, Deno, Bun, or Cloudflare Workers with the nodejs_compat flag).",
      ));
  };
var dv = (t, e) => {
  if (!t) return fv(), e.values.at(-1);
  let n = t.get(e);
  return n?.length ? n.at(-1) : e.values[0];
};
var Bn = (t) => dv(cv(), t);
var uv = 0;
var lv = 2,
  hv = 3,
  pv = 4,
  cu = new WeakMap(),
  fu = (t, e) => !t || !e || t.length !== e.length || e.some((n, r) => n !== t[r]);
var mv;
var jg = [];
var W = (t) => {
  let e = () => typeof t == "function" ? t() : t, n = yr.at(-1);
  if (!n) return [e(), () => {}];
  let [, r] = n, o = r[je][1][uv] ||= [], s = r[je][0]++;
  return o[s] ||= [e(), (i) => {
    let a = mv, f = o[s];
    if (typeof i == "function" && (i = i(f[0])), !Object.is(i, f[0])) {
      if (f[0] = i, jg.length) {
        let [d, u] = jg.at(-1);
        Promise.all([d === 3 ? r : ti([d, !1, a], r), u]).then(([l]) => {
          if (!l || !(d === 2 || d === 3)) return;
          let h = l.vC;
          requestAnimationFrame(() => {
            setTimeout(() => {
              h === l.vC && ti([d === 3 ? 1 : 0, !1, a], l);
            });
          });
        });
      } else ti([0, !1, a], r);
    }
  }];
};
var gv = (t, e, n) => {
    let r = yr.at(-1);
    if (!r) return;
    let [, o] = r, s = o[je][1][1] ||= [], i = o[je][0]++, [a, , f] = s[i] ||= [];
    if (fu(a, n)) {
      f && f();
      let d = () => {
          u[t] = void 0, u[2] = e();
        },
        u = [n, void 0, void 0, void 0, void 0];
      u[t] = d, s[i] = u;
    }
  },
  Ie = (t, e) => gv(3, t, e);
var Cn = (t, e) => {
  let n = yr.at(-1);
  if (!n) return t;
  let [, r] = n, o = r[je][1][lv] ||= [], s = r[je][0]++, i = o[s];
  return fu(i?.[1], e) ? o[s] = [t, e] : t = o[s][0], t;
};
function Yt(t) {
  let e = yr.at(-1);
  if (!e) return { current: t };
  let [, n] = e, r = n[je][1][pv] ||= [], o = n[je][0]++;
  return r[o] ||= { current: t };
}
var du = (t) => {
    let e = cu.get(t);
    if (e) {
      if (e.length === 2) throw e[1];
      return e[0];
    }
    throw t.then((n) => cu.set(t, [n]), (n) => cu.set(t, [void 0, n])), t;
  },
  ja = (t, e) => {
    let n = yr.at(-1);
    if (!n) return t();
    let [, r] = n, o = r[je][1][hv] ||= [], s = r[je][0]++, i = o[s];
    return fu(i?.[1], e) && (o[s] = [t(), e]), o[s][0];
  },
  wv = 0,
  uo = () => ja(() => `:r${(wv++).toString(32)}:`, []);
var oi = "_hp",
  yv = { Change: "Input", DoubleClick: "DblClick" },
  bv = { svg: "2000/svg", math: "1998/Math/MathML" },
  yr = [],
  ni = new WeakMap(),
  Jo,
  Wg = () => Jo,
  At = (t) => "t" in t,
  uu = { onClick: ["click", !1] },
  Dg = (t) => {
    if (!t.startsWith("on")) return;
    if (uu[t]) return uu[t];
    let e = t.match(/^on([A-Z][a-zA-Z]+?(?:PointerCapture)?)(Capture)?$/);
    if (e) {
      let [, n, r] = e;
      return uu[t] = [(yv[n] || n).toLowerCase(), !!r];
    }
  },
  Ug = (t, e) =>
    Jo && t instanceof SVGElement && /[A-Z]/.test(e) &&
      (e in t.style || e.match(/^(?:o|pai|str|u|ve)/))
      ? e.replace(/([A-Z])/g, "-$1").toLowerCase()
      : e,
  Yg = (t) => t == null || t === !1 ? null : t,
  xv = (t, e) => {
    "value" in e &&
      (t.value = Yg(e.value), !t.multiple && t.selectedIndex === -1 && (t.selectedIndex = 0));
  },
  zg = (t) => t instanceof DOMException && t.name === "InvalidCharacterError",
  _v = (t, e, n) => {
    e ||= {};
    for (let r in e) {
      let o = e[r];
      if (r !== "children" && (!n || n[r] !== o)) {
        r = Pa(r);
        let s = Dg(r);
        if (s) {
          if (n?.[r] !== o && (n && t.removeEventListener(s[0], n[r], s[1]), o != null)) {
            if (typeof o != "function") {
              throw new Error(`Event handler for "${r}" is not a function`);
            }
            t.addEventListener(s[0], o, s[1]);
          }
        } else if (r === "dangerouslySetInnerHTML" && o) t.innerHTML = o.__html;
        else if (r === "ref") {
          ni.get(t)?.();
          let i;
          typeof o == "function"
            ? i = o(t) || (() => o(null))
            : o && "current" in o && (o.current = t, i = () => o.current = null), ni.set(t, i);
        } else if (r === "style") {
          let i = t.style;
          typeof o == "string"
            ? i.cssText = o
            : (i.cssText = "", o != null && iu(o, i.setProperty.bind(i)));
        } else {
          if (r === "value") {
            let a = t.nodeName;
            if (a === "SELECT") continue;
            if ((a === "INPUT" || a === "TEXTAREA") && (t.value = Yg(o), a === "TEXTAREA")) {
              t.textContent = o;
              continue;
            }
          } else {(r === "checked" && t.nodeName === "INPUT" ||
              r === "selected" && t.nodeName === "OPTION") && (t[r] = o);}
          let i = Ug(t, r);
          try {
            o == null || o === !1
              ? t.removeAttribute(i)
              : o === !0
              ? t.setAttribute(i, "")
              : typeof o == "string" || typeof o == "number"
              ? t.setAttribute(i, o)
              : t.setAttribute(i, o.toString());
          } catch (a) {
            if (!zg(a)) throw a;
          }
        }
      }
    }
    if (n) {
      for (let r in n) {
        let o = n[r];
        if (r !== "children" && !(r in e)) {
          r = Pa(r);
          let s = Dg(r);
          if (s) t.removeEventListener(s[0], o, s[1]);
          else if (r === "ref") ni.get(t)?.(), ni.delete(t);
          else {try {
              t.removeAttribute(Ug(t, r));
            } catch (i) {
              if (!zg(i)) throw i;
            }}
        }
      }
    }
  },
  Ev = (t, e) => {
    e[je][0] = 0, yr.push([t, e]);
    let n = e.tag[Ha] || e.tag, r = n.defaultProps ? { ...n.defaultProps, ...e.props } : e.props;
    try {
      return [n.call(null, r)];
    } finally {
      yr.pop();
    }
  },
  Xg = (t, e, n, r, o) => {
    t.vR?.length && (r.push(...t.vR), delete t.vR),
      typeof t.tag == "function" && t[je][1][1]?.forEach((s) => o.push(s)),
      t.vC.forEach((s) => {
        if (At(s)) n.push(s);
        else if (typeof s.tag == "function" || s.tag === "") {
          s.c = e;
          let i = n.length;
          if (Xg(s, e, n, r, o), s.s) {
            for (let a = i; a < n.length; a++) n[a].s = !0;
            s.s = !1;
          }
        } else n.push(s), s.vR?.length && (r.push(...s.vR), delete s.vR);
      });
  },
  vv = (t) => {
    for (; t && (t.tag === oi || !t.e);) t = t.tag === oi || !t.vC?.[0] ? t.nN : t.vC[0];
    return t?.e;
  },
  Zg = (t) => {
    if (!At(t)) {
      let e = t[je];
      e?.[1][1] && (e[1][1].forEach((n) => n[2]?.()), delete e[1][1]),
        ni.get(t.e)?.(),
        t.p === 2 && t.vC?.forEach((n) => n.p = 2),
        t.vC?.forEach(Zg);
    }
    t.p || (t.e?.remove(), delete t.e),
      typeof t.tag == "function" && (ri.delete(t), Da.delete(t), delete t[je][3], t.a = !0);
  },
  lu = (t, e, n) => {
    t.c = e, Jg(t, e, n);
  },
  qg = (t, e) => {
    if (e) { for (let n = 0, r = t.length; n < r; n++) if (t[n] === e) return n; }
  },
  Gg = Symbol(),
  Jg = (t, e, n) => {
    let r = [], o = [], s = [];
    Xg(t, e, r, o, s), o.forEach(Zg);
    let i = n ? void 0 : e.childNodes, a, f = null;
    if (n) a = -1;
    else if (!i.length) a = 0;
    else {
      let d = qg(i, vv(t.nN));
      d !== void 0 ? (f = i[d], a = d) : a = qg(i, r.find((u) => u.tag !== oi && u.e)?.e) ?? -1,
        a === -1 && (n = !0);
    }
    for (let d = 0, u = r.length; d < u; d++, a++) {
      let l = r[d], h;
      if (l.s && l.e) h = l.e, l.s = !1;
      else {
        let p = n || !l.e;
        if (At(l)) {
          l.e && l.d && (l.e.textContent = l.t), l.d = !1, h = l.e ||= document.createTextNode(l.t);
        } else {
          let m = !l.e;
          h = l.e ||= l.n ? document.createElementNS(l.n, l.tag) : document.createElement(l.tag),
            _v(h, l.props, m ? void 0 : l.pP),
            Jg(l, h, p),
            l.tag === "select" && xv(h, l.props);
        }
      }
      l.tag === oi ? a-- : n ? h.parentNode || e.appendChild(h) : i[a] !== h && i[a - 1] !== h &&
        (i[a + 1] === h ? e.appendChild(i[a]) : e.insertBefore(h, f || i[a] || null));
    }
    if (t.pP && (t.pP = void 0), s.length) {
      let d = [], u = [];
      s.forEach(([, l, , h, p]) => {
        l && d.push(l), h && u.push(h), p?.();
      }),
        d.forEach((l) => l()),
        u.length && requestAnimationFrame(() => {
          u.forEach((l) => l());
        });
    }
  },
  Sv = (t, e) => !!(t && t.length === e.length && t.every((n, r) => n[1] === e[r][1])),
  Tv = (t) => {
    let e = new Map();
    for (let n of t) {
      let r = n.key;
      if (e.has(r)) return;
      e.set(r, n);
    }
    return e;
  },
  Da = new WeakMap(),
  Ua = (t, e, n) => {
    let r = !n && e.pC;
    n && (e.pC ||= e.vC);
    let o;
    try {
      n ||= typeof e.tag == "function" ? Ev(t, e) : ou(e.props.children),
        n[0]?.tag === "" && n[0][co] && (o = n[0][co], t[5].push([t, o, e]));
      let s = r ? [...e.pC] : e.vC ? [...e.vC] : void 0, i = [], a, f = (s?.length || 0) * 2, d;
      for (let u = 0; u < n.length; u++) {
        if (Array.isArray(n[u])) {
          n.splice(u, 1, ...n[u].flat(1 / 0)), u--;
          continue;
        }
        let l = Qg(n[u]);
        if (l) {
          typeof l.tag == "function" && !l.tag[Ma] &&
            (Zo.length > 0 && (l[je][2] = Zo.map((p) => [p, p.values.at(-1)])),
              t[5]?.length && (l[je][3] = t[5].at(-1)));
          let h;
          if (d && l.key === void 0 && !At(l) && (s = [...d.values()], d = void 0), d) {
            let p = l.key, m = d.get(p);
            m && (At(l) ? At(m) : m.tag === l.tag && m.key === p) && (h = m, d.delete(p));
          } else if (s && s.length) {
            let p = s[0];
            if (
              At(l) ? At(p) : !At(p) &&
                (l.key !== void 0 ? p.key === l.key && p.tag === l.tag : p.tag === l.tag)
            ) h = s.shift();
            else {
              let m = s.findIndex(
                At(l)
                  ? (g) => At(g)
                  : l.key !== void 0
                  ? (g) => g.key === l.key && g.tag === l.tag
                  : (g) => g.tag === l.tag,
              );
              f -= m === -1 ? s.length : m,
                m !== -1 && (h = s[m], s.splice(m, 1)),
                f < 0 && (f = 1 / 0, d = Tv(s));
            }
          }
          if (h) {
            if (At(l)) h.t !== l.t && (h.t = l.t, h.d = !0), l = h;
            else {
              let p = h.pP = h.props;
              if (h.props = l.props, h.f ||= l.f || e.f, typeof l.tag == "function") {
                let m = h[je][2];
                h[je][2] = l[je][2] || [],
                  h[je][3] = l[je][3],
                  !h.f && ((h.o || h) === l.o || h.tag[$a]?.(p, h.props)) && Sv(m, h[je][2]) &&
                  (h.s = !0);
              }
              l = h;
            }
          } else if (!At(l) && Jo) {
            let p = Bn(Jo);
            p && (l.n = p);
          }
          if (!At(l) && !l.s && (Ua(t, l), delete l.f), i.push(l), a && !a.s && !l.s) {
            for (let p = a; p && !At(p); p = p.vC?.at(-1)) {
              p.nN = l;
            }
          }
          a = l;
        }
      }
      if (a && !a.s) { for (let u = a; u && !At(u); u = u.vC?.at(-1)) u.nN = e.nN; }
      s = d ? [...d.values()] : s,
        e.vR = r ? [...e.vC, ...s || []] : s || [],
        e.vC = i,
        r && delete e.pC;
    } catch (s) {
      if (e.f = !0, s === Gg) {
        if (o) return;
        throw s;
      }
      let [i, a, f] = e[je]?.[3] || [];
      if (a) {
        let d = () => ti([0, !1, t[2]], f), u = Da.get(f) || [];
        u.push(d), Da.set(f, u);
        let l = a(s, () => {
          let h = Da.get(f);
          if (h) {
            let p = h.indexOf(d);
            if (p !== -1) return h.splice(p, 1), d();
          }
        });
        if (l) {
          if (t[0] === 1) t[1] = !0;
          else if (
            Ua(t, f, [l]), (a.length === 1 || t !== i) && f.c && !t[5].some(([, , h]) => h === f)
          ) {
            lu(f, f.c, !1);
            return;
          }
          throw Gg;
        }
      }
      throw s;
    } finally {
      o && t[5].pop();
    }
  },
  Qg = (t) => {
    if (!(t == null || typeof t == "boolean")) {
      if (typeof t == "string" || typeof t == "number") return { t: t.toString(), d: !0 };
      if (
        "vR" in t &&
        (t = {
          tag: t.tag,
          props: t.props,
          key: t.key,
          f: t.f,
          type: t.tag,
          ref: t.props.ref,
          o: t.o || t,
        }), typeof t.tag == "function"
      ) t[je] = [0, []];
      else {
        let e = bv[t.tag];
        e &&
          (Jo ||= fo(""),
            t.props.children = [{
              tag: Jo,
              props: { value: t.n = `http://www.w3.org/${e}`, children: t.props.children },
            }]);
      }
      return t;
    }
  },
  e0 = (t, e, n) => {
    t.c === e && (t.c = n, t.vC.forEach((r) => e0(r, e, n)));
  },
  Vg = (t, e) => {
    e[je][2]?.forEach(([n, r]) => {
      n.values.push(r);
    });
    try {
      Ua(t, e, void 0);
    } catch {
      return;
    }
    if (e.a) {
      delete e.a;
      return;
    }
    e[je][2]?.forEach(([n]) => {
      n.values.pop();
    }), (t[0] !== 1 || !t[1]) && lu(e, e.c, !1);
  },
  ri = new WeakMap(),
  Kg = [],
  ti = async (t, e) => {
    t[5] ||= [];
    let n = ri.get(e);
    n && n[0](void 0);
    let r, o = new Promise((s) => r = s);
    if (
      ri.set(e, [r, () => {
        t[2]
          ? t[2](t, e, (s) => {
            Vg(s, e);
          }).then(() => r(e))
          : (Vg(t, e), r(e));
      }]), Kg.length
    ) Kg.at(-1).add(e);
    else {
      await Promise.resolve();
      let s = ri.get(e);
      s && (ri.delete(e), s[1]());
    }
    return o;
  },
  kv = (t, e) => {
    let n = [];
    n[5] = [], n[4] = !0, Ua(n, t, void 0), n[4] = !1;
    let r = document.createDocumentFragment();
    lu(t, r, !0), e0(t, r, e), e.replaceChildren(r);
  },
  hu = (t, e) => {
    kv(Qg({ tag: "", props: { children: t } }), e);
  };
var pu = (t, e, n) => ({ tag: oi, props: { children: t }, key: n, e, p: 1 });
var n0 = fo({ pending: !1, data: null, method: null, action: null }),
  t0 = new Set(),
  r0 = (t) => {
    t0.add(t);
    let e = () => {
      t0.delete(t);
    };
    t.then(e, e);
  };
var wu = Qd({
    button: () => h0,
    clearCache: () => Ov,
    composeRef: () => za,
    form: () => d0,
    input: () => l0,
    link: () => a0,
    meta: () => c0,
    script: () => s0,
    style: () => i0,
    title: () => o0,
  }),
  Ov = () => {
    mu = Object.create(null), gu = Object.create(null);
  },
  za = (t, e) =>
    ja(() => (n) => {
      let r;
      t && (typeof t == "function"
        ? r = t(n) || (() => {
          t(null);
        })
        : t && "current" in t && (t.current = n,
          r = () => {
            t.current = null;
          }));
      let o = e(n);
      return () => {
        o?.(), r?.();
      };
    }, [t]),
  mu = Object.create(null),
  gu = Object.create(null),
  si = (t, e, n, r, o) => {
    if (e?.itemProp) return { tag: t, props: e, type: t, ref: e.ref };
    let s = document.head,
      { onLoad: i, onError: a, precedence: f, blocking: d, ...u } = e,
      l = null,
      h = !1,
      p = ei[t],
      m = ru(t, r),
      g = (_) =>
        _.getAttribute("rel") === "stylesheet" && _.getAttribute("data-precedence") !== null,
      w;
    if (m) {
      let _ = s.querySelectorAll(t);
      e: for (let v of _) {
        if (!(t === "link" && !g(v))) {
          for (let I of p) {
            if (v.getAttribute(I) === e[I]) {
              l = v;
              break e;
            }
          }
        }
      }
      if (!l) {
        let v = p.reduce((I, N) => e[N] === void 0 ? I : `${I}-${N}-${e[N]}`, t);
        h = !gu[v],
          l = gu[v] ||= (() => {
            let I = document.createElement(t);
            for (let N of p) e[N] !== void 0 && I.setAttribute(N, e[N]);
            return e.rel && I.setAttribute("rel", e.rel), I;
          })();
      }
    } else w = s.querySelectorAll(t);
    f = r ? f ?? "" : void 0, r && (u[Fa] = f);
    let b = Cn((_) => {
        if (m) {
          if (t === "link" && f !== void 0) {
            let I = !1;
            for (let N of s.querySelectorAll(t)) {
              let R = N.getAttribute(Fa);
              if (R === null) {
                s.insertBefore(_, N);
                return;
              }
              if (I && R !== f) {
                s.insertBefore(_, N);
                return;
              }
              R === f && (I = !0);
            }
            s.appendChild(_);
            return;
          }
          let v = !1;
          for (let I of s.querySelectorAll(t)) {
            if (v && I.getAttribute("data-precedence") !== f) {
              s.insertBefore(_, I);
              return;
            }
            I.getAttribute("data-precedence") === f && (v = !0);
          }
          s.appendChild(_);
        } else if (t === "link") s.contains(_) || s.appendChild(_);
        else if (w) {
          let v = !1;
          for (let I of w) {
            if (I === _) {
              v = !0;
              break;
            }
          }
          v || s.insertBefore(_, s.contains(w[0]) ? w[0] : s.querySelector(t)), w = void 0;
        }
      }, [m, f, t]),
      x = za(e.ref, (_) => {
        let v = p[0];
        if (n === 2 && (_.innerHTML = ""), (h || w) && b(_), !a && !i || !v) return;
        let I = mu[_.getAttribute(v)] ||= new Promise((N, R) => {
          _.addEventListener("load", N), _.addEventListener("error", R);
        });
        i && (I = I.then(i)), a && (I = I.catch(a)), I.catch(() => {});
      });
    if (o && d === "render") {
      let _ = ei[t][0];
      if (_ && e[_]) {
        let v = e[_],
          I = mu[v] ||= new Promise((N, R) => {
            b(l), l.addEventListener("load", N), l.addEventListener("error", R);
          });
        du(I);
      }
    }
    let y = { tag: t, type: t, props: { ...u, ref: x }, ref: x };
    return y.p = n, l && (y.e = l), pu(y, s);
  },
  o0 = (t) => {
    let e = Wg();
    return (e && Bn(e))?.endsWith("svg")
      ? { tag: "title", props: t, type: "title", ref: t.ref }
      : si("title", t, void 0, !1, !1);
  },
  s0 = (t) =>
    !t || ["src", "async"].some((e) => !t[e])
      ? { tag: "script", props: t, type: "script", ref: t.ref }
      : si("script", t, 1, !1, !0),
  i0 = (t) =>
    !t || !["href", "precedence"].every((e) => e in t)
      ? { tag: "style", props: t, type: "style", ref: t.ref }
      : (t["data-href"] = t.href, delete t.href, si("style", t, 2, !0, !0)),
  a0 = (t) =>
    !t || ["onLoad", "onError"].some((e) => e in t) ||
      t.rel === "stylesheet" && (!("precedence" in t) || "disabled" in t)
      ? { tag: "link", props: t, type: "link", ref: t.ref }
      : si("link", t, 1, nu(t), !0),
  c0 = (t) => si("meta", t, void 0, !1, !1),
  f0 = Symbol(),
  d0 = (t) => {
    let { action: e, ...n } = t;
    typeof e != "function" && (n.action = e);
    let [r, o] = W([null, !1]),
      s = Cn(async (d) => {
        let u = d.isTrusted ? e : d.detail[f0];
        if (typeof u != "function") return;
        d.preventDefault();
        let l = new FormData(d.target);
        o([l, !0]);
        try {
          let h = u(l);
          h instanceof Promise && (r0(h), await h);
        } finally {
          o([null, !0]);
        }
      }, []),
      i = za(t.ref, (d) => (d.addEventListener("submit", s), () => {
        d.removeEventListener("submit", s);
      })),
      [a, f] = r;
    return r[1] = !1, {
      tag: n0,
      props: {
        value: { pending: a !== null, data: a, method: a ? "post" : null, action: a ? e : null },
        children: { tag: "form", props: { ...n, ref: i }, type: "form", ref: i },
      },
      f,
    };
  },
  u0 = (t, { formAction: e, ...n }) => {
    if (typeof e == "function") {
      let r = Cn((o) => {
        o.preventDefault(),
          o.currentTarget.form.dispatchEvent(new CustomEvent("submit", { detail: { [f0]: e } }));
      }, []);
      n.ref = za(n.ref, (o) => (o.addEventListener("click", r), () => {
        o.removeEventListener("click", r);
      }));
    }
    return { tag: t, props: n, type: t, ref: n.ref };
  },
  l0 = (t) => u0("input", t),
  h0 = (t) => u0("button", t);
Object.assign(tu, {
  title: o0,
  script: s0,
  style: i0,
  link: a0,
  meta: c0,
  form: d0,
  input: l0,
  button: h0,
});
var c = (
    t,
    e,
    n,
  ) => (typeof t == "string" && wu[t] && (t = wu[t]),
    { tag: t, type: t, props: e, key: n, ref: e.ref }),
  H = (t) => c("", t, void 0);
var yu = ({ children: t, fallback: e, fallbackRender: n, onError: r }) => {
  let o = H({ children: t });
  return o[co] = (s) => {
    if (s instanceof Promise) throw s;
    return r?.(s), n?.(s) || e;
  },
    o;
};
var Qo = 32;
function p0(t, e, n) {
  return Hr(t), n === void 0 && (n = new Uint8Array(t.outputLen)), Jf(t, n, e);
}
var ii = Uint8Array.of(0), Av = Uint8Array.of();
function m0(t, e, n, r = 32, o) {
  Hr(t), ht(r, "length"), Te(e, void 0, "prk");
  let s = t.outputLen;
  if (e.length < s) throw new Error('"prk" must be at least HashLen octets');
  if (r > 255 * s) throw new Error("Length must be <= 255*HashLen");
  let i = Math.ceil(r / s);
  if (n === void 0 ? n = Av : Te(n, void 0, "info"), !i) return o && Ct(e), new Uint8Array();
  let a = o && i === 1 ? e : new Uint8Array(i * s),
    { iHash: f, oHash: d } = Jf.create(t, e),
    u = o ? e : new Uint8Array(s),
    l = i > 1 ? o?.iHash || t.create() : void 0;
  for (let p = 0; p < i - 1; p++) {
    ii[0] = p + 1;
    let m = f._cloneInto(l);
    p && m.update(u),
      m.update(n).update(ii).digestInto(u),
      d._cloneInto(l).update(u).digestInto(u),
      a.set(u, s * p);
  }
  if (
    ii[0] = i,
      i > 1 && f.update(u),
      f.update(n).update(ii).digestInto(u),
      d.update(u).digestInto(u),
      a.set(u, s * (i - 1)),
      f.destroy(),
      d.destroy(),
      l?.destroy(),
      u !== a && Ct(u),
      Ct(ii),
      r === a.length
  ) return a;
  let h = a.slice(0, r);
  return Ct(a), h;
}
var Nv = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
  g0 = 48,
  Bv = Uint8Array.of(0, g0),
  Cv = ee("BLS-SIG-KEYGEN-SALT-");
function qa(t) {
  if (t.length < 32) {
    throw new O(
      "invalid_key",
      `Cannot create BLS secret key: ${t.length} secret bytes are fewer than 32`,
    );
  }
  let e = pe(t, Uint8Array.of(0));
  for (let n = on(Cv);; n = on(n)) {
    let r = p0(on, e, n), o = m0(on, r, Bv, g0), s = Gt(o) % Nv;
    if (r.fill(0), o.fill(0), s !== 0n) return e.fill(0), Sn(s, Qo);
  }
}
function es() {
  return new O(
    "invalid_key",
    "Cannot use BLS secret key: it is not 32 bytes big-endian in [1, r-1]",
  );
}
var { G1: { Point: Ga }, G2: { Point: Iv } } = On, Rv = Ga.Fn.ORDER, Lv = 16;
function w0(t) {
  let e = t.length === Qo ? Gt(t) : 0n;
  if (e > 0n && e < Rv) return e;
  throw es();
}
function Hv(t, e, n) {
  let r = ca(t.publicKeys), o = Hs(t.signature);
  if (r === void 0 || o === void 0) return;
  let s = V(r.point.toBytes(!0));
  return { index: e, key: r, keyId: s, hash: Ms(t.message, n), signature: o };
}
function Mv() {
  return Gt(crypto.getRandomValues(new Uint8Array(Lv)));
}
function $v(t) {
  let e = Ga.ZERO, n = new Map();
  for (let { key: r, keyId: o, hash: s, signature: i } of t) {
    let a = t.length === 1 ? 1n : Mv();
    e = e.add(i.multiplyUnsafe(a));
    let f = n.get(o) ?? { point: Ga.ZERO, key: r };
    f.point = f.point.add(s.multiplyUnsafe(a)), n.set(o, f);
  }
  return wd(e, [...n.values()]);
}
function bu(t, e) {
  if (t.length === 0) return;
  if ($v(t)) return t.forEach(e);
  if (t.length === 1) return;
  let n = Math.ceil(t.length / 2);
  bu(t.slice(0, n), e), bu(t.slice(n), e);
}
var ai = {
  ...dr,
  keyGen: qa,
  skToPk: (t) => Iv.BASE.multiply(w0(t)).toBytes(!0),
  sign(t, e, n) {
    let r = w0(t);
    return Ms(e, n).multiply(r).toBytes(!0);
  },
  signatureValidate: (t) => Hs(t) !== void 0,
  hashToG1: (t, e) => Ms(t, e).toBytes(!0),
  aggregate(t) {
    return gd(Ga.ZERO, t.map(Hs))?.toBytes(!0);
  },
  aggregateKeys(t) {
    return ca(t)?.point.toBytes(!0);
  },
  batchVerify(t, e) {
    let n = t.map(() => !1), r = t.map((o, s) => Hv(o, s, e));
    return bu(r.filter((o) => o !== void 0), ({ index: o }) => {
      n[o] = !0;
    }),
      n;
  },
};
function lo(t) {
  let e = [];
  for (let n = t; n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) e.push(n);
  return e;
}
function y0(t, e) {
  let n = [], r = t;
  for (let o of lo(t.length / S)) n.push(r), r = e(r);
  return n;
}
function Va(t, e) {
  let n = lo(e), r = [];
  for (let s = 0; s < e; s++) {
    let i = 0, a = s;
    for (let f of n) {
      let d = a % 2 === 0 ? a + 1 : a - 1;
      d < f && r.push(i + d), i += f, a = Math.floor(a / 2);
    }
  }
  let o = new Uint8Array(r.length * S);
  for (let [s, i] of r.entries()) o.set(t.subarray(i * S, (i + 1) * S), s * S);
  return o;
}
var b0 = 0, _0 = 1;
function E0(t) {
  let e = (n) => Fv(t, n);
  return {
    sha256: (n) => t(n),
    leafHashes: (n, r) => x0(t, n, r),
    numberedLeafHashes(n) {
      let { entries: r, ends: o } = xu(n);
      return x0(t, r, o);
    },
    nodeHash(n, r) {
      let o = new Uint8Array(1 + 2 * S);
      return o[0] = _0, o.set(n, 1), o.set(r, 1 + S), t(o);
    },
    treeLevel(n, r = 1) {
      let o = n;
      for (let s = 0; s < r && o.length > S; s++) o = e(o);
      return o === n ? n.slice() : o;
    },
    treeLevels: (n) => pe(...y0(n, e)),
    inclusionPaths: Va,
  };
}
function x0(t, e, n) {
  let r = new Uint8Array(n.length * S), o = new Uint8Array(257);
  o[0] = b0;
  let s = 0;
  for (let i = 0; i < n.length; i++) {
    let a = n[i];
    1 + a - s > o.length && (o = new Uint8Array(1 + a - s), o[0] = b0),
      o.set(e.subarray(s, a), 1),
      r.set(t(o.subarray(0, 1 + a - s)), i * S),
      s = a;
  }
  return r;
}
function Fv(t, e) {
  let n = e.length / S, r = new Uint8Array(Math.ceil(n / 2) * S), o = new Uint8Array(1 + 2 * S);
  o[0] = _0;
  for (let s = 0; s + 1 < n; s += 2) {
    o.set(e.subarray(s * S, (s + 2) * S), 1), r.set(t(o), s / 2 * S);
  }
  return n % 2 === 1 && r.set(e.subarray((n - 1) * S), r.length - S), r;
}
function xu(t) {
  let { before: e, digests: n, between: r, first: o, after: s } = t,
    i = n.length / S,
    a = ee(V(n)),
    f = new Uint32Array(i),
    d = e.length + 2 * S + r.length + s.length,
    u = new Uint8Array(i * (d + String(o + i).length)),
    l = 0,
    h = (p) => {
      u.set(p, l), l += p.length;
    };
  for (let p = 0; p < i; p++) {
    h(e), h(a.subarray(p * 2 * S, (p + 1) * 2 * S)), h(r);
    let m = String(o + p);
    for (let g = 0; g < m.length; g++) u[l++] = m.charCodeAt(g);
    h(s), f[p] = l;
  }
  return { entries: u.subarray(0, l), ends: f };
}
var ci = E0(on);
var In = 2;
var _u = 32, GI = 2 + _u + 2 * S;
function Ka(t) {
  return Uint8Array.of(t >> 8, t & 255);
}
function Pv(t) {
  let { issuerName: e, redemptionContext: n, originInfo: r } = t;
  if (!Wa(e) || e === "" || !Wa(r)) {
    throw new O(
      "invalid_configuration",
      "Cannot write token challenge: the issuer name or origin info is not printable ASCII",
    );
  }
  return pe(Ka(In), Ka(e.length), ee(e), Uint8Array.of(n.length), n, Ka(r.length), ee(r));
}
function Wa(t) {
  return t.length < 65536 && /^[\x20-\x7e]*$/.test(t);
}
function v0(t) {
  let e = 0,
    n = (u) => t.slice(e, e += u),
    r = (u) => n(u).reduce((l, h) => l << 8 | h, 0),
    o = r(2),
    s = rt(n(r(2))),
    i = n(r(1)),
    a = rt(n(r(2))),
    d = o === In && s !== "" && Wa(s) && Wa(a) && [0, S].includes(i.length) &&
      { issuerName: s, redemptionContext: i, originInfo: a };
  if (!d || !Be(Pv(d), t)) {
    throw new O(
      "malformed_text",
      `Cannot read token challenge: ${t.length} bytes are not a TokenChallenge of type 2`,
    );
  }
  return d;
}
function S0(t) {
  return ci.sha256(t);
}
function Ya(t) {
  return ci.sha256(t);
}
function Eu(t) {
  return pe(Ka(In), t.nonce, t.challengeDigest, t.tokenKeyId);
}
function jv(t) {
  return pe(Eu(t), t.authenticator);
}
function T0(t) {
  return gh(jv(t));
}
var Dv = ["open", "token_optional", "token_required"],
  k0 = ye.with({ pattern: "^[A-Za-z0-9_-]+$" }),
  Uv = D({
    token_key: k0.with({
      description: "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
      example: "MIIBUjA9BgkqhkiG9w0BAQo",
    }),
    token_key_id: _t(S, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
    not_before: qe("First second in which its tokens are accepted").optional(),
    not_after: qe("First second in which its tokens are refused").optional(),
  }, "ignored").named("TokenKey"),
  vu = D({
    name: yn("`issuer_name` of the challenge").with({ minLength: 1, example: "issuer.example" }),
    url: yn("URL of the issuer, below which clients find its directory").with({ format: "uri" })
      .optional(),
    token_type: te("Blind RSA (2048-bit)").with({ enum: [In] }),
    challenge: k0.with({
      description:
        "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's id as origin_info",
      example: "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
    }),
    token_keys: be(Uv).with({ minItems: 1 }),
  }, "ignored").named("TokenIssuer"),
  XI = D({
    mode: yn("Which new hashes need tokens").with({ enum: Dv, example: "token_required" }),
    issuers: be(vu),
  }, "ignored").named("AdmissionOffer"),
  zv = D({ name: No, token_type: jn, challenge: No, token_keys: No }, "ignored"),
  qv = new Zt((t, e) => {
    let { token_type: n } = zv.read(t, e);
    return n === In ? vu.read(t, e) : void 0;
  }, vu.describe),
  Gv = D({ mode: ye, issuers: be(qv) }, "ignored").map(({ mode: t, issuers: e }) => {
    let n = e.flatMap((r) => r === void 0 ? [] : [Vv(r)]);
    return n.includes(void 0) ? void 0 : { mode: t, issuers: n.flatMap((r) => r ?? []) };
  }, "issuers with keys that match their ids, and a challenge that matches their name");
function O0(t) {
  return Gv.parseText(t, { where: "admission", code: "gateway_refused" });
}
function Vv(t) {
  let { name: e, url: n } = t, r = To(t.challenge);
  if (r === void 0) return;
  let o = v0(r), s = t.token_keys.flatMap((a) => Kv(a) ?? []);
  return s.length === t.token_keys.length && o.issuerName === e
    ? { ...n !== void 0 && { url: n }, challengeBytes: r, challenge: o, keys: s }
    : void 0;
}
function Kv(t) {
  let { not_before: e, not_after: n } = t, r = To(t.token_key);
  if (!(r === void 0 || V(Ya(r)) !== t.token_key_id)) {
    return { tokenKey: r, ...e !== void 0 && { notBefore: e }, ...n !== void 0 && { notAfter: n } };
  }
}
var Su = D({
    provider: yn("Kind of service"),
    service: Co.optional(),
    status: yn("State of the proof, as the provider names it"),
    timestamp: qe("Time of the anchor, as the service states it"),
    tree_head: zr,
    consistency_path: It,
    digest: st,
    proof: No.with({ description: "Proof in the provider's format" }),
  }).named("ExternalAnchor", {
    description: "Proof of an external service over SHA-256(checkpoint body)",
  }),
  tR = be(Su);
var Tu = Ur("SignedAttestation", { attestation: Om, round: Pm }, {
    description: "A hash with its timestamp and log index, signed by the threshold",
  }),
  ku = D({
    id: te("Size of the closing tree head"),
    network_id: it,
    root_hash: st,
    tree_size: te("Size of the closing tree head"),
    first_index: te("Size of the previous tree head; informative"),
    attestation_count: te("Number of attestations in the batch; informative"),
    period_start: qe("Timestamp of the previous tree head, 0 if there is none; informative"),
    period_end: qe("Timestamp of the closing tree head"),
  }).named("Batch", {
    description: "The growth of the log between two consecutive published tree heads",
  }),
  A0 = {
    hash: st,
    leaf_hash: st,
    leaf_index: te("Index of the leaf in the log, equal to the sequence of the attestation"),
    tree_size: te("Size of the tree whose root the path leads to"),
    inclusion_path: It,
  },
  N0 = D({ ...A0, root_hash: st, batch_id: te("Id of the batch that contains the attestation") })
    .named("MerkleProofResponse", {
      description: "Inclusion proof of an attestation in the tree that closed its batch",
    }),
  Wv = D({ ...A0, sth: xn }).named("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
  }),
  Yv = D({
    first: te("Size of the smaller tree"),
    second: te("Size of the larger tree"),
    first_sth: xn,
    second_sth: xn,
    consistency_path: It,
  }).named("ConsistencyProof", {
    description: "RFC 9162 consistency proof between two published tree heads",
  }),
  Xv = D({ batch: ku, merkle_proof: N0, sth: xn }).named("BatchInclusion"),
  Zv = Ur("CrossAnchor", { witnessing_network: it, tree_head: zr, consistency_path: It }, {
    description: "A tree head of this log with the cosignatures of a peer network",
  }),
  Jv = ye.map((t) => lt(() => Io(gn(t).text)) && t, "a checkpoint"),
  Qv = D({
    checkpoint: Jv.with({
      description: "A checkpoint of this log, with cosignatures of foreign witnesses",
    }),
    inclusion_path: It,
  }).named("Witnessed", {
    description:
      "Proof that the attestation is in a tree whose checkpoint foreign witnesses cosigned",
  }),
  eS = D({
    signed_attestation: Tu,
    batch_inclusion: nr(Xv),
    cross_anchors: be(Zv),
    external_anchors: be(Su),
    succession: be(Ad, 1).with({
      description: "The links from the first epoch on; absent in the first",
    }).optional(),
    witnessed: Qv.optional(),
  }).named("ProofBundle", {
    description:
      "Everything that offline verification needs in addition to the pinned configuration",
  });
function fi(t) {
  return eS.parseText(t, di("bundle"));
}
function Ou(t) {
  return xn.parseText(t, di("sth"));
}
function Au(t) {
  return N0.parseText(t, di("proof"));
}
function Nu(t) {
  return Wv.parseText(t, di("proof"));
}
function Bu(t) {
  return Yv.parseText(t, di("proof"));
}
function di(t) {
  return { where: t, code: "malformed_bundle" };
}
var tS = 16,
  B0 = 54,
  nS = 8192,
  rS = 262144,
  Cu = { sth: xn, log_signature: Ns },
  C0 = D(Cu).named("LoggedTreeHead", {
    description: "A tree head with the signatures of its threshold and of its log key",
  }),
  R0 = It.map((t) => t.length <= B0 ? t.map((e) => we(e)) : void 0, `at most ${B0} hashes`),
  xR = D({
    ...Cu,
    min_witnesses: te("Distinct signatures that the peer must obtain"),
    growth: be(D({ old_size: te("Size of the older head"), consistency_path: R0 }), 0, tS),
  }).map(({ growth: t, min_witnesses: e, ...n }) => {
    let { tree_size: r } = n.sth.tree_head;
    if (t.every(({ old_size: s }, i) => s > (t[i - 1]?.old_size ?? 0) && s < r)) {
      return {
        ...Xa(n),
        minWitnesses: e,
        growth: t.map((s) => ({ oldSize: s.old_size, path: s.consistency_path })),
      };
    }
  }, "growth from ascending sizes of 1 to below the head's"),
  _R = Ur("PeerCosignature", { witnessing_network: it, tree_head: zr }, {}),
  ER = D({ origin: it, seen_at: qe("When this gateway accepted the head"), ...Cu }).named(
    "SeenTreeHead",
    { description: "The latest tree head of a peer that this gateway accepted" },
  ).map(
    ({ origin: t, seen_at: e, ...n }) =>
      n.sth.tree_head.network_id === t ? { ...Xa(n), seenAt: e } : void 0,
    "a head of the origin",
  ),
  L0 = D({
    origin: it,
    found_at: qe("When this gateway found it; not signed"),
    first: C0,
    second: C0,
    consistency_path: R0,
  }).named("Contradiction", {
    description:
      "Two signed tree heads of one log that no append-only log can have both. At equal sizes the roots differ and the path is empty. At different sizes the path proves that the second root extends a root other than the first's. If the first size is a power of two, the path begins with that other root.",
  }).map(({ origin: t, first: e, second: n, ...r }) => {
    if ([e, n].every(({ sth: s }) => s.tree_head.network_id === t)) {
      return {
        origin: t,
        foundAt: r.found_at,
        first: Xa(e),
        second: Xa(n),
        path: r.consistency_path,
      };
    }
  }, "heads of the origin");
function ui({ origin: t, foundAt: e, first: n, second: r, path: o }) {
  return { origin: t, found_at: e, first: I0(n), second: I0(r), consistency_path: o.map(V) };
}
function li(t) {
  return `${JSON.stringify(ui(t), void 0, 2)}
`;
}
function H0(t, e) {
  return L0.parseText(t, { where: "contradiction", code: e }, nS);
}
function M0(t, e) {
  return be(L0).parseText(t, { where: "contradictions", code: e }, rS);
}
function I0({ sth: t, logSignature: e }) {
  return { sth: t, log_signature: V(e) };
}
function Xa(t) {
  let { sth: e, log_signature: n } = t;
  return { sth: e, logSignature: we(n) };
}
var oS = [
    "ok",
    "signing_stalled",
    "publishing_stalled",
    "witnesses_unavailable",
    "store_rolled_back",
    "storage_failed",
    "shutting_down",
    "standby",
    "log_ended",
  ],
  sS = D({
    id: Qt,
    healthy: ks,
    last_seen_at: qe("When it last answered successfully").optional(),
    last_error: yn("Error code of the current failure").with({ example: "witness_unreachable" })
      .optional(),
    failing: be(ye.with({ enum: ["probe", "cosign", "sign"] })).with({
      minItems: 1,
      description:
        "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
    }).optional(),
  }, "ignored").named("WitnessHealth"),
  iS = D({
    id: it,
    last_cross_anchor: D({
      tree_size: te("Size of the largest tree head of this log that it cosigned"),
      age: te("Seconds since the timestamp of its cosignature"),
    }, "ignored").optional(),
    failing: vf("Whether the last request to this peer failed"),
  }, "ignored").named("PeerStatus"),
  aS = D({
    provider: yn("Kind of service").with({ example: "rfc3161" }),
    service: Co.optional(),
    last: D({
      tree_size: te("Size of the largest tree head that it anchored"),
      age: te("Seconds since the time that the service states"),
      status: ye.with({ enum: ["pending", "confirmed"] }),
    }, "ignored").optional(),
  }, "ignored").named("AnchorStatus"),
  cS = D({
    status: ye.with({ enum: oS }),
    witnesses: be(sS),
    pending_count: te("Number of unconfirmed jobs"),
    oldest_pending_age: te("Age of the oldest unconfirmed job in seconds").optional(),
    sth: D({
      tree_size: te("Size of the latest published tree head"),
      age: te("Its age in seconds"),
    }, "ignored").optional(),
    beacon: nr(
      D(
        { round: te("Round of the latest drand beacon"), age: te("Its age in seconds") },
        "ignored",
      ),
    ).with({
      description: "Absent if the network uses no beacon; null while no recent round is known",
    }).optional(),
    peers: be(iS).optional(),
    anchors: be(aS).optional(),
    contradictions: te("Number of contradictions that this gateway holds against peers").optional(),
    succession: D({
      epoch: te("Number of the present configuration"),
      next: te("The epoch that a succession leads to").optional(),
      step: ye.with({ enum: ["checking", "ending", "beginning"] }).optional(),
      tree_size: te("Where the present epoch ends").optional(),
      waits_for: be(Qt).optional(),
      frozen: vf("The log has ended for good").optional(),
    }, "ignored").named("SuccessionStatus", {
      description: "Absent in epoch 0 while no succession is applied",
    }).optional(),
  }, "ignored").named("Status"),
  fS = cS.map((t) => ({ peers: [], anchors: [], contradictions: 0, ...t }), "");
function $0(t) {
  return fS.parseText(t, { where: "status", code: "gateway_refused" });
}
var j0 = "malformed_bundle",
  dS = D({ code: ye.with({ example: "threshold_not_met" }), message: ye }, "ignored").named(
    "LastError",
    { description: "Why the last attempt failed" },
  ),
  Iu = {
    hash: st,
    attempts: te("Number of signing attempts").with({ example: 1 }),
    created_at: qe("When the hash was accepted"),
    updated_at: qe("When the job last changed"),
    last_error: dS.optional(),
  },
  F0 = { ...Iu, status: Jt(["confirmed"]), signed_attestation: Tu },
  P0 = Dr(
    D({
      ...Iu,
      status: Jt(["pending", "retryable"]),
      progress: Jt(["unconfirmed"]),
      next_attempt_at: qe("When the next signing attempt starts"),
    }, "ignored").named("WaitingJob"),
    D({ ...F0, progress: Jt(["confirmed"]) }, "ignored").named("ConfirmedJob"),
    D({
      ...F0,
      progress: Jt(["batched"]),
      batch_id: te("Id of the batch that contains the attestation"),
    }, "ignored").named("BatchedJob"),
    D({ ...Iu, status: Jt(["failed"]), progress: Jt(["unconfirmed"]) }, "ignored").named(
      "FailedJob",
    ),
  ).named("JobSnapshot", {
    description: "The current state of a job. `confirmed` and `failed` are terminal",
  }),
  uS = ["signed_attestation", "batch_id"],
  D0 = new Zt((t, e) => {
    let n = P0.read(t, e), r = uS.find((o) => Object.hasOwn(t, o) && !(o in n));
    if (r !== void 0) throw new Ut(`${e}.${r}`, "a job in this state has no such member");
    return n;
  }, P0.describe);
function U0(t) {
  return t.status === "confirmed" || t.status === "failed";
}
function Ru(t) {
  return D0.parseText(t, { where: "job", code: j0 });
}
function z0(t) {
  return be(D0).parseText(t, { where: "jobs", code: j0 });
}
function Za(t) {
  if (t.length % S !== 0) {
    throw new O("internal", `Cannot count nodes: ${t.length} bytes are not a multiple of ${S}`);
  }
  return t.length / S;
}
function Lu(t, e, n) {
  return t.slice(e * S, n * S);
}
function hi(t) {
  return t.sha256(new Uint8Array());
}
function q0(t, e) {
  return Za(e) === 0 ? hi(t) : t.treeLevel(e, 1 / 0);
}
var br = 8, _e = 256;
function Kn(t, e, n) {
  let r = String(e),
    s = r.padStart(Math.ceil(r.length / 3) * 3, "0").replace(/[0-9]{3}(?=[0-9])/g, "x$&/"),
    i = n === _e ? "" : `.p/${n}`;
  return `tile/${t}/${s}${i}`;
}
function ts(t, e) {
  return Math.floor(e / _e ** (t + 1));
}
function pi(t, e) {
  return Math.floor(e / _e ** t) % _e;
}
function xr(t, e, n) {
  let r = ts(t, n);
  return e < r ? _e : e === r ? pi(t, n) : 0;
}
function Hu(t, e) {
  let n;
  for (let r of e) {
    let o = n === void 0 ? r : pe(r, n);
    o.length > 0 && (n = q0(t, o));
  }
  return n ?? hi(t);
}
var V0 = D({
    id: it,
    threshold: $s,
    signature_scheme: ye.with({ enum: ["ed25519", "bls"] }),
    witness_count: te("Number of witnesses").with({ minimum: 1 }),
  }, "ignored").named("GatewayConfig"),
  lS = D({
    id: Qt,
    pubkey: fa.ed25519,
    vkey: Vt,
    ml_dsa_vkey: Vt.optional(),
    public_url: yd.optional(),
  }).named("Ed25519Witness"),
  hS = D({ id: Qt, pubkey: fa.bls, proof_of_possession: Fs }).named("BlsWitness"),
  VR = Dr(G0("ed25519", lS).named("Ed25519Network"), G0("bls", hS).named("BlsNetwork")).named(
    "Network",
  );
function G0(t, e) {
  return D({ ...xd, signature_scheme: Jt([t]), witnesses: be(e, 1), federation: bd });
}
var K0 = "gateway_refused",
  W0 = "malformed_bundle",
  pS = be(D({ provider: ye, service: Co.optional(), status: ye, timestamp: jn }, "ignored")),
  Y0 = ku.map((t) => {
    let { id: e, tree_size: n, first_index: r, attestation_count: o } = t;
    return e === n && o === n - r ? t : void 0;
  }, "an id and a count that match the tree size"),
  mS = be(Y0).map(
    (t) => t.every((e, n) => n === 0 || e.id < t[n - 1].id) ? t : void 0,
    "descending ids",
  );
function X0(t) {
  return V0.parseText(t, { where: "configuration", code: K0 });
}
function Z0(t) {
  return pS.parseText(t, { where: "anchors", code: K0 });
}
function J0(t) {
  return mS.parseText(t, { where: "batches", code: W0 });
}
function Q0(t) {
  return Y0.parseText(t, { where: "batch", code: W0 });
}
async function* Ja(t) {
  let e = t.getReader();
  try {
    for (let n = await e.read(); !n.done; n = await e.read()) yield n.value;
  } finally {
    await e.cancel();
  }
}
async function Qa(t) {
  let e = typeof t == "function" ? await t() : t;
  return e === void 0 ? {} : { Authorization: `Bearer ${e}` };
}
async function ec(t, e) {
  let { method: n = "GET", headers: r = {}, body: o, maxBytes: s, timeoutMs: i, clock: a = gr } = e,
    { failure: f, server: d = t.host, codes: u, signal: l, fetch: h = fetch } = e,
    p = new AbortController(),
    m = () => p.abort(l?.reason);
  l?.aborted && m(), l?.addEventListener("abort", m);
  let g = new AbortController(), w = !1;
  i !== void 0 && a.sleep(i, g.signal).then(() => {
    w = !g.signal.aborted, p.abort();
  });
  let b, x;
  try {
    if (
      b = await h(t, {
        method: n,
        headers: r,
        ...o !== void 0 && { body: o },
        credentials: "omit",
        redirect: "manual",
        signal: p.signal,
      }), u.redirected !== void 0 && b.status >= 300 && b.status < 400
    ) {
      throw await b.body?.cancel(),
        new O(u.redirected, `${f}: ${d} answered ${b.status}, and redirects are not followed`);
    }
    if (b.type === "opaqueredirect") throw new Error("redirect");
    e.onHeaders?.(b.headers), x = await Mu(b, s);
  } catch (y) {
    if (y instanceof O) throw y;
    let _ = l?.aborted
      ? "the request was cancelled"
      : w
      ? `no answer from ${d} within ${i / 1e3} s`
      : `no answer from ${d}`;
    throw new O(u.unreachable, `${f}: ${_}`, { cause: y });
  } finally {
    g.abort(), l?.removeEventListener("abort", m);
  }
  if (x === void 0 && u.tooLarge !== void 0) {
    let y = `${f}: the answer of ${d} exceeds ${s} bytes`;
    throw new O(u.tooLarge, y);
  }
  return {
    status: b.status,
    ok: b.ok,
    headers: b.headers,
    mediaType: $u(b.headers),
    body: x ?? new Uint8Array(),
  };
}
async function Mu(t, e) {
  let n = [], r = 0;
  for await (let o of t.body === null ? [] : Ja(t.body)) {
    if (r += o.length, r > e) return;
    n.push(o);
  }
  return pe(...n);
}
function $u(t) {
  let [e = ""] = (t.get("Content-Type") ?? "").split(";");
  return e.trim().toLowerCase();
}
var gS = 32 * 1024 * 1024,
  wS = 15e3,
  yS = 5,
  bS = 10,
  xS = 40,
  tc = class {
    url;
    #e;
    #t;
    constructor(e) {
      this.url = e.url, this.#e = e, this.#t = Fu(e);
    }
    get answering() {
      return this.#t[0] ?? this.url;
    }
    async bytes(e, n) {
      return (await this.#o(e, n)).body;
    }
    async json(e, n, r) {
      let { what: o } = e, { mediaType: s, body: i } = await this.#o(e, r);
      if (s !== "application/json") {
        let a = s.slice(0, xS) || "of no media type";
        throw new O("gateway_refused", `Cannot get ${o}: the answer is ${a}, not application/json`);
      }
      try {
        let a = rt(i, "gateway_refused");
        return { text: a, value: await n(a) };
      } catch (a) {
        if (!(a instanceof O)) throw a;
        let f = `${a.message}, in the gateway's ${o}`;
        throw new O(a.code, f, { cause: a });
      }
    }
    async withRetries(e, n = {}) {
      let { clock: r = gr } = this.#e, { isTransient: o = ns } = n, s = this.#n(n.signal);
      for (let i = 1;; i++) {
        try {
          return await e();
        } catch (a) {
          if (i === yS || !o(a)) throw a;
          let f = a instanceof xe ? a.retryAfter : void 0, d = Math.min(f ?? 1, bS);
          await r.sleep(d * 1e3, s), s?.throwIfAborted();
        }
      }
    }
    #n(e) {
      let { signal: n } = this.#e;
      return e !== void 0 && n !== void 0 ? Yo(e, n) : e ?? n;
    }
    async #o(e, n) {
      let r = this.#n(n), o = this.#t, s;
      for (let [i, a] of o.entries()) {
        try {
          let f = await this.#r(a, e, r);
          return i > 0 && (this.#t = [a, ...o.filter((d) => d !== a)]), f;
        } catch (f) {
          if (!nc(f)) throw f;
          if (f instanceof xe && (s ??= f), i === o.length - 1) throw s ?? f;
        }
      }
      throw new TypeError("A connection has at least one URL");
    }
    async #r(e, n, r) {
      let { what: o, path: s, body: i, waitSeconds: a = 0 } = n,
        { timeoutMs: f = wS, fetch: d, apiKey: u } = this.#e,
        l = await ec(new URL(s, e), {
          method: i === void 0 ? "GET" : "POST",
          headers: {
            Accept: "application/json",
            ...await Qa(u),
            ...i !== void 0 && { "Content-Type": "application/json" },
            ...a > 0 && { Prefer: `wait=${a}` },
          },
          ...i !== void 0 && { body: JSON.stringify(i) },
          maxBytes: gS,
          timeoutMs: f + a * 1e3,
          signal: r,
          ...d && { fetch: d },
          failure: `Cannot get ${o}`,
          codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
        }).catch((h) => {
          throw r?.throwIfAborted(), h;
        });
      if (!l.ok) throw zo(o, l, l.body);
      return l;
    }
  };
function Fu({ url: t, others: e = [] }) {
  return [...new Map([t, ...e].map((n) => [n.href, n])).values()];
}
function _r(t) {
  return ns(t) || nc(t);
}
function nc(t) {
  return yt(t, "gateway_unreachable") || t instanceof xe && [502, 503, 504].includes(t.status);
}
function ns(t) {
  return t instanceof xe && (t.status === 429 || t.status === 503);
}
var rs = class extends tc {
  #e;
  constructor(e) {
    super(e), this.#e = e.blsFor ?? (() => ai);
  }
  network(e) {
    let n = { what: "network configuration", path: "v1/network" },
      r = async (o) => Jr(o, await this.#e(o));
    return this.json(n, r, e);
  }
  succession(e) {
    let n = (r) => ua(r, "malformed_bundle");
    return this.json({ what: "succession", path: "v1/succession" }, n, e);
  }
  config(e) {
    return this.json({ what: "configuration", path: "v1/config" }, X0, e);
  }
  status(e) {
    return this.json({ what: "status", path: "v1/status" }, $0, e);
  }
  admission(e) {
    return this.json({ what: "admission", path: "v1/admission" }, O0, e);
  }
  async submit(e, n, { tokens: r, ...o } = {}) {
    let [s] = e,
      i = e.length === 1,
      a = i
        ? { what: "job", path: "v1/attestations", body: { hash: s, issuer_token: r?.[0] } }
        : { what: "jobs", path: "v1/attestations/batch", body: { hashes: e, issuer_tokens: r } },
      f = i ? (u) => [Ru(u)] : z0,
      { value: d } = await this.withRetries(
        () => this.json({ ...a, waitSeconds: n }, f, o.signal),
        o,
      );
    if (d.length !== e.length || d.some((u, l) => u.hash !== e[l])) {
      throw ew("its jobs are not those of the submitted hashes");
    }
    return d;
  }
  job(e, n, r) {
    return this.json({ what: "job", path: `v1/attestations/${e}`, waitSeconds: n }, (o) => {
      let s = Ru(o);
      if (s.hash !== e) throw ew("its job is not that of the hash");
      return s;
    }, r);
  }
  async isKnown(e) {
    try {
      return await this.withRetries(() => this.job(e, 0)), !0;
    } catch (n) {
      if (n instanceof xe && n.reason === "hash_unknown") return !1;
      throw n;
    }
  }
  bundle(e, n, r = !1) {
    let o = `v1/bundle/${e}${r ? "?log_signature=true" : ""}`;
    return this.json({ what: "bundle", path: o }, fi, n);
  }
  merkleProof(e, n) {
    return this.json({ what: "proof", path: `v1/proof/${e}` }, Au, n);
  }
  anchors(e, n) {
    return this.json({ what: "anchors", path: `v1/anchors/${e}` }, Z0, n);
  }
  sth(e, n) {
    let r = e === void 0 ? "v1/log/sth" : `v1/log/sth/${e}`;
    return this.json({ what: "tree head", path: r }, Ou, n);
  }
  consistency(e, n, r) {
    let o = `v1/log/consistency?first=${e}&second=${n}`;
    return this.json({ what: "consistency proof", path: o }, Bu, r);
  }
  inclusion(e, n, r) {
    let o = `v1/log/proof?hash=${e}&tree_size=${n}`;
    return this.json({ what: "inclusion proof", path: o }, Nu, r);
  }
  batches(e = {}, n) {
    let r = new URLSearchParams(Object.entries(e).map(([s, i]) => [s, String(i)])),
      o = r.size === 0 ? "v1/batches" : `v1/batches?${r}`;
    return this.json({ what: "batches", path: o }, J0, n);
  }
  batch(e, n) {
    return this.json({ what: "batch", path: `v1/batches/${e}` }, Q0, n);
  }
  contradictions(e) {
    let n = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.json(n, (r) => M0(r, "malformed_bundle"), e);
  }
  async checkpoint(e) {
    return rt(await this.bytes({ what: "checkpoint", path: "checkpoint" }, e));
  }
  tile(e, n, r, o) {
    let s = e === "entries" ? "entries" : "tile";
    return this.bytes({ what: s, path: Kn(e, n, r) }, o);
  }
};
function ew(t) {
  return new O("gateway_refused", `Cannot use the gateway's answer: ${t}`);
}
var nw = "/.well-known/private-token-issuer-directory", tw = 64, _S = 1024;
function rw(t) {
  let e = { where: "issuer directory", code: "issuer_refused" },
    n = tn.parse(t, e, ["issuer-request-uri", "token-keys"], { ignoreUnknown: !0, maxValues: _S }),
    r = n.objects("token-keys", ["token-type", "token-key"], { ignoreUnknown: !0 });
  if (r.length > tw) throw n.error(`token-keys has more than ${tw} keys`);
  let o = r.filter((s) => s.integer("token-type") === In).map(ES);
  return { requestUri: n.text("issuer-request-uri"), tokenKeys: o };
}
function ES(t) {
  let e = t.base64Url("token-key");
  return t.has("not-before")
    ? { tokenKey: e, notBefore: t.integer("not-before") }
    : { tokenKey: e };
}
var Pu = Ue("invalid_configuration", "Cannot use service URL"),
  vS = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
function ow(t, e) {
  let n = ju(t);
  if (n === void 0 || n.protocol !== "https:" && n.protocol !== "http:") {
    throw Pu("it is not an http or https URL");
  }
  if (n.username !== "" || n.password !== "" || n.search !== "" || n.hash !== "") {
    throw Pu("it has credentials, a query or a fragment");
  }
  if (n.protocol === "http:" && !e.insecure && !rc(n.hostname)) {
    throw Pu("http is allowed only on loopback; use https");
  }
  return n.pathname.endsWith("/") || (n.pathname += "/"), n;
}
function rc(t) {
  return vS.test(t);
}
function ju(t, e) {
  try {
    return new URL(t, e);
  } catch {
    return;
  }
}
var sw = Ue("invalid_key", "Cannot use blind RSA key"),
  un = 256,
  Uu = 48,
  zu = 65537n,
  mi = we(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100",
  ),
  Du = we("0203010001");
function os(t) {
  return BigInt(`0x${V(t)}`);
}
function oc(t) {
  return we(t.toString(16).padStart(2 * un, "0"));
}
function SS(t) {
  if (t.length !== un || t[0] < 128 || t.at(-1) % 2 === 0) {
    throw sw("the modulus is not an odd integer of 2048 bits");
  }
  return { spki: pe(mi, t, Du), modulus: os(t) };
}
function iw(t) {
  let e = mi.length + un;
  if (t.length !== e + Du.length || !Be(t.subarray(0, mi.length), mi) || !Be(t.subarray(e), Du)) {
    throw sw(
      `${t.length} bytes are not the DER of an RSASSA-PSS key of 2048 bits with SHA-384, a salt of 48 bytes and the exponent 65537`,
    );
  }
  return SS(t.subarray(mi.length, e));
}
var ss = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
};
function aw(t) {
  let { truncatedTokenKeyId: e, blindedMessage: n } = t;
  return pe(Uint8Array.of(0, In, e), n);
}
function cw(t) {
  if (t.length === un) return t.slice();
  throw new O("issuer_refused", `Cannot read token response: ${t.length} bytes in place of ${un}`);
}
var TS = 256 * 1024,
  kS = 15e3,
  is = class extends O {
    status;
    retryAfter;
    constructor(e, n) {
      super("issuer_refused", e), this.status = n.status, this.retryAfter = n.retryAfter;
    }
  };
function as(t) {
  return yt(t, "issuer_unreachable") || t instanceof is && [429, 502, 503, 504].includes(t.status);
}
var sc = class {
  #e;
  #t;
  constructor({ url: e, timeoutMs: n = kS }) {
    this.#e = e, this.#t = n;
  }
  async directory(e) {
    let n = new URL(nw, this.#e),
      r = { Accept: ss.directory },
      o = await this.#n(n, { headers: r, signal: e });
    fw("issuer directory", o, ss.directory);
    let s = rw(rt(o.body, "issuer_refused")), { requestUri: i } = s, a = ju(i, n);
    if (a?.origin === n.origin) return { ...s, requestUri: a.href };
    throw new O(
      "issuer_refused",
      "Cannot use issuer directory: its issuer-request-uri has another origin than the issuer",
    );
  }
  async request(e, n, r) {
    let o = await this.#n(new URL(e), {
      method: "POST",
      headers: {
        Accept: ss.response,
        "Content-Type": ss.request,
        ...r !== void 0 && { Authorization: r },
      },
      body: n,
    });
    return o.status === 401 && r === void 0
      ? { kind: "unauthorized", challenge: o.headers.get("WWW-Authenticate") ?? "" }
      : (fw("token", o, ss.response), { kind: "response", response: o.body });
  }
  #n(e, n) {
    return ec(e, {
      ...n,
      maxBytes: TS,
      timeoutMs: this.#t,
      failure: "Cannot ask issuer",
      codes: { unreachable: "issuer_unreachable", tooLarge: "issuer_refused" },
    });
  }
};
function fw(t, e, n) {
  let { status: r } = e;
  if (r === 200 && e.mediaType === n) return;
  let { reason: o, retryAfter: s } = zo(t, e, e.body),
    i = r === 200
      ? `an answer that is not ${n}`
      : [`status ${r}`, ...o === void 0 ? [] : [o], ...s === void 0 ? [] : [`retry in ${s} s`]]
        .join(", ");
  throw new is(`Cannot get ${t}: the issuer sent ${i}`, { status: r, retryAfter: s });
}
var qu = {
    gateway_unreachable: [
      "The gateway does not answer",
      "Your connection or the gateway is down. Nothing that was accepted is lost.",
    ],
    gateway_refused: [
      "The gateway refused",
      "It gave no usable answer. Try again; if it happens again, tell its operator.",
    ],
    overloaded: [
      "The gateway is busy",
      "It has too many requests at the moment. Try again in a few seconds.",
    ],
    shutting_down: [
      "The gateway is stopping",
      "It is being restarted or replaced. Try again in a minute.",
    ],
    standby: [
      "This gateway is a standby",
      "Another gateway takes the hashes of this log. Use its address, or try again in a minute.",
    ],
    storage_failed: [
      "The gateway cannot write to its storage",
      "It accepts no hashes until its operator has repaired the storage. Proofs can still be read.",
    ],
    store_rolled_back: [
      "The gateway's store is an old copy",
      "Its witnesses remember a longer log. It accepts nothing until its operator has restored it.",
    ],
    witnesses_unavailable: [
      "The witnesses do not answer",
      "Too few of them answer to sign a hash. Try again later.",
    ],
    rate_limited: [
      "You have reached this gateway's limit for one client",
      "The page waits and continues. You can leave it open.",
    ],
    api_key_required: [
      "This gateway is private",
      "It answers only requests with an API key of its operator. Enter yours above.",
    ],
    api_key_refused: [
      "The gateway does not accept this API key",
      "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator.",
    ],
    token_required: [
      "This gateway accepts new hashes only with tokens",
      "This page has no tokens. Fetch some with `countersign token`, then use `countersign stamp`.",
    ],
    issuer_unreachable: [
      "The issuer of tokens does not answer",
      "This gateway accepts new hashes only with tokens of this issuer. Try again in a moment.",
    ],
    issuer_refused: [
      "The issuer gives this page no tokens",
      "This gateway accepts new hashes only with tokens. Fetch some with `countersign token` and an API key, then use `countersign stamp`.",
    ],
    tokens_missing: [
      "This gateway accepts new hashes only with tokens",
      "It names no issuer of tokens. Use `countersign token --issuer URL`, then `countersign stamp`.",
    ],
    hash_unknown: [
      "This gateway does not know the hash",
      "Nobody submitted it here. Check that it is the hash of the right file, or stamp it.",
    ],
    not_confirmed: [
      "Not signed yet",
      "The gateway has accepted the hash. The witnesses have not signed it yet.",
    ],
    not_batched: ["Not in the log yet", "The hash is signed; the next batch adds it to the log."],
    batch_not_found: [
      "There is no such batch",
      "A batch's number is the size of the log at its end.",
    ],
    tree_size_not_published: [
      "No tree head of this size was published",
      "Only the sizes at which a batch ended have a tree head.",
    ],
    no_tree_head: ["The log is empty", "Its first tree head is published with the first batch."],
    malformed_hash: [
      "This is not a SHA-256 hash",
      "A SHA-256 hash has 64 digits from 0 to 9 and a to f.",
    ],
    malformed_bundle: [
      "The answer or file cannot be read",
      "It is damaged, or of another kind. Fetch it again.",
    ],
    malformed_configuration: [
      "This is not a network's configuration",
      "Choose network.public.json from the network's operator, or the answer of /v1/network.",
    ],
    invalid_configuration: [
      "This configuration cannot be used",
      "No signatures could meet its threshold. Ask the operator for a correct file.",
    ],
    invalid_key: [
      "A key in this configuration is invalid",
      "Do not use the file. Ask the operator for a correct one.",
    ],
    body_too_large: ["The request is too large", "Send fewer hashes at once."],
    internal: [
      "The gateway failed",
      "This is a fault of the gateway, not of your request. Try again, then tell its operator.",
    ],
    file_failed: [
      "The file cannot be read",
      "It was moved or changed during the reading. Choose it again.",
    ],
  },
  ic = [
    "Something failed",
    "Try again. If it happens again, tell the gateway's operator the code below.",
  ];
function ac(t) {
  let e = t instanceof Error ? t.message : String(t);
  if (t instanceof xe) {
    let n = t.reason ?? "gateway_refused", [r, o] = qu[n] ?? ic;
    return { title: r, advice: o, code: t.reason ?? `HTTP ${t.status}`, detail: e };
  }
  if (as(t)) {
    let [n, r] = qu.issuer_unreachable;
    return { title: n, advice: r, code: "issuer_unreachable", detail: e };
  }
  if (t instanceof O) {
    let [n, r] = qu[t.code] ?? ic;
    return { title: n, advice: r, code: t.code, detail: e };
  }
  return { title: ic[0], advice: ic[1], code: "internal", detail: e };
}
var OS = {
  anchor:
    "M8 5v9M5 8h6M2.5 9.5C3 12.5 5.5 14 8 14s5-1.5 5.5-4.5M8 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  chain: "M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.3 4.3l-1 1M9 11.5l-1 1a3 3 0 0 1-4.3-4.3l1-1",
  check: "M3 8.5l3.5 3.5L13 4.5",
  clock: "M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  cross: "M4 4l8 8M12 4l-8 8",
  download: "M8 2.5v8M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11",
  file: "M9 1.5H4v13h8.5V5zM9 1.5V5h3.5",
  folder: "M1.5 3.5h4.5l1.5 2h7v8h-13z",
  info: "M8 7.5V11M8 5v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  key: "M7.5 8.5L13.5 2.5M11 5l2 2M8.5 10.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  minus: "M4 8h8",
  search: "M10.5 10.5L14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z",
  seal: "M5 8l2 2 4-4M8 1.5l5.5 2v4c0 3.5-2.5 6-5.5 7-3-1-5.5-3.5-5.5-7v-4z",
  unknown:
    "M6 6a2 2 0 1 1 2.8 1.8C8.200 8.100 8 8.5 8 9.3M8 11.5v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  upload: "M8 11V3M4.5 6.5L8 3l3.5 3.5M2.5 13.5h11",
  warning: "M8 6v3.5M8 11.5v.1M8 1.8L14.8 13.5H1.200z",
};
function Ze({ name: t }) {
  return c("svg", {
    class: "icon",
    viewBox: "0 0 16 16",
    width: "16",
    height: "16",
    "aria-hidden": "true",
    children: c("path", { d: OS[t] }),
  });
}
var Gu = { good: "check", bad: "cross", warn: "warning", info: "info", neutral: "minus" };
function ie({ tone: t, icon: e, children: n }) {
  return c("span", {
    class: `badge tone-${t}`,
    children: [c(Ze, { name: e ?? Gu[t] }), c("span", { children: n })],
  });
}
function re({ tone: t, title: e, icon: n, live: r = !1, children: o }) {
  let s = r ? t === "bad" ? "alert" : "status" : void 0;
  return c("div", {
    class: `alert tone-${t}`,
    role: s,
    children: [
      c(Ze, { name: n ?? Gu[t] }),
      c("div", {
        class: "alert-body",
        children: [c("p", { class: "alert-title", children: e }), o],
      }),
    ],
  });
}
function ue({ onClick: t, kind: e, icon: n, disabled: r, label: o, isRemoved: s, children: i }) {
  return c("button", {
    type: "button",
    class: e === void 0 ? "button" : `button button-${e}`,
    disabled: r,
    "aria-label": o,
    onClick: s ? Vu(t) : t,
    children: [n !== void 0 && c(Ze, { name: n }), c("span", { children: i })],
  });
}
function Vu(t) {
  return ({ target: e }) => {
    e instanceof Element && e.closest("section")?.querySelector("h2[tabindex]")?.focus(), t();
  };
}
function ln({ fileName: t, text: e, primary: n = !1, onSaved: r, children: o }) {
  return c(ue, {
    icon: "download",
    kind: n ? "primary" : void 0,
    onClick: () => {
      Ku(t, new Blob([e], { type: "application/json" })), r?.();
    },
    children: o,
  });
}
function Ku(t, e) {
  let n = URL.createObjectURL(e), r = document.createElement("a");
  r.href = n, r.download = t, r.click(), setTimeout(() => URL.revokeObjectURL(n), 0);
}
function hn({ label: t }) {
  return c("p", {
    class: "spinner",
    role: "status",
    children: [
      c("span", { class: "spinner-mark", "aria-hidden": "true" }),
      c("span", { children: t }),
    ],
  });
}
function Er({ label: t, value: e, max: n }) {
  return c("label", {
    class: "progress",
    children: [
      c("span", { children: t }),
      n > 0 ? c("progress", { value: e, max: n }) : c("progress", {}),
    ],
  });
}
function ct({ title: t, children: e }) {
  return c("div", { class: "empty", children: [c("p", { class: "empty-title", children: t }), e] });
}
function Ge({ error: t, title: e, retry: n }) {
  let r = ac(t);
  return c(re, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: e ?? r.title,
    children: [
      e !== void 0 && c("p", { children: [r.title, "."] }),
      c("p", { children: r.advice }),
      c("p", { class: "failure-code", children: [c("code", { children: r.code }), " ", r.detail] }),
      n !== void 0 && c(ue, { onClick: n, children: "Try again" }),
    ],
  });
}
function Fe({ loaded: t, what: e, retry: n, render: r }) {
  return c(H, {
    children: [
      t.state === "failed" && c(Ge, { error: t.error, title: `Cannot show ${e}`, retry: n }),
      t.value !== void 0
        ? r(t.value)
        : t.state === "loading"
        ? c(hn, { label: `Loading ${e}` })
        : null,
    ],
  });
}
function gi(t, e = "stamp") {
  if (t === "" || t === "#" || t === "#/") return { page: e };
  let [n, ...r] = t.split("/");
  return n !== "#" ? { page: "unknown" } : AS(r) ?? { page: "unknown" };
}
function AS(t) {
  let [e, n, r, ...o] = t;
  if (!(o.length > 0)) {
    return n === void 0
      ? e === "stamp" || e === "verify" || e === "explore" || e === "log" ? { page: e } : void 0
      : e === "explore"
      ? NS(n, r)
      : (e === "proof" || e === "certificate") && r === void 0 && Pe(n, S)
      ? { page: e, hash: n }
      : void 0;
  }
}
function NS(t, e) {
  if (e === void 0) return t === "tiles" ? { page: "tiles" } : void 0;
  let n = bt(e);
  if (n !== void 0) {
    return t === "batch"
      ? { page: "batch", id: n }
      : t === "position"
      ? { page: "position", index: n }
      : void 0;
  }
}
function ce(t) {
  switch (t.page) {
    case "proof":
    case "certificate":
      return `#/${t.page}/${t.hash}`;
    case "batch":
      return `#/explore/batch/${t.id}`;
    case "position":
      return `#/explore/position/${t.index}`;
    case "tiles":
      return "#/explore/tiles";
    case "unknown":
      return "#/stamp";
    default:
      return `#/${t.page}`;
  }
}
function cc(t) {
  return `${location.origin}${location.pathname}${ce(t)}`;
}
var dw = !0;
function Je({ title: t, isBelowExplore: e = !1, children: n }) {
  let r = Yt(null);
  return Ie(() => {
    document.title = `${t} - Countersign`, dw || r.current?.focus(), dw = !1;
  }, [t]),
    c(H, {
      children: [
        e &&
        c("nav", {
          class: "back-link",
          "aria-label": "Breadcrumb",
          children: c("a", { href: ce({ page: "explore" }), children: "Explore" }),
        }),
        c("header", {
          class: "page-head",
          children: [
            c("h1", { ref: r, tabindex: -1, children: t }),
            n !== void 0 && c("p", { class: "lead", children: n }),
          ],
        }),
      ],
    });
}
var Wu = fo(void 0);
function Y() {
  return Bn(Wu);
}
function Ae(t, e) {
  let { line: n } = Y(),
    [r, o] = W(0),
    [s, i] = W({ cause: "", loaded: { state: "loading" } }),
    a = JSON.stringify(e);
  Ie(() => {
    let d = new AbortController(),
      u = (l) => {
        d.signal.aborted ||
          i((h) => ({ cause: a, loaded: l(h.cause === a ? h.loaded.value : void 0) }));
      };
    return u((l) => ({ state: "loading", ...l !== void 0 && { value: l } })),
      n.ask(() => t(d.signal), d.signal).then(
        (l) => u(() => ({ state: "ready", value: l })),
        (l) => u((h) => ({ state: "failed", error: l, ...h !== void 0 && { value: h } })),
      ),
      () => d.abort();
  }, [a, r]);
  let f = Cn(() => o((d) => d + 1), []);
  return [s.cause === a ? s.loaded : { state: "loading" }, f];
}
function Yu() {
  let { clock: t } = Y(), [, e] = W(0);
  return Ie(() => {
    let n = setInterval(() => e(wt(t)), 1e3);
    return () => clearInterval(n);
  }, [t]),
    wt(t);
}
function fc() {
  let { line: t, stamps: e } = Y(), n = Ee(e.follower.submissions);
  return Ee(t) ?? n;
}
function Ee(t) {
  let [e, n] = W(t.state);
  return Ie(() => (n(t.state), t.subscribe(() => n(t.state))), [t]), e;
}
function cs(
  { label: t, text: e, hint: n, fault: r, onText: o, action: s, icon: i, secret: a = !1 },
) {
  let f = uo();
  return c(H, {
    children: [
      c("label", { for: f, children: t }),
      c("div", {
        class: "field-row",
        children: [
          c("input", {
            id: f,
            class: "input mono",
            type: a ? "password" : "text",
            value: e,
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: !1,
            "aria-invalid": r === void 0 ? void 0 : "true",
            "aria-describedby": `${f}-hint`,
            onInput: (d) => o(d.target.value),
          }),
          c("button", {
            type: "submit",
            class: "button",
            children: [i !== void 0 && c(Ze, { name: i }), c("span", { children: s })],
          }),
        ],
      }),
      c("p", {
        id: `${f}-hint`,
        class: r === void 0 ? "field-hint" : "field-error",
        role: "status",
        children: [r !== void 0 && c(Ze, { name: "warning" }), c("span", { children: r ?? n })],
      }),
    ],
  });
}
var BS = { wanted: "This gateway is private", refused: "The gateway does not accept this API key" };
function uw({ apiKey: t }) {
  let { fault: e, version: n } = Ee(t);
  return e === void 0 ? null : c(re, {
    tone: "warn",
    live: !0,
    title: BS[e],
    children: [
      c("p", {
        children: e === "wanted"
          ? "Enter the API key that its operator gave you. It stays in this tab until you close it."
          : "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator.",
      }),
      c(CS, { use: (r) => t.use(r) }, n),
    ],
  });
}
function lw({ apiKey: t }) {
  return Ee(t).key === void 0 ? null : c("p", {
    children: [
      "This tab uses an API key. ",
      c(ue, { onClick: () => t.use(""), children: "Forget it" }),
    ],
  });
}
function CS({ use: t }) {
  let [e, n] = W("");
  return c("form", {
    class: "field",
    onSubmit: (o) => {
      o.preventDefault(), e.trim() !== "" && t(e.trim());
    },
    noValidate: !0,
    children: c(cs, {
      label: "API key",
      text: e,
      hint: "43 letters, digits, hyphens and underscores",
      fault: void 0,
      action: "Use",
      secret: !0,
      onText: n,
    }),
  });
}
var Xu = ["system", "light", "dark"],
  IS = { system: "System theme", light: "Light theme", dark: "Dark theme" },
  Zu = "theme";
function hw(t) {
  gw(mw(t));
}
function pw() {
  let { storage: t } = Y(), [e, n] = W(() => mw(t));
  return Ie(() => gw(e), [e]),
    c("select", {
      class: "theme-switch",
      "aria-label": "Theme",
      value: e,
      onChange: (o) => {
        let s = Xu[o.target.selectedIndex] ?? "system";
        s === "system" ? t.remove(Zu) : t.write(Zu, s), n(s);
      },
      children: Xu.map((o) => c("option", { value: o, children: IS[o] }, o)),
    });
}
function mw(t) {
  let e = t.read(Zu);
  return Xu.find((n) => n === e) ?? "system";
}
function gw(t) {
  let e = document.documentElement;
  t === "system" ? e.removeAttribute("data-theme") : e.setAttribute("data-theme", t);
}
function J({ title: t, aside: e, children: n }) {
  let r = uo();
  return c("section", {
    class: "card",
    "aria-labelledby": r,
    children: [
      c("div", {
        class: "card-head",
        children: [
          c("h2", { id: r, tabindex: -1, children: t }),
          e !== void 0 && c("div", { class: "card-aside", children: e }),
        ],
      }),
      c("div", { class: "card-body", children: n }),
    ],
  });
}
var Ju = 2;
function ww(t, e, n) {
  let r = dc(e);
  if (r?.length === n) return { leaves: Qu(t, r), attestations: r.map(RS) };
}
function dc(t) {
  let e = [], n = new DataView(t.buffer, t.byteOffset, t.length), r = 0;
  for (; r + Ju <= t.length;) {
    let o = r + Ju;
    if (r = o + n.getUint16(r), r > t.length) return;
    e.push(t.subarray(o, r));
  }
  return r === t.length ? e : void 0;
}
function Qu(t, e) {
  let n = 0, r = Uint32Array.from(e, (o) => n += o.length);
  return t.leafHashes(pe(...e), r);
}
function yw(t, e) {
  let n = dc(t);
  if (n === void 0 || n.length < e) return;
  let r = n.slice(0, e).reduce((o, s) => o + Ju + s.length, 0);
  return t.slice(0, r);
}
function RS(t) {
  return lt(() => Ds(rt(t)));
}
function el(t) {
  let e = t.at(-1);
  if (e === void 0) return [];
  let n = t.map(({ period_end: r, tree_size: o }) => ({ x: r, y: o }));
  return e.period_start > 0 && n.push({ x: e.period_start, y: e.first_index }), n.toReversed();
}
function bw(t) {
  let e = el(t), [n, r] = [e[0], e.at(-1)];
  if (!(n === void 0 || r === void 0 || r.x <= n.x)) return (r.y - n.y) / (r.x - n.x);
}
function xw(t, e) {
  return { batch: t, seconds: Math.max(0, t.period_end - e) };
}
function _w(t) {
  return t.map(({ batch: e, seconds: n }) => ({ x: e.period_end, y: n })).toSorted((e, n) =>
    e.x - n.x
  );
}
function tl(t, e) {
  let n = t.toSorted((r, o) => r - o);
  return n[Math.min(n.length - 1, Math.max(0, Math.ceil(e * n.length) - 1))];
}
async function ho(t, { start: e, end: n, size: r, networkId: o }, s) {
  let i = [];
  for (let a of HS(e, n, r)) i.push(await LS(t, a, o, s));
  return i.flat();
}
async function LS({ api: t, crypto: e }, { index: n, width: r, base: o, start: s, end: i }, a, f) {
  let d = await t.tile("entries", n, r, f),
    { kernels: u } = await e.crypto(),
    l = ww(u, d, r)?.attestations ?? [];
  return Array.from({ length: i - s }, (h, p) => {
    let m = l[s - o + p];
    if (m?.sequence === s + p && m.network_id === a) return m;
    throw Ew(`entry ${s + p} is not the attestation with this sequence`);
  });
}
function HS(t, e, n) {
  let r = [];
  for (let o = t; o < e;) {
    let s = Math.floor(o / _e),
      i = s * _e,
      a = Math.min(e, i + _e),
      f = Math.min(a - i, xr(0, s, n));
    if (i + f < a) throw Ew("the log has fewer entries");
    r.push({ index: s, width: f, base: i, start: o, end: a }), o = a;
  }
  return r;
}
function Ew(t) {
  return new O("malformed_bundle", `Cannot read entries: ${t}`);
}
async function vw(t, e, n) {
  let { first_index: r, tree_size: o, network_id: s } = e,
    [i] = await ho(t, { start: r, end: r + 1, size: o, networkId: s }, n);
  return xw(e, i.timestamp);
}
var MS = 2e3;
function Rn({ text: t, what: e, named: n = !1 }) {
  let [r, o] = W(void 0);
  Ie(() => {
    if (r === void 0) return;
    let i = setTimeout(() => o(void 0), MS);
    return () => clearTimeout(i);
  }, [r]);
  let s = `Copy ${e}`;
  return c("button", {
    type: "button",
    class: n ? "button" : "icon-button",
    "aria-label": n ? void 0 : s,
    title: n ? void 0 : s,
    onClick: () => $S(t).then((i) => o(i ? "copied" : "failed")),
    children: [
      c(Ze, { name: r === "copied" ? "check" : r === "failed" ? "cross" : "copy" }),
      n && c("span", { children: s }),
      c("span", {
        class: "visually-hidden",
        role: "status",
        children: r === "copied" ? "Copied" : r === "failed" ? "Cannot copy" : "",
      }),
    ],
  });
}
async function $S(t) {
  try {
    return await navigator.clipboard.writeText(t), !0;
  } catch {
    let e = document.createElement("textarea");
    e.value = t, e.className = "visually-hidden";
    let { activeElement: n } = document;
    document.body.append(e), e.select();
    let r = document.execCommand("copy");
    return e.remove(), n instanceof HTMLElement && n.focus(), r;
  }
}
var Sw = 8;
function le({ text: t, what: e, href: n }) {
  let r = c(H, {
    children: [
      c("span", { class: "hash-start", children: t.slice(0, -Sw) }),
      c("span", { class: "hash-end", children: t.slice(-Sw) }),
    ],
  });
  return c("span", {
    class: "hash-line",
    children: [
      n === void 0
        ? c("span", { class: "hash", title: t, children: r })
        : c("a", { class: "hash", title: t, href: n, children: r }),
      e !== void 0 && c(Rn, { text: t, what: e }),
    ],
  });
}
function vr({ text: t, what: e }) {
  return c("span", {
    class: "whole-hash",
    children: [
      c("code", { children: t.match(/.{1,8}/g)?.map((n, r) => c("span", { children: n }, r)) }),
      c(Rn, { text: t, what: e }),
    ],
  });
}
function tt({ items: t }) {
  let e = Object.entries(t).filter(([, n]) => n !== void 0);
  return e.length === 0 ? null : c("dl", {
    class: "key-values",
    children: e.map(([n, r]) =>
      c("div", { children: [c("dt", { children: n }), c("dd", { children: r })] }, n)
    ),
  });
}
function Sr({ label: t, names: e, onBack: n, onNext: r, children: o }) {
  if (n === void 0 && r === void 0) return null;
  let [s, i] = e ?? ["Newer", "Older"];
  return c("nav", {
    class: "pager",
    "aria-label": t,
    children: [
      c(ue, { disabled: n === void 0, onClick: () => n?.(), children: s }),
      c("span", { class: "muted small", children: o }),
      c(ue, { disabled: r === void 0, onClick: () => r?.(), children: i }),
    ],
  });
}
function ve(t) {
  let e = new Date(t * 1e3);
  return Number.isNaN(e.getTime())
    ? `${t} s`
    : `${e.toISOString().slice(0, -5).replace("T", " ")} UTC`;
}
function Nt(t) {
  let e = Math.max(0, Math.floor(t));
  return e < 60
    ? `${e} s`
    : e < 3600
    ? `${Math.floor(e / 60)} min`
    : e < 2 * 86400
    ? `${Math.floor(e / 3600)} h`
    : `${Math.floor(e / 86400)} d`;
}
function nl(t, e) {
  let n = e - t;
  return Math.abs(n) < 2 ? "just now" : n > 0 ? `${Nt(n)} ago` : `in ${Nt(-n)}`;
}
function j(t) {
  return String(t).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
function Q(t, e, n = `${e}s`) {
  return `${j(t)} ${t === 1 ? e : n}`;
}
var Tw = ["kB", "MB", "GB", "TB", "PB"];
function Wn(t) {
  if (t < 1e3) return `${t} B`;
  let [e, n] = [t / 1e3, 0];
  for (; e >= 999.5 && n < Tw.length - 1;) [e, n] = [e / 1e3, n + 1];
  return `${e < 9.95 ? e.toFixed(1) : Math.round(e)} ${Tw[n]}`;
}
function fs(t, e) {
  return t.startsWith(`${e}/`) ? t.slice(e.length + 1) : t;
}
function uc(t, e) {
  return e === void 0 ? t : `${t} (${e})`;
}
function Tr({ time: t }) {
  let e = Yu(), n = ve(t);
  return c("time", {
    dateTime: n.replace(" UTC", "Z").replace(" ", "T"),
    title: n,
    children: nl(t, e),
  });
}
function Xt({ time: t }) {
  let e = Yu();
  return c("span", {
    class: "full-time",
    children: [
      c("span", { class: "nowrap", children: ve(t) }),
      " ",
      c("span", { class: "muted nowrap", children: ["(", nl(t, e), ")"] }),
    ],
  });
}
function St({ caption: t, columns: e, rows: n, keyOf: r }) {
  return c("div", {
    class: "table-scroll",
    role: "region",
    "aria-label": t,
    tabindex: 0,
    children: c("table", {
      children: [
        c("caption", { class: "visually-hidden", children: t }),
        c("thead", {
          children: c("tr", {
            children: e.map(([o, , s]) => c("th", { scope: "col", class: s, children: o }, o)),
          }),
        }),
        c("tbody", {
          children: n.map((o, s) =>
            c("tr", {
              children: e.map(([i, a, f], d) =>
                d === 0
                  ? c("th", { scope: "row", class: f, children: a(o, s) }, i)
                  : c("td", { class: f, children: a(o, s) }, i)
              ),
            }, r?.(o) ?? s)
          ),
        }),
      ],
    }),
  });
}
function rl(t, e, n, r) {
  return FS(t, e, { proof: n, sth: n.sth, expected: r });
}
async function FS(t, e, { proof: n, sth: r, expected: o }) {
  let s = r.tree_head,
    i = await pt(t, e, r),
    f = { leafHash: ze(n.leaf_hash, S) ?? new Uint8Array(), index: n.leaf_index },
    d = gt("sth", i) ?? PS(n, o) ?? js([["tree_size", n.tree_size, s.tree_size]]) ??
      Uo(t.kernels, f, n.inclusion_path, s) ?? await jS(t, e, n, o.signedAttestation);
  return { ...Et(i, d), unauthenticated: o.signedAttestation === void 0 ? ["hash"] : [] };
}
function PS(t, e) {
  if (t.hash !== e.hash) return { reason: "hash_mismatch", field: "hash" };
  if (e.treeSize !== void 0 && t.tree_size !== e.treeSize) {
    return { reason: "tree_size_mismatch", field: "tree_size" };
  }
}
async function jS(t, e, n, r) {
  if (r === void 0) return;
  let o = await Vs(t, e, r);
  return o.valid
    ? js([["hash", n.hash, r.attestation.hash], [
      "leaf_index",
      n.leaf_index,
      r.attestation.sequence,
    ], ["leaf_hash", n.leaf_hash, V(o.leafHash ?? new Uint8Array())]])
    : gt("signed_attestation", o);
}
var DS = {
  invalid: "not valid",
  basic: "signed",
  batched: "in the log",
  federated: "in the log, which peers cosigned",
};
function wi({ valid: t, level: e, layers: n }) {
  let r = n.batch.status === "failed" ||
    e === "batched" && n.cross_anchors.some(({ status: o }) => o === "failed");
  return { name: DS[e], tone: t ? r ? "warn" : "good" : "bad" };
}
function lc(t, e) {
  return t === "good" && e?.home.source !== "file" ? "info" : t;
}
function hc(t) {
  let { verdict: e, fileName: n = "the file", isOtherFile: r } = t,
    o = `${n} has another hash than the attested file.`;
  if (!e.valid) {
    let f = qS(t);
    return r ? { ...f, notes: [...f.notes, o] } : f;
  }
  if (r) {
    return {
      tone: "bad",
      sentence: "The proof is genuine but belongs to another file.",
      notes: [o],
    };
  }
  let s = GS(e), i = e.time.contradictions.length > 0;
  i && s.push("Two times in the proof contradict each other: see the details.");
  let { tone: a } = wi(e);
  return { tone: i ? "warn" : a, sentence: US(t), notes: s };
}
function US({ bundle: t, verdict: e, network: n, fileName: r }) {
  let { layers: { attestation: o, batch: s, federation: i }, level: a, time: f } = e,
    d = f.not_after[0]?.time ?? t.signed_attestation.attestation.timestamp,
    u = o.signatures?.verified ?? 0,
    { followed: l = n } = e,
    { sequence: h } = t.signed_attestation.attestation,
    p = ya(l, h) ?? n,
    m = Q(p.witnesses.length, "witness", "witnesses"),
    g = `${r ?? "The file with this hash"} existed by ${ve(d)}; ${u} of ${m} of ${n.id}${
      zS(l, p)
    } signed it`;
  if (a === "federated") {
    let w = Q(i.counted.length, "peer network");
    return `${g}, it is in their log, and ${w} cosigned that log.`;
  }
  return a === "batched"
    ? `${g}, and it is in their log.`
    : s.status === "failed"
    ? `${g}, but the proof that it is in their log does not verify.`
    : `${g}. The proof does not show yet that it is in their log.`;
}
function zS({ epoch: t = 0, epochs: e }, { epoch: n = 0 }) {
  if (e === void 0) return "";
  let r = n === t ? "that of" : "followed from", o = n === t ? "" : `, of epoch ${t}`;
  return ` (epoch ${n}, ${r} the configuration in use${o})`;
}
function kw({ bundle: t, verdict: e }) {
  return e.layers.batch.status === "verified" ? t.batch_inclusion?.sth.tree_head : void 0;
}
function qS({ bundle: t, verdict: e, network: n }) {
  let { attestation: r } = e.layers;
  if (r.reason !== "network_mismatch") {
    return {
      tone: "bad",
      sentence: `The proof does not verify with the keys of ${n.id}.`,
      notes: [nn(r)],
    };
  }
  let o = t.signed_attestation.attestation.network_id;
  return {
    tone: "warn",
    sentence: `The proof is from ${o}, and the configuration in use is for ${n.id}.`,
    notes: [`Choose the configuration of ${o} to verify it.`],
  };
}
function GS({ layers: t }) {
  let e = t.cross_anchors.filter(({ status: n }) => n === "failed").length;
  return e === 0 ? [] : [`${Q(e, "cross-anchor")} ${e === 1 ? "does" : "do"} not verify.`];
}
var pc = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};
function nn({ reason: t, field: e, witness: n }) {
  if (t === void 0) return "";
  let r = [e, n].filter((o) => o !== void 0).join(", ");
  return r === "" ? Pt[t] : `${Pt[t]} (${r})`;
}
function ds({ outcome: t, isPinned: e }) {
  let { valid: n, verified: r, required: o } = t;
  return c("span", {
    class: "signed-by",
    children: [
      n
        ? c(ie, { tone: e ? "good" : "info", children: `${r} valid signatures, ${o} required` })
        : c(ie, { tone: "bad", children: "Not verified" }),
      n ? null : c("span", { children: nn(t) }),
    ],
  });
}
function kr({ isPinned: t }) {
  return c("p", {
    class: "muted small",
    children: t
      ? "Signatures are verified in this browser, under your pinned configuration."
      : c(H, {
        children: [
          "No configuration is pinned. Signatures are verified with the keys that this gateway names, so they prove no more than its word.",
          " ",
          c("a", { href: ce({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
  });
}
function Or({ id: t }) {
  return c("a", { href: ce({ page: "batch", id: t }), children: j(t) });
}
var Ow = 25;
function Aw({ batch: t, head: e }) {
  let { sth: n, outcome: r, trust: o } = e,
    { tree_size: s, root_hash: i, timestamp: a, network_id: f } = n.tree_head,
    { first_index: d, attestation_count: u, period_start: l, period_end: h } = t,
    p = t.root_hash === i && t.network_id === f;
  return c(J, {
    title: "Tree head",
    children: [
      p ? null : c(re, {
        tone: "bad",
        title: "The batch and its tree head have different roots",
        children: c("p", {
          children: [
            "The gateway lists root ",
            c("code", { children: t.root_hash }),
            " ",
            "for this batch; the tree head of its size has another. Only the signed root counts.",
          ],
        }),
      }),
      c(tt, {
        items: {
          "Log size": j(s),
          Root: c(le, { text: i, what: "root hash" }),
          Signed: c(Xt, { time: a }),
          Witnesses: c(ds, { outcome: r, isPinned: o.isPinned }),
          Attestations: VS(d, u),
          "Time covered": l === 0 ? "from the beginning of the log" : `${Nt(h - l)}, from ${ve(l)}`,
          "Previous batch": d === 0 ? "none, this is the first" : c(Or, { id: d }),
        },
      }),
      c(kr, { isPinned: o.isPinned }),
    ],
  });
}
function VS(t, e) {
  let n = e === 1 ? `position ${j(t)}` : `positions ${j(t)} to ${j(t + e - 1)}`;
  return `${Q(e, "attestation")}, ${n}`;
}
function Nw({ head: { sth: t, outcome: e, trust: n } }) {
  let r = new Set(n.network.witnesses.map(({ id: s }) => s)),
    o = (s) =>
      e.signers.includes(s)
        ? c(ie, { tone: "good", children: "Valid" })
        : r.has(s)
        ? c(ie, { tone: "bad", children: "Not valid" })
        : c(ie, { tone: "neutral", children: "Not a configured witness" });
  return c(J, {
    title: "Signatures",
    children: Dn(t)
      ? c(St, {
        caption: "Signatures of the tree head",
        rows: t.signatures,
        columns: [["Witness", ({ witness_id: s }) => c("span", { class: "mono", children: s })], [
          "State",
          ({ witness_id: s }) => o(s),
        ], ["Signature", ({ witness_id: s, signature: i }) =>
          c(le, { text: i, what: `signature of ${s}` })]],
      })
      : c(tt, {
        items: {
          Aggregate: c(le, { text: t.signature, what: "aggregate signature" }),
          Signers: c("span", {
            class: "lines mono",
            children: t.signers.map((s) => c("span", { children: s }, s)),
          }),
        },
      }),
  });
}
function Bw({ batch: t }) {
  let e = Y(),
    [n, r] = W(0),
    { first_index: o, tree_size: s, network_id: i, attestation_count: a } = t,
    f = o + n * Ow,
    d = Math.min(s, f + Ow),
    [u, l] = Ae((h) => ho(e, { start: f, end: d, size: s, networkId: i }, h), [t.id, n]);
  return c(J, {
    title: "Attestations",
    aside: c("span", { class: "muted", children: j(a) }),
    children: [
      c(Fe, {
        loaded: u,
        what: "the attestations",
        retry: l,
        render: (h) =>
          h.length === 0 ? c(ct, { title: "This batch is empty" }) : c(St, {
            caption: "Attestations in the order of the log",
            rows: h,
            keyOf: ({ sequence: p }) => p,
            columns: [["Position", ({ sequence: p }) => j(p)], [
              "Hash",
              ({ hash: p }) => c(le, { text: p, href: ce({ page: "proof", hash: p }) }),
            ], ["Signed", ({ timestamp: p }) => c("span", { class: "nowrap", children: ve(p) })]],
          }),
      }),
      c(Sr, {
        label: "Pages of attestations",
        names: ["Previous", "Next"],
        onBack: n === 0 ? void 0 : () => r(n - 1),
        onNext: d >= s ? void 0 : () => r(n + 1),
        children: `${j(f)} to ${j(d - 1)}`,
      }),
    ],
  });
}
function Cw({ bundle: t, verdict: e, isPinned: n }) {
  let { attestation: r, batch: o } = e.layers;
  return c("ul", {
    class: "layers",
    children: [
      c(ol, {
        name: "Attestation",
        layer: r,
        isPinned: n,
        children: r.status === "verified" &&
          "The witnesses signed this hash, its time and its position.",
      }),
      c(ol, {
        name: "Batch",
        layer: o,
        isPinned: n,
        children: o.status === "verified"
          ? "It is in the log whose tree head the witnesses signed."
          : o.status === "absent" &&
            "The proof was saved before the hash entered the log. A newer proof has this layer.",
      }),
      c(sl, { bundle: t, verdict: e, isPinned: n }),
    ],
  });
}
function sl({ bundle: t, verdict: { layers: e }, isPinned: n }) {
  let { cross_anchors: r, federation: o } = e;
  return c(H, {
    children: [
      r.length === 0
        ? c(mc, {
          name: "Cross-anchors",
          badge: ["neutral", pc.absent.name],
          children: "No peer network.",
        })
        : r.map((s, i) =>
          c(ol, {
            name: `Cross-anchor of ${s.network}`,
            layer: s,
            isPinned: n,
            children: [
              s.status === "verified" && !s.counted && "It does not count. ",
              KS(t.cross_anchors[i].tree_head),
            ],
          }, i)
        ),
      (r.length > 0 || o.reason !== "federation_disabled") &&
      c(mc, {
        name: "Federation",
        badge: o.reason === void 0 ? [n ? "good" : "info", "Verified"] : ["neutral", "Not met"],
        children: [
          o.counted.length,
          " of ",
          Q(o.required, "required peer"),
          " count.",
          " ",
          o.reason === void 0 ? "" : Pt[o.reason],
        ],
      }),
      c(WS, { bundle: t, external: e.external_anchors }),
    ],
  });
}
function KS({ tree_size: t, timestamp: e }) {
  return `Tree head of size ${j(t)}, dated ${ve(e)}.`;
}
function WS({ bundle: t, external: e }) {
  let { present: n, unbound: r, anchors: o } = e,
    s = t.external_anchors.filter((i, a) => o[a]?.bound);
  return c(mc, {
    name: "External anchors",
    badge: n > 0 ? ["info", "Present"] : ["neutral", pc.absent.name],
    children: [
      n > 0 &&
      "Present, not independently verified. The command line verifies them with --anchors.",
      n === 0 && r === 0 && "No external service.",
      s.map(({ provider: i, service: a, status: f, tree_head: d, timestamp: u }, l) =>
        c("span", {
          class: "lines",
          children: [uc(i, a), ": ", f, ", size", " ", j(d.tree_size), ", requested ", ve(u)],
        }, l)
      ),
      r > 0 && ` ${Q(r, "anchor")} not bound to this attestation, ignored.`,
    ],
  });
}
function ol({ name: t, layer: e, isPinned: n, children: r }) {
  let { name: o, tone: s } = pc[e.status], { signatures: i } = e;
  return c(mc, {
    name: t,
    badge: [s === "good" && !n ? "info" : s, o],
    children: [
      e.status === "verified" && i !== void 0
        ? `${Q(i.verified, "signature")} of ${i.required} required. `
        : "",
      nn(e),
      " ",
      r,
    ],
  });
}
function mc({ name: t, badge: [e, n], children: r }) {
  return c("li", {
    children: [
      c("span", {
        class: "layer-head",
        children: [
          c("span", { class: "layer-name", children: t }),
          c(ie, { tone: e, children: n }),
        ],
      }),
      c("span", { class: "layer-text", children: r }),
    ],
  });
}
function Iw({ id: t }) {
  let e = Y(),
    n = Ot(Ee(e.trust)),
    [r, o] = Ae(async (s) => {
      let [{ value: i }, a] = await Promise.all([e.api.batch(t, s), Nn(e, t, s)]);
      return { batch: i, head: a };
    }, [t, n]);
  return c(H, {
    children: [
      c(Je, {
        title: `Batch ${j(t)}`,
        isBelowExplore: !0,
        children:
          "The growth of the log between two tree heads. Its number is the size of the log at its end.",
      }),
      c(Fe, {
        loaded: r,
        what: "the batch",
        retry: o,
        render: ({ batch: s, head: i }) =>
          c(H, {
            children: [
              c(Aw, { batch: s, head: i }),
              c(Nw, { head: i }),
              s.attestation_count === 0 ? null : c(YS, { batch: s, trustKey: n }),
              c(Bw, { batch: s }),
            ],
          }),
      }),
    ],
  });
}
function YS({ batch: t, trustKey: e }) {
  let n = Y(),
    [r, o] = Ae(async (s) => {
      let { first_index: i, tree_size: a, network_id: f } = t,
        d = { start: i, end: i + 1, size: a, networkId: f },
        [u] = await ho(n, d, s);
      return await Ra(n, u.hash, s);
    }, [t.id, e]);
  return c(Fe, {
    loaded: r,
    what: "the anchors",
    retry: o,
    render: ({ bundle: s, verdict: i, trust: a }) =>
      c(H, {
        children: [
          i.layers.batch.status === "verified" ? null : c(re, {
            tone: "bad",
            title: "The first attestation is not proved to be in this batch",
            children: c("p", {
              children: [
                nn(i.layers.attestation),
                " ",
                nn(i.layers.batch),
                " ",
                "Therefore the anchors below were not checked.",
              ],
            }),
          }),
          c(J, {
            title: "Anchors",
            children: c("ul", {
              class: "layers",
              children: c(sl, { bundle: s, verdict: i, isPinned: a.isPinned }),
            }),
          }),
        ],
      }),
  });
}
var XS = (() => {
    let t = [];
    for (let e = 1; e <= 40; e++) {
      let n = (16 * e + 128) * e + 64;
      if (e >= 2) {
        let r = Math.floor(e / 7) + 2;
        n -= (25 * r - 10) * r - 55, e >= 7 && (n -= 36);
      }
      t.push(n >>> 3);
    }
    return t;
  })(),
  ZS = ["low", "medium", "quartile", "high"],
  JS = {
    low: [
      7,
      10,
      15,
      20,
      26,
      18,
      20,
      24,
      30,
      18,
      20,
      24,
      26,
      30,
      22,
      24,
      28,
      30,
      28,
      28,
      28,
      28,
      30,
      30,
      26,
      28,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
    ],
    medium: [
      10,
      16,
      26,
      18,
      24,
      16,
      18,
      22,
      22,
      26,
      30,
      22,
      22,
      24,
      24,
      28,
      28,
      26,
      26,
      26,
      26,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
      28,
    ],
    quartile: [
      13,
      22,
      18,
      26,
      18,
      24,
      18,
      22,
      20,
      24,
      28,
      26,
      24,
      20,
      30,
      24,
      28,
      28,
      26,
      30,
      28,
      30,
      30,
      30,
      30,
      28,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
    ],
    high: [
      17,
      28,
      22,
      16,
      22,
      28,
      26,
      26,
      24,
      28,
      24,
      28,
      22,
      24,
      24,
      30,
      28,
      28,
      26,
      28,
      30,
      24,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
      30,
    ],
  },
  QS = {
    low: [
      1,
      1,
      1,
      1,
      1,
      2,
      2,
      2,
      2,
      4,
      4,
      4,
      4,
      4,
      6,
      6,
      6,
      6,
      7,
      8,
      8,
      9,
      9,
      10,
      12,
      12,
      12,
      13,
      14,
      15,
      16,
      17,
      18,
      19,
      19,
      20,
      21,
      22,
      24,
      25,
    ],
    medium: [
      1,
      1,
      1,
      2,
      2,
      4,
      4,
      4,
      5,
      5,
      5,
      8,
      9,
      9,
      10,
      10,
      11,
      13,
      14,
      16,
      17,
      17,
      18,
      20,
      21,
      23,
      25,
      26,
      28,
      29,
      31,
      33,
      35,
      37,
      38,
      40,
      43,
      45,
      47,
      49,
    ],
    quartile: [
      1,
      1,
      2,
      2,
      4,
      4,
      6,
      6,
      8,
      8,
      8,
      10,
      12,
      16,
      12,
      17,
      16,
      18,
      21,
      20,
      23,
      23,
      25,
      27,
      29,
      34,
      34,
      35,
      38,
      40,
      43,
      45,
      48,
      51,
      53,
      56,
      59,
      62,
      65,
      68,
    ],
    high: [
      1,
      1,
      2,
      4,
      4,
      4,
      5,
      6,
      8,
      8,
      11,
      11,
      16,
      16,
      18,
      16,
      19,
      21,
      25,
      25,
      25,
      34,
      30,
      32,
      35,
      37,
      40,
      42,
      45,
      48,
      51,
      54,
      57,
      60,
      63,
      66,
      70,
      74,
      77,
      81,
    ],
  },
  eT = { low: 1, medium: 0, quartile: 3, high: 2 },
  yc = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
function tT(t) {
  if (t = Pw(t), t === 1) return [];
  let e = 21 + 4 * (t - 1) - 7, n = Math.ceil((e - 6) / 28), r = Math.floor((e - 6) / n);
  r % 2 ? r += 1 : (e - 6) % n * 2 >= n && (r += 2);
  let o = [6];
  for (let s = 1; s < n; s++) o.push(e - (n - s) * r);
  return o.push(e), o;
}
function nT(t, e) {
  let n = eT[t] << 3 | e, r = n;
  for (let o = 0; o < 10; o++) r = r << 1 ^ (r >> 9) * 1335;
  return (n << 10 | r) ^ 21522;
}
function rT(t) {
  let e = t;
  for (let n = 0; n < 12; n++) e = e << 1 ^ (e >> 11) * 7973;
  return t << 12 | e;
}
var oT = { numeric: 1, alphanumeric: 2, byte: 4 },
  yi = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] },
  al = (() => {
    let t = new Uint8Array(510), e = new Uint8Array(256);
    for (let n = 0, r = 1; n < 255; n++) {
      t[n] = t[n + 255] = r, e[r] = n, r <<= 1, r & 256 && (r ^= 285);
    }
    return { exp: t, log: e };
  })();
function sT(t) {
  let { exp: e, log: n } = al, r = new Uint8Array(t);
  r[t - 1] = 1;
  for (let o = 0, s = 1; o < t; o++) {
    for (let i = 0; i < t; i++) {
      let a = r[i];
      r[i] = (a ? e[n[a] + n[s]] : 0) ^ (i + 1 < t ? r[i + 1] : 0);
    }
    s = e[n[s] + 1];
  }
  return r;
}
var Rw = [];
function iT(t) {
  let e = Rw[t];
  if (e !== void 0) return e;
  let n = sT(t), { exp: r, log: o } = al, s = new Uint8Array(256 * t);
  for (let i = 1; i < 256; i++) {
    let a = o[i], f = i * t;
    for (let d = 0; d < t; d++) {
      let u = n[d];
      u && (s[f + d] = r[o[u] + a]);
    }
  }
  return Rw[t] = { gen: n, mul: s };
}
function aT(t, e, n) {
  let { exp: r, log: o } = al, s = e.length, i = new Uint8Array(s);
  if (n !== void 0) {
    let a = s - 1;
    for (let f = 0; f < t.length; f++) {
      let d = (t[f] ^ i[0]) * s;
      for (let u = 0; u < a; u++) i[u] = i[u + 1] ^ n[d + u];
      i[a] = n[d + a];
    }
    return i;
  }
  for (let a = 0; a < t.length; a++) {
    let f = t[a] ^ i[0];
    if (i.copyWithin(0, 1), i[s - 1] = 0, f) {
      for (let d = 0; d < s; d++) e[d] && (i[d] ^= r[o[e[d]] + o[f]]);
    }
  }
  return i;
}
function bc(t, e) {
  let n = XS[t - 1], r = JS[e][t - 1], o = QS[e][t - 1], s = Math.floor(n / o) - r, i = o - n % o;
  return { words: r, numBlocks: o, shortBlocks: i, blockLen: s, capacity: (n - r * o) * 8 };
}
var Hn = (t) => {
  throw new Error(t);
};
function Pw(t) {
  if (typeof t != "number") throw new TypeError(`"ver" expected number, got type=${typeof t}`);
  if (!Number.isSafeInteger(t)) throw new RangeError(`"ver" expected safe integer, got ${t}`);
  if (t < 1 || t > 40) throw new RangeError(`Invalid version=${t}. Expected number [1..40]`);
  return t;
}
function cT(t) {
  let e = "numeric";
  for (let n = 0; n < t.length; n++) {
    let r = wc[t.charCodeAt(n)];
    if (!(r >= 0)) return "byte";
    r > 9 && (e = "alphanumeric");
  }
  return e;
}
var wc = (() => {
  let t = new Int8Array(128).fill(-1);
  for (let e = 0; e < yc.length; e++) t[yc.charCodeAt(e)] = e;
  return t;
})();
function fT(t, e, n, r, o) {
  let s = bc(t, e), i = yi[r][Math.floor((t + 7) / 17)], a = r === "byte" ? o.length : n.length;
  a >= 1 << i && Hn("Capacity overflow");
  let f = new Uint8Array(s.capacity >>> 3),
    d = 0,
    u = 0,
    l = 0,
    h = (N, R) => {
      for (d = d << R | N, u += R; u >= 8;) f[l++] = d >>> (u -= 8) & 255;
    };
  if (h(oT[r], 4), h(a, i), r === "numeric") {
    for (let N = 0; N < a; N += 3) {
      let R = Math.min(3, a - N);
      h(Number(n.slice(N, N + R)), [0, 4, 7, 10][R]);
    }
  } else if (r === "alphanumeric") {
    for (let N = 0; N + 1 < a; N += 2) h(wc[n.charCodeAt(N)] * 45 + wc[n.charCodeAt(N + 1)], 11);
    a & 1 && h(wc[n.charCodeAt(a - 1)], 6);
  } else for (let N = 0; N < o.length; N++) h(o[N], 8);
  let p = l * 8 + u;
  p > s.capacity && Hn("Capacity overflow"),
    u && (f[l] = d << 8 - u & 255),
    p += Math.min(4, s.capacity - p),
    p & 7 && (p += 8 - (p & 7));
  for (let N = p >>> 3, R = 0; N < f.length; N++, R ^= 1) f[N] = R ? 17 : 236;
  let { words: m, numBlocks: g, shortBlocks: w, blockLen: b } = s, x = iT(m), y = [], _ = [];
  for (let N = 0, R = 0; N < g; N++) {
    let z = b + (N < w ? 0 : 1);
    y.push(f.subarray(R, R + z)), _.push(aT(y[N], x.gen, x.mul)), R += z;
  }
  let v = new Uint8Array(f.length + m * g), I = 0;
  for (let N = 0; N <= b; N++) for (let R of y) N < R.length && (v[I++] = R[N]);
  for (let N = 0; N < m; N++) for (let R of _) v[I++] = R[N];
  return v;
}
function dT(t, e) {
  let n = t % 2, r = e % 2, o = t % 3, s = o * (e % 3) % 3, i = n & r, a = 0;
  return n === r && (a |= 1),
    r === 0 && (a |= 2),
    o === 0 && (a |= 4),
    (t + e) % 3 === 0 && (a |= 8),
    (Math.floor(e / 2) + Math.floor(t / 3)) % 2 === 0 && (a |= 16),
    i + s === 0 && (a |= 32),
    (i + s) % 2 === 0 && (a |= 64),
    ((n ^ r) + s) % 2 === 0 && (a |= 128),
    a;
}
var Lw = (() => {
    let t = new Uint8Array(65536);
    for (let e = 1; e < t.length; e++) t[e] = t[e >>> 1] + (e & 1);
    return t;
  })(),
  us = (t) => Lw[t & 65535] + Lw[t >>> 16],
  uT = new Uint32Array(32);
function lT(t) {
  let e = [1431655765, 858993459, 252645135, 16711935, 65535];
  for (let n = 0; n < 5; n++) {
    let r = e[n] >>> 0, o = 1 << n;
    for (let s = 0; s < 32; s += o << 1) {
      for (let i = 0; i < o; i++) {
        let a = t[s + i] >>> 0, f = t[s + i + o] >>> 0, d = (a >>> o ^ f) & r;
        t[s + i] = (a ^ d << o) >>> 0, t[s + i + o] = (f ^ d) >>> 0;
      }
    }
  }
}
var po = (t) => {
    let e = t + 31 >>> 5;
    return { size: t, words: e, v: new Uint32Array(e * t) };
  },
  jw = (t, e, n) => t.v[n * t.words + (e >>> 5)] >>> (e & 31) & 1,
  Ln = (t, e, n, r) => {
    let o = n * t.words + (e >>> 5), s = 1 << (e & 31);
    t.v[o] = r ? t.v[o] | s : t.v[o] & ~s;
  };
function Dw(t, e) {
  let { size: n, words: r, v: o } = t, s = uT;
  for (let i = 0; i < n; i += 32) {
    for (let a = 0; a < r; a++) {
      let f = Math.min(32, n - i);
      for (let d = 0; d < f; d++) s[d] = o[(i + d) * r + a];
      s.fill(0, f), lT(s);
      for (let d = 0, u = a * 32; d < 32 && u < n; d++, u++) e.v[u * e.words + (i >>> 5)] = s[d];
    }
  }
}
function Hw(t) {
  let { size: e, words: n, v: r } = t, o = e & 31 ? (1 << (e & 31)) - 1 >>> 0 : 4294967295, s = 0;
  for (let i = 0; i < n; i++) {
    let a = i === n - 1 ? o : 4294967295,
      f = r[3 * n + i],
      d = 4294967295,
      u = r[i] ^ r[n + i],
      l = r[n + i] ^ r[2 * n + i],
      h = r[2 * n + i] ^ f;
    for (let p = 0, m = 4 * n + i; p <= e - 5; p++, m += n) {
      let g = r[m], w = f ^ g, b = ~(u | l | h | w) & a;
      b && (s += us(b >>> 0) + 2 * us((b & d) >>> 0)), d = u, u = l, l = h, h = w, f = g;
    }
  }
  return s;
}
function Mw(t) {
  let { size: e, words: n, v: r } = t, o = e & 31 ? (1 << (e & 31)) - 1 >>> 0 : 4294967295, s = 0;
  for (let i = 0; i < n; i++) {
    let a = i === n - 1 ? o : 4294967295;
    for (let f = 0; f <= e - 11; f++) {
      let d = f * n + i,
        u = r[d],
        l = r[d += n],
        h = r[d += n],
        p = r[d += n],
        m = r[d += n],
        g = r[d += n],
        w = r[d += n],
        b = r[d += n],
        x = r[d += n],
        y = r[d += n],
        _ = r[d + n],
        v = a & u & ~l & h & p & m & ~g & w & ~(b | x | y | _),
        I = a & ~(u | l | h | p) & m & ~g & w & b & x & ~y & _;
      s += us(v >>> 0) + us(I >>> 0);
    }
  }
  return s;
}
function hT(t, e, n = 1 / 0) {
  let { size: r, words: o, v: s } = t, i = Hw(t) + Hw(e);
  if (i >= n) return i;
  let a = (1 << r - 32 * (o - 1) - 1) - 1 >>> 0, f = 0, d = 0;
  for (let p = 0; p < r; p++) {
    for (let m = 0; m < o; m++) {
      let g = s[p * o + m];
      if (d += us(g >>> 0), p === r - 1) continue;
      let w = s[(p + 1) * o + m],
        b = m + 1 < o ? s[p * o + m + 1] : 0,
        x = m + 1 < o ? s[(p + 1) * o + m + 1] : 0,
        y = ~(g ^ w),
        _ = ~(g ^ (g >>> 1 | b << 31)),
        v = ~(w ^ (w >>> 1 | x << 31)),
        I = y & _ & v;
      m === o - 1 && (I &= a), f += us(I >>> 0);
    }
  }
  let u = r * r,
    l = Math.ceil(Math.max(0, Math.abs(d * 100 - u * 50) - u * 5) / (u * 5)),
    h = i + 3 * f + 10 * l;
  return h >= n ? h : h + 40 * (Mw(t) + Mw(e));
}
function pT(t, e, n, r) {
  let o = t.size, s = nT(n, r);
  for (let i = 0; i < 15; i++) {
    let a = s >> i & 1;
    i < 6
      ? Ln(t, 8, i, a)
      : i < 8
      ? Ln(t, 8, i + 1, a)
      : i === 8
      ? Ln(t, 7, 8, a)
      : Ln(t, 14 - i, 8, a), i < 8 ? Ln(t, o - 1 - i, 8, a) : Ln(t, 8, o - 15 + i, a);
  }
  if (Ln(t, 8, o - 8, 1), e >= 7) {
    let i = rT(e);
    for (let a = 0; a < 18; a++) {
      let f = i >> a & 1, d = o - 11 + a % 3, u = a / 3 | 0;
      Ln(t, d, u, f), Ln(t, u, d, f);
    }
  }
}
var gc;
function mT(t) {
  let e = 21 + 4 * (t - 1),
    n = po(e),
    r = new Uint8Array(e * e),
    o = (u, l, h) => {
      Ln(n, u, l, h), r[l * e + u] = 1;
    };
  for (let [u, l] of [[0, 0], [e - 7, 0], [0, e - 7]]) {
    for (let h = -1; h < 8; h++) {
      for (let p = -1; p < 8; p++) {
        let m = u + p, g = l + h;
        if (m < 0 || g < 0 || m >= e || g >= e) continue;
        let w = p >= 0 && p < 7 && h >= 0 && h < 7 &&
          (p === 0 || p === 6 || h === 0 || h === 6 || p > 1 && p < 5 && h > 1 && h < 5);
        o(m, g, w ? 1 : 0);
      }
    }
  }
  let s = tT(t);
  for (let u of s) {
    for (let l of s) {
      if (!r[u * e + l]) {
        for (let h = -2; h <= 2; h++) {
          for (let p = -2; p <= 2; p++) {
            let m = Math.max(Math.abs(p), Math.abs(h)) !== 1;
            o(l + p, u + h, m ? 1 : 0);
          }
        }
      }
    }
  }
  for (let u = 0; u < e; u++) {
    r[6 * e + u] || o(u, 6, u % 2 === 0 ? 1 : 0), r[u * e + 6] || o(6, u, u % 2 === 0 ? 1 : 0);
  }
  for (let u = 0; u < 9; u++) {
    u !== 6 && (o(8, u, 0), o(u, 8, 0)), u < 8 && (o(e - 1 - u, 8, 0), o(8, e - 1 - u, 0));
  }
  if (t >= 7) {
    for (let u = 0; u < 18; u++) {
      let l = e - 11 + u % 3, h = u / 3 | 0;
      o(l, h, 0), o(h, l, 0);
    }
  }
  let i = [];
  for (let u = 0; u < 8; u++) i.push(po(e));
  let a = new Uint16Array(e * e), f = 0;
  for (let u = e - 1, l = -1, h = e - 1; u > 0; u -= 2, l = -l) {
    for (u === 6 && (u = 5);; h += l) {
      for (let p = 0; p < 2; p++) {
        let m = u - p;
        if (r[h * e + m]) continue;
        let g = h * n.words + (m >>> 5);
        a[f++] = g << 5 | m & 31;
        for (let w = 0, b = dT(m, h); b; w++, b >>= 1) b & 1 && (i[w].v[g] |= 1 << (m & 31));
      }
      if (h + l < 0 || h + l >= e) break;
    }
  }
  let d = i.map((u) => {
    let l = po(e);
    return Dw(u, l), l.v;
  });
  return {
    ver: t,
    tpl: n.v,
    pos: a.slice(0, f),
    planes: i.map((u) => u.v),
    planesT: d,
    work: [po(e), po(e), po(e), po(e)],
  };
}
function gT(t, e, n, r, o = !1) {
  (gc === void 0 || gc.ver !== t) && (gc = mT(t));
  let { tpl: s, pos: i, planes: a, planesT: f, work: d } = gc, [u, l, h, p] = d;
  u.v.set(s);
  let m = Math.min(8 * n.length, i.length);
  for (let b = 0; b < m; b++) {
    if (n[b >>> 3] & 128 >>> (b & 7)) {
      let x = i[b];
      u.v[x >>> 5] |= 1 << (x & 31);
    }
  }
  let g = r;
  if (g === void 0) {
    Dw(u, l);
    let b = 1 / 0;
    for (let x = 0; x < 8; x++) {
      let y = a[x], _ = f[x];
      for (let I = 0; I < h.v.length; I++) h.v[I] = u.v[I] ^ y[I], p.v[I] = l.v[I] ^ _[I];
      let v = hT(h, p, b);
      v < b && (b = v, g = x);
    }
  }
  let w = a[g];
  for (let b = 0; b < u.v.length; b++) u.v[b] ^= w[b];
  return o || pT(u, t, e, g), u;
}
var il = (t, e) => {
    if (typeof t != "number") throw new TypeError(`"${e}" expected number, got type=${typeof t}`);
    if (!Number.isSafeInteger(t)) throw new RangeError(`"${e}" expected safe integer, got ${t}`);
    return t;
  },
  $w = (t, e) => {
    if (typeof t != "string") throw new TypeError(`"${e}" expected string, got type=${typeof t}`);
    return t;
  };
function wT(t) {
  let e = 0;
  for (let n = 0; n < t.length; n++) {
    let r = t.charCodeAt(n);
    if (r < 128) e++;
    else if (r < 2048) e += 2;
    else if (r < 55296 || r > 57343) e += 3;
    else if (r <= 56319 && n + 1 < t.length) {
      let o = t.charCodeAt(n + 1);
      o >= 56320 && o <= 57343 ? (e += 4, n++) : e += 3;
    } else e += 3;
  }
  return e;
}
function yT(t, e) {
  let n = yi.byte[Math.floor((t + 7) / 17)];
  return Math.min((1 << n) - 1, Math.floor((bc(t, e).capacity - 4 - n) / 8));
}
function bT(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var bi = (t, e, n) => t.map[e] >= 0 && t.map[n] >= 0 && jw(t.m, t.map[e], t.map[n]) === 1,
  Uw = [10, 27],
  zw = String.fromCharCode(Uw[0]);
function xT(t) {
  let e = t.W, n = new Array(e);
  for (let r = 0; r < e; r++) {
    let o = new Array(e);
    for (let s = 0; s < e; s++) o[s] = bi(t, s, r);
    n[r] = o;
  }
  return n;
}
function _T(t) {
  let e = t.W, n = "";
  for (let r = 0; r < e; r += 2) {
    for (let o = 0; o < e; o++) {
      let s = bi(t, o, r), i = r + 1 >= e ? !0 : bi(t, o, r + 1);
      n += !s && !i ? "\u2588" : !s && i ? "\u2580" : s && !i ? "\u2584" : " ";
    }
    n += zw;
  }
  return n;
}
function ET(t) {
  let e = t.W, n = String.fromCharCode(Uw[1]), r = n + "[0m", o = "";
  for (let s = 0; s < e; s++) {
    for (let i = 0; i < e; i++) o += bi(t, i, s) ? `${n}[40m  ${r}` : `${n}[1;47m  ${r}`;
    o += zw;
  }
  return o;
}
function vT(t, e) {
  let n = t.W, r = `<svg viewBox="0 0 ${n} ${n}" xmlns="http://www.w3.org/2000/svg">`, o = "", s;
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < n; a++) {
      if (!bi(t, a, i)) continue;
      if (!e) {
        r += `<rect x="${a}" y="${i}" width="1" height="1" />`;
        continue;
      }
      let f = `M${a} ${i}`;
      if (s) {
        let d = `m${a - s.x} ${i - s.y}`;
        d.length <= f.length && (f = d);
      }
      o += `${f}h1v1${a < 10 ? `H${a}` : "h-1"}Z`, s = { x: a, y: i };
    }
  }
  return e && (r += `<path d="${o}"/>`), r + "</svg>";
}
function Fw(t) {
  let e = t.W,
    n = e * e,
    r = 126,
    o = Math.floor(n / r),
    s = n % r,
    i = new Uint8Array(408 + o * (r + 2) + 2 + s + 4),
    a = 0,
    f = (p) => {
      i[a++] = p & 255, i[a++] = p >>> 8;
    };
  for (let p of [71, 73, 70, 56, 55, 97]) i[a++] = p;
  f(e),
    f(e),
    i[a++] = 246,
    a += 2,
    i[a++] = 255,
    i[a++] = 255,
    i[a++] = 255,
    a += 3 * 127,
    i[a++] = 44,
    a += 4,
    f(e),
    f(e),
    i[a++] = 0,
    i[a++] = 7;
  let { m: d, map: u } = t, l = new Uint8Array(e), h = -2;
  for (let p = 0, m = 0; p < e; p++) {
    let g = u[p];
    if (g !== h && (h = g, l.fill(0), g >= 0)) {
      for (let w = 0; w < e; w++) u[w] >= 0 && (l[w] = jw(d, u[w], g));
    }
    for (let w = 0; w < e;) {
      if (m % r === 0) {
        let x = n - m;
        i[a++] = (x < r ? x : r) + 1, i[a++] = 128;
      }
      let b = Math.min(r - m % r, e - w);
      i.set(l.subarray(w, w + b), a), a += b, w += b, m += b;
    }
  }
  return s === 0 && (i[a++] = 1, i[a++] = 128),
    i[a++] = 1,
    i[a++] = 129,
    i[a++] = 0,
    i[a++] = 59,
    i;
}
function ST(t) {
  let e = t, n;
  if (typeof e.toBase64 == "function") n = e.toBase64();
  else {
    let r = "";
    for (let o = 0; o < e.length; o += 8192) r += String.fromCharCode(...e.subarray(o, o + 8192));
    n = btoa(r);
  }
  return "data:image/gif;base64," + n;
}
function TT(t, e = "raw", n = {}) {
  if ($w(t, "text"), $w(e, "output"), typeof n != "object" || n === null || Array.isArray(n)) {
    throw new TypeError(`"opts" expected object, got type=${typeof n}`);
  }
  let r = n.version;
  r !== void 0 && (r = Pw(r));
  let o = n.ecc !== void 0 ? n.ecc : "medium";
  ZS.includes(o) || Hn(`invalid ecc=${o}`);
  let s = n.encoding !== void 0 ? n.encoding : cT(t);
  if (yi[s] || Hn(`invalid encoding=${s}`), s !== "byte") {
    let x = s === "numeric" ? yc.slice(0, 10) : yc;
    for (let y of t) x.includes(y) || Hn(`Unknown letter: "${y}". Allowed: ${x}`);
  }
  n.mask !== void 0 && (il(n.mask, "opts.mask") < 0 || n.mask > 7) && Hn(`invalid mask=${n.mask}`);
  let i = n.textEncoder;
  if (s === "byte" && i === void 0) {
    let x = yT(r === void 0 ? 40 : r, o);
    (t.length > x || wT(t) > x) && Hn("Capacity overflow");
  }
  let a = s === "byte" ? (i !== void 0 ? i : (x) => new TextEncoder().encode(x))(t) : void 0;
  if (a !== void 0 && !bT(a)) {
    throw new TypeError(`"opts.textEncoder" expected Uint8Array, got type=${typeof a}`);
  }
  let f = s === "byte" ? a.length : t.length,
    d = s === "numeric"
      ? Math.floor(f / 3) * 10 + [0, 4, 7][f % 3]
      : s === "alphanumeric"
      ? Math.floor(f / 2) * 11 + f % 2 * 6
      : f * 8;
  if (r === void 0) {
    for (r = 1; r <= 40; r++) {
      let x = yi[s][Math.floor((r + 7) / 17)];
      if (f < 1 << x && 4 + x + d <= bc(r, o).capacity) break;
    }
    r > 40 && Hn("Capacity overflow");
  } else {
    let x = yi[s][Math.floor((r + 7) / 17)];
    (f >= 1 << x || 4 + x + d > bc(r, o).capacity) && Hn("Capacity overflow");
  }
  let u = fT(r, o, t, s, a),
    l = gT(r, o, u, n.mask),
    h = n.border === void 0 ? 2 : il(n.border, "opts.border");
  if (h <= 0) throw new RangeError(`invalid border=${h}`);
  let p = n.scale === void 0 ? 1 : il(n.scale, "opts.scale");
  if (p <= 0 || p > 1024) throw new RangeError(`invalid scale factor: ${p}`);
  let m = (l.size + 2 * h) * p, g = e === "ascii" || e === "gif" || e === "data-url" ? 4096 : 1024;
  if (m > g) {
    throw new RangeError(`invalid opts: output is ${m}x${m} (max ${g}), reduce border/scale`);
  }
  let w = new Int32Array(m);
  for (let x = 0; x < m; x++) {
    let y = Math.floor(x / p) - h;
    w[x] = y >= 0 && y < l.size ? y : -1;
  }
  let b = { m: l, W: m, map: w };
  return e === "raw"
    ? xT(b)
    : e === "ascii"
    ? _T(b)
    : e === "term"
    ? ET(b)
    : e === "svg"
    ? vT(b, n.optimize === void 0 ? !0 : n.optimize)
    : e === "gif"
    ? Fw(b)
    : e === "data-url"
    ? ST(Fw(b))
    : Hn(`Unknown output: ${e}`);
}
var qw = TT;
var kT = 4;
function Gw({ text: t, label: e }) {
  let n = qw(t, "raw", { border: kT }),
    r = n.flatMap((o, s) => o.flatMap((i, a) => i ? `M${a} ${s}h1v1h-1z` : [])).join("");
  return c("svg", {
    class: "qr-code",
    viewBox: `0 0 ${n.length} ${n.length}`,
    role: "img",
    "aria-label": e,
    "shape-rendering": "crispEdges",
    children: [
      c("rect", { fill: "#fff", width: n.length, height: n.length }),
      c("path", { fill: "#000", d: r }),
    ],
  });
}
function Vw({ hash: t }) {
  let e = Y(), n = Ot(Ee(e.trust)), [r, o] = Ae((s) => Ra(e, t, s), [t, n]);
  return c(H, {
    children: [
      c("nav", {
        class: "back-link no-print",
        "aria-label": "Breadcrumb",
        children: c("a", { href: ce({ page: "proof", hash: t }), children: "Back to the proof" }),
      }),
      c(Je, { title: "Certificate of existence" }),
      c(Fe, { loaded: r, what: "the proof", retry: o, render: (s) => c(OT, { hash: t, ...s }) }),
    ],
  });
}
function OT({ hash: t, bundle: e, verdict: n, trust: r }) {
  let { network: o, fingerprint: s, pins: i } = r,
    { tone: a, sentence: f, notes: d } = hc({ bundle: e, verdict: n, network: o, isOtherFile: !1 });
  if (!n.valid) {
    return c(re, {
      tone: a,
      live: !0,
      title: f,
      children: [
        d.map((w) => c("p", { children: w }, w)),
        c("p", { children: "There is no certificate of a proof that does not verify." }),
      ],
    });
  }
  let { attestation: u } = e.signed_attestation,
    l = kw({ bundle: e, verdict: n }),
    h = i?.home.source === "file",
    [p] = n.time.not_before,
    m = cc({ page: "proof", hash: t }),
    g = n.signers.map((w) => fs(w, o.id)).join(", ");
  return c(H, {
    children: [
      c(AT, {}),
      c("div", {
        class: "certificate",
        children: [
          c("p", { class: "certificate-sentence", children: f }),
          d.map((w) => c("p", { children: w }, w)),
          !h &&
          c(re, {
            tone: "warn",
            title: "The gateway named these keys itself",
            children: c("p", {
              children:
                "This is right only if it did not lie: compare the fingerprint below with one from another source.",
            }),
          }),
          c("section", {
            class: "stack-small",
            "aria-labelledby": "certificate-what",
            children: [
              c("h2", { id: "certificate-what", children: "What was attested" }),
              c(tt, {
                items: {
                  "SHA-256 of the file": c(vr, { text: t, what: "hash" }),
                  "Signed at": ve(u.timestamp),
                  "Not before": p && `${ve(p.time)}, by ${p.source}`,
                  "Signed by": `${g}, of ${o.witnesses.length} witnesses of ${o.id}`,
                  "In the log": l &&
                    `at position ${j(u.sequence)}, under the tree head of batch ${j(l.tree_size)}`,
                },
              }),
            ],
          }),
          c("div", {
            class: "certificate-columns",
            children: [
              c("section", {
                class: "stack-small",
                "aria-labelledby": "certificate-check",
                children: [
                  c("h2", { id: "certificate-check", children: "How to check it" }),
                  c("ol", {
                    class: "next-steps",
                    children: [
                      c("li", {
                        children: [
                          "Compute the file's SHA-256, for example with",
                          " ",
                          c("code", { children: "sha256sum FILE" }),
                          ". It must be the one above.",
                        ],
                      }),
                      c("li", {
                        children: [
                          "Online: scan the code, or open",
                          " ",
                          c("a", { class: "certificate-link", href: m, children: m }),
                        ],
                      }),
                      c("li", {
                        children: [
                          "Without us: keep the proof,",
                          " ",
                          c("code", { children: "NAME.countersign.json" }),
                          ", and the network's configuration, with this fingerprint:",
                          c(vr, { text: s, what: "fingerprint" }),
                          "Then ",
                          c("code", { children: "countersign verify FILE" }),
                          " ",
                          "checks them offline. The document verify_by_hand.md does it with openssl.",
                        ],
                      }),
                    ],
                  }),
                ],
              }),
              c(Gw, { text: m, label: "QR code of the address of the proof" }),
            ],
          }),
          c("p", {
            class: "small",
            children: [
              "Only the proof file proves anything, not this page. The proof does not show",
              " ",
              oo.slice(0, 2).join(", nor "),
              ". Verified when this page was made, ",
              h
                ? "under the configuration that its reader had pinned."
                : "with the keys that the gateway itself named.",
            ],
          }),
        ],
      }),
    ],
  });
}
function AT() {
  let [t, e] = W("");
  return c(H, {
    children: [
      c("div", {
        class: "row no-print",
        children: [
          c("label", {
            class: "certificate-name",
            children: [
              c("span", { children: "Note, such as the file's name (optional)" }),
              c("input", {
                class: "input",
                type: "text",
                value: t,
                autocomplete: "off",
                onInput: (n) => e(n.target.value),
              }),
            ],
          }),
          c(ue, {
            kind: "primary",
            icon: "file",
            onClick: () => print(),
            children: "Print or save as PDF",
          }),
        ],
      }),
      t !== "" &&
      c("p", {
        class: "certificate-note",
        children: [
          c("b", { children: t }),
          " ",
          c("span", { class: "muted small", children: "(note of the person who printed this)" }),
        ],
      }),
    ],
  });
}
var xi = 10;
function Kw({ list: t }) {
  let [e, n] = W(0),
    { batches: r, isLoading: o, isWhole: s, error: i, older: a, refresh: f } = t,
    d = Math.min(e, Math.max(0, Math.ceil(r.length / xi) - 1)),
    u = r.slice(d * xi, (d + 1) * xi),
    l = (d + 1) * xi < r.length || !s,
    h = () => {
      (d + 2) * xi >= r.length && !s && a(), n(d + 1);
    };
  return c(J, {
    title: "Batches",
    children: [
      i !== void 0 && c(Ge, { error: i, title: "Cannot show the batches", retry: f }),
      u.length > 0
        ? c(H, {
          children: [
            c(St, {
              caption: "Batches, latest first",
              rows: u,
              keyOf: ({ id: p }) => p,
              columns: [["Batch", ({ id: p }) => c(Or, { id: p })], [
                "Attestations",
                (p) => j(p.attestation_count),
                "numeric",
              ], [
                "Closed",
                (p) => c("span", { class: "nowrap", children: c(Tr, { time: p.period_end }) }),
              ], [
                "Interval",
                ({ period_start: p, period_end: m }) => p === 0 ? "first" : Nt(m - p),
                "numeric",
              ], ["Root", (p) => c(le, { text: p.root_hash })]],
            }),
            c(Sr, {
              label: "Pages of batches",
              onBack: d === 0 ? void 0 : () => n(d - 1),
              onNext: l ? h : void 0,
              children: `${j(u.at(-1).id)} to ${j(u[0].id)}`,
            }),
          ],
        })
        : o
        ? c(hn, { label: "Loading the batches" })
        : i === void 0
        ? c(ct, {
          title: "No batch yet",
          children: "The first one closes soon after the first attestation.",
        })
        : null,
    ],
  });
}
function Ww(t, e, n) {
  return Xw(t) ? [e, ...n] : [...n];
}
function Yw(t, e, n) {
  let r = t >= 1 && t < e, [o, ...s] = n;
  return r && Xw(t) && o !== void 0 && s.length === Us(t, e).length
    ? { shownRoot: o, path: s }
    : { path: n };
}
function Xw(t) {
  let e = 1;
  for (; e < t;) e *= 2;
  return e === t;
}
async function cl(t, e, { sth: n, logSignature: r }) {
  let { links: o, ...s } = e, i = await pt(t, s, n);
  if (!i.valid) return Et(i, gt("sth", i));
  let a = Gn(e, n.tree_head.tree_size)?.log_vkey;
  if (a === void 0) return Et(i, { reason: "log_key_missing" });
  let f = ee(_n(n.tree_head));
  return await t.ed25519(ot(a).publicKey, f, r)
    ? i
    : Et(i, { reason: "log_signature_invalid", field: "log_signature" });
}
function fl(t, e, n, r) {
  let o = ze(e.root_hash, S), s = ze(n.root_hash, S);
  if (o === void 0 || s === void 0) return "unproven";
  if (e.tree_size === n.tree_size && r.length === 0) return Be(o, s) ? "extends" : "contradicts";
  if (e.tree_size === 0 && r.length === 0) return "extends";
  let i = { first: e.tree_size, second: n.tree_size },
    a = Yw(i.first, i.second, r),
    f = Bd(t, { ...i, firstRoot: a.shownRoot ?? o, path: a.path });
  return f === void 0 || !Be(f.second, s) ? "unproven" : Be(f.first, o) ? "extends" : "contradicts";
}
async function ls(t, e, n) {
  let r = await cl(t, e, n.first),
    o = await cl(t, e, n.second),
    s = NT(e, n) ?? gt("first", r) ?? gt("second", o) ?? BT(t.kernels, n);
  return { valid: s === void 0, ...s, first: r, second: o };
}
function NT({ id: t }, { origin: e }) {
  return e === t ? void 0 : { reason: "network_mismatch", field: "origin" };
}
function BT(t, { first: e, second: n, path: r }) {
  if (fl(t, e.sth.tree_head, n.sth.tree_head, r) !== "contradicts") {
    return { reason: "contradiction_unproven", field: "consistency_path" };
  }
}
function xc(t, e) {
  return e.network_id !== t.network_id
    ? "other_network"
    : e.tree_size > t.tree_size
    ? "larger"
    : e.tree_size < t.tree_size
    ? "older"
    : e.root_hash === t.root_hash
    ? "same"
    : "fork";
}
async function Zw(t, e, { known: n, seen: r }, o) {
  let s = await pt(t, e, r);
  if (!s.valid) return s;
  let i = xc(n, r.tree_head);
  if (i === "fork") return { ...Et(s, { reason: "head_forked", field: "tree_head" }), relation: i };
  if (i === "other_network") {
    return { ...Et(s, { reason: "network_mismatch", field: "tree_head.network_id" }), relation: i };
  }
  let [a, f] = i === "older" ? [r.tree_head, n] : [n, r.tree_head];
  return (a.tree_size === 0 ? o.length === 0 : eo(t.kernels, a, f, o))
    ? { ...s, relation: i }
    : { ...Et(s, { reason: "consistency_invalid", field: "consistency_path" }), relation: i };
}
async function Jw(t, e, n) {
  let { crypto: r, network: o } = t, { known: s, seen: i } = e, a = await pt(r, o, s);
  if (!a.valid) return { finding: "other_keys", outcome: a };
  let f = xc(s.tree_head, i.tree_head);
  if (f === "same" || f === "fork") return { finding: f };
  let [d, u] = Qw(e).map(({ tree_head: m }) => m.tree_size), l;
  try {
    d > 0 && (l = await n(d, u));
  } catch (m) {
    if (!(m instanceof xe) || m.status !== 404) throw m;
    return { finding: "denied", refusal: m };
  }
  let h = { known: s.tree_head, seen: i },
    { valid: p } = await Zw(r, o, h, l?.consistency_path ?? []);
  return p
    ? { finding: f === "larger" ? "extends" : "outdated", ...l && { proof: l } }
    : l === void 0
    ? { finding: "unproven" }
    : { finding: await CT(t, e, l) ? "fork" : "unproven", proof: l };
}
async function CT({ crypto: t, network: e }, n, r) {
  for (let a of [r.first_sth, r.second_sth]) {
    let { valid: f } = await pt(t, e, a);
    if (f) {
      for (let { tree_head: d } of [n.known, n.seen]) {
        if (xc(d, a.tree_head) === "fork") return !0;
      }
    }
  }
  let [o, s] = Qw(n), i = dl(r);
  return i !== void 0 && fl(t.kernels, o.tree_head, s.tree_head, i) === "contradicts";
}
function dl({ first: t, first_sth: e, consistency_path: n }) {
  let r = pa(n), o = ze(e.tree_head.root_hash, S);
  return r && o && t > 0 ? Ww(t, o, r) : void 0;
}
function Qw({ known: t, seen: e }) {
  return [t, e].toSorted((n, r) => n.tree_head.tree_size - r.tree_head.tree_size);
}
async function ey(t, { known: e, seen: n }, r) {
  let o = await IT(t, [e, n], r),
    s = {
      found: "two histories of one log",
      network_id: t.network.id,
      fingerprint: t.fingerprint,
      found_at: t.now(),
      known_seen_at: e.seenAt,
      known: e.sth,
      seen: n.sth,
      ...r && { consistency_proof: r },
      ...o && { contradiction: ui(o) },
    };
  return {
    evidence: `${JSON.stringify(s, void 0, 2)}
`,
    ...o && { contradiction: li(o) },
  };
}
function ty(t) {
  let e = "malformed_text";
  return lt(() => {
    let n = new tn(xt(t, e), { where: "evidence", code: e }, ["contradiction"], {
      ignoreUnknown: !0,
    });
    return li(H0(JSON.stringify(n.value("contradiction")), e));
  });
}
async function IT({ crypto: t, network: e, now: n }, r, o) {
  let [s, i] = r.toSorted((u, l) => u.sth.tree_head.tree_size - l.sth.tree_head.tree_size).map(RT),
    a = o === void 0 ? [] : dl(o);
  if (s === void 0 || i === void 0 || a === void 0) return;
  let f = { origin: e.id, foundAt: n(), first: s, second: i, path: a },
    { valid: d } = await ls(t, e, f);
  return d ? f : void 0;
}
function RT({ sth: t, logSignature: e }) {
  return e && { sth: t, logSignature: e };
}
function _c({ caption: t, heads: e }) {
  return c(St, {
    caption: t,
    rows: e,
    columns: [
      ["Tree head", ([n]) => c("span", { class: "nowrap", children: n })],
      ["Size", ([, n]) => j(n.tree_head.tree_size), "numeric"],
      ["Root", ([n, r]) => c(le, { text: r.tree_head.root_hash, what: `root of ${n}` })],
      ["Signed", ([, n]) => c("span", { class: "nowrap", children: ve(n.tree_head.timestamp) })],
      ["By", ([, n]) =>
        c("span", {
          class: "lines mono small",
          children: rr(n).map((r) => c("span", { class: "nowrap", children: r }, r)),
        })],
    ],
  });
}
function ul({ evidence: t, contradiction: e, networkId: n }) {
  let r = _i(n), o = `${r}.contradiction.json`;
  return c("div", {
    class: "lines",
    children: [
      c("div", {
        class: "row",
        children: [
          c(ln, {
            fileName: `${r}.fork.json`,
            text: t,
            primary: !0,
            children: "Download the evidence",
          }),
          e !== void 0 &&
          c(ln, { fileName: o, text: e, children: "Download for the command line" }),
        ],
      }),
      c("p", {
        class: "small",
        children: e === void 0
          ? "The command line cannot verify it: the gateway did not show the log key's signature of both heads."
          : c(H, {
            children: [
              "Anyone who has the network's configuration can verify it offline:",
              " ",
              c("code", {
                children: [
                  "countersign log contradictions --file ",
                  o,
                  " --network-config network.json",
                ],
              }),
            ],
          }),
      }),
    ],
  });
}
function _i(t) {
  return t.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}
function ny({ evidence: t, networkId: e }) {
  return c(J, {
    title: "Stored evidence",
    aside: c(ie, { tone: "bad", children: "Fork" }),
    children: c(re, {
      tone: "bad",
      title: "This browser has seen two histories of this log",
      children: [
        c("p", {
          children:
            "The gateway shows one of them again, which does not undo the other. This browser keeps the evidence until you clear it.",
        }),
        c(ul, { evidence: t, contradiction: ty(t), networkId: e }),
      ],
    }),
  });
}
function ry({ count: t, trustKey: e }) {
  let n = Y(), [r, o] = Ae((s) => t === 0 ? Promise.resolve([]) : $T(n, s), [t, e]);
  return t === 0 ? null : c(J, {
    title: "Peers that contradict themselves",
    aside: c(ie, { tone: "bad", children: Q(t, "contradiction") }),
    children: c(Fe, {
      loaded: r,
      what: "the evidence",
      retry: o,
      render: (s) => s.map((i, a) => c(LT, { number: a + 1, ...i }, a)),
    }),
  });
}
function LT({ contradiction: t, result: e, number: n }) {
  let { origin: r, foundAt: o, first: s, second: i } = t,
    a = `${JSON.stringify(ui(t), void 0, 2)}
`;
  return c(H, {
    children: [
      c(re, {
        tone: e?.valid ? "bad" : "warn",
        title: HT(r, e),
        children: [
          c("p", { children: MT(e) }),
          c("p", {
            class: "muted small",
            children: ["Found ", ve(o), ", according to this gateway."],
          }),
          c(ln, {
            fileName: `${_i(r)}.contradiction.json`,
            text: a,
            children: "Download the evidence",
          }),
        ],
      }),
      c(_c, {
        caption: `Tree heads of contradiction ${n}`,
        heads: [["First", s.sth], ["Second", i.sth]],
      }),
    ],
  });
}
function HT(t, e) {
  return e === void 0
    ? `${t}: not verified`
    : e.valid
    ? `${t} signed two histories`
    : `${t}: this proves nothing`;
}
function MT(t) {
  return t === void 0
    ? "No configuration of this peer is pinned in this browser. Pin it on the Verify page to check the evidence here."
    : t.valid
    ? "Its witnesses and its log key signed both tree heads, and one log cannot have both."
    : t.reason === void 0
    ? ""
    : Pt[t.reason];
}
async function $T(t, e) {
  let [{ value: n }, r, o] = await Promise.all([
    t.api.contradictions(e),
    Wt(t, e),
    t.crypto.crypto(),
  ]);
  return await Promise.all(n.map(async (s) => {
    let i = r.peers.find(({ id: a }) => a === s.origin);
    return i === void 0 ? { contradiction: s } : { contradiction: s, result: await ls(o, i, s) };
  }));
}
var hl = "gateway_refused", FT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
function oy(t) {
  let e = { ignoreUnknown: !0 },
    n = xt(t, hl),
    r = new tn(n, { where: "event", code: hl }, ["type"], e),
    o = r.text("type");
  switch (o) {
    case "hello":
      return {
        kind: "hello",
        networkId: r.text("network_id"),
        cursor: ll(r, "cursor"),
        heartbeatSeconds: r.integer("heartbeat_seconds"),
      };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", cursor: ll(r, "cursor") };
    default:
      return {
        kind: "event",
        id: ll(r, "id"),
        type: o,
        at: r.integer("at"),
        data: r.value("data") ?? null,
        text: t,
      };
  }
}
function ll(t, e) {
  let n = t.text(e);
  if (FT.test(n)) return n;
  throw new O(hl, `Cannot read ${t.where}: ${e} is not a cursor (1 to 200 of A-Za-z0-9._-)`);
}
function mo(t, e) {
  if (!(typeof t != "object" || t === null || Array.isArray(t))) {
    return Object.hasOwn(t, e) ? t[e] : void 0;
  }
}
var sy = 1024 * 1024, PT = 65536, pl = "event stream";
async function iy(t, e, { fetch: n = fetch, apiKey: r } = {}) {
  let o = { Accept: "text/event-stream", ...await Qa(r) }, s;
  try {
    s = await n(t, { headers: o, credentials: "omit", redirect: "manual", signal: e });
  } catch (f) {
    throw new O("gateway_unreachable", `Cannot get ${pl}: no answer from ${t.origin}`, {
      cause: f,
    });
  }
  let i = $u(s.headers) === "text/event-stream";
  if (s.status === 200 && i) return jT(s);
  let a = await Mu(s, PT);
  throw zo(pl, s, a ?? new Uint8Array());
}
async function* jT(t) {
  let e = "", n = "";
  try {
    for await (let r of Ja(t.body.pipeThrough(new TextDecoderStream()))) {
      let [o = "", ...s] = r.split(`
`);
      e += o;
      for (let i of s) {
        let a = e.endsWith("\r") ? e.slice(0, -1) : e;
        e = i, a === "" ? (yield n, n = "") : a.startsWith("data:") && (n = a.slice(5).trimStart());
      }
      if (e.length > sy) throw DT();
    }
  } catch (r) {
    if (r instanceof O) throw r;
  }
}
function DT() {
  return new O("gateway_refused", `Cannot read ${pl}: a frame exceeds ${sy} characters`);
}
var ml = ["batch.closed", "sth.published", "cross_anchor.added", "external_anchor.added"],
  ay = ["attestation.accepted", "attestation.confirmed"];
function cy({ id: t, type: e, at: n, data: r }) {
  return { id: t, type: e, at: n, ...UT(e, r) };
}
function UT(t, e) {
  let n = mo(e, "hash");
  switch (t) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      let r = t === "attestation.accepted" ? "accepted" : "signed";
      return typeof n == "string" && Pe(n, S)
        ? { text: `${n.slice(0, 16)}... ${r}`, route: { page: "proof", hash: n } }
        : { text: `A hash ${r}` };
    }
    case "batch.closed":
      return zT(e);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return qT(t, e);
    default:
      return { text: "An event of an unknown type" };
  }
}
function zT(t) {
  let [e, n] = [mo(t, "id"), mo(t, "attestation_count")];
  if (!ke(e)) return { text: "A batch closed" };
  let r = ke(n) ? ` with ${Q(n, "attestation")}` : "";
  return { text: `Batch ${j(e)} closed${r}`, route: { page: "batch", id: e } };
}
function qT(t, e) {
  let n = mo(e, "tree_head"),
    r = mo(n ?? e, "tree_size"),
    o = mo(e, t === "cross_anchor.added" ? "witnessing_network" : "provider"),
    s = typeof o == "string" ? ` by ${o}` : "",
    i = ke(r) ? `Tree head of size ${j(r)}` : "A tree head",
    a = {
      "sth.published": "published",
      "cross_anchor.added": `cosigned${s}`,
      "external_anchor.added": `anchored${s}`,
    }[t],
    f = ke(r) ? { page: "batch", id: r } : void 0;
  return { text: `${i} ${a}`, ...f && { route: f } };
}
var dy = { latest: [], shown: [] };
function uy({ latest: t, shown: e }, n, r) {
  return { latest: GT(t, n, r), shown: e };
}
function gl(t, e) {
  return t.shown === t.latest || e && t.shown.length > 0
    ? t
    : { latest: t.latest, shown: t.latest };
}
function ly({ latest: t, shown: e }) {
  return t.filter((n) => !e.includes(n)).length;
}
function GT(t, e, n) {
  let r = new Set(t.flatMap(fy));
  return [
    ...e.filter((s) => {
      let i = fy(s);
      if (i.some((a) => r.has(a))) return !1;
      for (let a of i) r.add(a);
      return !0;
    }).toReversed(),
    ...t,
  ].slice(0, n);
}
function fy({ id: t, type: e, at: n, text: r }) {
  return [t, `${e} ${n} ${r}`];
}
var hs = class {
  #e;
  #t;
  #n;
  constructor(e, n) {
    this.#e = e, this.#t = n, this.#n = e.firstMs;
  }
  afterFailure() {
    let e = this.#n;
    return this.#n = Math.min(2 * e, this.#e.longestMs), e * (.5 + this.#t() / 2);
  }
  reset() {
    this.#n = this.#e.firstMs;
  }
};
var VT = { firstMs: 500, longestMs: 3e4 }, KT = 3, WT = 30;
async function* Ec(t, e) {
  let { clock: n, changed: r } = t,
    o = new hs(VT, t.random),
    s = Fu(t),
    i = { cursor: t.after, networkId: void 0 };
  for (let a = 0; !e.aborted; a++) {
    let f = s[a % s.length], d = new AbortController(), u = new wl(n, d);
    try {
      let l = Yo(e, d.signal), h = await iy(XT(f, t, i), l, t);
      for await (let p of ZT(h, u)) o.reset(), p.kind === "event" && (yield p), JT(t, i, p);
    } catch (l) {
      if (e.aborted) return;
      if (a < s.length - 1 && nc(l)) continue;
      if (!YT(l, i)) throw l;
    } finally {
      u.stop(), d.abort();
    }
    if (e.aborted) return;
    r("lost"), await n.sleep(o.afterFailure(), e);
  }
}
function YT(t, { networkId: e }) {
  return ns(t)
    ? !0
    : t instanceof xe
    ? e !== void 0 && t.status >= 500
    : e !== void 0 && yt(t, "gateway_unreachable");
}
function XT(t, { types: e, hash: n }, { cursor: r }) {
  let o = new URL("v1/events", t);
  return e.length > 0 && o.searchParams.set("types", e.join(",")),
    n !== void 0 && o.searchParams.set("hash", n),
    r !== void 0 && o.searchParams.set("after", r),
    o;
}
async function* ZT(t, e) {
  for await (let n of t) {
    if (e.restart(), n === "") continue;
    let r = oy(n);
    r.kind === "hello" && (e.seconds = KT * r.heartbeatSeconds), yield r;
  }
}
var wl = class {
  #e;
  #t;
  seconds = WT;
  #n = new AbortController();
  constructor(e, n) {
    this.#e = e, this.#t = n, this.restart();
  }
  restart() {
    this.stop(), this.#n = new AbortController();
    let { signal: e } = this.#n;
    this.#e.sleep(this.seconds * 1e3, e).then(() => {
      e.aborted || this.#t.abort();
    });
  }
  stop() {
    this.#n.abort();
  }
};
function JT({ changed: t, reached: e }, n, r) {
  switch (r.kind) {
    case "hello":
      if (n.networkId !== void 0 && n.networkId !== r.networkId) {
        throw new O(
          "gateway_refused",
          `Cannot follow events: the gateway of ${n.networkId} now answers for another network`,
        );
      }
      t("connected"), n.networkId = r.networkId, n.cursor = r.cursor;
      break;
    case "event":
      n.cursor = r.id;
      break;
    case "lagged":
      n.cursor = r.cursor;
      break;
    case "gap":
      return t("gap");
  }
  e(n.cursor);
}
var QT = 6;
function hy(t, e, n) {
  let r = new AbortController();
  return ek(t, e, n, r.signal), () => r.abort();
}
async function ek(t, e, n, r) {
  let o;
  for (; !r.aborted;) {
    n.state("connecting");
    let s = Ec({
      ...t,
      types: e,
      ...o !== void 0 && { after: o },
      reached: (i) => o = i,
      changed(i) {
        if (i === "gap") return n.gap();
        n.state(i === "connected" ? "live" : "connecting");
      },
    }, r);
    try {
      for await (let i of s) r.aborted || n.event(i);
    } catch (i) {
      if (!(i instanceof O)) throw i;
      i instanceof xe || yt(i, "gateway_unreachable") || n.fault(i);
    }
    for (let i = 0; i < QT && !r.aborted; i++) await tk(t, n, r), await t.clock.sleep(t.pollMs, r);
  }
}
async function tk({ poll: t }, e, n) {
  try {
    let r = await t(n);
    if (n.aborted) return;
    e.state("polling"), r !== void 0 && e.event(r);
  } catch (r) {
    if (n.aborted) return;
    if (!(r instanceof O)) throw r;
    e.state("silent");
  }
}
var vc = 12, nk = 1e4, rk = 400;
function py({ grown: t }) {
  let e = Y(),
    [n, r] = W(!1),
    o = Yt(null),
    s = Yt(null),
    i = () => o.current?.matches(":hover, :focus-within") ?? !1,
    { lines: a, state: f, fault: d, showLatest: u } = sk(e, {
      withAttestations: n,
      grown: t,
      isHeld: i,
    }),
    [l, h] = ok[f],
    p = ly(a);
  return c(J, {
    title: "Live",
    aside: c(ie, { tone: l, children: h }),
    children: [
      c("label", {
        class: "check",
        children: [
          c("input", {
            type: "checkbox",
            checked: n,
            onChange: () => r(!n),
          }),
          c("span", { children: "Every attestation" }),
        ],
      }),
      a.shown.length === 0
        ? c(ct, {
          title: "No events yet",
          children: "Batches and tree heads appear here when the log publishes them.",
        })
        : c("div", {
          class: "feed-area",
          ref: o,
          children: [
            c("div", {
              class: "feed-new",
              role: "status",
              children: p === 0 ? null : c(ue, {
                onClick: () => {
                  u(), s.current?.focus();
                },
                children: `${p}${p < vc ? "" : " or more"} new`,
              }),
            }),
            c("ol", {
              class: "feed",
              ref: s,
              tabindex: -1,
              children: a.shown.map((m) =>
                c("li", {
                  children: [
                    c("span", {
                      class: "feed-text",
                      children: m.route === void 0
                        ? m.text
                        : c("a", { href: ce(m.route), children: m.text }),
                    }),
                    c("span", { class: "muted small nowrap", children: c(Tr, { time: m.at }) }),
                  ],
                }, m.id)
              ),
            }),
          ],
        }),
      d !== void 0 &&
      c("p", {
        class: "failure-code",
        children: ["Cannot read an event: ", c("code", { children: d.code }), " ", d.message],
      }),
    ],
  });
}
var ok = {
  connecting: ["info", "Connecting"],
  live: ["good", "Live"],
  polling: ["neutral", "Polling every 10 s"],
  silent: ["warn", "No answer"],
};
function sk(t, { withAttestations: e, grown: n, isHeld: r }) {
  let [o, s] = W({ lines: dy, state: "connecting" });
  return Ie(() => {
    let a = [],
      f = (h) => {
        a.push(h), a.length > vc && a.splice(0, a.length - vc);
      },
      d = setInterval(() => {
        let h = a.splice(0);
        s((p) => {
          let m = h.length === 0 ? p.lines : uy(p.lines, h, vc), g = gl(m, r());
          return g === p.lines ? p : { ...p, lines: g };
        }), h.some(({ type: p }) => p === "sth.published") && n();
      }, rk),
      u = e ? [...ml, ...ay] : ml,
      l = ik(() =>
        hy(ck(t), u, {
          event: (h) => f(cy(h)),
          state: (h) => s((p) => ({ ...p, state: h })),
          gap: () => f(ak(wt(t.clock))),
          fault: (h) => s((p) => ({ ...p, fault: h })),
        })
      );
    return () => {
      l(), clearInterval(d);
    };
  }, [e]),
    { ...o, showLatest: () => s((a) => ({ ...a, lines: gl(a.lines, !1) })) };
}
function ik(t) {
  let e,
    n = () => {
      document.visibilityState === "visible" ? e ??= t() : (e?.(), e = void 0);
    };
  return n(), document.addEventListener("visibilitychange", n), () => {
    document.removeEventListener("visibilitychange", n), e?.();
  };
}
function ak(t) {
  return { id: `gap ${t}`, type: "gap", at: t, text: "Some events before this are missing" };
}
function ck({ api: t, apiKey: e, clock: n }) {
  return {
    url: t.url,
    clock: n,
    random: Math.random,
    pollMs: nk,
    fetch: e.fetch,
    poll: async (r) => {
      try {
        let { tree_size: o, timestamp: s } = (await t.sth(void 0, r)).value.tree_head;
        return { id: `head ${o}`, type: "sth.published", at: s, data: { tree_size: o } };
      } catch (o) {
        if (wr(o, "no_tree_head")) return;
        throw o;
      }
    },
  };
}
var fk = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((t) => t * 60),
  ...[1, 2, 3, 6, 12].map((t) => t * 3600),
  ...[1, 2, 7, 14, 28, 56, 112, 364].map((t) => t * 86400),
];
function my(t, e, n) {
  let o = Math.max(e - t, 1) / n,
    s = 10 ** Math.floor(Math.log10(o)),
    i = Math.max(1, [1, 2, 5, 10].map((d) => d * s).find((d) => d >= o)),
    a = Math.floor(t / i) * i,
    f = Math.max(Math.ceil(e / i) * i, a + i);
  return { min: a, max: f, ticks: wy(i, a, f) };
}
function gy(t, e, n) {
  let r = Math.max(e, t + 1),
    o = (r - t) / n,
    s = fk.find((i) => i >= o) ?? Math.ceil(o / (364 * 86400)) * 364 * 86400;
  return { min: t, max: r, ticks: wy(s, t, r) };
}
function wy(t, e, n) {
  let r = [];
  for (let o = Math.ceil(e / t) * t; o <= n; o += t) r.push(o);
  return r;
}
function yl(t, e, [n, r]) {
  let o = (e - t.min) / (t.max - t.min);
  return Math.round((n + o * (r - n)) * 10) / 10;
}
function yy(t) {
  return t.map(({ x: e, y: n }, r) => r === 0 ? `M${e} ${n}` : `H${e}V${n}`).join("");
}
function by(t) {
  let [e, n] =
    [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([r]) =>
      t >= 10 * r || t >= r && t % (r / 10) === 0
    ) ?? [1, ""];
  return `${Math.round(t / e * 10) / 10}${n}`;
}
function xy(t, e) {
  let n = new Date(t * 1e3);
  if (Number.isNaN(n.getTime())) return `${t} s`;
  let r = n.toISOString();
  return e <= 10 * 60
    ? r.slice(11, 19)
    : e <= 2 * 86400
    ? r.slice(11, 16)
    : e <= 300 * 86400
    ? r.slice(5, 10)
    : r.slice(0, 7);
}
var _y = 460,
  xl = 190,
  go = { left: 44, right: _y - 14, top: 10, bottom: xl - 24 },
  dk = 36,
  uk = 60,
  bl = 100;
function _l(t) {
  let { title: e, summary: n, points: r, valueName: o, valueText: s } = t, [i, a] = W(!1);
  return c("figure", {
    class: "plot",
    children: [
      c("figcaption", {
        children: [
          c("span", { class: "plot-title", children: e }),
          c("span", { class: "muted small", children: n }),
        ],
      }),
      c(lk, { ...t }),
      c("details", {
        class: "plot-table",
        onToggle: (f) => a(f.target.open),
        children: [
          c("summary", { children: "Show as a table" }),
          i &&
          c(St, {
            caption: e,
            rows: r.toReversed().slice(0, bl),
            columns: [["Time", ({ x: f }) => ve(f)], [o, ({ y: f }) => s(f), "numeric"]],
          }),
          i && r.length > bl &&
          c("p", { class: "muted small", children: `The latest ${bl} of ${r.length}.` }),
        ],
      }),
    ],
  });
}
function lk({ title: t, summary: e, points: n, shape: r, fromZero: o = !1, valueText: s }) {
  let i = uo(),
    a = n.map(({ x: m }) => m),
    f = n.map(({ y: m }) => m),
    d = o || r === "stems" ? 0 : Math.min(...f),
    u = gy(Math.min(...a), Math.max(...a), 4),
    l = my(d, Math.max(...f), 4),
    h = n.map(({ x: m, y: g }) => ({ x: Ey(u, m), y: Sc(l, g) })),
    p = yy(h);
  return c("svg", {
    class: "plot-drawing",
    viewBox: `0 0 ${_y} ${xl}`,
    role: "img",
    "aria-labelledby": `${i}-title ${i}-summary`,
    children: [
      c("title", { id: `${i}-title`, children: t }),
      c("desc", { id: `${i}-summary`, children: e }),
      c(hk, { timeline: u, axis: l }),
      r === "steps"
        ? c(H, {
          children: [
            c("path", { class: "plot-area", d: `${p}V${go.bottom}H${h[0]?.x ?? 0}Z` }),
            c("path", { class: "plot-line", d: p }),
          ],
        })
        : c("path", {
          class: "plot-stems",
          d: h.map(({ x: m, y: g }) => `M${m} ${go.bottom}V${g}`).join(""),
        }),
      h.length > uk ? null : h.map(({ x: m, y: g }, w) =>
        c("circle", {
          class: "plot-mark",
          cx: m,
          cy: g,
          r: 2.5,
          children: c("title", { children: `${ve(n[w].x)}: ${s(n[w].y)}` }),
        }, w)
      ),
    ],
  });
}
function Ey(t, e) {
  return yl(t, e, [go.left, go.right]);
}
function Sc(t, e) {
  return yl(t, e, [go.bottom, go.top]);
}
function hk({ timeline: t, axis: e }) {
  let { left: n, right: r } = go;
  return c("g", {
    class: "plot-grid",
    children: [
      e.ticks.map((o) =>
        c("g", {
          children: [
            c("line", { x1: n, x2: r, y1: Sc(e, o), y2: Sc(e, o) }),
            c("text", { class: "plot-value", x: n - 6, y: Sc(e, o) + 4, children: by(o) }),
          ],
        }, o)
      ),
      t.ticks.map((o) => {
        let s = Ey(t, o), i = s > r - dk;
        return c("text", {
          class: i ? "plot-time plot-time-last" : "plot-time",
          x: i ? r : s,
          y: xl - 6,
          children: xy(o, t.max - t.min),
        }, o);
      }),
    ],
  });
}
var pk = 30;
function vy({ list: t }) {
  let { batches: e, isLoading: n, isWhole: r, error: o, older: s } = t;
  return c(J, {
    title: "Growth",
    aside: e.length === 0 || r
      ? void 0
      : c(ue, { disabled: n, onClick: s, children: n ? "Loading" : "Show older batches" }),
    children: e.length > 0
      ? c(H, {
        children: [
          c("div", { class: "plots", children: [c(mk, { batches: e }), c(wk, { batches: e })] }),
          c("p", {
            class: "muted small",
            children: "As the gateway lists it: no proof covers the times of batches.",
          }),
        ],
      })
      : n
      ? c(hn, { label: "Loading the batches" })
      : o === void 0
      ? c(ct, { title: "Nothing to plot yet", children: "The plots start with the second batch." })
      : c(ct, { title: "Nothing to plot", children: "The batches cannot be loaded." }),
  });
}
function mk({ batches: t }) {
  let e = el(t), [n, r] = [e[0], e.at(-1)];
  if (n === void 0 || r === void 0 || e.length < 2) {
    return c(ct, { title: "One batch so far", children: "The plot starts with the second one." });
  }
  let o = bw(t),
    s = o === void 0 ? "" : `, ${gk(o)} on average`,
    i = ({ x: a, y: f }) => `${j(f)} at ${ve(a)}`;
  return c(_l, {
    title: "Tree size",
    summary: `From ${i(n)} to ${i(r)}, in ${Q(t.length, "batch", "batches")}${s}.`,
    valueName: "Attestations",
    points: e,
    shape: "steps",
    fromZero: n.y < r.y / 2,
    valueText: j,
  });
}
function gk(t) {
  let e = [["a second", 1], ["a minute", 60], ["an hour", 3600], ["a day", 86400]],
    [n, r] = e.find(([, s]) => t * s >= 1) ?? e[3],
    o = t * r;
  return `${o >= 10 ? j(Math.round(o)) : o.toFixed(1)} ${n}`;
}
function wk({ batches: t }) {
  let e = Y(),
    n = t.slice(0, pk),
    [r, o] = Ae(async (s) => {
      let i = [];
      for (let a of n) i.push(await vw(e, a, s));
      return i;
    }, [n[0]?.id]);
  return c(Fe, {
    loaded: r,
    what: "the waits",
    retry: o,
    render: (s) => {
      let i = s.map((d) => d.seconds), [a, f] = [tl(i, .5) ?? 0, tl(i, 1) ?? 0];
      return c(_l, {
        title: "Wait for the tree head",
        summary: `First attestation of each of the last ${
          Q(s.length, "batch", "batches")
        }: median ${Nt(a)}, longest ${Nt(f)}.`,
        valueName: "Seconds",
        points: _w(s),
        shape: "stems",
        valueText: (d) => `${j(d)} s`,
      });
    },
  });
}
function Sy(t) {
  return Array.from(t ?? [], (e) => ({ name: e.webkitRelativePath || e.name, file: e }));
}
async function Ty(t) {
  let n = Array.from(t?.items ?? []).filter(({ kind: o }) => o === "file").map((o) => ({
      entry: o.webkitGetAsEntry(),
      file: o.getAsFile(),
    })
    ),
    r = { files: [], errors: [] };
  for (let { entry: o, file: s } of n) {
    o?.isDirectory ? await ky(o, r) : s !== null && r.files.push({ name: s.name, file: s });
  }
  return r;
}
async function ky(t, e) {
  let n = t.createReader();
  for (;;) {
    let r = await new Promise((s, i) => n.readEntries(s, i)).catch((s) => (e.errors.push(s), []));
    if (r.length === 0) return;
    let o = r.filter((s) => s.isFile);
    for (let s of await Promise.allSettled(o.map(yk))) {
      s.status === "fulfilled" ? e.files.push(s.value) : e.errors.push(s.reason);
    }
    for (let s of r) s.isDirectory && await ky(s, e);
  }
}
async function yk(t) {
  let e = await new Promise((n, r) => t.file(n, r));
  return { name: t.fullPath.replace(/^\//, ""), file: e };
}
var bk = "webkitdirectory" in HTMLInputElement.prototype;
function Mn({ onFiles: t, multiple: e = !1, ...n }) {
  return c(Ay, {
    ...n,
    multiple: e,
    onTaken: (o) => {
      let s = e ? o : o.slice(0, 1);
      s.length > 0 && t(s.map(({ file: i }) => i));
    },
    onFailed: () => {},
  });
}
function Oy({ label: t, children: e, onFiles: n, onFailed: r }) {
  let o = Yt(null),
    s = (i) => {
      i.length > 0 && n(i);
    };
  return Ie(() => {
    o.current !== null && (o.current.webkitdirectory = !0);
  }, []),
    c("div", {
      class: "folder-zone",
      children: [
        c(Ay, { label: t, multiple: !0, onTaken: s, onFailed: r, children: e }),
        bk && c(H, {
          children: [
            c("input", {
              ref: o,
              type: "file",
              hidden: !0,
              onChange: () => s(Ny(o.current)),
            }),
            c(ue, {
              kind: "quiet",
              icon: "folder",
              onClick: () => o.current?.click(),
              children: "Choose a folder",
            }),
          ],
        }),
      ],
    });
}
function Ay(
  { label: t, icon: e = "upload", multiple: n, compact: r, onTaken: o, onFailed: s, children: i },
) {
  let [a, f] = W(!1), d = Yt(null);
  return Ie(xk, []),
    c("label", {
      class: `drop-zone${a ? " drop-zone-over" : ""}${r ? " drop-zone-compact" : ""}`,
      onDragOver: (l) => {
        l.preventDefault(), f(!0);
      },
      onDragLeave: () => f(!1),
      onDrop: (l) => {
        l.preventDefault(),
          f(!1),
          Ty(l.dataTransfer).then(({ files: h, errors: [p] }) => {
            o(h), p !== void 0 && s(p);
          });
      },
      children: [
        c("input", {
          ref: d,
          class: "visually-hidden",
          type: "file",
          multiple: n,
          onChange: () => o(Ny(d.current)),
        }),
        c(Ze, { name: e }),
        c("span", {
          class: "drop-zone-text",
          children: [c("span", { class: "drop-zone-label", children: t }), i],
        }),
      ],
    });
}
function Ny(t) {
  let e = Sy(t?.files);
  return t !== null && (t.value = ""), e;
}
function xk() {
  let t = (e) => e.preventDefault();
  return addEventListener("dragover", t), addEventListener("drop", t), () => {
    removeEventListener("dragover", t), removeEventListener("drop", t);
  };
}
function ps({ hashing: t }) {
  let [e, n] = W({ state: "none" }), r = Yt(new AbortController());
  return Ie(() => () => r.current?.abort(), []), [e, (s) => {
    r.current?.abort();
    let i = new AbortController();
    if (r.current = i, s === void 0) return n({ state: "none" });
    let { name: a, size: f } = s;
    n({ state: "hashing", name: a, size: f, done: 0 }),
      t.hash(s, {
        onProgress: (d) => n({ state: "hashing", name: a, size: f, done: d }),
        signal: i.signal,
      }).then((d) => n({ state: "hashed", name: a, hash: d }), (d) => {
        i.signal.aborted || n({ state: "failed", name: a, error: d });
      });
  }];
}
function Tc({ content: t, choose: e }) {
  return c(H, {
    children: [
      c(Mn, {
        label: t.state === "none" ? "Compare with the file itself" : "Compare with another file",
        icon: "file",
        compact: !0,
        onFiles: ([n]) => e(n),
        children: c("span", {
          class: "muted small",
          children: "Optional. The file stays on this device.",
        }),
      }),
      c(El, { content: t, onRemove: () => e(void 0) }),
    ],
  });
}
function El({ content: t, onRemove: e }) {
  if (t.state === "none") return null;
  let n = t.state === "hashing" ? "Cancel" : "Remove";
  return c("div", {
    class: "supplied",
    children: [
      c("span", {
        class: "row",
        children: [
          c("span", { children: t.name }),
          c(ue, { kind: "quiet", label: `${n} ${t.name}`, isRemoved: !0, onClick: e, children: n }),
        ],
      }),
      t.state === "hashing" &&
      c(Er, { label: `Hashing, ${Wn(t.done)} of ${Wn(t.size)}`, value: t.done, max: t.size }),
      t.state === "hashed" && c(le, { text: t.hash, what: "hash of the file" }),
      t.state === "failed" && c(Ge, { error: t.error }),
    ],
  });
}
var _k = 4 * 1024 * 1024;
async function kc(t) {
  if (t.size > _k) return { kind: "other" };
  let e = new Uint8Array(
    await t.arrayBuffer().catch((n) => {
      throw new O("file_failed", "Cannot read the file", { cause: n });
    }),
  );
  return lt(() => Ek(rt(e))) ?? { kind: "other" };
}
function Ek(t) {
  let e = vk(t);
  if (e.has("witnesses") && e.has("threshold")) return { kind: "configuration", text: t };
  if (!e.has("signed_attestation") && !e.has("batch_inclusion")) {
    let n = lt(() => ua(t)) ?? [];
    return n.length > 0 ? { kind: "chain", text: t, links: n } : { kind: "other" };
  }
  try {
    return { kind: "bundle", text: t, bundle: fi(t) };
  } catch (n) {
    return { kind: "damaged_bundle", error: Lr(n) };
  }
}
function vk(t) {
  try {
    let e = xt(t, "malformed_bundle");
    return new Set(typeof e == "object" && e !== null ? Object.keys(e) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(t) ? ["signed_attestation"] : []);
  }
}
function By(t, e) {
  return e.length > (t.succession?.length ?? 0) ? { ...t, succession: [...e] } : t;
}
function Cy(t) {
  return t === "configuration"
    ? "It is a network's configuration. Choose it under What you trust."
    : "A proof is a file such as NAME.countersign.json, saved on the Stamp page. If this is the stamped file itself, compare it with its proof below.";
}
function Oc(t) {
  let e = t.trim(),
    [, n] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(e) ?? [],
    [, r] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(e) ?? [],
    o = (n ?? r ?? e).toLowerCase();
  return Pe(o, S)
    ? { hash: o }
    : o === ""
    ? { fault: "Paste a SHA-256 hash: 64 hexadecimal digits" }
    : /^[0-9a-f]+$/.test(o)
    ? { fault: `A SHA-256 hash has 64 digits, this one has ${o.length}` }
    : { fault: "A SHA-256 hash contains only the digits 0 to 9 and a to f" };
}
var Sk = /^(?:(batch|position)\s*)?(\d[\d,]*)$/i;
function Iy(t, { hasBatches: e = !0 } = {}) {
  let n = t.trim(), [, r] = /^https?:\/\/[^#\s]*(#\S*)$/.exec(n) ?? [];
  if (r !== void 0) return Tk(r);
  let [, o, s = ""] = Sk.exec(n) ?? [];
  if (s !== "" && s.length < S * 2) return kk(o ?? (e ? void 0 : "position"), s);
  let i = Oc(n);
  return "hash" in i
    ? { routes: [{ page: "proof", hash: i.hash }] }
    : n === ""
    ? { fault: "Enter a hash, a batch or a position" }
    : i;
}
function Tk(t) {
  let e = gi(t);
  return e.page === "unknown" ? { fault: "This is not the address of a proof" } : { routes: [e] };
}
function kk(t, e) {
  let n = bt(e.replaceAll(",", ""));
  if (n === void 0) return { fault: "A batch or a position is a number such as 1234" };
  let r = { page: "batch", id: n }, o = { page: "position", index: n };
  return t === void 0 ? { routes: [r, o] } : { routes: [t.toLowerCase() === "batch" ? r : o] };
}
function Ac() {
  let [t, e] = W(""),
    [n, r] = W({ routes: [] }),
    { copy: o } = Y(),
    s = (a) => {
      a.preventDefault();
      let f = Iy(t, { hasBatches: o === void 0 });
      if ("routes" in f && f.routes.length === 1) return vl(f.routes[0]);
      r(f);
    },
    i = (a) => {
      e(a), r({ routes: [] });
    };
  return c("div", {
    class: "look-up",
    children: [
      c("form", {
        class: "field",
        onSubmit: s,
        noValidate: !0,
        role: "search",
        "aria-label": "Log",
        children: [
          c(cs, {
            label: "Look up",
            action: "Look up",
            icon: "search",
            text: t,
            hint: o === void 0
              ? "A hash, a line of sha256sum, a batch, or a position in the log"
              : "A hash, a line of sha256sum, or a position in the log",
            fault: "fault" in n ? n.fault : void 0,
            onText: i,
          }),
          "routes" in n && n.routes.length > 1 &&
          c("p", {
            class: "row",
            role: "status",
            children: n.routes.map((a) =>
              c("a", { class: "button", href: ce(a), children: Ok(a) }, a.page)
            ),
          }),
        ],
      }),
      c(Ak, {}),
    ],
  });
}
function Ok(t) {
  return t.page === "batch"
    ? `Batch ${j(t.id)}`
    : t.page === "position"
    ? `Position ${j(t.index)}`
    : t.page;
}
function vl(t) {
  location.hash = ce(t);
}
function Ak() {
  let t = Y(), [e, n] = ps(t), [r, o] = W(void 0), s = e.state === "hashed" ? e.hash : void 0;
  Ie(() => {
    s !== void 0 && vl({ page: "proof", hash: s });
  }, [s]);
  let i = async (a) => {
    o(void 0);
    try {
      let f = await kc(a);
      if (f.kind !== "bundle") return n(a);
      let { hash: d } = f.bundle.signed_attestation.attestation;
      vl({ page: "proof", hash: d });
    } catch (f) {
      o(f);
    }
  };
  return c("div", {
    class: "stack-small",
    children: [
      c(Mn, {
        compact: !0,
        icon: "file",
        label: "Or choose a file",
        onFiles: ([a]) => void i(a),
        children: c("span", {
          class: "muted small",
          children: "It is hashed here and stays on this device.",
        }),
      }),
      r !== void 0 && c(Ge, { error: r }),
      c(El, { content: e, onRemove: () => n(void 0) }),
    ],
  });
}
function Nc({ head: t, retry: e }) {
  return c(J, {
    title: "Latest tree head",
    children: Sl(t)
      ? c(ct, {
        title: "The log is empty",
        children: "The first batch publishes its first tree head.",
      })
      : c(Fe, { loaded: t, what: "the tree head", retry: e, render: (n) => c(Nk, { ...n }) }),
  });
}
function Sl(t) {
  return t.state === "failed" && wr(t.error, "no_tree_head");
}
function Nk({ sth: t, outcome: e, trust: n }) {
  let { copy: r } = Y(), { tree_size: o, root_hash: s, timestamp: i } = t.tree_head;
  return c(H, {
    children: [
      c("p", {
        class: "figure-line",
        children: [
          c("span", { class: "figure", children: j(o) }),
          c("span", { class: "muted", children: "attestations in the log" }),
        ],
      }),
      c(tt, {
        items: {
          Root: c(le, { text: s, what: "root hash" }),
          Signed: c(Xt, { time: i }),
          Witnesses: c(ds, { outcome: e, isPinned: n.isPinned }),
          Batch: r === void 0 ? c(Or, { id: o }) : void 0,
        },
      }),
      c(kr, { isPinned: n.isPinned }),
    ],
  });
}
function Bc({ network: t, retry: e }) {
  return c(J, {
    title: "Network",
    children: c(Fe, { loaded: t, what: "the network", retry: e, render: (n) => c(Bk, { ...n }) }),
  });
}
function Bk(t) {
  let { shown: e, fingerprint: n, pinned: r } = t,
    {
      id: o,
      signature_scheme: s,
      threshold: i,
      witnesses: a,
      log_vkey: f,
      merge_delay_seconds: d,
    } = e;
  return c(H, {
    children: [
      c(tt, {
        items: {
          Network: c("span", { class: "mono", children: o }),
          Threshold: `${i} of ${Q(a.length, "witness", "witnesses")}`,
          Scheme: s === "bls" ? "BLS12-381, aggregated" : "Ed25519",
          Fingerprint: c(le, { text: n, what: "fingerprint" }),
          Pin: c(Ik, { ...t }),
          "Log key": f && c(le, { text: f, what: "log key" }),
          "In the log within": d === void 0 ? void 0 : Nt(d),
          Federation: c(Rk, { ...e.federation }),
        },
      }),
      r === void 0 || r.fingerprint === n ? null : c(Ck, { shown: o, pinned: r.id }),
    ],
  });
}
function Ck({ shown: t, pinned: e }) {
  return t !== e
    ? c(re, {
      tone: "warn",
      title: "You pinned the configuration of another network",
      children: c("p", {
        children: [
          "Your pin is for",
          " ",
          c("span", { class: "mono", children: e }),
          ". Nothing of this network can be verified with it.",
        ],
      }),
    })
    : c(re, {
      tone: "bad",
      title: "This gateway's configuration differs from the one you pinned",
      children: c("p", {
        children:
          "These pages verify everything under yours. Ask the operator why the two differ before you pin another.",
      }),
    });
}
function Ik({ shown: t, fingerprint: e, pinned: n }) {
  return n === void 0
    ? c("span", {
      class: "row",
      children: [
        c(ie, { tone: "warn", children: "Not pinned" }),
        c("a", { href: ce({ page: "verify" }), children: "Pin a configuration" }),
      ],
    })
    : n.fingerprint === e
    ? c(ie, { tone: "good", children: "Pinned in this browser" })
    : n.id === t.id
    ? c(ie, { tone: "bad", children: "Differs from your pin" })
    : c(ie, { tone: "warn", children: "Your pin is for another network" });
}
function Rk({ enabled: t, peer_networks: e, cross_anchor_threshold: n }) {
  return e.length === 0 ? c("span", { children: "No peer networks" }) : c("span", {
    class: "lines",
    children: [
      c("span", {
        children: t
          ? `${n} of ${Q(e.length, "peer")} must cosign`
          : "Cosignatures of peers are not required",
      }),
      e.map((r) =>
        c("span", {
          class: "muted small",
          children: [
            c("span", { class: "mono", children: r.id }),
            r.min_witnesses === void 0
              ? ""
              : `, at least ${Q(r.min_witnesses, "witness", "witnesses")}`,
            r.gateway_url === void 0 ? "" : `, ${r.gateway_url}`,
          ],
        }, r.id)
      ),
    ],
  });
}
function Ry({ status: t, network: e, retry: n }) {
  let r = new Map(e?.witnesses.map(({ id: f, pubkey: d }) => [f, d])),
    o = t.value?.witnesses ?? [],
    s = o.filter(({ id: f, healthy: d }) => d && r.has(f)).length,
    i = [...r.keys()].filter((f) => !o.some((d) => d.id === f)),
    a = [...o.map((f) => ({ id: f.id, health: f })), ...i.map((f) => ({ id: f }))];
  return c(J, {
    title: "Witnesses",
    aside: t.value === void 0 || e === void 0 ? void 0 : c(ie, {
      tone: s >= e.threshold ? "good" : "bad",
      children: `${s} of ${r.size} answer, ${e.threshold} required`,
    }),
    children: c(Fe, {
      loaded: t,
      what: "the status",
      retry: n,
      render: (f) =>
        c(H, {
          children: [
            c(St, {
              caption: "Witnesses and their health",
              rows: a,
              keyOf: ({ id: d }) => d,
              columns: [
                ["Witness", ({ id: d }) => c("span", { class: "mono witness-id", children: d })],
                ["Health", ({ health: d }) => c(Lk, { health: d })],
                ["Last good answer", ({ health: d }) => c(Hk, { health: d })],
                ["Public key", ({ id: d }) =>
                  r.has(d)
                    ? c(le, { text: r.get(d), what: `public key of ${d}` })
                    : e === void 0
                    ? ""
                    : c(ie, { tone: "warn", children: "Not in the configuration" })],
              ],
            }),
            c(Mk, { status: f }),
          ],
        }),
    }),
  });
}
function Lk({ health: t }) {
  return t === void 0
    ? c(ie, { tone: "warn", children: "Not reported" })
    : t.healthy
    ? c(ie, { tone: "good", children: "Answers" })
    : c(ie, { tone: "bad", children: t.last_error ?? "Does not answer" });
}
function Hk({ health: t }) {
  return t?.last_seen_at === void 0
    ? c("span", { class: "muted", children: "none yet" })
    : c("span", { class: "nowrap", children: c(Tr, { time: t.last_seen_at }) });
}
function Mk({ status: t }) {
  let { pending_count: e, oldest_pending_age: n, status: r } = t,
    o = e === 0
      ? "No attestation waits for signatures"
      : `${Q(e, "attestation")} not signed yet` + (n === void 0 ? "" : `, the oldest for ${Nt(n)}`);
  return c(H, {
    children: [
      r === "ok" ? null : c(re, {
        tone: "bad",
        title: "The gateway reports that it is not healthy",
        children: c("p", { children: c("code", { children: r }) }),
      }),
      c("p", {
        class: "muted small",
        children: [o, ". The gateway reports health; nothing proves it."],
      }),
    ],
  });
}
function Ly({ status: t }) {
  let { peers: e, anchors: n, beacon: r } = t;
  if (e.length === 0 && n.length === 0 && r === void 0) return null;
  let o = {
    "drand beacon": r === null
      ? c(ie, { tone: "warn", children: "None recent" })
      : r && `round ${j(r.round)}, ${Nt(r.age)} old`,
  };
  for (let s of n) o[uc(s.provider, s.service)] = c($k, { ...s });
  return c(J, {
    title: "Peers and anchors",
    children: [
      e.length === 0 ? null : c(St, {
        caption: "State of each peer",
        rows: e,
        keyOf: ({ id: s }) => s,
        columns: [["Peer network", ({ id: s }) => c("span", { class: "mono", children: s })], [
          "State",
          ({ failing: s }) =>
            s
              ? c(ie, { tone: "bad", children: "Last attempt failed" })
              : c(ie, { tone: "good", children: "Answers" }),
        ], [
          "Cosigned size",
          ({ last_cross_anchor: s }) => s === void 0 ? "none yet" : j(s.tree_size),
          "numeric",
        ], [
          "Age",
          ({ last_cross_anchor: s }) => s === void 0 ? "" : Nt(s.age),
          "numeric",
        ]],
      }),
      c(tt, { items: o }),
    ],
  });
}
function $k({ last: t }) {
  return t === void 0 ? c(ie, { tone: "neutral", children: "Nothing anchored yet" }) : c("span", {
    class: "row",
    children: [
      c(ie, { tone: t.status === "confirmed" ? "good" : "info", children: t.status }),
      c("span", { children: `size ${j(t.tree_size)}, ${Nt(t.age)} ago` }),
    ],
  });
}
var Tl = 100;
function Hy({ api: t, line: e }) {
  let [n, r] = W({ batches: [], isLoading: !0, isWhole: !1 }), [o, s] = W({});
  Ie(() => {
    let f = new AbortController(), { before: d } = o;
    r(({ error: l, ...h }) => ({ ...h, isLoading: !0 }));
    let u = { limit: Tl, ...d !== void 0 && { before: d } };
    return e.ask(() => t.batches(u, f.signal), f.signal).then(({ value: l }) => {
      f.signal.aborted || r((h) => d === void 0 ? Fk(h, l) : Pk(h, l));
    }, (l) => {
      f.signal.aborted || r((h) => ({ ...h, isLoading: !1, error: l }));
    }),
      () => f.abort();
  }, [o, t]);
  let i = Cn(() => s({}), []), a = n.batches.at(-1)?.id;
  return {
    ...n,
    refresh: i,
    older: () => {
      a !== void 0 && s({ before: a });
    },
  };
}
function Fk(t, e) {
  let n = Dk(t.batches, e);
  return {
    batches: n ?? e,
    isLoading: !1,
    isWhole: n !== void 0 && t.batches.length > 0 ? t.isWhole : e.length < Tl,
  };
}
function Pk(t, e) {
  return { batches: jk(t.batches, e), isLoading: !1, isWhole: e.length < Tl };
}
function jk(t, e) {
  let n = t.at(-1)?.id ?? 1 / 0;
  return [...t, ...e.filter((r) => r.id < n)];
}
function Dk(t, e) {
  let n = t[0]?.id ?? 0, r = e.filter((s) => s.id > n), o = r.at(-1);
  if (!(o !== void 0 && t.length > 0 && o.first_index !== n)) return [...r, ...t];
}
var Uk = 1e4;
function My() {
  let t = Y(),
    { api: e, trust: n } = t,
    r = Ot(Ee(n)),
    [o, s] = Ae((h) => La(t, h), [r]),
    [i, a] = Ae((h) => Nn(t, void 0, h), [r]),
    [f, d] = Ae(async (h) => (await e.status(h)).value, []),
    u = Hy(t);
  Ie(() => {
    let h = setInterval(() => {
      document.visibilityState === "visible" && d();
    }, Uk);
    return () => clearInterval(h);
  }, []);
  let l = () => {
    a(), u.refresh();
  };
  return c(H, {
    children: [
      c(Je, {
        title: "Explore",
        children:
          "The network behind this gateway, and the public log of everything that it signed.",
      }),
      c(Ac, {}),
      c(ry, { count: f.value?.contradictions ?? 0, trustKey: r }),
      c("div", {
        class: "grid",
        children: [c(Nc, { head: i, retry: a }), c(Bc, { network: o, retry: s })],
      }),
      c(Ry, { status: f, network: o.value?.shown, retry: d }),
      c(vy, { list: u }),
      c("div", { class: "grid grid-wide", children: [c(Kw, { list: u }), c(py, { grown: l })] }),
      f.value !== void 0 && c(Ly, { status: f.value }),
      c("p", {
        children: [
          c("a", { href: ce({ page: "tiles" }), children: "Tiles of the log" }),
          c("span", { class: "muted", children: ", for mirrors and monitors (C2SP tlog-tiles)" }),
        ],
      }),
    ],
  });
}
function Ar({ title: t, children: e, accept: n, onAccept: r, cancel: o, onCancel: s }) {
  return c(re, {
    tone: "warn",
    live: !0,
    title: t,
    children: [
      e,
      c("div", {
        class: "row",
        children: [
          c(ue, { isRemoved: !0, onClick: r, children: n }),
          c(ue, { kind: "quiet", isRemoved: !0, onClick: s, children: o }),
        ],
      }),
    ],
  });
}
function $y({ stored: t, fingerprint: e, forget: n }) {
  return c(J, {
    title: "What this browser remembers",
    children: [
      c(zk, { stored: t, fingerprint: e }),
      (t.kind === "head" || t.kind === "damaged") && c(qk, { forget: n }),
    ],
  });
}
function zk({ stored: t, fingerprint: e }) {
  switch (t.kind) {
    case "none":
      return c(ct, {
        title: "Nothing yet",
        children: "This browser remembers the first tree head that verifies.",
      });
    case "blocked":
      return c(re, {
        tone: "warn",
        title: "This browser does not let the page store anything",
        children: c("p", {
          children:
            "Without memory every visit is the first one, and the page cannot notice a fork.",
        }),
      });
    case "damaged":
      return c(re, {
        tone: "warn",
        title: "The stored tree head cannot be read",
        children: [
          c("p", { children: "The page does not change it unless you clear it." }),
          c("pre", { children: t.text.slice(0, 400) }),
        ],
      });
    case "head": {
      let { sth: n, seenAt: r, logSignature: o } = t.head,
        { tree_size: s, root_hash: i, timestamp: a } = n.tree_head;
      return c(tt, {
        items: {
          Size: j(s),
          Root: c(le, { text: i, what: "remembered root" }),
          Signed: c(Xt, { time: a }),
          "Seen here": c(Xt, { time: r }),
          "Verified under": t.head.fingerprint === e
            ? "the configuration in use"
            : c(le, { text: t.head.fingerprint, what: "fingerprint" }),
          "Log key's signature": o === void 0 ? "not shown by the gateway" : "stored",
        },
      });
    }
  }
}
function qk({ forget: t }) {
  let [e, n] = W(!1);
  return e
    ? c(Ar, {
      title: "Forget the tree head and all evidence of this log?",
      accept: "Forget it",
      onAccept: () => {
        n(!1), t();
      },
      cancel: "Keep it",
      onCancel: () => n(!1),
      children: c("p", {
        children:
          "The next visit is the first one again. If the gateway shows another log from now on, this browser cannot notice it.",
      }),
    })
    : c("div", { children: c(ue, { onClick: () => n(!0), children: "Forget this log" }) });
}
var kl = [
    "Download the evidence, and do not clear what this page remembers.",
    "Do not rely on new attestations of this network until its operator has explained it in public.",
  ],
  Gk = {
    empty: {
      tone: "neutral",
      badge: "No head yet",
      title: "The log is empty",
      meaning: "The gateway has not published a tree head yet, and this browser has not seen one.",
      steps: [],
    },
    first: {
      tone: "good",
      badge: "Remembered",
      title: "First visit: this browser now remembers the tree head",
      meaning:
        "Its signatures verify. At every later visit the gateway must show a log that grew from it.",
      steps: [],
    },
    same: {
      tone: "good",
      badge: "Consistent",
      title: "The log has not changed since your last visit",
      meaning: "The gateway shows the size and the root that this browser remembers.",
      steps: [],
    },
    extends: {
      tone: "good",
      badge: "Consistent",
      title: "The log grew since your last visit",
      meaning:
        "A consistency proof shows that the log still begins with everything that was in it: no entry was changed or removed.",
      steps: [],
    },
    outdated: {
      tone: "warn",
      badge: "Outdated",
      title: "The gateway shows an older log than before",
      meaning:
        "Both tree heads belong to one log, but this browser has seen a longer one. The gateway's store may be an old copy, or a cache between you and the gateway is out of date.",
      steps: [
        "Come back in a few minutes. If nothing changes, tell the operator which size you have seen.",
      ],
    },
    fork: {
      tone: "bad",
      badge: "Fork",
      title: "This log has two histories",
      meaning:
        "The witnesses of this network signed two tree heads that one log cannot have. The gateway and every witness that signed both broke their promise. The evidence proves it to anyone who has the network's configuration.",
      steps: [
        ...kl,
        "Send the evidence to other users of the network, to its peers and to its operator.",
      ],
    },
    unproven: {
      tone: "bad",
      badge: "Not proved",
      title: "The gateway does not prove that its log grew from what you saw",
      meaning:
        "Its proof does not lead from the remembered tree head to the one shown. That does not prove a fork: the proof may have been damaged on its way. But an honest gateway can always give a valid one.",
      steps: [
        "Check again, also from another connection. If nothing changes, treat it as a fork.",
        ...kl,
      ],
    },
    denied: {
      tone: "bad",
      badge: "Denied",
      title: "The gateway denies a tree head that its witnesses signed",
      meaning:
        "It reports that the size this browser remembers was never published. Its store is an old copy, or it shows another log.",
      steps: [
        "Check again later. Even a gateway restored from a backup must not lose published heads.",
        ...kl,
      ],
    },
    other_keys: {
      tone: "bad",
      badge: "Other keys",
      title: "The tree head you saw before was signed with other keys",
      meaning:
        "The remembered tree head does not verify under the configuration in use, so the two logs cannot be compared. This browser keeps the remembered head.",
      steps: [
        "If the network announced new keys, clear what this page remembers and start over.",
        "Otherwise ask the operator, and compare the fingerprint of the configuration with one from another source.",
      ],
    },
    unverified: {
      tone: "bad",
      badge: "Not verified",
      title: "The tree head shown does not verify",
      meaning:
        "It does not have the signatures that the configuration in use requires. This browser does not remember it.",
      steps: [
        "Compare the fingerprint of your configuration with the operator's.",
        "Do not rely on this gateway until its tree head verifies.",
      ],
    },
    other_network: {
      tone: "warn",
      badge: "Not checked",
      title: "You pinned the configuration of another network",
      meaning:
        "The configuration pinned in this browser is for another network than this gateway's, so this log cannot be verified here.",
      steps: [
        "If you pinned it to verify a proof of that network, nothing is wrong.",
        "To check this log, pin the configuration of this gateway's network instead.",
      ],
    },
    refused: {
      tone: "warn",
      badge: "Not checked",
      title: "The gateway gave no usable answer",
      meaning: "The log was not checked. This browser keeps what it remembers.",
      steps: ["Check again in a moment."],
    },
    unreachable: {
      tone: "warn",
      badge: "Not reachable",
      title: "The gateway does not answer",
      meaning: "The log was not checked. This browser keeps what it remembers.",
      steps: ["Check your connection, and try again."],
    },
  },
  Vk = {
    tone: "warn",
    badge: "Not compared",
    title: "There is nothing to compare this tree head with",
    meaning:
      "Its signatures verify, but this browser cannot remember it. At the next visit it cannot notice a log that changed.",
    steps: ["See below why this browser cannot remember it."],
  };
function Ei({ finding: t, memory: e }) {
  return t === "first" && e !== "kept" ? Vk : Gk[t];
}
var Kk = {
  kept: void 0,
  unchanged: void 0,
  full: "This browser has no storage left for the page, so it does not remember this tree head.",
  blocked: "This browser does not let the page store anything: each visit is the first one.",
  damaged: "The tree head stored for this network cannot be read. Clear it to start over.",
};
function Fy({ memory: t }) {
  return Kk[t];
}
var Wk = 4;
async function Py(t, e) {
  let { store: n, network: r, now: o } = t;
  for (let s = 1;; s++) {
    let i = n.read(r.id),
      a = i.kind === "head" ? i.head : void 0,
      { keep: f, ...d } = await Yk(t, a, e);
    e.throwIfAborted(), d.fork !== void 0 && n.keepEvidence(r.id, d.fork.evidence);
    let u = { ...d, checkedAt: o() };
    if (i.kind === "damaged" || i.kind === "blocked") return { ...u, memory: i.kind };
    if (f === void 0) return { ...u, memory: "unchanged" };
    let l = n.replace(i.kind === "head" ? i.text : void 0, f);
    if (l !== "changed") return { ...u, memory: l };
    if (s === Wk) return { ...u, memory: "unchanged" };
  }
}
async function Yk(t, e, n) {
  let r = e === void 0 ? {} : { known: e }, o;
  try {
    o = (await t.gateway.sth(void 0, n)).value;
  } catch (s) {
    return s instanceof xe && s.reason === "no_tree_head"
      ? e === void 0 ? { finding: "empty" } : { finding: "denied", known: e, ...Al(s) }
      : { ...Ol(s, n), ...r };
  }
  return await jy(t, e, o, n);
}
async function jy(t, e, n, r) {
  let o = e === void 0 ? {} : { known: e },
    { crypto: s, network: i, gateway: a } = t,
    f = await pt(s, i, n);
  if (!f.valid) {
    let d = await _a(s, a, i, r);
    return d !== void 0 ? await jy({ ...t, network: d }, e, n, r) : {
      finding: e === void 0 && n.tree_head.network_id !== i.id ? "other_network" : "unverified",
      ...o,
      seen: n,
      outcome: f,
    };
  }
  return e === void 0
    ? { finding: "first", seen: n, outcome: f, keep: await Cc(t, n, r) }
    : { outcome: f, ...await Xk(t, { known: e, seen: n }, r) };
}
async function Xk(t, { known: e, seen: n }, r) {
  let o = { known: e, seen: n }, s;
  try {
    s = await Jw(
      t,
      { known: e.sth, seen: n },
      async (d, u) => (await t.gateway.consistency(d, u, r)).value,
    );
  } catch (d) {
    return { ...Ol(d, r), ...o };
  }
  let { refusal: i, ...a } = s;
  if (i !== void 0 && i.reason !== "tree_size_not_published") return { ...Ol(i, r), ...o };
  let f = { ...a, ...o, ...i && Al(i) };
  switch (f.finding) {
    case "same": {
      let d = e.logSignature ? void 0 : await Cc(t, n, r);
      return { ...f, ...d?.logSignature && { keep: d } };
    }
    case "extends":
      return { ...f, keep: await Cc(t, n, r) };
    case "fork": {
      let d = await Zk(t, o, f.proof, r);
      return { ...f, fork: d };
    }
    default:
      return f;
  }
}
async function Zk(t, { known: e, seen: n }, r, o) {
  let s = await Cc(t, n, o);
  return await ey(t, { known: e, seen: s }, r);
}
async function Cc({ crypto: t, network: e, fingerprint: n, gateway: r, now: o }, s, i) {
  let a = { sth: s, fingerprint: n, seenAt: o() };
  try {
    let f = await r.checkpoint(i), d = await Di(t, e, s.tree_head, f);
    return { ...a, ...d && { logSignature: d } };
  } catch (f) {
    if (i.throwIfAborted(), !(f instanceof O)) throw f;
    return a;
  }
}
function Ol(t, e) {
  return e.throwIfAborted(),
    { finding: yt(t, "gateway_unreachable") ? "unreachable" : "refused", ...Al(t) };
}
function Al(t) {
  if (!(t instanceof O)) throw t;
  return { fault: { code: t.code, message: t.message } };
}
function Rc({ check: t, fault: e }) {
  return _r(e) || t?.finding === "unreachable" || t?.finding === "refused";
}
var Ic = class {
  #e;
  #t = new Set();
  #n = { isChecking: !1 };
  #o;
  #r;
  constructor(e) {
    this.#e = e;
  }
  get state() {
    return this.#n;
  }
  subscribe(e) {
    return this.#t.add(e), () => this.#t.delete(e);
  }
  stored() {
    let { trust: e } = this.#n;
    return e && this.#r?.store.read(e.network.id);
  }
  async check() {
    this.#o?.abort(new Error("checked anew"));
    let e = new AbortController();
    this.#o = e, this.#s({ ...this.#n, isChecking: !0 });
    let n = await this.#i(e.signal);
    this.#o === e && (this.#o = void 0, this.#s({ ...n, isChecking: !1 }));
  }
  async forget() {
    let { trust: e } = this.#n;
    e !== void 0 && this.#r?.store.forget(e.network.id), await this.check();
  }
  async storageChanged(e) {
    let { trust: n } = this.#n;
    n === void 0 || this.#r === void 0 ||
      this.#r.store.concerns(n.network.id, e) && await this.check();
  }
  async #i(e) {
    try {
      let n = await this.#e.trust(e), r = await this.#e.context(n);
      this.#r = r;
      let { id: o } = n.network,
        s = await this.#e.exclusively(o, () => Py(r, e)),
        i = s.fork?.evidence ?? r.store.evidence(o);
      return { trust: n, check: s, ...i !== void 0 && { evidence: i } };
    } catch (n) {
      if (e.aborted) return {};
      if (!(n instanceof O)) throw n;
      let { trust: r, evidence: o } = this.#n;
      return { ...r && { trust: r }, ...o !== void 0 && { evidence: o }, fault: n };
    }
  }
  #s(e) {
    this.#n = e;
    for (let n of this.#t) n();
  }
};
function Dy({ state: t, recheck: e }) {
  let { check: n, fault: r, isChecking: o, trust: s } = t,
    i = fc() !== void 0 && Rc(t),
    a = n === void 0 ? void 0 : Ei(n),
    f = a?.tone === "good" && !s?.isPinned ? "info" : a?.tone;
  return c(J, {
    title: "Last check",
    aside: c(H, {
      children: [
        n !== void 0 &&
        c(H, {
          children: [
            c(ie, { tone: f, children: a.badge }),
            c("span", {
              class: "muted small",
              children: ["Checked ", c(Tr, { time: n.checkedAt })],
            }),
          ],
        }),
        c(ue, { disabled: o, onClick: e, children: o ? "Checking" : "Check again" }),
      ],
    }),
    children: [
      i
        ? c("p", { class: "muted", children: "The log is checked when the gateway answers again." })
        : r === void 0 || o
        ? null
        : c(Ge, { error: r, title: "Cannot check the log" }),
      n === void 0 || i
        ? o && !i ? c(hn, { label: "Checking the log" }) : null
        : c(Jk, { check: n, networkId: s?.network.id ?? "", tone: f }),
    ],
  });
}
function Jk({ check: t, networkId: e, tone: n }) {
  let r = Ei(t), o = Fy(t), s = Qk(t);
  return c(H, {
    children: [
      c(re, {
        tone: n,
        live: !0,
        title: r.title,
        children: [
          c("p", { children: r.meaning }),
          c(e5, { check: t }),
          r.steps.length === 0 ? null : c("ol", {
            class: "next-steps",
            children: r.steps.map((i) => c("li", { children: i }, i)),
          }),
          t.fork !== void 0 ? c(ul, { ...t.fork, networkId: e }) : r.tone === "bad"
            ? c(ln, {
              fileName: `${_i(e)}.${t.finding}.json`,
              text: t5(t, e),
              children: "Download what was seen",
            })
            : null,
        ],
      }),
      o !== void 0 && c(re, { tone: "warn", title: o }),
      s.length === 0 ? null : c(_c, { caption: "Remembered and shown tree heads", heads: s }),
    ],
  });
}
function Qk({ known: t, seen: e, finding: n }) {
  let r = [];
  return t !== void 0 && !(n === "first" || n === "same") && r.push(["Remembered", t.sth]),
    e !== void 0 && r.push(["Shown now", e]),
    r;
}
function e5({ check: { outcome: t, fault: e } }) {
  let n = t === void 0 || t.valid || t.reason === void 0;
  return e === void 0 && n ? null : c("p", {
    class: "failure-code",
    children: [c("code", { children: e?.code ?? t?.reason }), " ", e?.message ?? nn(t)],
  });
}
function t5(t, e) {
  let { finding: n, checkedAt: r, known: o, seen: s, proof: i } = t,
    a = { finding: n, network_id: e, checked_at: r, known: o?.sth, seen: s, consistency_proof: i };
  return `${JSON.stringify(a, void 0, 2)}
`;
}
var Uy = "countersign log sth --verify";
function zy({ trust: t }) {
  return c(J, {
    title: "What you trust",
    aside: t === void 0
      ? void 0
      : t.isPinned
      ? c(ie, { tone: "good", children: "Pinned" })
      : c(ie, { tone: "warn", children: "Not pinned" }),
    children: [
      t !== void 0 &&
      c(tt, {
        items: {
          Network: c("span", { class: "mono", children: t.network.id }),
          Fingerprint: c(le, { text: t.fingerprint, what: "fingerprint" }),
        },
      }),
      t?.isPinned === !1 && c("p", {
        children: [
          "You have not pinned a configuration, so this page uses the witness keys that the gateway names. It still notices if the log changes from now on. It cannot notice a gateway that showed a false network on your first visit.",
          " ",
          c("a", { href: ce({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
      c("p", {
        children:
          "This page comes from the gateway that it checks. To check without trusting the gateway's page, run the command line, which remembers the log in the same way:",
      }),
      c("p", {
        class: "row",
        children: [c("code", { children: Uy }), c(Rn, { text: Uy, what: "command" })],
      }),
    ],
  });
}
function qy() {
  let { watch: t } = Y(),
    e = Ee(t),
    { trust: n, check: r, evidence: o } = e,
    s = t.stored(),
    i = r === void 0 && e.isChecking;
  return c(H, {
    children: [
      c(Je, {
        title: "Check the log",
        children:
          "A transparency log may only grow. This browser remembers the last tree head that it saw. At every visit, on every page, the gateway must prove that its log grew from there.",
      }),
      c(Dy, { state: e, recheck: () => void t.check() }),
      o === void 0 || r?.fork !== void 0
        ? null
        : c(ny, { evidence: o, networkId: n?.network.id ?? "" }),
      i ? null : c("div", {
        class: "grid",
        children: [
          s === void 0 || n === void 0 ? null : c($y, {
            stored: s,
            fingerprint: n.fingerprint,
            forget: () => void t.forget(),
          }),
          c(zy, { trust: n }),
        ],
      }),
    ],
  });
}
function Gy({ index: t }) {
  let e = Y(), [n, r] = Ae((o) => n5(e, t, o), [t]);
  return c(H, {
    children: [
      c(Je, {
        title: `Position ${j(t)}`,
        isBelowExplore: !0,
        children: "The attestation at this place in the log; the first one is at position 0.",
      }),
      c(Fe, {
        loaded: n,
        what: "the position",
        retry: r,
        render: ({ size: o }) =>
          o === void 0 ? c("p", { role: "status", children: "Opening its proof" }) : c(J, {
            title: "Not in the log",
            children: c(ct, {
              title: "The log has no such position yet",
              children: c("p", { children: ["It has ", Q(o, "attestation"), "."] }),
            }),
          }),
      }),
    ],
  });
}
async function n5(t, e, n) {
  let r = await Nn(t, void 0, n).catch((f) => {
      if (!wr(f, "no_tree_head")) throw f;
    }),
    { tree_size: o = 0, network_id: s = "" } = r?.sth.tree_head ?? {};
  if (e >= o) return { size: o };
  let i = { start: e, end: e + 1, size: o, networkId: s }, [a] = await ho(t, i, n);
  return location.replace(ce({ page: "proof", hash: a.hash })), {};
}
var r5 = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};
function Nl({ job: t }) {
  let [e, n] = t.progress === "batched" ? ["good", "In the log"] : r5[t.status];
  return c(J, {
    title: "At the gateway",
    aside: c(ie, { tone: e, children: n }),
    children: [
      c(tt, {
        items: {
          Hash: c(le, { text: t.hash, what: "hash" }),
          Accepted: c(Xt, { time: t.created_at }),
          "Last change": c(Xt, { time: t.updated_at }),
          Attempts: j(t.attempts),
          "Next attempt": t.next_attempt_at && c(Xt, { time: t.next_attempt_at }),
          Batch: t.batch_id && c(Or, { id: t.batch_id }),
        },
      }),
      t.last_error !== void 0 &&
      c(re, {
        tone: "warn",
        title: "The last attempt failed",
        children: c("p", {
          class: "failure-code",
          children: [c("code", { children: t.last_error.code }), " ", t.last_error.message],
        }),
      }),
    ],
  });
}
var Cl = 360,
  $n = { width: 104, height: 26 },
  Lc = Cl / 2,
  Ky = { left: $n.width / 2 + 2, right: Cl - $n.width / 2 - 2 },
  Vy = 50,
  o5 = 8;
function Wy(t) {
  let { tree: e, leafHash: n, index: r, size: o, steps: s, isVerified: i } = t,
    a = s.length * Vy + $n.height + 4,
    f = (u) => a - 2 - $n.height / 2 - u * Vy,
    d = `Leaf ${j(r)} of the ${e} of ${Q(o, "leaf", "leaves")}: ${
      Q(s.length, "step")
    } up to the root, which is ${i ? "" : "not "}verified`;
  return c("figure", {
    class: "path",
    children: [
      c("figcaption", { children: [d, "."] }),
      c("svg", {
        class: `path-picture ${i ? "path-verified" : "path-unverified"}`,
        viewBox: `0 0 ${Cl} ${a}`,
        role: "img",
        "aria-label": d,
        children: [
          s.map((u, l) => c(s5, { side: u.side, from: f(l), to: f(l + 1) }, l)),
          s.map((u, l) =>
            c(Bl, { x: Ky[u.side], y: f(l), hash: u.sibling, style: "path-sibling" }, l)
          ),
          s.map((u, l) =>
            c(Bl, {
              x: Lc,
              y: f(l + 1),
              hash: u.node,
              style: l === s.length - 1 ? "path-root" : "path-node",
            }, l)
          ),
          c(Bl, { x: Lc, y: f(0), hash: n, style: s.length === 0 ? "path-root" : "path-leaf" }),
        ],
      }),
      c("details", {
        children: [
          c("summary", { children: "The path as text" }),
          c(i5, { leafHash: n, steps: s }),
        ],
      }),
    ],
  });
}
function s5({ side: t, from: e, to: n }) {
  let [r, o] = [n + $n.height / 2, e - $n.height / 2];
  return c("g", {
    class: "path-edges",
    children: [
      c("path", { d: `M${Lc} ${o}V${r}` }),
      c("path", { class: "path-edge-side", d: `M${Ky[t]} ${o}V${(r + o) / 2}H${Lc}` }),
    ],
  });
}
function Bl({ x: t, y: e, hash: n, style: r }) {
  return c("g", {
    class: r,
    children: [
      c("rect", {
        x: t - $n.width / 2,
        y: e - $n.height / 2,
        width: $n.width,
        height: $n.height,
        rx: 4,
      }),
      c("text", { x: t, y: e + 4, "text-anchor": "middle", children: `${n.slice(0, o5)}\u2026` }),
    ],
  });
}
function i5({ leafHash: t, steps: e }) {
  return c("ol", {
    class: "path-list",
    children: [
      c("li", { children: ["The leaf: ", c(le, { text: t, what: "leaf hash" })] }),
      e.map(({ side: n, sibling: r, node: o }, s) =>
        c("li", {
          children: [
            "With ",
            c(le, { text: r }),
            " on the ",
            n,
            s === e.length - 1 ? ", the root:" : ":",
            " ",
            c(le, { text: o }),
          ],
        }, s)
      ),
    ],
  });
}
function Zy({ bundle: t, found: e, trust: n, fileName: r }) {
  let { verdict: o, isOtherFile: s } = e,
    { network: i, pins: a, isPinned: f } = n,
    { tone: d, sentence: u, notes: l } = hc({
      bundle: t,
      verdict: o,
      network: i,
      fileName: r,
      isOtherFile: s,
    }),
    h = o.valid && !s;
  return c("div", {
    class: "verdict",
    children: [
      c(re, {
        tone: lc(d, a),
        icon: h ? "seal" : d === "warn" ? "warning" : "cross",
        live: !0,
        title: u,
        children: [
          l.map((p) => c("p", { children: p }, p)),
          h && r === void 0 &&
          c("p", {
            children: "No file was compared. Choose the file to check that it has this hash.",
          }),
          !f && c(kr, { isPinned: !1 }),
        ],
      }),
      a?.home.source === "gateway" &&
      c(re, {
        tone: "warn",
        title: "The configuration came from the gateway",
        children: c("p", {
          children: "This verdict is right only if the gateway did not lie about its own keys.",
        }),
      }),
    ],
  });
}
function Hc({ bundle: t, found: e, trust: n, children: r }) {
  let { verdict: o, witnesses: s, leafHash: i, paths: a } = e,
    { attestation: f, round: d } = t.signed_attestation,
    { network: u, isPinned: l } = n;
  return c("details", {
    class: "technical",
    children: [
      c("summary", { children: "Technical details" }),
      c("div", {
        class: "stack",
        children: [
          c("div", {
            class: "grid",
            children: [
              c(J, {
                title: "What was attested",
                children: c(tt, {
                  items: {
                    "SHA-256": c(le, { text: f.hash, what: "hash" }),
                    Network: f.network_id,
                    Time: ve(f.timestamp),
                    "Position in the log": j(f.sequence),
                    "Signed with": d.size === 1
                      ? "no other attestation"
                      : `${Q(d.size - 1, "other")} in one round`,
                  },
                }),
              }),
              c(J, { title: "When it was signed", children: c(a5, { time: o.time }) }),
            ],
          }),
          c(J, { title: "Layers", children: c(Cw, { bundle: t, verdict: o, isPinned: l }) }),
          c(J, {
            title: `Witnesses of ${u.id}`,
            children: c(St, {
              caption: "Witnesses and what they signed",
              rows: s,
              keyOf: ({ id: h }) => h,
              columns: [
                [
                  "Witness",
                  ({ id: h }) => c("span", { class: "witness-id", children: fs(h, u.id) }),
                ],
                ["Attestation", ({ attestation: h }) => c(Xy, { state: h })],
                [
                  "Tree head",
                  ({ head: h }) =>
                    h === void 0
                      ? c("span", { class: "muted", children: "none" })
                      : c(Xy, { state: h }),
                ],
              ],
            }),
          }),
          a.length === 0 ? null : c(J, {
            title: "Path to the root",
            children: c("div", {
              class: "paths",
              children: a.map((h) => c(Wy, { leafHash: i, ...h }, h.tree)),
            }),
          }),
          c(J, {
            title: "What this does not prove",
            children: c(f5, { trust: n, unauthenticated: o.unauthenticated }),
          }),
          r,
        ],
      }),
    ],
  });
}
function a5({ time: t }) {
  let [e] = t.not_before, [n] = t.not_after;
  return n === void 0
    ? c("p", { class: "muted", children: "Nothing that verified bounds the time." })
    : c(H, {
      children: [
        e === void 0
          ? c("p", {
            children: [
              "Not after",
              " ",
              c("b", { children: ve(n.time) }),
              ". Only clocks vouch for this time: no random beacon proves when it was signed at the earliest.",
            ],
          })
          : c("p", {
            children: [
              "Between ",
              c("b", { children: ve(e.time) }),
              " and ",
              c("b", { children: ve(n.time) }),
              ".",
            ],
          }),
        c("ul", {
          class: "bounds",
          children: [
            t.not_before.map((r) => c(Yy, { name: "Not before", ...r }, r.source)),
            t.not_after.map((r) => c(Yy, { name: "Not after", ...r }, `${r.source} ${r.word}`)),
          ],
        }),
        t.failed.map(({ source: r, reason: o }) =>
          c(re, {
            tone: "warn",
            title: `${r} does not verify`,
            children: c("p", { children: Pt[o] }),
          }, r)
        ),
        t.contradictions.map(({ not_before: r, not_after: o }, s) =>
          c(re, {
            tone: "bad",
            title: "Two times contradict each other",
            children: c("p", {
              children: [
                o.source,
                " of ",
                ve(o.time),
                " precedes ",
                r.source,
                " of",
                " ",
                ve(r.time),
                ": one of them is wrong.",
              ],
            }),
          }, s)
        ),
      ],
    });
}
function Yy({ name: t, source: e, time: n, word: r }) {
  return c("li", { children: [t, " ", ve(n), ": ", e, ", vouched for by ", r] });
}
var c5 = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Not configured"],
};
function Xy({ state: t }) {
  let [e, n] = c5[t];
  return c(ie, { tone: e, children: n });
}
function f5({ trust: t, unauthenticated: e }) {
  let { network: n, pins: r } = t,
    o = r === void 0
      ? "This gateway"
      : r.home.source === "file"
      ? `Your file ${r.home.name}`
      : `This gateway, ${r.home.name}`;
  return c(H, {
    children: [
      c("ul", { children: oo.map((s) => c("li", { children: s }, s)) }),
      e.length === 0 ? null : c("details", {
        children: [
          c("summary", { children: [Q(e.length, "field"), " without a signature"] }),
          c("ul", {
            class: "mono small",
            children: e.map((s) => c("li", { children: s }, s)),
          }),
        ],
      }),
      c("h3", { children: "What this verdict depends on" }),
      c("ul", {
        children: [
          c("li", { children: [o, ", for the keys and the threshold of ", n.id] }),
          r?.peers.map(({ network: { id: s }, name: i }) =>
            c("li", { children: ["Your file ", i, ", for the keys of ", s] }, s)
          ),
          c("li", {
            children:
              "This gateway, for the code of this page. The command line verifies the same file without it.",
          }),
        ],
      }),
    ],
  });
}
function Il(t, { leafHash: e, index: n, size: r, path: o }) {
  let s = [], [i, a, f] = [e, n, r - 1];
  for (let d of o) {
    if (f <= 0) break;
    for (; a === f && a % 2 === 0 && f > 0;) [a, f] = [a / 2, f / 2];
    let u = ze(d, S) ?? new Uint8Array(S), l = a % 2 === 1 ? "left" : "right";
    i = l === "left" ? t.nodeHash(u, i) : t.nodeHash(i, u),
      s.push({ side: l, sibling: d, node: V(i) }),
      [a, f] = [Math.floor(a / 2), Math.floor(f / 2)];
  }
  return s;
}
function Qy(t, e, { layers: n }) {
  let r = e.batch_inclusion?.sth, o = new Set(t.witnesses.map(({ id: i }) => i));
  return [...new Set([...o, ...rr(e.signed_attestation), ...r === void 0 ? [] : rr(r)])].map(
    (i) => {
      let a = o.has(i);
      return {
        id: i,
        attestation: Jy(i, a, e.signed_attestation, n.attestation),
        head: r && Jy(i, a, r, n.batch),
      };
    },
  );
}
function Jy(t, e, n, { signatures: r, witness: o }) {
  return e
    ? rr(n).includes(t)
      ? r?.signers.includes(t) ? "verified" : o === t ? "wrong" : "not_counted"
      : "missing"
    : "unknown";
}
async function eb(t, e, n, r) {
  let o = await Vn(t, e, n, {}), { attestation: s } = n.signed_attestation, i = Go(t.kernels, s);
  return {
    verdict: o,
    isOtherFile: r !== void 0 && r !== s.hash,
    witnesses: Qy(e.network, n, o),
    leafHash: V(i),
    paths: d5(t, n, { verdict: o, leafHash: i }),
  };
}
function d5(
  { kernels: t },
  { signed_attestation: e, batch_inclusion: n },
  { verdict: { layers: r }, leafHash: o },
) {
  let s = [];
  if (n !== null) {
    let i = e.attestation.sequence,
      a = n.sth.tree_head.tree_size,
      f = n.merkle_proof.inclusion_path,
      d = Il(t, { leafHash: o, index: i, size: a, path: f }),
      u = r.batch.status === "verified";
    s.push({ tree: "log", index: i, size: a, steps: d, isVerified: u });
  }
  if (e.round.size > 1) {
    let { index: i, size: a, inclusion_path: f } = e.round,
      d = Il(t, { leafHash: o, index: i, size: a, path: f }),
      u = r.attestation.status === "verified";
    s.push({ tree: "round", index: i, size: a, steps: d, isVerified: u });
  }
  return s;
}
function Mc(t, { proof: e, trust: n, content: r }) {
  let o = r.state === "hashed" ? r.hash : void 0,
    s = n && [n.fingerprint, ...n.peers.map(Ht)],
    [i, a] = Ae(async () => {
      if (e === void 0 || n === void 0) return;
      let d = await t.crypto.crypto();
      return await eb(d, n, e.bundle, o);
    }, [e?.text, o, s]);
  if (e === void 0 || n === void 0 || r.state === "failed") return { state: "idle" };
  if (r.state === "hashing") return { state: "waiting", label: "Waiting for the hash of the file" };
  if (i.state === "failed") return { state: "failed", error: i.error, retry: a };
  if (i.value === void 0) return { state: "waiting", label: "Verifying in this browser" };
  let f = r.state === "hashed" ? r.name : void 0;
  return { state: "found", view: { bundle: e.bundle, found: i.value, trust: n, fileName: f } };
}
function $c({ verification: t }) {
  switch (t.state) {
    case "idle":
      return null;
    case "waiting":
      return c(hn, { label: t.label });
    case "failed":
      return c(Ge, { error: t.error, retry: t.retry });
    case "found":
      return c(Zy, { ...t.view });
  }
}
var u5 = 2e3;
function tb({ hash: t }) {
  let e = Y(),
    [n, r] = Ae(async (s) => (await e.api.job(t, 0, s)).value, [t]),
    o = n.value?.status === "failed" ? "failed" : n.value?.progress;
  return Ie(() => {
    if (o === void 0 || o === "batched" || o === "failed") return;
    let s = setInterval(r, u5);
    return () => clearInterval(s);
  }, [o]),
    c(H, {
      children: [
        c(Je, {
          title: "Proof",
          isBelowExplore: !0,
          children: "Fetched from this gateway and verified in this browser.",
        }),
        n.state === "failed" && wr(n.error, "hash_unknown") ? c(l5, { hash: t }) : c(Fe, {
          loaded: n,
          what: "the proof",
          retry: r,
          render: (s) => s.status === "confirmed" ? c(h5, { job: s }) : c(Nl, { job: s }),
        }),
      ],
    });
}
function l5({ hash: t }) {
  return c(J, {
    title: "Not found",
    children: [
      c(le, { text: t, what: "hash" }),
      c(ct, {
        title: "This gateway does not know the hash",
        children: [
          c("p", { children: "Nobody submitted it here, or it is the hash of other content." }),
          c("p", {
            children: c("a", {
              class: "button",
              href: ce({ page: "stamp" }),
              children: [c(Ze, { name: "seal" }), c("span", { children: "Stamp something" })],
            }),
          }),
        ],
      }),
    ],
  });
}
function h5({ job: t }) {
  let { hash: e, progress: n } = t,
    r = Y(),
    o = Ot(Ee(r.trust)),
    [s, i] = Ae(async (p) => {
      let { text: m, value: g } = await Qs(r.api, e, p);
      return { text: m, bundle: g };
    }, [e, n]),
    [a, f] = Ae((p) => Wt(r, p), [o]),
    [d, u] = ps(r),
    l = Mc(r, { proof: s.value, trust: a.value, content: d }),
    h = cc({ page: "proof", hash: e });
  return c(H, {
    children: [
      c(Fe, { loaded: a, what: "the network", retry: f, render: () => c($c, { verification: l }) }),
      c(Fe, {
        loaded: s,
        what: "the proof",
        retry: i,
        render: ({ text: p }) =>
          c("div", {
            class: "verify-columns",
            children: [
              c(J, {
                title: "This proof",
                children: [
                  c("p", {
                    class: "stamp-hash",
                    children: [
                      c("span", { class: "muted nowrap", children: "SHA-256" }),
                      " ",
                      c(le, { text: e, what: "hash" }),
                    ],
                  }),
                  c("div", {
                    class: "row",
                    children: [
                      c(ln, {
                        fileName: `${e}.countersign.json`,
                        text: p,
                        primary: !0,
                        children: "Download the proof",
                      }),
                      c(Rn, { text: h, what: "link to this page", named: !0 }),
                      c("a", {
                        class: "button",
                        href: ce({ page: "certificate", hash: e }),
                        children: [
                          c(Ze, { name: "file" }),
                          c("span", { children: "Certificate to print" }),
                        ],
                      }),
                    ],
                  }),
                  c("p", {
                    class: "muted small",
                    children: "Keep the proof with the file: it verifies without this gateway.",
                  }),
                ],
              }),
              c(J, { title: "Is it about your file?", children: c(Tc, { content: d, choose: u }) }),
            ],
          }),
      }),
      l.state === "found" && c(Hc, { ...l.view, children: c(Nl, { job: t }) }),
    ],
  });
}
function nb({ label: t, action: e, onHash: n }) {
  let [r, o] = W(""), [s, i] = W(void 0);
  return c("form", {
    class: "field",
    onSubmit: (u) => {
      u.preventDefault();
      let l = Oc(r);
      if ("fault" in l) return i(l.fault);
      i(void 0), o(""), n(l.hash);
    },
    noValidate: !0,
    children: c(cs, {
      label: t,
      text: r,
      hint: "64 hexadecimal digits, or a line of sha256sum",
      fault: s,
      action: e,
      onText: (u) => {
        o(u), i(void 0);
      },
    }),
  });
}
function p5(t) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(t) ? t : `'${t.replaceAll("'", "'\\''")}'`;
}
function rb(t) {
  return p5(t.startsWith("-") ? `./${t}` : t);
}
function ob(t) {
  return t.slice(t.lastIndexOf("/") + 1);
}
function vi(t) {
  return `${t.name ?? t.hash.slice(0, 16)}.countersign.json`;
}
function sb(t) {
  return t.name !== void 0
    ? `countersign verify ${rb(t.name)}`
    : `countersign verify-proof --bundle ${rb(vi(t))} --hash ${t.hash}`;
}
function Rl({ bundle: t, hash: e, unverified: n }) {
  let r = Y(),
    o = Ee(r.trust),
    [s] = Ae(async () => {
      let { state: u } = r.trust;
      if (u.state !== "pinned") return;
      let l = await r.crypto.crypto();
      return await Vn(l, Xo(u.trust), t.value, { hash: e });
    }, [Ot(o), t.text, e]);
  if (o.state !== "pinned") {
    return n ??
      c("span", {
        class: "muted small",
        children: [
          "Not verified here: no configuration is pinned.",
          " ",
          c("a", { href: ce({ page: "proof", hash: e }), children: "Pin one and verify" }),
        ],
      });
  }
  if (s.state === "failed") {
    return c(ie, { tone: "warn", children: "Cannot be verified in this browser" });
  }
  let i = s.value;
  if (i === void 0) return n ?? c("span", { class: "muted small", children: "Verifying" });
  let { name: a, tone: f } = wi(i);
  if (i.valid) {
    let u = lc(f, o.trust);
    return c(ie, { tone: u, icon: "seal", children: ["Verified here: ", a] });
  }
  let { reason: d } = i.layers.attestation;
  return c(re, {
    tone: "bad",
    live: !0,
    title: "The gateway's proof is invalid",
    children: c("p", {
      children: [d === void 0 ? "" : Pt[d], " Do not rely on it. Keep it as evidence."],
    }),
  });
}
var Si = class {
    #e = new Set();
    subscribe(e) {
      return this.#e.add(e), () => this.#e.delete(e);
    }
    notify() {
      for (let e of this.#e) e();
    }
  },
  Fn = class extends Si {
    #e;
    constructor(e) {
      super(), this.#e = e;
    }
    get state() {
      return this.#e;
    }
    setState(e) {
      this.#e = e, this.notify();
    }
  };
var m5 = { firstMs: 1e3, longestMs: 15e3 },
  g5 = 864e5,
  ms = class extends Fn {
    #e;
    #t;
    #n = 0;
    constructor(e) {
      super(void 0), this.#e = e;
    }
    async ask(e, n) {
      this.#n++;
      try {
        let r = await this.#o(e, n);
        return this.#r(), r;
      } catch (r) {
        throw n?.aborted !== !0 && this.#r(), r;
      } finally {
        --this.#n === 0 && this.#r();
      }
    }
    async #o(e, n) {
      for (;;) {
        for (; this.#t !== void 0;) await this.#t;
        try {
          return await e();
        } catch (r) {
          if (n?.aborted || !ib(r)) throw r;
          if (this.#t === void 0) return await this.#i(e, r, n);
        }
      }
    }
    #r() {
      this.#t === void 0 && this.state !== void 0 && this.setState(void 0);
    }
    async #i(e, n, r) {
      let o = () => {};
      this.#t = new Promise((s) => o = s);
      try {
        let s = new hs(m5, this.#e.random);
        for (let i = n;;) {
          this.setState(i), await this.#s(i, s.afterFailure());
          try {
            return await e();
          } catch (a) {
            if (r?.aborted || !ib(a)) throw a;
            i = a;
          }
        }
      } finally {
        this.#t = void 0, o();
      }
    }
    #s(e, n) {
      let o = e instanceof xe || e instanceof is ? e.retryAfter : void 0;
      return o === void 0 ? this.#e.wait(n) : this.#e.sleep(Math.min(Math.max(n, o * 1e3), g5));
    }
  };
function ib(t) {
  return _r(t) || as(t);
}
function Yn({ phase: t, job: e }) {
  return (t === "anchoring" || t === "settled") && e?.status === "confirmed";
}
function Pc({ phase: t, job: e, isSaved: n }) {
  return n !== !0 && t !== "cancelled" && t !== "failed" && e?.status !== "failed";
}
var Fc = class extends Si {
  #e = new Map();
  #t;
  #n = [];
  #o = !1;
  constructor(e) {
    super(), this.#t = e;
  }
  get state() {
    return this.#n ??= [...this.#e.values()].reverse();
  }
  get(e) {
    return this.#e.get(e);
  }
  inPhase(e, n = 1 / 0) {
    let r = [];
    for (let o of this.#e.values()) {
      if (r.length >= n) break;
      o.phase === e && r.push(o);
    }
    return r;
  }
  put(e) {
    this.#e.set(e.id, e), this.#r();
  }
  change(e, n) {
    let r = this.#e.get(e);
    r !== void 0 && this.put({ ...r, ...n });
  }
  remove(e) {
    this.#e.delete(e), this.#r();
  }
  #r() {
    this.#n = void 0,
      !this.#o && (this.#o = !0,
        this.#t(() => {
          this.#o = !1, this.notify();
        }));
  }
};
var ab = 200,
  w5 = 3,
  cb = 10,
  fb = 500,
  y5 = 2e3,
  b5 = 5e3,
  x5 = 120,
  _5 = 4,
  E5 = { isTransient: () => !1 },
  jc = class {
    submissions;
    questions;
    anchoring;
    #e;
    #t;
    #n = new Map();
    #o = [];
    #r = new Set();
    #i = new Map();
    #s = new AbortController();
    constructor(e, n) {
      this.#e = e, this.#t = n, this.submissions = new ms(e), this.questions = e.questions;
    }
    start() {
      this.#a(this.#h);
    }
    show(e) {
      this.#o = e, this.#c();
    }
    async fetchProof({ id: e, hash: n }) {
      let r = await this.questions.ask(() => Qs(this.#e.gateway, n)), o = this.#t.get(e);
      return o?.bundle?.text === r.text ? o.bundle : r;
    }
    #a(e) {
      let n = this.#n.has(e);
      this.#n.set(e, n),
        !n && e.call(this).finally(() => {
          let r = this.#n.get(e);
          this.#n.delete(e), r && this.#a(e);
        });
    }
    #c() {
      this.#s.abort(), this.#s = new AbortController(), this.#a(this.#g);
    }
    async #h() {
      let { submitNew: e, maxNew: n } = this.#e;
      for (; this.#t.inPhase("sending", 1).length > 0;) {
        let r = Math.min(ab, await this.submissions.ask(n)),
          o = () => this.#t.inPhase("sending", r);
        await this.#u("sending", o, (s) =>
          this.submissions.ask(() => {
            let i = s();
            if (i.length === 0) return Promise.resolve([]);
            let a = this.#t.inPhase("sending", r + 1).length <= r;
            return e(i, a ? w5 : 0);
          })),
          this.#a(this.#p),
          this.#a(this.#m);
      }
    }
    async #p() {
      let { gateway: e, wait: n } = this.#e;
      for (;;) {
        let r = () => this.#t.inPhase("signing", ab);
        if (r().length === 0) return;
        await this.#u("signing", r, (o) =>
          this.questions.ask(async () => {
            let [s, ...i] = o();
            return s === void 0
              ? []
              : i.length > 0
              ? await e.submit(o(), cb, E5)
              : [(await e.job(s, cb)).value];
          })),
          this.#a(this.#m),
          r().length > 0 && await n(fb);
      }
    }
    async #u(e, n, r) {
      let o = [];
      try {
        let s = await r(() => (o = n(), [...new Set(o.map(({ hash: a }) => a))])),
          i = new Map(s.map((a) => [a.hash, a]));
        for (let { id: a, hash: f } of o) this.#w(a, e, i.get(f));
      } catch (s) {
        for (let { id: i } of o) {
          this.#t.get(i)?.phase === e && this.#t.change(i, { phase: "failed", error: s });
        }
      }
    }
    #w(e, n, r) {
      let o = this.#t.get(e);
      if (r === void 0 || o?.phase !== n) return;
      let s = U0(r) ? r.status === "failed" ? "settled" : "batching" : "signing";
      this.#t.put({ ...o, job: r, phase: s });
    }
    async #m() {
      let { gateway: e, wait: n } = this.#e, r = () => this.#t.inPhase("batching");
      for (; r().length > 0;) {
        this.#c();
        try {
          let o = r().every(db) ? 1 / 0 : await this.#d();
          this.anchoring ??= (await this.questions.ask(() => e.status())).value;
          for (let s of r()) {
            !db(s) && v5(s) >= o ||
              this.#t.change(s.id, { phase: this.#f ? "anchoring" : "settled" });
          }
        } catch (o) {
          for (let { id: s } of r()) this.#t.change(s, { phase: "failed", error: o });
        }
        this.#c(), r().length > 0 && await n(y5);
      }
    }
    async #d() {
      try {
        let { value: e } = await this.questions.ask(() => this.#e.gateway.sth());
        return e.tree_head.tree_size;
      } catch (e) {
        if (e instanceof xe && e.reason === "no_tree_head") return 0;
        throw e;
      }
    }
    get #f() {
      let { peers: e = [], anchors: n = [] } = this.anchoring ?? {};
      return e.length + n.length > 0;
    }
    async #g() {
      let { wait: e } = this.#e, n = () => this.#o.flatMap((r) => this.#t.get(r) ?? []);
      for (;;) {
        let r = n().filter((s) => this.#l(s)).values();
        if (
          await Promise.all(Array.from({ length: _5 }, async () => {
            for (let s of r) await this.#y(s);
          })), n().some((s) => this.#l(s))
        ) {
          await e(fb);
          continue;
        }
        let o = n().filter(({ phase: s }) => s === "anchoring");
        if (o.length === 0) return;
        await e(b5, this.#s.signal);
        for (let { id: s } of o) this.#r.add(s);
      }
    }
    #l(e) {
      return e.phase === "batching"
        ? e.bundle === void 0
        : Yn(e)
        ? (e.bundle?.value.batch_inclusion ?? null) === null || this.#r.has(e.id)
        : !1;
    }
    async #y(e) {
      let { id: n } = e;
      this.#r.delete(n);
      try {
        let r = await this.fetchProof(e);
        if (this.#t.change(n, { bundle: r }), this.#t.get(n)?.phase !== "anchoring") return;
        let s = (this.#i.get(n) ?? 0) + 1;
        this.#i.set(n, s),
          (s > x5 || Ll(r.value, this.anchoring)) && this.#t.change(n, { phase: "settled" });
      } catch (r) {
        this.#t.change(n, { phase: "failed", error: r });
      }
    }
  };
function db({ job: t }) {
  return t?.progress === "batched";
}
function v5({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? 1 / 0;
}
function Ll(t, { peers: e, anchors: n }) {
  let r = new Set(t.cross_anchors.map((s) => s.witnessing_network)),
    o = t.external_anchors.filter(({ status: s }) => s === "confirmed");
  return e.every(({ id: s }) => r.has(s)) && o.length >= n.length;
}
function Hl(t, e) {
  return [S5(t), T5(t), k5(t), O5(t, e)];
}
function S5({ job: t, phase: e }) {
  let n = "Accepted";
  return t !== void 0
    ? { name: n, state: "done", text: ve(t.created_at) }
    : e === "failed"
    ? { name: n, state: "failed", text: "Not accepted" }
    : { name: n, state: "active", text: "Sending the hash" };
}
function T5({ job: t }) {
  let e = "Confirmed";
  if (t === void 0) return { name: e, state: "waiting", text: "Signed by the witnesses" };
  if (t.status === "failed") {
    return { name: e, state: "failed", text: t.last_error?.message ?? "Nobody can sign it" };
  }
  if (t.signed_attestation !== void 0) {
    let { attestation: { network_id: o } } = t.signed_attestation,
      s = rr(t.signed_attestation).map((i) => fs(i, o));
    return { name: e, state: "done", text: `Signed by ${s.join(", ")}` };
  }
  let n = t.attempts > 0 ? `, ${Q(t.attempts, "attempt")}` : "",
    r = t.last_error === void 0 ? "" : `: ${t.last_error.code}`;
  return { name: e, state: "active", text: `Waiting for witnesses${n}${r}` };
}
function k5(t) {
  let { job: e, bundle: n } = t, r = "Batched", o = n?.value.batch_inclusion ?? null;
  if (o !== null) {
    let { batch: s, merkle_proof: { leaf_index: i } } = o;
    return { name: r, state: "done", text: `Position ${j(i)} in the log`, batchId: s.id };
  }
  return Yn(t)
    ? { name: r, state: "done", text: "In the log" }
    : e?.status === "confirmed"
    ? { name: r, state: "active", text: "Waiting for the next batch" }
    : { name: r, state: "waiting", text: "Added to the log" };
}
function O5({ bundle: t, phase: e }, n) {
  let r = "Anchored";
  if (n === void 0 || t === void 0) {
    return { name: r, state: "waiting", text: "Signed by other networks and services" };
  }
  if (n.peers.length + n.anchors.length === 0) {
    return { name: r, state: "skipped", text: "This network has no peers and no anchors" };
  }
  let o = Ll(t.value, n) ? "done" : e === "settled" ? "skipped" : "active";
  return { name: r, state: o, text: A5(t.value, n) };
}
function A5({ cross_anchors: t, external_anchors: e }, { peers: n, anchors: r }) {
  let o = new Set(t.map(({ witnessing_network: a }) => a)).size,
    s = e.filter(({ status: a }) => a === "confirmed").length,
    i = e.length - s;
  return [
    ...n.length === 0 ? [] : [`${o} of ${Q(n.length, "peer")}`],
    ...r.length === 0 ? [] : [`${s} of ${Q(r.length, "external anchor")}`],
    ...i === 0 ? [] : [`${i} pending`],
  ].join(", ");
}
var N5 = {
  queued: ["neutral", "Waiting to be hashed"],
  hashing: ["info", "Hashing"],
  sending: ["info", "Sending"],
  signing: ["info", "Accepted"],
  batching: ["info", "Confirmed"],
  anchoring: ["info", "In the log"],
  settled: ["info", "In the log"],
  cancelled: ["neutral", "Cancelled"],
  failed: ["bad", "Failed"],
};
function ub({ phase: t, job: e, done: n = 0, size: r = 0 }) {
  if (e?.status === "failed") return { tone: "bad", text: "Failed" };
  let [o, s] = N5[t], i = t === "hashing" && n > 0 ? ` ${Math.floor(100 * n / r)} %` : "";
  return { tone: o, text: s + i };
}
var B5 = [
  [["queued", "hashing"], "to hash"],
  [["sending"], "to send"],
  [["signing"], "waiting for witnesses"],
  [["batching"], "waiting for the next batch"],
  [["failed"], "failed"],
  [["cancelled"], "cancelled"],
];
function Ml(t) {
  let e = new Map();
  for (let { phase: o } of t) e.set(o, (e.get(o) ?? 0) + 1);
  let n = (o) => o.reduce((s, i) => s + (e.get(i) ?? 0), 0),
    r = B5.map(([o, s]) => [n(o), s]).filter(([o]) => o > 0);
  return {
    logged: t.filter(Yn).length,
    failed: n(["failed"]),
    unfinished: n(["queued", "hashing", "sending", "signing", "batching"]),
    text: r.map(([o, s]) => `${j(o)} ${s}`).join(", "),
  };
}
function lb(t) {
  let e = t.name ?? "The hash";
  if (t.phase === "hashing") return `${e}: hashing`;
  if (t.phase === "failed") return `${e}: failed`;
  if (t.phase === "cancelled") return `${e}: cancelled`;
  let n = t.hash === void 0
    ? void 0
    : Hl(t, void 0).slice(0, 3).findLast(({ state: r }) => r === "done");
  return n === void 0 ? "" : `${e}: ${n.name.toLowerCase()}`;
}
var C5 = { done: "check", active: "clock", waiting: void 0, failed: "cross", skipped: void 0 },
  I5 = {
    done: "done",
    active: "in progress",
    waiting: "waiting",
    failed: "failed",
    skipped: "skipped",
  };
function Dc({ steps: t }) {
  return c("ol", {
    class: "steps",
    children: t.map(({ name: e, state: n, text: r, batchId: o }) => {
      let s = C5[n];
      return c("li", {
        class: `step step-${n}`,
        children: [
          c("span", {
            class: "step-mark",
            "aria-hidden": "true",
            children: s !== void 0 && c(Ze, { name: s }),
          }),
          c("span", {
            class: "step-text",
            children: [
              c("span", {
                class: "step-name",
                children: [e, c("span", { class: "visually-hidden", children: [", ", I5[n]] })],
              }),
              c("span", { class: "step-detail", children: r }),
              o === void 0 ? null : c("a", {
                class: "step-detail",
                href: ce({ page: "batch", id: o }),
                children: ["Batch ", j(o)],
              }),
            ],
          }),
        ],
      }, e);
    }),
  });
}
function hb({ row: t, isOpen: e, onToggle: n }) {
  let r = Y(), { stamps: o } = r, s = t.name ?? `Hash ${t.hash?.slice(0, 8)}`;
  return c("article", {
    class: `card stamp-row${e ? "" : " stamp-row-closed"}`,
    "aria-label": s,
    children: [
      c("div", {
        class: "card-head",
        children: [
          c("h3", {
            class: "stamp-name",
            children: [
              c(Ze, { name: t.name === void 0 ? "key" : "file" }),
              c("span", { children: s }),
              t.size !== void 0 && c("span", { class: "muted small", children: Wn(t.size) }),
            ],
          }),
          c("div", {
            class: "card-aside",
            children: [
              n !== void 0 && c(R5, { row: t }),
              n !== void 0 &&
              c(ue, {
                kind: "quiet",
                label: `${e ? "Hide" : "Show"} details of ${s}`,
                onClick: n,
                children: e ? "Hide" : "Details",
              }),
              c(H5, { row: t, stamps: o, title: s }),
            ],
          }),
        ],
      }),
      e ? c(L5, { row: t, stamps: o, isShort: n !== void 0 }) : t.phase === "failed" &&
        c("div", { class: "card-body", children: c(pb, { row: t, stamps: o }) }),
    ],
  });
}
function pb({ row: t, stamps: e }) {
  return c(Ge, { error: t.error, retry: () => e.retry(t.id) });
}
function R5({ row: t }) {
  let { tone: e, text: n } = ub(t), r = c(ie, { tone: e, children: n });
  return t.bundle === void 0 || t.hash === void 0
    ? r
    : c(Rl, { bundle: t.bundle, hash: t.hash, unverified: r });
}
function L5({ row: t, stamps: e, isShort: n }) {
  return c("div", {
    class: "card-body",
    children: [
      t.hash === void 0 ? c(M5, { row: t }) : c("p", {
        class: "stamp-hash",
        children: [
          c("span", { class: "muted nowrap", children: "SHA-256" }),
          " ",
          c(le, { text: t.hash, what: "hash" }),
        ],
      }),
      t.phase === "failed" && c(pb, { row: t, stamps: e }),
      t.hash === void 0 || t.phase === "failed" && t.job === void 0
        ? null
        : c(Dc, { steps: Hl(t, e.follower.anchoring) }),
      t.hash === void 0 || t.bundle === void 0 ? null : c($5, {
        name: t.name,
        bundle: t.bundle,
        hash: t.hash,
        isShort: n,
        onSaved: () => {
          let r = t.bundle?.value.batch_inclusion !== null;
          e.rows.change(t.id, { isSaved: r });
        },
      }),
    ],
  });
}
function H5({ row: t, stamps: e, title: n }) {
  return t.phase === "queued" || t.phase === "hashing"
    ? c(ue, {
      kind: "quiet",
      label: `Cancel ${n}`,
      isRemoved: !0,
      onClick: () => e.cancel(t.id),
      children: "Cancel",
    })
    : c(H, {
      children: [
        t.phase !== "cancelled" ? null : c(ue, {
          kind: "quiet",
          label: `Start again: ${n}`,
          isRemoved: !0,
          onClick: () => e.retry(t.id),
          children: "Start again",
        }),
        c("button", {
          type: "button",
          class: "icon-button",
          "aria-label": `Remove ${n} from the list`,
          title: "Remove from the list",
          onClick: Vu(() => e.remove(t.id)),
          children: c(Ze, { name: "cross" }),
        }),
      ],
    });
}
function M5({ row: { phase: t, done: e = 0, size: n = 0 } }) {
  if (t === "cancelled") {
    return c("p", { class: "muted", children: "Cancelled. Nothing was sent." });
  }
  if (t === "queued") {
    return c("p", { class: "muted", children: "Waiting for other files to be hashed." });
  }
  if (t !== "hashing") return null;
  let r = `Hashing in this browser, ${Wn(e)} of ${Wn(n)}`;
  return c(Er, { label: r, value: e, max: n });
}
function $5({ name: t, hash: e, bundle: n, isShort: r, onSaved: o }) {
  let s = { name: t === void 0 ? void 0 : ob(t), hash: e },
    i = sb(s),
    a = n.value.batch_inclusion !== null;
  return c("div", {
    class: "stamp-outcome",
    children: [
      c(Rl, { bundle: n, hash: e }),
      c("div", {
        class: "row",
        children: [
          c(ln, {
            fileName: vi(s),
            text: n.text,
            primary: a,
            onSaved: o,
            children: a ? "Save the proof" : "Save the proof so far",
          }),
          c("a", {
            class: "button",
            href: ce({ page: "proof", hash: e }),
            children: "View the proof",
          }),
          r && c(Rn, { text: i, what: "command line", named: !0 }),
        ],
      }),
      r ? null : c("div", {
        class: "command",
        children: [c("code", { children: i }), c(Rn, { text: i, what: "command line" })],
      }),
    ],
  });
}
var Nr = class {
  #e;
  #t = new Map();
  constructor(e) {
    this.#e = e;
  }
  get(e) {
    let n = this.#t.get(e);
    return n !== void 0 && (this.#t.delete(e), this.#t.set(e, n)), n;
  }
  set(e, n) {
    if (this.#t.delete(e), this.#t.set(e, n), !(this.#t.size <= this.#e)) {
      for (let r of this.#t.keys()) {
        this.#t.delete(r);
        return;
      }
    }
  }
  delete(e) {
    this.#t.delete(e);
  }
};
var Ti = class {
  width;
  #e;
  #t = !1;
  constructor(e) {
    this.width = Za(e), this.#e = e;
  }
  nodes(e) {
    return this.#e.subarray(0, e * S);
  }
  node(e, n, r) {
    n > 0 && !this.#t && (this.#e = e.treeLevels(this.nodes(this.width)), this.#t = !0);
    let o = r;
    for (let s = 0, i = this.width; s < n; s++) o += i, i = i + 1 >>> 1;
    return this.#e.subarray(o * S, (o + 1) * S);
  }
};
var gs = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  constructor(e, n, r) {
    this.#e = e,
      this.#t = n,
      this.#n = new Nr(r.tiles),
      this.#o = new Nr(r.sizes),
      this.#r = new Nr(r.tiles);
  }
  root(e) {
    if (e === 0) return hi(this.#e);
    let n = this.#w(e);
    return n instanceof Promise ? n.then(bb) : bb(n);
  }
  inclusionPath(e, n) {
    return ha(e, n),
      this.#s(e, n, (r, o) => this.#a(e, n, { column: r, edge: o, from: 0, to: 1 / 0 }));
  }
  inclusionHex(e, n) {
    ha(e, n);
    let r = this.#c(e, n);
    return r !== void 0 ? r : this.#s(e, n, (o, s) => {
      let i = this.#a(e, n, { column: o, edge: s, from: 0, to: br });
      return [...yb(i), ...this.#h(e, n, o, s)];
    });
  }
  consistencyPath(e, n) {
    return this.#i(Us(e, n), e - 1, n);
  }
  nodes(e, n, r) {
    let o = this.#f(e, n, r);
    return o instanceof Promise ? o.then((s) => s.nodes(r)) : o.nodes(r);
  }
  #i(e, n, r) {
    return e.length === 0 ? [] : this.#s(n, r, (o, s) => e.map((i) => this.#p(i, r, o, s)));
  }
  #s(e, n, r) {
    let o = this.#w(n), s = this.#d(e, n);
    return !(o instanceof Promise) && !(s instanceof Promise)
      ? r(s, o)
      : Promise.all([o, s]).then(([i, a]) => r(a, i));
  }
  #a(e, n, { column: r, edge: o, from: s, to: i }) {
    let a = [], f = Math.floor(e / 2 ** s), d = Math.floor((n - 1) / 2 ** s);
    for (let u = s; u < i && d > 0; u++) {
      let l = f % 2 === 1 ? f - 1 : f + 1;
      l === d ? a.push(wb(o, u)) : l < d && a.push(this.#u(r, u, l)),
        f = Math.floor(f / 2),
        d = Math.floor(d / 2);
    }
    return a;
  }
  #c(e, n) {
    let r = Math.floor(e / _e);
    if (r === Math.floor((n - 1) / _e)) return;
    let o = this.#n.get(mb(0, r)), s = this.#r.get(gb(e, n));
    if (s === void 0 || !(o instanceof Ti) || o.width < _e) return;
    let i = [];
    for (let a = 0, f = e % _e; a < br; a++, f >>>= 1) i.push(V(o.node(this.#e, a, f ^ 1)));
    return i.push(...s), i;
  }
  #h(e, n, r, o) {
    let s = gb(e, n), i = this.#r.get(s);
    if (i !== void 0) return i;
    let a = br, f = yb(this.#a(e, n, { column: r, edge: o, from: a, to: 1 / 0 }));
    return this.#r.set(s, f), f;
  }
  #p({ start: e, end: n }, r, o, s) {
    let i = 0;
    for (; 2 ** i < n - e;) i++;
    return n === r ? wb(s, i) : this.#u(o, i, e / 2 ** i);
  }
  #u(e, n, r) {
    let o = e[Math.floor(n / br)], s = n % br;
    return o.node(this.#e, s, r % (_e >>> s));
  }
  #w(e) {
    let n = this.#o.get(e);
    if (n !== void 0) return n;
    let r = this.#d(e - 1, e);
    return r instanceof Promise ? r.then((o) => this.#m(o, e)) : this.#m(r, e);
  }
  #m(e, n) {
    let r = this.#u(e, 0, n - 1), o = [r];
    for (let i = 0, a = n - 1; a > 0; i++, a = Math.floor(a / 2)) {
      a % 2 === 1 && (r = this.#e.nodeHash(this.#u(e, i, a - 1), r)), o.push(r);
    }
    let s = pe(...o);
    return this.#o.set(n, s), s;
  }
  #d(e, n) {
    let r = [], o = !0, s = e, i = n;
    do {
      s = Math.floor(s / _e);
      let a = xr(r.length, s, n), f = a === 0 ? void 0 : this.#f(r.length, s, a);
      f instanceof Promise && (o = !1), r.push(f), i = Math.ceil(i / _e);
    } while (i > 1);
    return o ? r : Promise.all(r);
  }
  #f(e, n, r) {
    let o = mb(e, n), s = this.#n.get(o);
    if (s instanceof Promise) return s.then((a) => a.width >= r ? a : this.#f(e, n, r));
    if (s !== void 0 && s.width >= r) return s;
    let i = this.#g(e, n, r);
    return this.#n.set(o, i), i.then((a) => this.#n.set(o, a), () => this.#n.delete(o)), i;
  }
  async #g(e, n, r) {
    let o = await this.#t.nodes(e, n, r);
    if (o.length !== r * S) {
      throw new O(
        "store_corrupt",
        `Cannot read tile ${n} of level ${e}: it has ${o.length} bytes instead of ${r * S}`,
      );
    }
    return new Ti(Lu(o, 0, r));
  }
};
function mb(t, e) {
  return e * 64 + t;
}
function gb(t, e) {
  return `${Math.floor(t / _e)}/${e}`;
}
function wb(t, e) {
  return t.subarray(e * S, (e + 1) * S);
}
function yb(t) {
  return t.map((e) => V(e));
}
function bb(t) {
  return t.subarray(t.length - S);
}
var F5 = { tiles: 1024, sizes: 64 },
  Uc = class {
    #e;
    #t;
    #n = [];
    #o = 0;
    #r = 1 / 0;
    #i;
    #s = !0;
    constructor(e) {
      this.#e = e;
      let n = async (r, o, s) => {
        let i = Math.max(s, xr(r, o, this.#o));
        return (await e.tile(r, o, i)).subarray(0, s * S);
      };
      this.#t = new gs(e.kernels, { nodes: n }, F5);
    }
    async prepare(e) {
      let n = e.toSorted((o, s) => $l(o) - $l(s)), r = n.at(-1);
      return n.length > 1 && r !== void 0 && await this.#a(r).catch(() => {}), n;
    }
    async proof(e) {
      let n = e.job?.signed_attestation;
      if (n === void 0 || n.attestation.hash !== e.hash) return await this.#e.fetchProof(e);
      let { sequence: r } = n.attestation;
      for (;;) {
        if (r >= this.#r) return P5(n);
        let o = this.#n.find(({ batch_inclusion: { batch: s } }) =>
          s.first_index <= r && r < s.tree_size
        );
        if (o !== void 0) {
          return (this.#s ? await this.#c(n, o) : void 0) ?? await this.#e.fetchProof(e);
        }
        if (this.#i === void 0) return await this.#a(e);
        await this.#i.catch(() => {});
      }
    }
    async #a(e) {
      try {
        let n = await (this.#i = this.#e.fetchProof(e)),
          { batch_inclusion: r, cross_anchors: o, external_anchors: s } = n.value;
        return r === null
          ? this.#r = Math.min(this.#r, $l(e))
          : (this.#n.push({ batch_inclusion: r, cross_anchors: o, external_anchors: s }),
            this.#o = Math.max(this.#o, r.batch.tree_size)),
          n;
      } finally {
        this.#i = void 0;
      }
    }
    async #c(e, { batch_inclusion: { batch: n, sth: r }, cross_anchors: o, external_anchors: s }) {
      let { kernels: i } = this.#e,
        { hash: a, sequence: f } = e.attestation,
        { tree_size: d, root_hash: u } = n,
        l;
      try {
        l = await this.#t.inclusionPath(f, d);
      } catch (g) {
        if (!(g instanceof O)) throw g;
        this.#s = !1;
        return;
      }
      let h = Go(i, e.attestation), p = ze(u, S) ?? new Uint8Array();
      if (!Bm(i, { leafHash: h, index: f, size: d, path: l, root: p })) return;
      let m = {
        hash: a,
        leaf_hash: V(h),
        leaf_index: f,
        tree_size: d,
        inclusion_path: l.map((g) => V(g)),
        root_hash: u,
        batch_id: n.id,
      };
      return xb({
        signed_attestation: e,
        batch_inclusion: { batch: n, merkle_proof: m, sth: r },
        cross_anchors: o,
        external_anchors: s,
      });
    }
  };
function $l({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? -1;
}
function P5(t) {
  return xb({
    signed_attestation: t,
    batch_inclusion: null,
    cross_anchors: [],
    external_anchors: [],
  });
}
function xb(t) {
  return { value: t, text: JSON.stringify(t) };
}
var Eb = 65534,
  j5 = { signature: 67324752, length: 30 },
  D5 = { signature: 33639248, length: 46 },
  U5 = { signature: 101010256, length: 22 },
  Fl = 20,
  z5 = 2048,
  q5 = Uint32Array.from({ length: 256 }, (t, e) => {
    let n = e;
    for (let r = 0; r < 8; r++) n = n & 1 ? 3988292384 ^ n >>> 1 : n >>> 1;
    return n;
  });
function G5(t) {
  let e = 4294967295;
  for (let n of t) e = q5[(e ^ n) & 255] ^ e >>> 8;
  return ~e >>> 0;
}
function V5(t) {
  let e = new Date(t * 1e3),
    n = e.getUTCFullYear() - 1980 << 9 | e.getUTCMonth() + 1 << 5 | e.getUTCDate(),
    r = e.getUTCHours() << 11 | e.getUTCMinutes() << 5 | e.getUTCSeconds() >> 1;
  return (n << 16 | r) >>> 0;
}
function Pl({ signature: t, length: e }, n) {
  let r = new Uint8Array(e), o = new DataView(r.buffer);
  o.setUint32(0, t, !0);
  let s = 4;
  for (let i of n) {
    typeof i == "number" ? o.setUint16(s, i, !0) : o.setUint32(s, i[0], !0),
      s += typeof i == "number" ? 2 : 4;
  }
  return r;
}
var zc = class {
  #e = [];
  #t = [];
  #n = new Set();
  #o;
  #r = 0;
  constructor(e) {
    this.#o = V5(e);
  }
  add(e, n) {
    let r = ee(this.#s(K5(e))),
      o = this.#r,
      [s, i] = [[G5(n)], [n.length]],
      a = [z5, 0, [this.#o], s, i, i, r.length, 0];
    this.#i(Pl(j5, [Fl, ...a]), r, n), this.#t.push(Pl(D5, [Fl, Fl, ...a, 0, 0, 0, [0], [o]]), r);
  }
  finish() {
    let [e, n] = [this.#r, this.#n.size];
    return this.#i(...this.#t),
      this.#i(Pl(U5, [0, 0, n, n, [this.#r - e], [e], 0])),
      new Blob(this.#e, { type: "application/zip" });
  }
  #i(...e) {
    for (let n of e) this.#e.push(n), this.#r += n.length;
  }
  #s(e) {
    let n = e.indexOf(".", e.lastIndexOf("/") + 2),
      [r, o] = n < 0 ? [e, ""] : [e.slice(0, n), e.slice(n)],
      s = e;
    for (let i = 2; this.#n.has(_b(s)); i++) s = `${r} (${i})${o}`;
    return this.#n.add(_b(s)), s;
  }
};
function _b(t) {
  return t.normalize("NFC").toLowerCase();
}
function K5(t) {
  return t.split(/[/\\]+/).filter((e) => e !== "").map((e) => /^\.+$/.test(e) ? "_" : e).join("/");
}
var W5 = 4, Y5 = 20;
function jl(t) {
  let e = t.filter((r) => r.phase === "batching" || Yn(r)),
    n = e.filter(({ isSaved: r }) => r !== !0);
  return (n.length > 0 ? n : e).slice(0, Eb);
}
async function vb(t, { proofs: e, verify: n, onProgress: r, now: o, signal: s }) {
  let i = new zc(o),
    a = [],
    f = [],
    d = [],
    u = (await e.prepare(t)).values(),
    [l, h] = [0, 0],
    p = async (g) => {
      try {
        return await e.proof(g);
      } catch (w) {
        if (!(w instanceof O) || (d.push(g), h === 0 && d.length >= Math.min(t.length, Y5))) {
          throw w;
        }
        return;
      }
    },
    m = async (g) => {
      s.throwIfAborted();
      let w = await p(g);
      if (w === void 0) return r(++l, t.length);
      h++;
      let { value: b, text: x } = w;
      await n?.(b, g.hash) === !1 && a.push(g),
        b.batch_inclusion !== null && f.push(g.id),
        i.add(
          vi({ name: g.name, hash: g.hash }),
          ee(`${x.trimEnd()}
`),
        ),
        r(++l, t.length);
    };
  try {
    await Promise.all(Array.from({ length: W5 }, async () => {
      for (let g of u) await m(g);
    }));
  } catch (g) {
    for (let w of u);
    throw g;
  }
  return { zip: i.finish(), count: h, whole: f, invalid: a, refused: d };
}
function Sb(t, e) {
  let n = { ...t, ed25519: X5(t.ed25519) };
  return async (r, o) => {
    let s = await Vn(n, e, r, { hash: o });
    return wi(s).tone === "good";
  };
}
function X5(t) {
  let e = new Map();
  return (n, r, o) => {
    let s = [n, r, o].map(V).join(), i = e.get(s);
    return i === void 0 && e.set(s, i = t(n, r, o)), i;
  };
}
var Z5 = 100, Tb = 5;
function kb(t) {
  let [e, n] = W({ state: "idle" }), r = Yt(new AbortController());
  return Ie(() => () => r.current?.abort(), []), {
    saving: e,
    start: (i) => {
      r.current?.abort();
      let { signal: a } = r.current = new AbortController(),
        f = 0,
        d = (u) => {
          a.aborted || n(u);
        };
      d({ state: "running", done: 0, of: i.length }),
        J5(t, i, {
          signal: a,
          onProgress: (u, l) => {
            let h = t.clock.nowMs();
            h - f < Z5 || (f = h, d({ state: "running", done: u, of: l }));
          },
        }).then(d, (u) => d({ state: "failed", error: u }));
    },
    stop: () => {
      r.current?.abort(), n({ state: "idle" });
    },
  };
}
async function J5({ api: t, line: e, stamps: n, trust: r, crypto: o, clock: s }, i, a) {
  let { state: f } = r,
    d = await o.crypto(),
    u = f.state === "pinned" ? Sb(d, Xo(f.trust)) : void 0,
    l = new Uc({
      fetchProof: (g) => n.follower.fetchProof(g),
      tile: (...g) => e.ask(() => t.tile(...g), a.signal),
      kernels: d.kernels,
    }),
    h = wt(s),
    p = await vb(i, { ...a, proofs: l, verify: u, now: h });
  a.signal.throwIfAborted();
  let m = new Date(h * 1e3).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  Ku(`proofs-${m.replace("T", "-")}.zip`, p.zip);
  for (let g of p.whole) n.rows.change(g, { isSaved: !0 });
  return { state: "saved", archive: p, isVerified: u !== void 0 };
}
function Ob({ rows: t, start: e }) {
  let n = jl(t);
  return n.length === 0 ? null : c(ue, {
    icon: "download",
    kind: "primary",
    onClick: () => e(n),
    children: ["Save ", Q(n.length, "proof")],
  });
}
function Ab({ saving: t, start: e, stop: n }) {
  let { stamps: r } = Y();
  if (t.state === "running") {
    let { done: o, of: s } = t, i = `Collecting proofs, ${j(o)} of ${j(s)}`;
    return c("div", {
      class: "stamp-saving",
      children: [
        c(Er, { label: i, value: o, max: s }),
        c(ue, { kind: "quiet", isRemoved: !0, onClick: n, children: "Stop collecting" }),
      ],
    });
  }
  if (t.state === "failed") {
    let o = () => e(jl(r.rows.state));
    return c(Ge, { error: t.error, title: "Cannot save the proofs", retry: o });
  }
  return t.state === "idle" ? null : c(H, {
    children: [
      c(Q5, { rows: t.archive.refused }),
      c(eO, { archive: t.archive, isVerified: t.isVerified }),
    ],
  });
}
function Q5({ rows: t }) {
  return t.length === 0 ? null : c(re, {
    tone: "warn",
    live: !0,
    title: `${Q(t.length, "proof")} could not be saved`,
    children: c("p", {
      children: ["The gateway did not give the proof of ", Nb(t), ". Save again later."],
    }),
  });
}
function eO({ archive: { count: t, whole: e, invalid: n }, isVerified: r }) {
  if (n.length > 0) {
    let o = n.length === 1 ? "does" : "do",
      s = `${Q(n.length, "proof")} of the archive ${o} not verify`;
    return c(re, {
      tone: "bad",
      live: !0,
      title: s,
      children: c("p", { children: ["Do not rely on them. Keep them as evidence: ", Nb(n), "."] }),
    });
  }
  return c(re, {
    tone: r ? "good" : "info",
    live: !0,
    title: `${Q(t, "proof")} saved`,
    children: [
      e.length < t &&
      c("p", { children: [Q(t - e.length, "proof"), " not in the log yet: save again later."] }),
      c("p", {
        children: r
          ? "Each was verified here. Keep the archive with the files."
          : "None was verified here: no configuration is pinned. Keep the archive with the files.",
      }),
    ],
  });
}
function Nb(t) {
  let e = t.slice(0, Tb).map(({ name: n, hash: r }) => n ?? r).join(", ");
  return t.length > Tb ? `${e} and others` : e;
}
var tO = 3, Dl = 25, Bb = 10;
function Cb({ rows: t }) {
  let { stamps: e } = Y(),
    [n, r] = W(0),
    [o, s] = W(!1),
    [i, a] = W([]),
    f = Ml(t),
    d = o && f.failed > 0,
    u = d ? t.filter(({ phase: b }) => b === "failed") : t,
    l = Math.max(0, Math.ceil(u.length / Dl) - 1),
    h = Math.min(n, l) * Dl,
    p = u.slice(h, h + Dl),
    m = p.map(({ id: b }) => b);
  Ie(() => e.follower.show(m), [m.join()]), Ie(() => () => e.follower.show([]), []);
  let g = t.length > tO, w = (b) => a((x) => x.includes(b) ? x.filter((y) => y !== b) : [...x, b]);
  return c(H, {
    children: [
      c(oO, {}),
      c("p", {
        class: "visually-hidden",
        role: "status",
        children: g ? nO(f.logged, t.length) : t.map(lb).filter(Boolean).join(". "),
      }),
      t.length > 1 && c(rO, { rows: t, isFiltered: d, onFilter: () => s(!d) }),
      c("div", {
        class: g ? "stamp-rows" : "stack",
        children: p.map((b) =>
          c(hb, {
            row: b,
            isOpen: !g || i.includes(b.id),
            onToggle: g ? () => w(b.id) : void 0,
          }, b.id)
        ),
      }),
      c(Sr, {
        label: "Pages of the list",
        names: ["Back", "Next"],
        onBack: h === 0 ? void 0 : () => r(Math.min(n, l) - 1),
        onNext: n >= l ? void 0 : () => r(n + 1),
        children: [j(h + 1), " to ", j(h + p.length), " of ", j(u.length)],
      }),
    ],
  });
}
function nO(t, e) {
  let n = Math.floor(100 * t / e / Bb) * Bb;
  return n === 0 ? "" : `${n} percent of ${Q(e, "stamp")} are in the log`;
}
function rO({ rows: t, isFiltered: e, onFilter: n }) {
  let r = Y(),
    { stamps: o } = r,
    s = kb(r),
    [i, a] = W(!1),
    { failed: f, unfinished: d, logged: u, text: l } = Ml(t),
    h = t.filter(Pc).length,
    p = () => {
      a(!1);
      for (let { id: g } of t) o.remove(g);
    },
    m = () => {
      for (let { id: g, phase: w } of t) w === "failed" && o.retry(g);
    };
  return c("div", {
    class: "stamp-tools",
    children: [
      d > 0
        ? c(Er, { label: l, value: u, max: t.length })
        : l !== "" && c("p", { class: "muted small", children: l }),
      c("div", {
        class: "row",
        children: [
          s.saving.state !== "running" && c(Ob, { rows: t, start: s.start }),
          f > 0 &&
          c(H, {
            children: [
              c(ue, { onClick: m, children: ["Try ", Q(f, "failed row"), " again"] }),
              c(ue, { onClick: n, children: e ? "Show all" : "Show failed only" }),
            ],
          }),
          c(ue, { kind: "quiet", onClick: () => h > 0 ? a(!0) : p(), children: "Clear the list" }),
        ],
      }),
      c(Ab, { ...s }),
      i && c(Ar, {
        title: `${Q(h, "proof")} ${h === 1 ? "is" : "are"} not saved`,
        accept: "Clear the list",
        onAccept: p,
        cancel: "Keep it",
        onCancel: () => a(!1),
        children: c("p", {
          children:
            "Hashes that were sent stay in the log: the same files lead to the same proofs again.",
        }),
      }),
    ],
  });
}
function oO() {
  return Ee(Y().tokens)
    ? c("p", {
      class: "muted small",
      children:
        "This gateway accepts new hashes only with tokens. This browser earns them by proofs of work, about a second for each hash.",
    })
    : null;
}
function Ib() {
  let { network: t } = Ee(Y().watch).trust ?? {};
  return c("div", {
    class: "grid",
    children: [
      c(J, {
        title: "What it proves",
        children: [
          c("p", {
            children:
              "That a file existed at a time, unchanged since. Not who made it, and not that it is true.",
          }),
          c("p", {
            children:
              "The proof is a small file. Anyone verifies it offline, even if this site is gone.",
          }),
        ],
      }),
      c(J, {
        title: "Who uses it",
        children: c("p", {
          children:
            "People who keep contracts, reports, measurements or designs, and who publish software: whoever has to show later that a file is as old as they say.",
        }),
      }),
      c(J, {
        title: "Whom you trust",
        children: [
          c("p", {
            children: [
              "Not this site. A proof counts if enough independent witnesses signed it",
              t !== void 0 &&
              c(H, {
                children: [
                  ": here ",
                  t.threshold,
                  " of",
                  " ",
                  Q(t.witnesses.length, "witness", "witnesses"),
                  " of",
                  " ",
                  c("span", { class: "mono", children: t.id }),
                ],
              }),
              ". Each signature is in a public log that cannot be rewritten unnoticed.",
            ],
          }),
          c("p", {
            children: c("a", {
              href: ce({ page: "explore" }),
              children: "See the witnesses and the log",
            }),
          }),
        ],
      }),
    ],
  });
}
function Rb() {
  let { stamps: t } = Y(), e = Ee(t.rows), [n, r] = W(void 0);
  return c(H, {
    children: [
      c(Je, {
        title: "Stamp",
        children:
          "Get a signed proof that a file existed today. The file stays on this device: this page hashes it here and sends only the SHA-256 hash, 32 bytes.",
      }),
      c("div", {
        class: "stamp-inputs",
        children: [
          c(Oy, {
            label: "Choose files, or drop them here",
            onFiles: (o) => {
              r(void 0), t.addFiles(o);
            },
            onFailed: r,
            children: c("span", {
              class: "muted",
              children: "Files and folders of any size. Only their hashes are sent.",
            }),
          }),
          n !== void 0 && c(Ge, { error: n, title: "Cannot read all of the folder" }),
          c(nb, {
            label: "Or paste a SHA-256 hash",
            action: "Stamp hash",
            onHash: (o) => t.addHash(o),
          }),
        ],
      }),
      c("section", {
        class: "stack",
        "aria-labelledby": "stamp-list-title",
        children: [
          c("h2", {
            id: "stamp-list-title",
            tabindex: -1,
            children: e.length === 0
              ? "What happens next"
              : `${Q(e.length, "stamp")}, ${j(e.filter(Yn).length)} in the log`,
          }),
          e.length === 0 ? c(iO, {}) : c(Cb, { rows: e }),
        ],
      }),
    ],
  });
}
var sO = [{ name: "Accepted", state: "waiting", text: "The gateway stores the hash." }, {
  name: "Confirmed",
  state: "waiting",
  text: "Independent witnesses sign it with the time.",
}, {
  name: "Batched",
  state: "waiting",
  text: "It enters a public log, in which every change would be noticed.",
}, { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." }];
function iO() {
  return c(H, {
    children: [
      c("div", {
        class: "card",
        children: c("div", {
          class: "card-body",
          children: [
            c(Dc, { steps: sO }),
            c("p", {
              class: "muted",
              children:
                "Save the proof with the file. Anyone can verify it without this gateway, on this page or with the command line.",
            }),
          ],
        }),
      }),
      c(Ib, {}),
    ],
  });
}
function Hb(t) {
  if (t === 0) return [];
  let e = [Lb("entries", t)];
  for (let n = 0; _e ** n <= t; n++) e.push(Lb(n, t));
  return e;
}
function Lb(t, e) {
  let n = t === "entries" ? 0 : t;
  return { level: t, full: ts(n, e), partial: pi(n, e), span: _e ** n };
}
function Mb({ full: t, partial: e }) {
  return t + (e > 0 ? 1 : 0);
}
function $b(t, e, n) {
  let r = [];
  for (let o = e; o >= 0 && r.length < n; o--) {
    let s = o < t.full ? _e : t.partial, i = o * _e * t.span;
    r.push({
      index: o,
      width: s,
      isFull: s === _e,
      first: i,
      end: i + s * t.span,
      ...t.level !== "entries" && { bytes: s * S },
      path: Kn(t.level, o, s),
    });
  }
  return r;
}
var qc = 25;
function Fb() {
  let t = Y(), e = Ot(Ee(t.trust)), [n, r] = Ae((o) => Nn(t, void 0, o), [e]);
  return c(H, {
    children: [
      c(Je, {
        title: "Tiles",
        isBelowExplore: !0,
        children:
          "The log as files of 256 hashes or entries each, which never change once they are full. Mirrors and monitors read them without any code of ours.",
      }),
      Sl(n)
        ? c(J, {
          title: "Tiles",
          children: c(ct, {
            title: "The log is empty",
            children: "Tiles appear with the first batch.",
          }),
        })
        : c(Fe, {
          loaded: n,
          what: "the tiles",
          retry: r,
          render: ({ sth: o }) => c(aO, { size: o.tree_head.tree_size }),
        }),
    ],
  });
}
function aO({ size: t }) {
  let e = Hb(t), [n, r] = W(0), o = e[n] ?? e[0];
  return c(H, {
    children: [
      c(J, {
        title: "Levels",
        aside: c("span", { class: "muted", children: Q(t, "attestation") }),
        children: c(St, {
          caption: "Levels of tiles",
          rows: e,
          columns: [
            ["Level", (s, i) =>
              c("button", {
                type: "button",
                class: "link-button",
                "aria-pressed": i === n ? "true" : "false",
                onClick: () => r(i),
                children: Ul(s),
              })],
            ["Full tiles", ({ full: s }) => j(s), "numeric"],
            ["In the partial tile", ({ partial: s }) => s === 0 ? "none" : j(s), "numeric"],
            [
              "Positions per hash",
              ({ level: s, span: i }) => s === "entries" ? "" : j(i),
              "numeric",
            ],
          ],
        }),
      }),
      o !== void 0 && c(cO, { level: o }, o.level),
    ],
  });
}
function Ul({ level: t }) {
  return t === "entries" ? "Entries" : `Level ${t}`;
}
function cO({ level: t }) {
  let e = Mb(t), [n, r] = W(e - 1);
  return c(J, {
    title: Ul(t),
    aside: c("span", { class: "muted", children: Q(e, "tile") }),
    children: [
      c(St, {
        caption: `Tiles of ${Ul(t)}, latest first`,
        rows: $b(t, n, qc),
        keyOf: ({ index: o }) => o,
        columns: [[
          "Tile",
          ({ path: o }) =>
            c("a", { class: "mono", href: o, download: o.replaceAll("/", "-"), children: o }),
        ], [
          "State",
          ({ isFull: o, width: s }) =>
            c("span", { class: "nowrap", children: o ? "full" : `${s} of 256` }),
        ], [
          "Positions",
          ({ first: o, end: s }) =>
            c("span", { class: "nowrap", children: `${j(o)} to ${j(s - 1)}` }),
        ], [
          "Size",
          ({ bytes: o }) => o === void 0 ? "varies" : Wn(o),
          "numeric",
        ]],
      }),
      c(Sr, {
        label: "Pages of tiles",
        onBack: n >= e - 1 ? void 0 : () => r(Math.min(e - 1, n + qc)),
        onNext: n - qc < 0 ? void 0 : () => r(n - qc),
      }),
    ],
  });
}
function Pb(t) {
  let [e, n] = W({ state: "none" }),
    [r, o] = W(void 0),
    s = async (a, f) => {
      let { name: d } = a, u = await kc(a);
      u.kind === "chain"
        ? o({ name: d, ...u })
        : u.kind === "bundle"
        ? n({ state: "read", name: d, text: u.text, bundle: u.bundle })
        : u.kind === "damaged_bundle"
        ? n({ state: "failed", name: d, error: u.error })
        : u.kind === "other" && !f
        ? t(a)
        : n({ state: "wrong_file", name: d, kind: u.kind });
    },
    i = (a) => {
      for (let f of a) {
        s(f, a.length === 1).catch((d) => n({ state: "failed", name: f.name, error: d }));
      }
    };
  return [fO(e, r), i, r];
}
function fO(t, e) {
  if (t.state !== "read" || e === void 0) return t;
  let n = By(t.bundle, e.links);
  return n === t.bundle ? t : {
    ...t,
    bundle: n,
    text: `${t.text}
${e.text}`,
  };
}
function jb({ proof: t }) {
  switch (t.state) {
    case "none":
      return null;
    case "failed":
      return c(Ge, { error: t.error, title: `Cannot verify ${t.name}` });
    case "wrong_file":
      return c(re, {
        tone: "bad",
        icon: "warning",
        live: !0,
        title: `${t.name} is not a proof`,
        children: c("p", { children: Cy(t.kind) }),
      });
    case "read":
      return c("p", { class: "supplied", children: t.name });
  }
}
function Db({ onPin: t }) {
  let [e, n] = W(!1);
  return e ? c(dO, { onPin: t, onCancel: () => n(!1) }) : c("div", {
    class: "row",
    children: c(ue, {
      kind: "quiet",
      isRemoved: !0,
      onClick: () => n(!0),
      children: "I have none: ask this gateway",
    }),
  });
}
function dO({ onPin: t, onCancel: e }) {
  let { api: n, clock: r } = Y(), [o, s] = Ae((i) => n.network(i), []);
  return c(Fe, {
    loaded: o,
    what: "the gateway's configuration",
    retry: s,
    render: ({ text: i, value: a }) =>
      c(Ar, {
        title: "You would trust the gateway for its own keys",
        accept: "Trust the gateway for it",
        onAccept: () =>
          t({ network: a, text: i, source: "gateway", name: n.url.origin, pinnedAt: wt(r) }),
        cancel: "Cancel",
        onCancel: e,
        children: [
          c("p", {
            children:
              "A lying gateway gives you its own keys, and every proof that it forges verifies. Do this only to try things out, or after you compared the fingerprint with one from another source.",
          }),
          c("p", { children: [a.id, ", fingerprint:"] }),
          c(vr, { text: Ht(a), what: "fingerprint" }),
        ],
      }),
  });
}
function Ub({ trust: t }) {
  let e = Y(),
    [n, r] = W(void 0),
    { enabled: o, peer_networks: s, cross_anchor_threshold: i } = t.home.network.federation;
  if (!o || s.length === 0) return null;
  let a = async (f) => {
    r(void 0);
    try {
      let d = t;
      for (let u of f) d = Cg(d, await lO(e, t, u));
      e.trust.pin(d);
    } catch (d) {
      r(d);
    }
  };
  return c("div", {
    class: "stack-small",
    children: [
      c("h3", { children: "Peer networks" }),
      c("p", {
        class: "muted",
        children: [Q(i, "peer"), " must have cosigned the log before the verdict names them."],
      }),
      c("ul", {
        class: "peer-list",
        children: s.map(({ id: f }) => c("li", { children: c(uO, { trust: t, id: f }) }, f)),
      }),
      n !== void 0 && c(Ge, { error: n }),
      c(Mn, {
        compact: !0,
        multiple: !0,
        icon: "key",
        label: "Choose configurations of peers",
        onFiles: (f) => void a(f),
        children: c("span", {
          class: "muted small",
          children: "network.public.json of each, from its operator",
        }),
      }),
    ],
  });
}
function uO({ trust: t, id: e }) {
  let n = Y(), r = t.peers.find(({ network: o }) => o.id === e);
  return r === void 0
    ? c("span", {
      class: "row",
      children: [c("span", { children: e }), c(ie, { tone: "warn", children: "No configuration" })],
    })
    : c(H, {
      children: [
        c("span", {
          class: "row",
          children: [
            c("span", { children: e }),
            c(ie, { tone: "good", icon: "key", children: ["From ", r.name] }),
            c(ue, {
              kind: "quiet",
              label: `Forget ${e}`,
              isRemoved: !0,
              onClick: () => n.trust.pin(Zd(t, e)),
              children: "Forget",
            }),
          ],
        }),
        c(le, { text: Ht(r.network), what: `fingerprint of ${e}` }),
      ],
    });
}
async function lO(t, e, n) {
  let r = await Ia(t, n), { peer_networks: o } = e.home.network.federation;
  if (o.some(({ id: s }) => s === r.network.id)) return r;
  throw new O(
    "invalid_configuration",
    `Cannot use ${n.name}: ${r.network.id} is not a peer of the pinned network`,
  );
}
function qb() {
  let t = Y(),
    e = Ee(t.trust),
    [n, r] = W(void 0),
    [o, s] = W(void 0),
    i = async (d) => {
      s(void 0);
      try {
        let u = await Ia(t, d), { state: l } = t.trust;
        l.state === "pinned" && hO(l.trust.home, u) ? r(u) : zb(t, u);
      } catch (u) {
        s(u);
      }
    },
    a = (d) => {
      r(void 0), zb(t, d);
    },
    f = e.state === "none" || e.state === "broken";
  return c(J, {
    title: "What you trust",
    children: [
      e.state === "loading" && c(hn, { label: "Loading the pins" }),
      e.state === "broken" &&
      c(Ge, { error: e.error, title: "Cannot read the pins of this browser" }),
      e.state === "pinned" && c(pO, { ...e }),
      f &&
      c("p", {
        children:
          "A proof is verified with the keys of a network's witnesses. Get them from somebody you trust, not from the gateway that you want to check, and compare their fingerprint.",
      }),
      n === void 0 || e.state !== "pinned"
        ? null
        : c(mO, { last: e.trust.home, next: n, onAccept: () => a(n), onCancel: () => r(void 0) }),
      o !== void 0 && c(Ge, { error: o }),
      c(Mn, {
        compact: !0,
        icon: "key",
        label: e.state === "pinned"
          ? "Choose another configuration"
          : "Choose the network's configuration",
        onFiles: ([d]) => void i(d),
        children: c("span", {
          class: "muted small",
          children: "network.public.json, from the network's operator; stored in this browser",
        }),
      }),
      f && c(Db, { onPin: a }),
    ],
  });
}
function hO(t, e) {
  return Ht(t.network) !== Ht(e.network);
}
function zb({ trust: t }, e) {
  let { state: n } = t,
    r = n.state === "pinned" && n.trust.home.network.id === e.network.id ? n.trust.peers : [];
  t.pin({ home: e, peers: r });
}
function pO({ trust: t, kept: e }) {
  let n = Y(), { network: r, source: o, name: s, pinnedAt: i } = t.home;
  return c(H, {
    children: [
      c(tt, {
        items: {
          Network: r.id,
          Rule: `${r.threshold} of ${
            Q(r.witnesses.length, "witness", "witnesses")
          } must have signed (${r.signature_scheme})`,
          Fingerprint: c(vr, { text: Ht(r), what: "fingerprint" }),
          Source: o === "file" ? `Your file ${s}` : `This gateway, ${s}`,
          Pinned: ve(i),
        },
      }),
      o === "gateway" &&
      c(re, {
        tone: "warn",
        title: "This configuration came from the gateway",
        children: c("p", {
          children:
            "If the gateway lied, its forged proofs verify. Compare the fingerprint with one that the network publishes elsewhere.",
        }),
      }),
      e ? null : c(re, {
        tone: "warn",
        title: "This browser does not store the pin",
        children: c("p", { children: "The pin lasts until you leave this page." }),
      }),
      c(Ub, { trust: t }),
      c("div", {
        class: "row",
        children: c(ue, {
          isRemoved: !0,
          onClick: () => n.trust.forget(),
          children: "Forget all pins",
        }),
      }),
    ],
  });
}
function mO({ last: t, next: e, onAccept: n, onCancel: r }) {
  let o = t.network.id === e.network.id;
  return c(Ar, {
    title: o
      ? `${e.name} differs from the pinned configuration of ${e.network.id}`
      : `${e.name} is the configuration of another network, ${e.network.id}`,
    accept: "Replace the pin",
    onAccept: n,
    cancel: "Keep the old one",
    onCancel: r,
    children: [
      c("p", {
        children: o
          ? "Keys, threshold or policy changed. Make sure that the network announced the change."
          : `It would replace ${t.network.id}.`,
      }),
      c("p", { children: "Its fingerprint:" }),
      c(vr, { text: Ht(e.network), what: "fingerprint" }),
    ],
  });
}
function Gb() {
  let t = Y(),
    e = Ee(t.trust),
    [n, r] = ps(t),
    [o, s, i] = Pb(r),
    a = o.state === "read" ? o : void 0,
    f = e.state === "pinned" ? Jd(e.trust) : void 0,
    d = Mc(t, { proof: a, trust: f, content: n });
  return c(H, {
    children: [
      c(Je, {
        title: "Verify",
        children:
          "Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.",
      }),
      c($c, { verification: d }),
      a !== void 0 && (e.state === "none" || e.state === "broken") &&
      c(gO, { bundle: a.bundle, content: n }),
      c("div", {
        class: "verify-columns",
        children: [
          c(J, {
            title: "What you check",
            children: [
              c(Mn, {
                label: o.state === "none"
                  ? "Choose a proof, or drop it here"
                  : "Choose another proof",
                icon: "seal",
                multiple: !0,
                compact: !0,
                onFiles: s,
                children: c("span", {
                  class: "muted small",
                  children:
                    "NAME.countersign.json, and the file itself if you like. If the network's keys have changed, also its succession (/v1/succession).",
                }),
              }),
              c(jb, { proof: o }),
              i !== void 0 &&
              c("p", {
                class: "supplied",
                children: [i.name, ": ", Q(i.links.length, "succession")],
              }),
              c(Tc, { content: n, choose: r }),
            ],
          }),
          c(qb, {}),
        ],
      }),
      d.state === "found" && c(Hc, { ...d.view }),
    ],
  });
}
function gO({ bundle: t, content: e }) {
  let { hash: n, network_id: r } = t.signed_attestation.attestation,
    o = e.state === "hashed" && e.hash !== n;
  return c(re, {
    tone: o ? "warn" : "info",
    live: !0,
    title: "The proof is not verified yet",
    children: [
      o &&
      c("p", { children: ["It is not about ", e.name, ": the hash in the proof is another one."] }),
      c("p", {
        children: [
          "It claims that ",
          r,
          " signed it. Choose the configuration of that network to verify this.",
        ],
      }),
    ],
  });
}
var wO = [[{ page: "stamp" }, "Stamp", "seal"], [{ page: "verify" }, "Verify", "check"], [
    { page: "explore" },
    "Explore",
    "search",
  ], [{ page: "log" }, "Check the log", "chain"]],
  yO = {
    stamp: "stamp",
    verify: "verify",
    explore: "explore",
    batch: "explore",
    position: "explore",
    proof: "explore",
    certificate: "explore",
    tiles: "explore",
    log: "log",
    unknown: "",
  };
function bO(t) {
  switch (t.page) {
    case "stamp":
      return c(Rb, {}, "stamp");
    case "verify":
      return c(Gb, {}, "verify");
    case "proof":
      return c(tb, { hash: t.hash }, ce(t));
    case "certificate":
      return c(Vw, { hash: t.hash }, ce(t));
    case "explore":
      return c(My, {}, "explore");
    case "batch":
      return c(Iw, { id: t.id }, ce(t));
    case "position":
      return c(Gy, { index: t.index }, ce(t));
    case "tiles":
      return c(Fb, {}, "tiles");
    case "log":
      return c(qy, {}, "log");
    case "unknown":
      return c(_O, {}, "unknown");
  }
}
function xO(t) {
  let { page: e } = t;
  return e === "verify" || e === "tiles" || e === "log" ? t : { page: "unknown" };
}
function _O() {
  return c(Je, {
    title: "No such page",
    children: "This address is not a page of the explorer. Choose a page above.",
  });
}
function Vb() {
  let { apiKey: t, copy: e } = Y(),
    { version: n } = Ee(t),
    r = e === void 0 ? "stamp" : "explore",
    [o, s] = W(() => gi(location.hash, r));
  return Ie(() => {
    let i = () => {
      s(gi(location.hash, r)), scrollTo(0, 0);
    };
    return addEventListener("hashchange", i), () => removeEventListener("hashchange", i);
  }, []),
    c(H, {
      children: [
        c("button", {
          type: "button",
          class: "skip-link",
          onClick: EO,
          children: "Skip to content",
        }),
        c("header", {
          class: "site-head",
          children: c("div", {
            class: "site-head-inner",
            children: [
              c("a", {
                class: "brand",
                href: ce({ page: r }),
                children: [c(Ze, { name: "seal" }), c("span", { children: "Countersign" })],
              }),
              c("nav", {
                class: "site-nav",
                "aria-label": "Pages",
                children: wO.filter(([{ page: i }]) => e === void 0 || i !== "stamp").map((
                  [i, a, f],
                ) =>
                  c("a", {
                    href: ce(i),
                    "aria-current": yO[o.page] === i.page ? "page" : void 0,
                    children: [c(Ze, { name: f }), c("span", { children: a })],
                  }, a)
                ),
              }),
              c(pw, {}),
            ],
          }),
        }),
        c("main", {
          id: "content",
          tabindex: -1,
          children: [
            o.page === "log" ? null : c(SO, {}),
            c(vO, {}),
            c(uw, { apiKey: t }),
            c(yu, {
              fallbackRender: (i) => c(Ge, { error: i }),
              children: e?.pageOf(o) ?? bO(e === void 0 ? o : xO(o)),
            }, String(n)),
          ],
        }),
        c("footer", {
          class: "site-foot",
          children: [
            e === void 0
              ? c(H, {
                children: [
                  c("p", {
                    children:
                      "This page comes from its gateway and verifies in this browser. It contacts no other server, except the token issuer of a network that requires tokens.",
                  }),
                  c("p", { children: c("a", { href: "docs", children: "API reference" }) }),
                ],
              })
              : c("p", {
                children:
                  "This page comes with a copy of the log and verifies in this browser. It contacts no other server, and what it calls the gateway is the host of the copy.",
              }),
            c(lw, { apiKey: t }),
          ],
        }),
      ],
    });
}
function EO() {
  document.getElementById("content")?.focus();
}
function vO() {
  let t = fc();
  if (t === void 0) return null;
  let { title: e, code: n } = ac(t);
  return c(re, {
    tone: "warn",
    live: !0,
    title: e,
    children: c("p", {
      children: [
        "This page tries again and continues where it stopped. ",
        c("code", { children: n }),
      ],
    }),
  });
}
function SO() {
  let { check: t, evidence: e } = Ee(Y().watch),
    n = t === void 0 ? void 0 : Ei(t),
    r = n?.tone === "bad";
  return !r && e === void 0 ? null : c(re, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: r ? n.title : "This browser has seen two histories of this log",
    children: c("p", {
      children: c("a", { href: ce({ page: "log" }), children: "See the finding and what to do" }),
    }),
  });
}
var ws = 48, zl = 96, TO = 256, kO = 16;
function Gl(t) {
  return new ql(t);
}
var ql = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  #i;
  #s;
  #a;
  #c;
  #h = new dn(1024);
  constructor(e) {
    let n = e.memory.buffer;
    this.#e = e,
      this.#t = new Uint8Array(n),
      this.#n = new Uint32Array(n, e.slotsRegion(), e.slotLimit()),
      this.#o = e.messageRegion(),
      this.#r = e.messageBytes(),
      this.#i = e.secretRegion(),
      this.#s = e.signatureRegion(),
      this.#a = e.keyRegion(),
      this.#c = e.pointRegion();
  }
  keyGen(e) {
    return qa(e);
  }
  skToPk(e) {
    if (this.#l(e), this.#e.skToPk() === 0) throw es();
    return this.#t.slice(this.#a, this.#a + zl);
  }
  sign(e, n, r) {
    if (this.#g(n, r), this.#l(e), this.#e.sign() === 0) throw es();
    return this.#b();
  }
  keyValidate(e) {
    return this.#p(e) !== void 0;
  }
  signatureValidate(e) {
    return e.length !== ws
      ? !1
      : (this.#t.set(e, this.#s), this.#e.startSignatureSum(), this.#e.addSignatures(1) !== 0);
  }
  hashToG1(e, n) {
    return this.#g(e, n), this.#e.hashToG1(), this.#b();
  }
  verify(e, n, r, o) {
    return this.fastAggregateVerify([e], n, r, o);
  }
  aggregate(e) {
    if (e.every((n) => n.length === ws)) {
      this.#e.startSignatureSum();
      for (let n = 0; n < e.length; n += 2) {
        let r = this.#y(e[n], e[n + 1]);
        if (this.#e.addSignatures(r) === 0) return;
      }
      return this.#e.finishSignatureSum() === 0 ? void 0 : this.#b();
    }
  }
  aggregateKeys(e) {
    let n = this.#u(e);
    if (n !== void 0) {
      return this.#t.set(n, this.#c), this.#e.encodeKey(), this.#t.slice(this.#a, this.#a + zl);
    }
  }
  fastAggregateVerify(e, n, r, o) {
    let s = this.#u(e);
    return s === void 0 || r.length !== ws
      ? !1
      : (this.#t.set(s, this.#c), this.#t.set(r, this.#s), this.#g(n, o), this.#e.verify() !== 0);
  }
  batchVerify(e, n) {
    let r = e.map(() => !1), o = this.#w(e), s = this.#e.slotLimit();
    for (let i = 0; i < o.length; i += s) {
      let a = o.slice(i, i + s), f = this.#m(a, n);
      if (this.#e.finishSlots(a.length) !== 0) this.#d(f, ({ index: d }) => r[d] = !0);
      else {for (let { index: d, check: { publicKeys: u, message: l, signature: h } } of a) {
          r[d] = this.fastAggregateVerify(u, l, h, n);
        }}
    }
    return r;
  }
  #p(e) {
    if (e.length !== zl) return;
    let n = this.#h.get(e);
    if (n !== void 0) return n;
    if (this.#t.set(e, this.#a), this.#e.decodeKey() === 0) return;
    let r = this.#x();
    return this.#h.set(e, r), r;
  }
  #u(e) {
    if (e.length === 1) return this.#p(e[0]);
    let n = e.map((r) => this.#p(r));
    this.#e.startKeySum();
    for (let r of n) {
      if (r === void 0) return;
      this.#t.set(r, this.#c), this.#e.addKey();
    }
    return this.#e.finishKeySum() === 0 ? void 0 : this.#x();
  }
  #w(e) {
    let n = new Map();
    return e.flatMap((r, o) => {
      let s = r.publicKeys.map(V).join();
      if (!n.has(s)) {
        let f = this.#u(r.publicKeys);
        n.set(s, f && { point: f });
      }
      let i = n.get(s);
      return i !== void 0 && r.signature.length === ws ? { index: o, check: r, group: i } : [];
    });
  }
  #m(e, n) {
    let r = [];
    return e.forEach(({ check: o }, s) => {
      if (s % 2 === 0) {
        let i = this.#y(o.signature, e[s + 1]?.check.signature), a = this.#e.keepSignatures(s, i);
        for (let f = 0; f < i; f++) {
          if ((a >> f & 1) === 0) continue;
          let { index: d, group: u } = e[s + f];
          r.push({ index: d, slot: s + f, group: u });
        }
      }
      this.#g(o.message, n), this.#e.keepHash(s);
    }),
      r;
  }
  #d(e, n) {
    if (e.length === 0) return;
    let r = new Map();
    for (let i of e) {
      let a = r.get(i.group);
      a === void 0 ? r.set(i.group, [i]) : a.push(i);
    }
    if (r.size <= this.#e.groupLimit() && this.#f(r)) return e.forEach(n);
    if (e.length === 1) return;
    let s = Math.ceil(e.length / 2);
    this.#d(e.slice(0, s), n), this.#d(e.slice(s), n);
  }
  #f(e) {
    let n = this.#e.coefficientsRegion();
    this.#e.startCombination();
    for (let [{ point: r }, o] of e) {
      o.forEach(({ slot: s }, i) => this.#n[i] = s),
        crypto.getRandomValues(this.#t.subarray(n, n + o.length * kO)),
        this.#t.set(r, this.#c),
        this.#e.addGroup(o.length);
    }
    return this.#e.combinationHolds() !== 0;
  }
  #g(e, n) {
    let r = ee(n), o = this.#e.tagBytes();
    if (r.length > o) {
      throw new O(
        "internal",
        `Cannot hash to G1: the tag has ${r.length} bytes, at most ${o} are possible`,
      );
    }
    this.#t.set(r, this.#e.tagRegion()), this.#e.startMessage(r.length);
    for (let s = 0; s < e.length; s += this.#r) {
      let i = e.subarray(s, s + this.#r);
      this.#t.set(i, this.#o), this.#e.appendMessage(i.length);
    }
  }
  #l(e) {
    if (e.length !== Qo) throw es();
    this.#t.set(e, this.#i);
  }
  #y(e, n) {
    return this.#t.set(e, this.#s), n === void 0 ? 1 : (this.#t.set(n, this.#s + ws), 2);
  }
  #b() {
    return this.#t.slice(this.#s, this.#s + ws);
  }
  #x() {
    return this.#t.slice(this.#c, this.#c + TO);
  }
};
var OO = Uint8Array.of(0), AO = new Uint8Array();
function Kb(t) {
  return new Vl(t);
}
var Vl = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  #i;
  #s;
  #a;
  constructor(e) {
    let n = e.memory.buffer;
    this.#e = e,
      this.#t = new Uint8Array(n),
      this.#o = e.inputRegion(),
      this.#r = e.inputBytes(),
      this.#i = e.nodesRegion(),
      this.#s = e.leafLimit(),
      this.#n = new Uint32Array(n, e.endsRegion(), this.#s),
      this.#a = e.pathsRegion();
  }
  sha256(e) {
    return this.#h(AO, e);
  }
  leafHashes(e, n) {
    let r = new Uint8Array(n.length * S);
    for (let o = 0; o < n.length;) {
      let s = o === 0 ? 0 : n[o - 1], i = this.#c(n, o, s);
      if (i === o) {
        let a = e.subarray(s, n[o]);
        r.set(this.#h(OO, a), o * S), o++;
        continue;
      }
      if (this.#t.set(e.subarray(s, n[i - 1]), this.#o), s === 0) this.#n.set(n.subarray(o, i));
      else for (let a = o; a < i; a++) this.#n[a - o] = n[a] - s;
      this.#e.leafHashes(i - o), r.set(this.#d(i - o), o * S), o = i;
    }
    return r;
  }
  numberedLeafHashes(e) {
    let { before: n, digests: r, between: o, first: s, after: i } = e, a = this.#e.pieceLimit();
    if (Math.max(n.length, o.length, i.length) > a) {
      let { entries: f, ends: d } = xu(e);
      return this.leafHashes(f, d);
    }
    return this.#t.set(n, this.#e.beforeRegion()),
      this.#t.set(o, this.#e.betweenRegion()),
      this.#t.set(i, this.#e.afterRegion()),
      this.#u(r, this.#o, (f, d) => {
        let u = s + d, { length: l } = n;
        return this.#e.numberedLeafHashes(f, u, l, o.length, i.length), f;
      });
  }
  nodeHash(e, n) {
    return this.#t.set(e, this.#i),
      this.#t.set(n, this.#i + S),
      this.#e.treeLevel(2, 1),
      this.#f(1);
  }
  treeLevel(e, n = 1) {
    let r = Math.min(n, Math.log2(this.#s)),
      o = this.#u(e, this.#i, (i) => this.#e.treeLevel(i, r));
    return r === n || o.length <= S ? o : this.treeLevel(o, n - r);
  }
  treeLevels(e) {
    let n = e.length / S;
    return n > this.#s ? this.#w(e) : (this.#t.set(e, this.#i), this.#f(this.#e.treeLevels(n)));
  }
  inclusionPaths(e, n) {
    if (n > this.#e.roundLimit()) return Va(e, n);
    this.#t.set(e, this.#i);
    let r = this.#a + this.#e.inclusionPaths(n) * S;
    return this.#t.slice(this.#a, r);
  }
  #c(e, n, r) {
    let o = Math.min(e.length, n + this.#s);
    if (e[o - 1] - r <= this.#r) return o;
    for (o = n; e[o] - r <= this.#r;) o++;
    return o;
  }
  #h(e, n) {
    this.#e.startMessage(), e.length > 0 && this.#p(e);
    for (let r = 0; r < n.length; r += this.#r) this.#p(n.subarray(r, r + this.#r));
    return this.#e.finishMessage(), this.#f(1);
  }
  #p(e) {
    this.#t.set(e, this.#o), this.#e.appendInput(e.length);
  }
  #u(e, n, r) {
    let o = e.length / S;
    if (o <= this.#s) return this.#t.set(e, n), this.#f(r(o, 0));
    let s = new Uint8Array(e.length), i = 0;
    for (let a = 0; a < o; a += this.#s) {
      let f = Math.min(a + this.#s, o);
      this.#t.set(e.subarray(a * S, f * S), n);
      let d = this.#d(r(f - a, a));
      s.set(d, i), i += d.length;
    }
    return i === s.length ? s : s.slice(0, i);
  }
  #w(e) {
    let n = e.length / S,
      r = lo(n),
      o = Math.log2(this.#s),
      s = new Uint8Array(r.reduce((a, f) => a + f) * S),
      i = new Uint8Array(r[o] * S);
    for (let a = 0; a < n; a += this.#s) {
      let f = Math.min(a + this.#s, n),
        d = this.treeLevels(e.subarray(a * S, f * S)),
        u = lo(f - a),
        l = 0,
        h = 0;
      for (let p = 0; p < o; p++) {
        let m = u[p] ?? 1;
        p > 0 && p < u.length && (l += u[p - 1]);
        let g = d.subarray(l * S, (l + m) * S);
        s.set(g, (h + a / 2 ** p) * S), h += r[p];
      }
      i.set(d.subarray(-S), a / this.#s * S);
    }
    return s.set(this.treeLevels(i), s.length - this.#m(i)), s;
  }
  #m(e) {
    return lo(e.length / S).reduce((r, o) => r + o, 0) * S;
  }
  #d(e) {
    return this.#t.subarray(this.#i, this.#i + e * S);
  }
  #f(e) {
    return this.#t.slice(this.#i, this.#i + e * S);
  }
};
async function Kl(t) {
  for (let e of t) {
    if (e.isSupported()) {
      try {
        let n = await e.load();
        if (e.passes?.(n) ?? !0) return { name: e.name, exports: n };
      } catch {}
    }
  }
}
function Wl(t, e) {
  return t.map((n) => ({
    ...n,
    load: async () => {
      let r = await e(`${n.name}.wasm`);
      try {
        let { instance: o } = await WebAssembly.instantiateStreaming(r);
        return o.exports;
      } finally {
        r.bodyUsed || await r.body?.cancel();
      }
    },
  }));
}
var NO = [65, 0, 253, 15, 253, 98, 26],
  BO = [65, 0, 253, 15, 65, 0, 253, 15].concat([65, 0, 253, 15, 253, 135, 2, 26]);
function CO(t) {
  return Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    4,
    1,
    96,
    0,
    0,
    3,
    2,
    1,
    0,
    10,
    t.length + 4,
    1,
    t.length + 2,
    0,
    ...t,
    11,
  );
}
function Yl(t) {
  return typeof WebAssembly == "object" && WebAssembly.validate(CO(t));
}
function Xl() {
  return Yl([]);
}
function Wb() {
  return Yl(NO);
}
function Yb() {
  return Yl(BO);
}
var Gc = [{
  name: "hashing.simd",
  isSupported: Wb,
  load: () => import("../../wasm/build/hashing.simd.wasm"),
}, {
  name: "hashing.scalar",
  isSupported: Xl,
  load: () => import("../../wasm/build/hashing.scalar.wasm"),
}];
async function IO(t = Gc) {
  let e = await Kl(t);
  return e && Kb(e.exports);
}
function Zb(t) {
  return IO(Wl(Gc, t));
}
var RO = "QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_",
  LO =
    "852926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1";
function Xb(t) {
  return V(Gl(t).hashToG1(ee(""), RO)) === LO;
}
var Jb = [{
  name: "bls.fma",
  isSupported: Yb,
  load: () => import("../../wasm/build/bls.fma.wasm"),
  passes: Xb,
}, {
  name: "bls.scalar",
  isSupported: Xl,
  load: () => import("../../wasm/build/bls.scalar.wasm"),
  passes: Xb,
}];
async function HO(t = Jb) {
  let e = await Kl(t);
  return e && Gl(e.exports);
}
function Qb(t) {
  return HO(Wl(Jb, t));
}
function ex(t, e) {
  let n = new Map(
    t.split(" ").filter((r) => r.includes("=")).map((r) => {
      let [o, s] = r.split("=");
      return [o, s];
    }),
  );
  return (r) => new URL(n.get(r) ?? `assets/${r}`, e);
}
function tx(t) {
  let e = (i) => fetch(t(i)), n, r;
  function o() {
    return n ??= Qb(e).then((i) => i ?? ai);
  }
  async function s() {
    let [i, a] = await Promise.all([Zb(e), Zf()]);
    return { kernels: i ?? ci, ed25519: a, bls: await o() };
  }
  return { blsFor: (i) => i.includes("bls") ? o() : Promise.resolve(ai), crypto: () => r ??= s() };
}
function nx(t) {
  let { api: e, crypto: n, trust: r, line: o, stamps: s, clock: i } = t,
    a = new Ro(() => localStorage),
    f = new Ic({
      trust: (d) => Wt(t, d),
      context: async ({ network: d, fingerprint: u }) => ({
        network: d,
        fingerprint: u,
        gateway: e,
        store: a,
        crypto: await n.crypto(),
        now: () => wt(i),
      }),
      exclusively: MO,
    });
  r.subscribe(() => void f.check());
  for (let d of [o, s.follower.submissions]) {
    d.subscribe(() => {
      d.state === void 0 && Rc(f.state) && !f.state.isChecking && f.check();
    });
  }
  return addEventListener("storage", ({ key: d }) => void f.storageChanged(d)), f;
}
async function MO(t, e) {
  return "locks" in navigator
    ? await navigator.locks.request(`countersign.log.${t}`, e)
    : await e();
}
var Zl = "api-key",
  Vc = class extends Fn {
    #e;
    constructor(e) {
      super({ key: e.read(Zl), fault: void 0, version: 0 }), this.#e = e;
    }
    use(e) {
      e === "" ? this.#e.remove(Zl) : this.#e.write(Zl, e);
      let { version: n } = this.state;
      this.setState({ key: e || void 0, fault: void 0, version: n + 1 });
    }
    answered({ status: e, headers: n }, r) {
      let o = n.get("WWW-Authenticate") ?? "";
      if (e !== 401 || !/^bearer /i.test(o) || r !== this.state.key) return;
      let s = r === void 0 ? "wanted" : "refused";
      this.state.fault !== s && this.setState({ ...this.state, fault: s });
    }
    fetch = async (e, n) => {
      let { key: r } = this.state, o = new Headers(n?.headers);
      r !== void 0 && o.set("Authorization", `Bearer ${r}`);
      let s = await fetch(e, { ...n, headers: o });
      return this.answered(s, r), s;
    };
  };
var Kc = "countersign.", Wc = ox(() => localStorage), rx = ox(() => sessionStorage);
function ox(t) {
  return {
    read: (e) => Jl(() => t().getItem(Kc + e) ?? void 0),
    write: (e, n) => Jl(() => (t().setItem(Kc + e, n), !0)) ?? !1,
    remove: (e) => Jl(() => t().removeItem(Kc + e)),
  };
}
function Jl(t) {
  try {
    return t();
  } catch {
    return;
  }
}
function sx(t, e) {
  addEventListener("storage", ({ key: n }) => {
    (n === null || n === Kc + t) && e();
  });
}
var Yc = class {
  #e;
  #t;
  #n;
  #o = new Set();
  #r = new Set();
  constructor(e, n, r = {}) {
    this.#e = e, this.#t = n, this.#n = r;
  }
  hash(e, { onStart: n, onProgress: r, signal: o }) {
    return new Promise((s, i) => {
      if (o.aborted) return i(o.reason);
      let a = () => {
          this.#o.delete(d);
          for (let u of this.#r) u.task === d && this.#c(u);
          i(o.reason), this.#i();
        },
        d = {
          request: { kind: "file", file: e },
          onStart: n,
          report: (u) => {
            if (u.kind === "progress") return r(u.done, u.size);
            o.removeEventListener("abort", a),
              u.kind === "hashed"
                ? (r(u.size, u.size), s(u.hash))
                : i(new O("file_failed", `Cannot hash the file: ${ix(u)}`));
          },
        };
      o.addEventListener("abort", a, { once: !0 }), this.#o.add(d), this.#i();
    });
  }
  findWork(e, n) {
    let r = { kind: "work", subject: e, demand: n, modules: this.#n };
    return new Promise((o, s) => {
      let i = (f) => {
          f.kind === "found" ? o(f.proof) : s(new Error(`Cannot search a proof of work: ${ix(f)}`));
        },
        a = [...this.#o];
      this.#o.clear();
      for (let f of [{ request: r, report: i }, ...a]) this.#o.add(f);
      this.#i();
    });
  }
  #i() {
    for (let e of this.#o) {
      let n = this.#s();
      if (n === void 0) return;
      this.#o.delete(e), n.task = e, e.onStart?.(), n.worker.postMessage(e.request);
    }
    for (let e of this.#r) e.task === void 0 && this.#c(e);
  }
  #s() {
    for (let e of this.#r) if (e.task === void 0) return e;
    return this.#r.size < this.#t ? this.#a() : void 0;
  }
  #a() {
    let e = this.#e(), n = { worker: e, task: void 0 };
    return this.#r.add(n),
      e.addEventListener("message", ({ data: r }) => {
        let { task: o } = n;
        o !== void 0 &&
          (r.kind !== "progress" && (n.task = void 0),
            o.report(r),
            r.kind !== "progress" && this.#i());
      }),
      e.addEventListener("error", () => {
        this.#c(n),
          n.task?.report({ kind: "failed", message: "the worker did not start" }),
          this.#i();
      }),
      n;
  }
  #c(e) {
    e.worker.terminate(), this.#r.delete(e);
  }
};
function ix(t) {
  return t.kind === "failed" ? t.message : "the worker answered something else";
}
var $O = ["batch.closed", "cross_anchor.added", "external_anchor.added"],
  FO = 1e4,
  Xc = class {
    #e;
    #t = 0;
    #n = new AbortController();
    #o;
    #r = new AbortController();
    #i = !1;
    constructor(e) {
      this.#e = e;
    }
    async wait(e, n) {
      this.#r.abort(), this.#s(), this.#t++;
      let r = n === void 0 ? [] : [n];
      await this.#e.clock.sleep(e, Yo(...r, this.#n.signal)), --this.#t === 0 && this.#c();
    }
    wake() {
      this.#n.abort(), this.#n = new AbortController();
    }
    #s() {
      if (this.#o !== void 0 || this.#i) return;
      let e = this.#o = new AbortController();
      this.#a(e.signal).catch((n) => {
        this.#i = Lr(n) instanceof xe;
      }).finally(() => {
        this.#o === e && (this.#o = void 0);
      });
    }
    async #a(e) {
      let n = $O, r = Ec({ ...this.#e, types: n, changed: () => {}, reached: () => {} }, e);
      for await (let o of r) this.wake();
    }
    #c() {
      let e = this.#r = new AbortController();
      this.#e.clock.sleep(FO, e.signal).then(() => {
        e.signal.aborted || (this.#o?.abort(), this.#o = void 0);
      });
    }
  };
function ax(t) {
  let e = (n) => n.preventDefault();
  t.rows.subscribe(() => {
    t.hasUnsaved ? addEventListener("beforeunload", e) : removeEventListener("beforeunload", e);
  });
}
var PO = un + 16;
function cx(t) {
  let e = crypto.getRandomValues(new Uint8Array(PO));
  return 1n + os(e) % (t - 1n);
}
function Ql(t, e, n) {
  let r = 1n;
  for (let o = e, s = t; o > 0n; o >>= 1n) o & 1n && (r = r * s % n), s = s * s % n;
  return r;
}
function eh(t, e) {
  let [n, r] = [e, t % e], [o, s] = [0n, 1n];
  for (; r !== 0n;) {
    let i = n / r;
    [n, r] = [r, n - i * r], [o, s] = [s, o - i * s];
  }
  if (n === 1n) return o < 0n ? o + e : o;
}
var nh = 48, Zc = un - nh - 1;
function th(...t) {
  return new Uint8Array(Rh(pe(...t)));
}
function fx(t, e) {
  let n = [];
  for (let r = 0; r * nh < e; r++) n.push(th(t, Uint8Array.of(0, 0, 0, r)));
  return pe(...n).slice(0, e);
}
function dx(t, e) {
  let n = th(new Uint8Array(8), th(t), e), r = new Uint8Array(Zc);
  r[r.length - e.length - 1] = 1, r.set(e, r.length - e.length);
  let o = fx(n, r.length).map((s, i) => s ^ r[i]);
  return o[0] &= 127, pe(o, n, Uint8Array.of(188));
}
function jO({ modulus: t }, e, n) {
  let r = oc(Ql(n, zu, t)), o = r.subarray(Zc, Zc + nh), s = fx(o, Zc).map((i, a) => i ^ r[a]);
  return Be(r, dx(e, s.subarray(-Uu)));
}
function DO(t) {
  return { salt: crypto.getRandomValues(new Uint8Array(Uu)), blind: cx(t) };
}
function ux(t, e, n = DO(t.modulus)) {
  let { modulus: r } = t, o = os(dx(e, n.salt)), s = eh(n.blind, r);
  if (s === void 0 || eh(o, r) === void 0) {
    throw new O("invalid_key", "Cannot blind message: the modulus has small factors");
  }
  let i = o * Ql(n.blind, zu, r) % r;
  return { blinded: oc(i), inverse: s };
}
function lx(t, e, n, r) {
  let o = r.length === un ? os(r) : t.modulus, s = o * n % t.modulus;
  if (o >= t.modulus || !jO(t, e, s)) {
    throw new O("issuer_refused", "Cannot unblind signature: it is not by the issuer's key");
  }
  return oc(s);
}
function hx({ challenge: t, tokenKey: e }) {
  let n = iw(e),
    r = Ya(e),
    o = {
      nonce: crypto.getRandomValues(new Uint8Array(_u)),
      challengeDigest: S0(t),
      tokenKeyId: r,
    },
    s = Eu(o),
    { blinded: i, inverse: a } = ux(n, s);
  return {
    request: aw({ truncatedTokenKeyId: r.at(-1), blindedMessage: i }),
    finish: (f) => ({ ...o, authenticator: lx(n, s, a, cw(f)) }),
  };
}
var UO = "CountersignWork", zO = 26;
var qO = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i;
function px(t) {
  let e = Number(qO.exec(t)?.[1]);
  return e >= 1 && e <= zO ? e : void 0;
}
function mx({ time: t, counter: e }) {
  return `${UO} time="${t}", counter="${e}"`;
}
function gx(t, e, n) {
  let r = ({ notBefore: o = 0, notAfter: s = 1 / 0 }) => o <= n && n < s;
  for (let { tokenKey: o, notBefore: s = 0 } of t.tokenKeys) {
    if (!(n < s)) {
      for (let i of e) {
        let a = i.keys.find((f) => V(f.tokenKey) === V(o));
        if (!(a === void 0 || !r(a))) {
          return {
            tokenKey: o,
            challenge: i.challengeBytes,
            issuerName: i.challenge.issuerName,
            networkId: i.challenge.originInfo,
            requestUri: t.requestUri,
            ...a.notAfter !== void 0 && { notAfter: a.notAfter },
          };
        }
      }
    }
  }
  throw new O(
    "issuer_refused",
    "Cannot fetch tokens: the gateway accepts none of the issuer's current keys",
  );
}
function wx(t, e) {
  let n = t.find(({ url: o }) => o !== void 0)?.url;
  if (n === void 0) return;
  let r = ow(n, { insecure: !1 });
  if (rc(r.hostname) && !rc(e.hostname)) {
    throw new O(
      "gateway_refused",
      `Cannot fetch tokens: the remote gateway names an issuer on this machine, ${r.origin}`,
    );
  }
  return { url: r, offers: t.filter((o) => o.url === n) };
}
var Jc = class {
  #e;
  #t;
  constructor(e) {
    this.#e = e;
  }
  async fetch() {
    let { key: e } = this.#e, { request: n, finish: r } = hx(e), o = T0(r(await this.#n(n)));
    return e.notAfter === void 0 ? { token: o } : { token: o, notAfter: e.notAfter };
  }
  async #n(e) {
    let { client: n, key: { requestUri: r }, onWork: o } = this.#e,
      s = await n.request(r, e, await this.#o(e));
    if (s.kind === "response") return s.response;
    let i = px(s.challenge);
    if (i === void 0) {
      throw new O(
        "issuer_refused",
        "Cannot fetch tokens: the issuer requires an API key (countersign token --api-key-file)",
      );
    }
    return this.#t = i, o?.(i), await this.#n(e);
  }
  async #o(e) {
    let { apiKey: n, key: { issuerName: r }, clock: o, kernels: s, findWork: i } = this.#e;
    if (n !== void 0) return `Bearer ${n}`;
    let a = this.#t;
    if (a === void 0) return;
    let f = { issuerName: r, requestDigest: s.sha256(e) };
    return mx(await i(f, { time: wt(o), bits: a }));
  }
};
var GO = 16,
  VO = 8,
  yx = new Set(["token_invalid", "token_expired", "token_spent"]),
  Qc = class {
    #e;
    #t = new Map();
    #n = new Map();
    #o = new Set();
    #r;
    #i = "";
    #s = !0;
    #a = 0;
    constructor(e) {
      this.#e = e;
    }
    async submit(e, n) {
      for (;;) {
        try {
          let r = await this.#c(e, n);
          for (let o of e) this.#t.delete(o), this.#o.add(o);
          return r;
        } catch (r) {
          if (!(r instanceof xe)) throw r;
          if (yx.has(r.reason) && e.length > 1) {
            let o = [];
            for (let s of e) o.push(...await this.submit([s], 0));
            return o;
          }
          if (!await this.#h(e, r)) throw r;
        }
      }
    }
    async [Symbol.asyncDispose]() {
      let n = [...[...this.#t].map(([r, o]) => ({ ...o, shownFor: r })), ...this.#n.values()];
      this.#t.clear(), this.#n.clear(), n.length > 0 && await this.#r?.giveBack(n);
    }
    #c(e, n) {
      let r = e.map((o) => this.#t.get(o)?.token ?? null);
      return this.#e.gateway.submit(e, n, {
        ...r.some((o) => o !== null) && { tokens: r },
        isTransient: (o) => ns(o) && !(this.#s && bx(o)),
      });
    }
    async #h(e, n) {
      if (yx.has(n.reason)) {
        let [r] = e;
        return this.#t.delete(r) ? (this.#a++, this.#a <= VO) : !1;
      }
      if (n.reason === "token_required") {
        if (e.every((r) => this.#p(r))) return !1;
        if (await this.#u(e)) return !0;
        throw await this.#g(e);
      }
      return !bx(n) || !this.#s ? !1 : (this.#s = await this.#u(e), !0);
    }
    #p(e) {
      return this.#t.has(e) || this.#o.has(e);
    }
    async #u(e) {
      let n = await this.#m();
      if (n === null) return !1;
      let r = await this.#d(e.filter((i) => !this.#p(i))),
        o = r.filter((i) => !this.#n.has(i)),
        s = await n.take(o.length);
      if (
        s.length < o.length && this.#n.size > 0 &&
        (await n.giveBack(s), await this.#w(n, new Set(r)), s = await n.take(o.length)),
          s.length < o.length
      ) return await n.giveBack(s), !1;
      for (let i of r) {
        let a = this.#n.get(i);
        a !== void 0 && this.#t.set(i, a), this.#n.delete(i);
      }
      return o.forEach((i, a) => this.#t.set(i, s[a])), r.length > 0;
    }
    async #w(e, n) {
      let r = [...this.#n.keys()].filter((i) => !n.has(i)), o = new Set(await this.#f(r)), s = [];
      for (let i of r) {
        let { shownFor: a, ...f } = this.#n.get(i);
        o.has(i) && s.push(f), this.#n.delete(i);
      }
      await e.giveBack(s);
    }
    async #m() {
      if (this.#r !== void 0) return this.#r;
      let { gateway: e, openTokens: n } = this.#e,
        { mode: r, issuers: [o] } = (await e.admission()).value;
      if (r === "open" || o === void 0) return this.#r = null;
      let s = o.challenge.originInfo, i = await n(s);
      for (let a of await i.takeShown()) this.#n.set(a.shownFor, a);
      return this.#i = s, this.#r = i;
    }
    async #d(e) {
      return e.length <= 1 ? e : await this.#f(e);
    }
    async #f(e) {
      let n = new Array(e.length), r = e.entries();
      return await Promise.all(Array.from({ length: GO }, async () => {
        for (let [o, s] of r) n[o] = await this.#e.gateway.isKnown(s);
      })),
        e.filter((o, s) => !n[s]);
    }
    async #g(e) {
      let { gateway: { url: n }, advice: r } = this.#e, o = await this.#r?.count() ?? 0;
      return new O(
        "tokens_missing",
        `Cannot submit ${e.length} hashes: ${n.href} requires a token for each new hash, and ${o} are stored (${await r(
          this.#i,
          e.length,
        )})`,
      );
    }
  };
function bx(t) {
  return t instanceof xe && t.reason === "rate_limited";
}
var xx = 4,
  ef = class extends Fn {
    #e;
    #t;
    #n;
    #o = [];
    #r;
    constructor(e) {
      super(!1), this.#e = e;
      let { api: n } = e;
      this.#t = new Qc({
        gateway: {
          url: n.url,
          admission: () => n.admission(),
          isKnown: (r) => n.isKnown(r),
          submit: (r, o, s) => n.submit(r, o, { ...s, isTransient: () => !1 }),
        },
        openTokens: () => Promise.resolve(this.#s),
        advice: () => Promise.resolve("the gateway names no issuer"),
      });
    }
    async maxNew() {
      return this.#n ??= await this.#i(), this.#n ? xx : 1 / 0;
    }
    async submit(e, n) {
      try {
        return await this.#t.submit(e, n);
      } catch (r) {
        throw yt(r, "tokens_missing") && (this.#n = void 0), r;
      }
    }
    async #i() {
      try {
        return (await this.#e.api.admission()).value.mode === "token_required";
      } catch (e) {
        if (_r(e)) throw e;
        return !1;
      }
    }
    #s = {
      count: () => Promise.resolve(this.#o.length),
      take: (e) => this.#a(e),
      takeShown: () => Promise.resolve([]),
      giveBack: (e) => (this.#o = [...e, ...this.#o], Promise.resolve()),
    };
    async #a(e) {
      if (!this.#n || e > xx) return [];
      let n = wt(this.#e.clock);
      this.#o = this.#o.filter(({ notAfter: o = 1 / 0 }) => n < o),
        this.#o.length < e && await this.#c(e);
      let r = this.#o.slice(0, e);
      return this.#o = this.#o.slice(e), r;
    }
    async #c(e) {
      this.setState(!0);
      try {
        for (; this.#o.length < e;) {
          let n = this.#r !== void 0;
          if (this.#r ??= await this.#h(), this.#r === void 0) return;
          try {
            this.#o = [...this.#o, await this.#r.fetch()];
          } catch (r) {
            if (as(r) || (this.#r = void 0, !n)) throw r;
          }
        }
      } finally {
        this.setState(!1);
      }
    }
    async #h() {
      let { api: e, crypto: n, hashing: r, clock: o } = this.#e,
        s = wx((await e.admission()).value.issuers, e.url);
      if (s === void 0) return;
      let i = new sc({ url: s.url }),
        a = gx(await i.directory(), s.offers, wt(o)),
        { kernels: f } = await n.crypto();
      return new Jc({
        client: i,
        key: a,
        kernels: f,
        clock: o,
        findWork: (d, u) => r.findWork(d, u),
      });
    }
  };
var tf = class {
  rows;
  follower;
  #e;
  #t = new Map();
  #n = new Map();
  #o = 1;
  constructor(e) {
    this.rows = new Fc(e.later), this.follower = new jc(e, this.rows), this.#e = e.hashing;
  }
  get hasUnsaved() {
    return this.rows.state.some(Pc);
  }
  addFiles(e) {
    for (let { name: n, file: r } of e) {
      let o = this.#o++;
      this.#t.set(o, r), this.#r({ id: o, name: n, phase: "queued" });
    }
  }
  addHash(e) {
    this.rows.state.some((n) => n.name === void 0 && n.hash === e) ||
      this.#r({ id: this.#o++, hash: e, phase: "sending" });
  }
  cancel(e) {
    this.#n.get(e)?.abort();
  }
  retry(e) {
    let n = this.rows.get(e);
    if (n?.phase !== "failed" && n?.phase !== "cancelled") return;
    let { error: r, done: o, ...s } = n;
    this.#r({ ...s, phase: s.hash === void 0 ? "queued" : "sending" });
  }
  remove(e) {
    this.cancel(e), this.#t.delete(e), this.rows.remove(e);
  }
  #r(e) {
    this.rows.put(e), e.phase === "queued" ? this.#i(e.id) : this.follower.start();
  }
  async #i(e) {
    let n = new AbortController();
    this.#n.set(e, n);
    try {
      let r = await this.#e.hash(this.#t.get(e), {
        onStart: () => this.rows.change(e, { phase: "hashing", done: 0 }),
        onProgress: (o, s) => this.rows.change(e, { done: o, size: s }),
        signal: n.signal,
      });
      this.#t.delete(e), this.rows.change(e, { phase: "sending", hash: r }), this.follower.start();
    } catch (r) {
      let o = n.signal.aborted;
      this.rows.change(e, o ? { phase: "cancelled" } : { phase: "failed", error: r });
    } finally {
      this.#n.get(e) === n && this.#n.delete(e);
    }
  }
};
var nf = class extends Fn {
  #e;
  #t;
  #n = 0;
  constructor(e, n) {
    super({ state: "loading" }), this.#e = e, this.#t = n;
  }
  async load() {
    let e = ++this.#n, n;
    try {
      let r = await this.#t.blsFor(this.#e.read(ao) ?? ""), o = Ng(this.#e, r);
      n = o === void 0 ? { state: "none" } : { state: "pinned", trust: o, kept: !0 };
    } catch (r) {
      n = { state: "broken", error: r };
    }
    e === this.#n && this.setState(n);
  }
  pin(e) {
    this.#n++, this.setState({ state: "pinned", trust: e, kept: Bg(this.#e, e) });
  }
  forget() {
    this.#n++, this.#e.remove(ao), this.setState({ state: "none" });
  }
};
var _x = 4, KO = 100;
function Ex(t) {
  hw(Wc);
  let e = document.baseURI,
    n = document.querySelector("meta[name=countersign-assets]"),
    r = ex(n?.content ?? "", e),
    o = tx(r),
    s = new nf(Wc, o);
  s.load(), sx(ao, () => void s.load());
  let i = new Vc(rx),
    a = { url: new URL(e), blsFor: o.blsFor, fetch: i.fetch },
    f = t?.({ ...a, crypto: o, trust: s }),
    d = {
      api: f?.client ?? new rs(a),
      copy: f,
      apiKey: i,
      assets: r,
      crypto: o,
      storage: Wc,
      trust: s,
      clock: gr,
      hashing: new Yc(
        () => new Worker(r("hash_worker.js")),
        Math.min(_x, navigator.hardwareConcurrency ?? _x),
        Object.fromEntries(Gc.map(({ name: b }) => {
          let x = `${b}.wasm`;
          return [x, r(x).href];
        })),
      ),
    },
    u = new Xc({ url: d.api.url, clock: gr, random: Math.random, fetch: i.fetch });
  addEventListener("online", () => u.wake());
  let l = new ef(d),
    h = { wait: (b, x) => u.wait(b, x), sleep: (b) => gr.sleep(b), random: Math.random },
    p = new ms(h),
    m = new tf({
      ...h,
      questions: p,
      gateway: d.api,
      submitNew: (b, x) => l.submit(b, x),
      maxNew: () => l.maxNew(),
      hashing: d.hashing,
      later: (b) => setTimeout(b, KO),
    });
  ax(m);
  let g = { ...d, line: p, tokens: l, stamps: m }, w = { ...g, watch: nx(g) };
  i.subscribe(() => {
    i.state.fault === void 0 && w.watch.check();
  }), hu(c(Wu.Provider, { value: w, children: c(Vb, {}) }), document.getElementById("app"));
}
var vx = 54,
  QW = D({
    origin: ye,
    found_at: qe("When it was found; not signed"),
    first_checkpoint: ye,
    second_checkpoint: ye,
    consistency_path: It,
  }).map(
    ({ consistency_path: t, ...e }) =>
      t.length > vx ? void 0 : {
        origin: e.origin,
        foundAt: e.found_at,
        first: e.first_checkpoint,
        second: e.second_checkpoint,
        path: t.map((n) => we(n)),
      },
    `a path of at most ${vx} hashes`,
  );
function Sx({ origin: t, foundAt: e, first: n, second: r, path: o }) {
  let s = {
    origin: t,
    found_at: e,
    first_checkpoint: n,
    second_checkpoint: r,
    consistency_path: o.map((i) => V(i)),
  };
  return `${JSON.stringify(s, void 0, 2)}
`;
}
var oY = [Re.ed25519, Re.mlDsaCosignature], sY = [Re.cosignature, Re.mlDsaCosignature];
var iY = 1 << 20;
var aY = Ue("invalid_configuration", "Cannot use log policy");
async function rh(t, e, n) {
  let r = gn(n), o = Io(r.text), s = e.signature_scheme === "bls" ? XO(e, r) : YO(e, r);
  for (let { timestamp: i, set: a } of s.toSorted((f, d) => d.timestamp - f.timestamp)) {
    let f = { tree_head: { ...o, timestamp: i }, ...a };
    if ((await pt(t, e, f)).valid) return f;
  }
}
async function kx(t, e, { origin: n, foundAt: r, path: o, ...s }) {
  let i = await Tx(t, e, s.first), a = await Tx(t, e, s.second);
  if (i === void 0 || a === void 0) return;
  let f = { origin: n, foundAt: r, first: i, second: a, path: o }, { valid: d } = await ls(t, e, f);
  return d ? f : void 0;
}
async function Tx(t, e, n) {
  let r = await rh(t, e, n), o = r && await Di(t, e, r.tree_head, n);
  return r && o && { sth: r, logSignature: o };
}
function YO(t, e) {
  let n = new Map();
  for (let { id: r, pubkey: o } of t.witnesses.toSorted((s, i) => s.id < i.id ? -1 : 1)) {
    let s = we(o), i = new Set();
    for (let a of Ox({ name: r, type: Re.cosignature, publicKey: s }, e)) {
      let f = Oo(a.payload);
      if (f === void 0 || i.has(f.timestamp)) continue;
      i.add(f.timestamp);
      let d = n.get(f.timestamp) ?? [];
      d.push({ witness_id: r, signature: V(f.signature) }), n.set(f.timestamp, d);
    }
  }
  return [...n].map(([r, o]) => ({ timestamp: r, set: { signatures: o } }));
}
function XO(t, e) {
  let n = Oa(t);
  return Ox(n, e).map(({ payload: r }) => Aa(n, r)).filter((r) => r !== void 0).map((
    { timestamp: r, signers: o, signature: s },
  ) => ({ timestamp: r, set: { signature: V(s), signers: o.map((i) => n.witnesses[i].id) } }));
}
function Ox(t, { signatures: e }) {
  let n = jr(t);
  return e.filter(({ name: r, keyId: o }) => r === t.name && Be(o, n));
}
var oh = class extends O {
  signed;
  constructor({ reason: e, field: n }, r) {
    let o = n === void 0 ? "" : ` (${n})`, s = e === void 0 ? "It is not valid." : Pt[e];
    super("proof_refused", `Cannot accept checkpoint${o}: ${s}`), this.signed = r;
  }
};
function Ax(t, e) {
  return {
    async accept(n) {
      let r = await Js(t, e, n),
        { head: o, cosigners: s, required: i } = r,
        a = s.map(({ timestamp: u }) => u),
        f = { text: n, origin: o.network_id, size: o.tree_size, root: we(o.root_hash), ...ZO(a) };
      if (r.valid) return { ...f, quorumAt: a.toSorted((u, l) => l - u)[i - 1] };
      let d = r.reason === "threshold_not_met";
      throw new oh(r, d ? f : void 0);
    },
    async evidenceOf(n) {
      let r = await kx(t, e, n);
      return r === void 0 ? Sx(n) : li(r);
    },
  };
}
function ZO(t) {
  return t.length === 0 ? {} : { cosignedAt: Math.max(...t), cosigners: t.length };
}
var wo = class extends O {
    fault;
    path;
    constructor({ name: e }, n, r, o) {
      super("proof_refused", `Cannot use the log of ${e}: ${n}`), this.fault = r, this.path = o;
    }
  },
  JO = 32,
  rf = class t {
    size;
    #e;
    #t;
    #n;
    #o;
    #r = new Nr(JO);
    constructor(e, n, r) {
      this.#e = e.kernels, this.#t = e.source, this.#n = e.signal, this.size = n, this.#o = r;
    }
    static async open(e, n, { size: r, root: o }, s) {
      let i = await Promise.all(Nx(r).map((a) => a.width === 0 ? new Uint8Array() : Bx(n, a, s)));
      if (!Be(Hu(e, i), o)) {
        let a = `the tiles do not hash to the root of its checkpoint, size ${r}`;
        throw new wo(n, a, "mismatch");
      }
      return new t({ kernels: e, source: n, signal: s }, r, i);
    }
    async nodes(e, n, r) {
      return (await this.#i(e, n)).subarray(0, r * S);
    }
    async rootAt(e) {
      let n = await Promise.all(
        Nx(e).map(({ level: r, index: o, width: s }) =>
          s === 0 ? new Uint8Array() : this.nodes(r, o, s)
        ),
      );
      return Hu(this.#e, n);
    }
    async entries(e, n = this.#t) {
      let r = { level: "entries", index: e, width: xr(0, e, this.size) },
        o = await Cx(n, r, this.#n),
        s = dc(o);
      if (s?.length !== r.width) {
        let a = `${Br(r)} does not have ${r.width} entries`;
        throw new wo(n, a, "malformed", Br(r));
      }
      let i = Qu(this.#e, s);
      return await this.#a(n, { ...r, level: 0 }, i, Br(r)), { bundle: o, entries: s, leaves: i };
    }
    #i(e, n) {
      let r = ts(e, this.size);
      if (n === r) return Promise.resolve(this.#o[e] ?? new Uint8Array());
      let o = `${e}/${n}`, s = this.#r.get(o);
      if (s !== void 0) return s;
      let i = this.#s(e, n);
      return this.#r.set(o, i), i.catch(() => this.#r.delete(o)), i;
    }
    async #s(e, n) {
      let r = { level: e, index: n, width: _e }, o = await Bx(this.#t, r, this.#n);
      return await this.#a(this.#t, r, o, Br(r)), o;
    }
    async #a(e, { level: n, index: r, width: o }, s, i) {
      let [a, f] = [s, this.#o[n]];
      if (o === _e) {
        let u = r % _e;
        f = (await this.nodes(n + 1, Math.floor(r / _e), u + 1)).subarray(u * S),
          a = this.#e.treeLevel(s, br);
      }
      if (f !== void 0 && Be(a, f)) return;
      let d = `${i} does not hash to the root of size ${this.size}`;
      throw new wo(e, d, "mismatch", i);
    }
  };
function Nx(t) {
  let e = [];
  for (let n = 0; t >= _e ** n; n++) {
    let [r, o] = [ts(n, t), pi(n, t)];
    e.push({ level: n, index: r, width: o });
  }
  return e;
}
async function Bx(t, e, n) {
  let r = await Cx(t, e, n);
  if (r.length === e.width * S) return r;
  let o = `${Br(e)} has ${r.length} bytes`;
  throw new wo(t, o, "malformed", Br(e));
}
async function Cx(t, e, n) {
  let { level: r, index: o, width: s } = e, i = await t.tile(e, n);
  if (i !== void 0) return i;
  let a = s === _e ? void 0 : await t.tile({ level: r, index: o, width: _e }, n),
    f = a && (r === "entries" ? yw(a, s) : a.slice(0, s * S));
  if (f !== void 0) return f;
  throw new wo(t, `${Br(e)} is missing`, "missing", Br(e));
}
function Br({ level: t, index: e, width: n }) {
  return Kn(t, e, n);
}
var QO = { tiles: 64, sizes: 8 },
  sh = class t {
    checkpoint;
    #e;
    #t;
    #n;
    constructor(e, n, r) {
      this.checkpoint = n, this.#e = e, this.#t = r, this.#n = new gs(e, r, QO);
    }
    static async open({ kernels: e, source: n, rule: r }) {
      let o = await n.checkpoint();
      if (o === void 0) {
        throw new O("no_tree_head", `Cannot use mirror ${n.name}: it has no checkpoint`);
      }
      let s = await r.accept(o);
      return new t(e, s, await rf.open(e, n, s));
    }
    get size() {
      return this.checkpoint.size;
    }
    async consistency(e, n) {
      let r = [e.tree_head.tree_size, n.tree_head.tree_size],
        o = await this.#n.consistencyPath(...r);
      return { first: r[0], second: r[1], first_sth: e, second_sth: n, consistency_path: o.map(V) };
    }
    async inclusion(e, n) {
      let { hash: r, sequence: o } = e, { tree_size: s } = n.tree_head;
      if (o >= s) {
        throw new O(
          "not_batched",
          `Cannot prove attestation ${o} from the mirror: its tree has ${s} entries`,
        );
      }
      let i = Ao(this.#e, ee(Qr(e)));
      return {
        hash: r,
        leaf_hash: V(i),
        leaf_index: o,
        tree_size: s,
        inclusion_path: (await this.#n.inclusionPath(o, s)).map(V),
        sth: n,
      };
    }
    async batchInclusion(e, n) {
      let { sth: r, ...o } = await this.inclusion(e, n),
        { network_id: s, tree_size: i, root_hash: a, timestamp: f } = n.tree_head;
      return {
        batch: {
          id: i,
          network_id: s,
          root_hash: a,
          tree_size: i,
          first_index: 0,
          attestation_count: i,
          period_start: 0,
          period_end: f,
        },
        merkle_proof: { ...o, root_hash: a, batch_id: i },
        sth: n,
      };
    }
    async at(e) {
      if (e >= this.size) {
        throw new O(
          "not_batched",
          `The mirror has no attestation ${e}: its tree has ${this.size} entries`,
        );
      }
      let { entries: n } = await this.#t.entries(Math.floor(e / _e));
      return Ds(rt(n[e % _e]));
    }
    async find(e) {
      for (let n = Math.ceil(this.size / _e) - 1; n >= 0; n--) {
        let { entries: r } = await this.#t.entries(n);
        for (let o of r) {
          if (!rt(o).includes(e)) continue;
          let s = Ds(rt(o));
          if (s.hash === e) return s;
        }
      }
      throw new O("hash_unknown", `The mirror has no attestation of ${e}`);
    }
  };
async function Ix(t, e, n) {
  let { kernels: r } = t,
    o = await sh.open({ kernels: r, source: n, rule: Ax(t, e) }),
    s = await rh(t, e, o.checkpoint.text);
  if (s !== void 0) return { mirror: o, sth: s };
  throw new O(
    "proof_refused",
    `Cannot use mirror ${n.name}: too few witnesses cosigned its checkpoint at the same time`,
  );
}
var Rx = "checkpoint";
var of = class {
  name;
  #e;
  constructor(e) {
    this.name = e.url.href, this.#e = e;
  }
  async checkpoint(e) {
    let n = await this.#t("checkpoint", Rx, e);
    return n && rt(n, "gateway_refused");
  }
  tile({ level: e, index: n, width: r }, o) {
    return this.#t(e === "entries" ? "entries" : "tile", Kn(e, n, r), o);
  }
  async #t(e, n, r) {
    try {
      return await this.#e.withRetries(() => this.#e.bytes({ what: e, path: n }, r), {
        isTransient: _r,
        signal: r,
      });
    } catch (o) {
      if (o instanceof xe && o.status === 404) return;
      throw o;
    }
  }
};
var e3 = "network.public.json",
  sf = class extends rs {
    #e;
    constructor(e) {
      super(e), this.#e = e;
    }
    network(e) {
      let n = async (r) => Jr(r, await this.#e.crypto.blsFor(r));
      return this.json({ what: "network configuration", path: e3 }, n, e);
    }
    async sth(e, n) {
      let { sth: r } = await this.#t(n);
      if (e === void 0 || e === r.tree_head.tree_size) return Lx(r);
      throw new xe("tree head", { status: 404, reason: "tree_size_not_published" });
    }
    async consistency(e, n, r) {
      let { mirror: o, sth: s } = await this.#t(r);
      if (n > o.size) {
        throw new O(
          "not_batched",
          `The copy ends at size ${o.size}: it is older than the tree head of size ${n}`,
        );
      }
      let a = [this.#e.remembered(s.tree_head.network_id), s].find((f) =>
        f?.tree_head.tree_size === e
      );
      if (a === void 0 || n !== o.size) {
        throw new xe("consistency proof", { status: 404, reason: "tree_size_not_published" });
      }
      return Lx(await o.consistency(a, s));
    }
    async entry(e, n) {
      let { mirror: r, sth: o } = await this.#t(n),
        s = typeof e == "string" ? await r.find(e) : await r.at(e);
      return { attestation: s, proof: await r.inclusion(s, o) };
    }
    async #t(e) {
      let n = await this.#e.crypto.crypto(), r = await this.#e.trust(this, e);
      return await Ix(n, r, new of(this));
    }
  };
function Lx(t) {
  return { text: JSON.stringify(t), value: t };
}
function ih({ copy: t, wanted: e }) {
  let n = Y(),
    r = Ot(Ee(n.trust)),
    [o, s] = Ae((a) => t3(n, t, e, a), [e, r]),
    i = o.state === "failed" && (yt(o.error, "hash_unknown") || yt(o.error, "not_batched"));
  return c(H, {
    children: [
      c(Je, {
        title: "In the log",
        isBelowExplore: !0,
        children:
          "Read from this copy, and verified in this browser up to the tree head that the witnesses signed.",
      }),
      i
        ? c(n3, { wanted: e })
        : c(Fe, { loaded: o, what: "the attestation", retry: s, render: (a) => c(r3, { ...a }) }),
    ],
  });
}
async function t3(t, e, n, r) {
  let [o, s, i] = await Promise.all([Wt(t, r), t.crypto.crypto(), e.entry(n, r)]),
    { hash: a } = i.attestation,
    f = await rl(s, o.network, i.proof, { hash: a });
  return { ...i, result: f, trust: o };
}
function n3({ wanted: t }) {
  let e = typeof t == "number" ? `position ${j(t)}` : "the hash";
  return c(J, {
    title: "Not found",
    children: [
      typeof t == "string" && c(le, { text: t, what: "hash" }),
      c(ct, {
        title: `This copy does not have ${e}`,
        children: c("p", { children: "It may be in the log since the copy was made." }),
      }),
    ],
  });
}
function r3({ attestation: t, proof: e, result: n, trust: r }) {
  let { hash: o, timestamp: s, sequence: i } = t;
  return c(H, {
    children: [
      !n.valid &&
      c(re, { tone: "bad", title: "Not verified", children: c("p", { children: nn(n) }) }),
      c(J, {
        title: "Attestation",
        children: [
          c(tt, {
            items: {
              "SHA-256": c(le, { text: o, what: "hash" }),
              Attested: c(Xt, { time: s }),
              Position: j(i),
              "In the tree of": `${j(e.tree_size)} attestations`,
              "Tree head": c(ds, { outcome: n, isPinned: r.isPinned }),
            },
          }),
          c(kr, { isPinned: r.isPinned }),
        ],
      }),
    ],
  });
}
function Hx() {
  let t = Y(),
    e = Ot(Ee(t.trust)),
    [n, r] = Ae((i) => La(t, i), [e]),
    [o, s] = Ae((i) => Nn(t, void 0, i), [e]);
  return c(H, {
    children: [
      c(Je, {
        title: "Copy of the log",
        children:
          "All hashes with their times and positions, as of the copied tree head. The witnesses' signatures of single hashes are not in a copy: they are in saved proofs.",
      }),
      c(Ac, {}),
      c("div", {
        class: "grid",
        children: [c(Nc, { head: o, retry: s }), c(Bc, { network: n, retry: r })],
      }),
      c("p", {
        children: [
          c("a", { href: ce({ page: "tiles" }), children: "Tiles of the log" }),
          c("span", { class: "muted", children: ", for mirrors and monitors (C2SP tlog-tiles)" }),
        ],
      }),
    ],
  });
}
function Mx(t, e) {
  switch (t.page) {
    case "explore":
      return c(Hx, {}, "explore");
    case "proof":
      return c(ih, { copy: e, wanted: t.hash }, ce(t));
    case "position":
      return c(ih, { copy: e, wanted: t.index }, ce(t));
    default:
      return;
  }
}
Ex(({ trust: t, ...e }) => {
  let n = new Ro(() => localStorage),
    r = new sf({
      ...e,
      trust: async (o, s = new AbortController().signal) =>
        (await Wt({ api: o, trust: t }, s)).network,
      remembered: (o) => {
        let s = n.read(o);
        return s.kind === "head" ? s.head.sth : void 0;
      },
    });
  return { client: r, pageOf: (o) => Mx(o, r) };
});
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/*!
 * Copyright (c) 2023 Paul Miller (paulmillr.com)
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
