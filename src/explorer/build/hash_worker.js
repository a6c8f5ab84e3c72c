function y(A, B, I, Q) {
  function E(i) {
    return i instanceof I ? i : new I(function (o) {
      o(i);
    });
  }
  return new (I || (I = Promise))(function (i, o) {
    function w(D) {
      try {
        h(Q.next(D));
      } catch (n) {
        o(n);
      }
    }
    function e(D) {
      try {
        h(Q.throw(D));
      } catch (n) {
        o(n);
      }
    }
    function h(D) {
      D.done ? i(D.value) : E(D.value).then(w, e);
    }
    h((Q = Q.apply(A, B || [])).next());
  });
}
var c = class {
    constructor() {
      this.mutex = Promise.resolve();
    }
    lock() {
      let B = () => {};
      return this.mutex = this.mutex.then(() => new Promise(B)),
        new Promise((I) => {
          B = I;
        });
    }
    dispatch(B) {
      return y(this, void 0, void 0, function* () {
        let I = yield this.lock();
        try {
          return yield Promise.resolve(B());
        } finally {
          I();
        }
      });
    }
  },
  H;
function P() {
  return typeof globalThis < "u"
    ? globalThis
    : typeof self < "u"
    ? self
    : typeof window < "u"
    ? window
    : global;
}
var q = P(),
  N = (H = q.Buffer) !== null && H !== void 0 ? H : null,
  v = q.TextEncoder ? new q.TextEncoder() : null;
function X(A, B) {
  return (A & 15) + (A >> 6 | A >> 3 & 8) << 4 | (B & 15) + (B >> 6 | B >> 3 & 8);
}
function b(A, B) {
  let I = B.length >> 1;
  for (let Q = 0; Q < I; Q++) {
    let E = Q << 1;
    A[Q] = X(B.charCodeAt(E), B.charCodeAt(E + 1));
  }
}
function j(A, B) {
  if (A.length !== B.length * 2) return !1;
  for (let I = 0; I < B.length; I++) {
    let Q = I << 1;
    if (B[I] !== X(A.charCodeAt(Q), A.charCodeAt(Q + 1))) return !1;
  }
  return !0;
}
var Y = 87, p = 48;
function s(A, B, I) {
  let Q = 0;
  for (let E = 0; E < I; E++) {
    let i = B[E] >>> 4;
    A[Q++] = i > 9 ? i + Y : i + p, i = B[E] & 15, A[Q++] = i > 9 ? i + Y : i + p;
  }
  return String.fromCharCode.apply(null, A);
}
var V = N !== null
    ? (A) => {
      if (typeof A == "string") {
        let B = N.from(A, "utf8");
        return new Uint8Array(B.buffer, B.byteOffset, B.length);
      }
      if (N.isBuffer(A)) return new Uint8Array(A.buffer, A.byteOffset, A.length);
      if (ArrayBuffer.isView(A)) return new Uint8Array(A.buffer, A.byteOffset, A.byteLength);
      throw new Error("Invalid data type!");
    }
    : (A) => {
      if (typeof A == "string") return v.encode(A);
      if (ArrayBuffer.isView(A)) return new Uint8Array(A.buffer, A.byteOffset, A.byteLength);
      throw new Error("Invalid data type!");
    },
  l = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  t = new Uint8Array(256);
for (let A = 0; A < l.length; A++) t[l.charCodeAt(A)] = A;
function T(A) {
  let B = Math.floor(A.length * .75), I = A.length;
  return A[I - 1] === "=" && (B -= 1, A[I - 2] === "=" && (B -= 1)), B;
}
function $(A) {
  let B = T(A), I = A.length, Q = new Uint8Array(B), E = 0;
  for (let i = 0; i < I; i += 4) {
    let o = t[A.charCodeAt(i)],
      w = t[A.charCodeAt(i + 1)],
      e = t[A.charCodeAt(i + 2)],
      h = t[A.charCodeAt(i + 3)];
    Q[E] = o << 2 | w >> 4,
      E += 1,
      Q[E] = (w & 15) << 4 | e >> 2,
      E += 1,
      Q[E] = (e & 3) << 6 | h & 63,
      E += 1;
  }
  return Q;
}
var G = 16 * 1024, S = 4, _ = new c(), r = new Map();
function AA(A, B) {
  return y(this, void 0, void 0, function* () {
    let I = null, Q = null, E = !1;
    if (typeof WebAssembly > "u") {
      throw new Error("WebAssembly is not supported in this environment!");
    }
    let i = (g, C = 0) => {
        Q.set(g, C);
      },
      o = () => Q,
      w = () => I.exports,
      e = (g) => {
        I.exports.Hash_SetMemorySize(g);
        let C = I.exports.Hash_GetBuffer(), F = I.exports.memory.buffer;
        Q = new Uint8Array(F, C, g);
      },
      h = () => new DataView(I.exports.memory.buffer).getUint32(I.exports.STATE_SIZE, !0),
      D = _.dispatch(() =>
        y(this, void 0, void 0, function* () {
          if (!r.has(A.name)) {
            let C = $(A.data), F = WebAssembly.compile(C.buffer);
            r.set(A.name, F);
          }
          let g = yield r.get(A.name);
          I = yield WebAssembly.instantiate(g, {});
        })
      ),
      n = () =>
        y(this, void 0, void 0, function* () {
          I || (yield D);
          let g = I.exports.Hash_GetBuffer(), C = I.exports.memory.buffer;
          Q = new Uint8Array(C, g, G);
        }),
      J = (g = null) => {
        E = !0, I.exports.Hash_Init(g);
      },
      x = (g) => {
        let C = 0;
        for (; C < g.length;) {
          let F = g.subarray(C, C + G);
          C += F.length, Q.set(F), I.exports.Hash_Update(F.length);
        }
      },
      M = (g) => {
        if (!E) throw new Error("update() called before init()");
        let C = V(g);
        x(C);
      },
      K = new Uint8Array(B * 2),
      R = (g, C = null) => {
        if (!E) throw new Error("digest() called before init()");
        return E = !1, I.exports.Hash_Final(C), g === "binary" ? Q.slice(0, B) : s(K, Q, B);
      },
      Z = () => {
        if (!E) throw new Error("save() can only be called after init() and before digest()");
        let g = I.exports.Hash_GetState(),
          C = h(),
          F = I.exports.memory.buffer,
          a = new Uint8Array(F, g, C),
          k = new Uint8Array(S + C);
        return b(k, A.hash), k.set(a, S), k;
      },
      m = (g) => {
        if (!(g instanceof Uint8Array)) {
          throw new Error("load() expects an Uint8Array generated by save()");
        }
        let C = I.exports.Hash_GetState(), F = h(), a = S + F, k = I.exports.memory.buffer;
        if (g.length !== a) {
          throw new Error(`Bad state length (expected ${a} bytes, got ${g.length})`);
        }
        if (!j(A.hash, g.subarray(0, S))) {
          throw new Error("This state was written by an incompatible hash implementation");
        }
        let W = g.subarray(S);
        new Uint8Array(k, C, F).set(W), E = !0;
      },
      f = (g) => typeof g == "string" ? g.length < G / 4 : g.byteLength < G,
      U = f;
    switch (A.name) {
      case "argon2":
      case "scrypt":
        U = () => !0;
        break;
      case "blake2b":
      case "blake2s":
        U = (g, C) => C <= 512 && f(g);
        break;
      case "blake3":
        U = (g, C) => C === 0 && f(g);
        break;
      case "xxhash64":
      case "xxhash3":
      case "xxhash128":
      case "crc64":
        U = () => !1;
        break;
    }
    let O = (g, C = null, F = null) => {
      if (!U(g, C)) return J(C), M(g), R("hex", F);
      let a = V(g);
      return Q.set(a), I.exports.Hash_Calculate(a.length, C, F), s(K, Q, B);
    };
    return yield n(), {
      getMemory: o,
      writeMemory: i,
      getExports: w,
      setMemorySize: e,
      init: J,
      update: M,
      digest: R,
      save: Z,
      load: m,
      calculate: O,
      hashLength: B,
    };
  });
}
var iA = new c();
var cA = new c();
var FA = new DataView(new ArrayBuffer(4));
var DA = new c();
var oA = new c();
var hA = new c();
var aA = new c();
var wA = new Uint8Array(8);
var eA = new c();
var nA = new c();
var UA = new c();
var kA = new c();
var SA = new c();
var IA = "sha256",
  BA =
    "AGFzbQEAAAABEQRgAAF/YAF/AGAAAGACf38AAwgHAAEBAQIAAwUEAQECAgYPAn8BQYCABAt/AEGAgAQLB4IBCQZtZW1vcnkCAA9fX3N0YWNrX3BvaW50ZXIDAA5IYXNoX0dldEJ1ZmZlcgAACUhhc2hfSW5pdAABC0hhc2hfVXBkYXRlAAIKSGFzaF9GaW5hbAAEDUhhc2hfR2V0U3RhdGUABQ5IYXNoX0NhbGN1bGF0ZQAGClNUQVRFX1NJWkUDAQqGSQcGAEGAgQQLnQEAQQBCADcDwIEFQQBBHEEgIABB4AFGIgAbNgLogQVBAEKnn+anxvST/b5/Qquzj/yRo7Pw2wAgABs3A+CBBUEAQrGWgP6fooWs6ABC/6S5iMWR2oKbfyAAGzcD2IEFQQBCl7rDg5Onlod3QvLmu+Ojp/2npX8gABs3A9CBBUEAQti9loj8oLW+NkLnzKfQ1tDrs7t/IAAbNwPIgQUL9wICAX4Hf0EAQQApA8CBBSIBIACtfDcDwIEFAkACQAJAIAGnQT9xIgINAEGAgQQhAwwBCyAAQcAAIAJrIgRJIQUCQCAARQ0AIAAgBCAFGyIDQQNxIQYgAkGAgQVqIQdBACECAkAgA0EESQ0AIANB/ABxIQhBACECA0AgByACaiIDIAJBgIEEai0AADoAACADQQFqIAJBgYEEai0AADoAACADQQJqIAJBgoEEai0AADoAACADQQNqIAJBg4EEai0AADoAACAIIAJBBGoiAkcNAAsgBkUNAQsDQCAHIAJqIAJBgIEEai0AADoAACACQQFqIQIgBkF/aiIGDQALCyAFDQFBgIEFEAMgACAEayEAIARBgIEEaiEDCwJAIABBwABJDQADQCADEAMgA0HAAGohAyAAQUBqIgBBP0sNAAsLIABFDQBBACEGQQAhAgNAIAJBgIEFaiADIAJqLQAAOgAAIAJBAWohAiAAIAZBAWoiBkH/AXFLDQALCwuDPQFFf0EAIAAoAjwiAUH/gfwHcUEIeCABQRh4Qf+B/AdxciIBQRl3IAFBDndzIAFBA3ZzIAAoAjgiAkH/gfwHcUEIeCACQRh4Qf+B/AdxciICaiAAKAIgIgNB/4H8B3FBCHggA0EYeEH/gfwHcXIiBEEZdyAEQQ53cyAEQQN2cyAAKAIcIgNB/4H8B3FBCHggA0EYeEH/gfwHcXIiBWogACgCBCIDQf+B/AdxQQh4IANBGHhB/4H8B3FyIgZBGXcgBkEOd3MgBkEDdnMgACgCACIDQf+B/AdxQQh4IANBGHhB/4H8B3FyIgdqIAAoAiQiA0H/gfwHcUEIeCADQRh4Qf+B/AdxciIIaiACQQ93IAJBDXdzIAJBCnZzaiIDaiAAKAIYIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiCkEZdyAKQQ53cyAKQQN2cyAAKAIUIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiC2ogAmogACgCECIJQf+B/AdxQQh4IAlBGHhB/4H8B3FyIgxBGXcgDEEOd3MgDEEDdnMgACgCDCIJQf+B/AdxQQh4IAlBGHhB/4H8B3FyIg1qIAAoAjAiCUH/gfwHcUEIeCAJQRh4Qf+B/AdxciIOaiAAKAIIIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiD0EZdyAPQQ53cyAPQQN2cyAGaiAAKAIoIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiEGogAUEPdyABQQ13cyABQQp2c2oiCUEPdyAJQQ13cyAJQQp2c2oiEUEPdyARQQ13cyARQQp2c2oiEkEPdyASQQ13cyASQQp2c2oiE2ogACgCNCIUQf+B/AdxQQh4IBRBGHhB/4H8B3FyIhVBGXcgFUEOd3MgFUEDdnMgDmogEmogACgCLCIAQf+B/AdxQQh4IABBGHhB/4H8B3FyIhZBGXcgFkEOd3MgFkEDdnMgEGogEWogCEEZdyAIQQ53cyAIQQN2cyAEaiAJaiAFQRl3IAVBDndzIAVBA3ZzIApqIAFqIAtBGXcgC0EOd3MgC0EDdnMgDGogFWogDUEZdyANQQ53cyANQQN2cyAPaiAWaiADQQ93IANBDXdzIANBCnZzaiIUQQ93IBRBDXdzIBRBCnZzaiIXQQ93IBdBDXdzIBdBCnZzaiIYQQ93IBhBDXdzIBhBCnZzaiIZQQ93IBlBDXdzIBlBCnZzaiIaQQ93IBpBDXdzIBpBCnZzaiIbQQ93IBtBDXdzIBtBCnZzaiIcQRl3IBxBDndzIBxBA3ZzIAJBGXcgAkEOd3MgAkEDdnMgFWogGGogDkEZdyAOQQ53cyAOQQN2cyAWaiAXaiAQQRl3IBBBDndzIBBBA3ZzIAhqIBRqIBNBD3cgE0ENd3MgE0EKdnNqIh1BD3cgHUENd3MgHUEKdnNqIh5BD3cgHkENd3MgHkEKdnNqIh9qIBNBGXcgE0EOd3MgE0EDdnMgGGogA0EZdyADQQ53cyADQQN2cyABaiAZaiAfQQ93IB9BDXdzIB9BCnZzaiIgaiASQRl3IBJBDndzIBJBA3ZzIBdqIB9qIBFBGXcgEUEOd3MgEUEDdnMgFGogHmogCUEZdyAJQQ53cyAJQQN2cyADaiAdaiAcQQ93IBxBDXdzIBxBCnZzaiIhQQ93ICFBDXdzICFBCnZzaiIiQQ93ICJBDXdzICJBCnZzaiIjQQ93ICNBDXdzICNBCnZzaiIkaiAbQRl3IBtBDndzIBtBA3ZzIB5qICNqIBpBGXcgGkEOd3MgGkEDdnMgHWogImogGUEZdyAZQQ53cyAZQQN2cyATaiAhaiAYQRl3IBhBDndzIBhBA3ZzIBJqIBxqIBdBGXcgF0EOd3MgF0EDdnMgEWogG2ogFEEZdyAUQQ53cyAUQQN2cyAJaiAaaiAgQQ93ICBBDXdzICBBCnZzaiIlQQ93ICVBDXdzICVBCnZzaiImQQ93ICZBDXdzICZBCnZzaiInQQ93ICdBDXdzICdBCnZzaiIoQQ93IChBDXdzIChBCnZzaiIpQQ93IClBDXdzIClBCnZzaiIqQQ93ICpBDXdzICpBCnZzaiIrQRl3ICtBDndzICtBA3ZzIB9BGXcgH0EOd3MgH0EDdnMgG2ogJ2ogHkEZdyAeQQ53cyAeQQN2cyAaaiAmaiAdQRl3IB1BDndzIB1BA3ZzIBlqICVqICRBD3cgJEENd3MgJEEKdnNqIixBD3cgLEENd3MgLEEKdnNqIi1BD3cgLUENd3MgLUEKdnNqIi5qICRBGXcgJEEOd3MgJEEDdnMgJ2ogIEEZdyAgQQ53cyAgQQN2cyAcaiAoaiAuQQ93IC5BDXdzIC5BCnZzaiIvaiAjQRl3ICNBDndzICNBA3ZzICZqIC5qICJBGXcgIkEOd3MgIkEDdnMgJWogLWogIUEZdyAhQQ53cyAhQQN2cyAgaiAsaiArQQ93ICtBDXdzICtBCnZzaiIwQQ93IDBBDXdzIDBBCnZzaiIxQQ93IDFBDXdzIDFBCnZzaiIyQQ93IDJBDXdzIDJBCnZzaiIzaiAqQRl3ICpBDndzICpBA3ZzIC1qIDJqIClBGXcgKUEOd3MgKUEDdnMgLGogMWogKEEZdyAoQQ53cyAoQQN2cyAkaiAwaiAnQRl3ICdBDndzICdBA3ZzICNqICtqICZBGXcgJkEOd3MgJkEDdnMgImogKmogJUEZdyAlQQ53cyAlQQN2cyAhaiApaiAvQQ93IC9BDXdzIC9BCnZzaiI0QQ93IDRBDXdzIDRBCnZzaiI1QQ93IDVBDXdzIDVBCnZzaiI2QQ93IDZBDXdzIDZBCnZzaiI3QQ93IDdBDXdzIDdBCnZzaiI4QQ93IDhBDXdzIDhBCnZzaiI5QQ93IDlBDXdzIDlBCnZzaiI6IDggNCAuICwgISAbIBkgAyAOIARBACgC2IEFIjtBGncgO0EVd3MgO0EHd3NBACgC5IEFIjxqQQAoAuCBBSI9QQAoAtyBBSI+cyA7cSA9c2ogB2pBmN+olARqIgdBACgC1IEFIj9qIgAgDGogOyANaiA+IA9qID0gBmogACA+IDtzcSA+c2ogAEEadyAAQRV3cyAAQQd3c2pBkYndiQdqIkBBACgC0IEFIkFqIgwgACA7c3EgO3NqIAxBGncgDEEVd3MgDEEHd3NqQc/3g657aiJCQQAoAsyBBSJDaiINIAwgAHNxIABzaiANQRp3IA1BFXdzIA1BB3dzakGlt9fNfmoiREEAKALIgQUiAGoiDyANIAxzcSAMc2ogD0EadyAPQRV3cyAPQQd3c2pB24TbygNqIkUgQSBDIABzcSBDIABxcyAAQR53IABBE3dzIABBCndzaiAHaiIGaiIHaiAFIA9qIAogDWogCyAMaiAHIA8gDXNxIA1zaiAHQRp3IAdBFXdzIAdBB3dzakHxo8TPBWoiCiAGIABzIENxIAYgAHFzIAZBHncgBkETd3MgBkEKd3NqIEBqIgxqIgQgByAPc3EgD3NqIARBGncgBEEVd3MgBEEHd3NqQaSF/pF5aiILIAwgBnMgAHEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogQmoiDWoiDyAEIAdzcSAHc2ogD0EadyAPQRV3cyAPQQd3c2pB1b3x2HpqIkAgDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiBEaiIGaiIHIA8gBHNxIARzaiAHQRp3IAdBFXdzIAdBB3dzakGY1Z7AfWoiQiAGIA1zIAxxIAYgDXFzIAZBHncgBkETd3MgBkEKd3NqIEVqIgxqIgVqIBYgB2ogECAPaiAIIARqIAUgByAPc3EgD3NqIAVBGncgBUEVd3MgBUEHd3NqQYG2jZQBaiIIIAwgBnMgDXEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogCmoiDWoiDyAFIAdzcSAHc2ogD0EadyAPQRV3cyAPQQd3c2pBvovGoQJqIg4gDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiALaiIGaiIHIA8gBXNxIAVzaiAHQRp3IAdBFXdzIAdBB3dzakHD+7GoBWoiECAGIA1zIAxxIAYgDXFzIAZBHncgBkETd3MgBkEKd3NqIEBqIgxqIgQgByAPc3EgD3NqIARBGncgBEEVd3MgBEEHd3NqQfS6+ZUHaiIWIAwgBnMgDXEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogQmoiDWoiBWogASAEaiACIAdqIBUgD2ogBSAEIAdzcSAHc2ogBUEadyAFQRV3cyAFQQd3c2pB/uP6hnhqIgcgDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiAIaiIBaiIGIAUgBHNxIARzaiAGQRp3IAZBFXdzIAZBB3dzakGnjfDeeWoiBCABIA1zIAxxIAEgDXFzIAFBHncgAUETd3MgAUEKd3NqIA5qIgJqIgwgBiAFc3EgBXNqIAxBGncgDEEVd3MgDEEHd3NqQfTi74x8aiIFIAIgAXMgDXEgAiABcXMgAkEedyACQRN3cyACQQp3c2ogEGoiA2oiDSAMIAZzcSAGc2ogDUEadyANQRV3cyANQQd3c2pBwdPtpH5qIgggAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAWaiIBaiIPIBdqIBEgDWogFCAMaiAJIAZqIA8gDSAMc3EgDHNqIA9BGncgD0EVd3MgD0EHd3NqQYaP+f1+aiIGIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogB2oiAmoiCSAPIA1zcSANc2ogCUEadyAJQRV3cyAJQQd3c2pBxruG/gBqIgwgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAEaiIDaiIRIAkgD3NxIA9zaiARQRp3IBFBFXdzIBFBB3dzakHMw7KgAmoiDSADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIAVqIgFqIhQgESAJc3EgCXNqIBRBGncgFEEVd3MgFEEHd3NqQe/YpO8CaiIPIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogCGoiAmoiF2ogEyAUaiAYIBFqIBIgCWogFyAUIBFzcSARc2ogF0EadyAXQRV3cyAXQQd3c2pBqonS0wRqIhggAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAGaiIDaiIJIBcgFHNxIBRzaiAJQRp3IAlBFXdzIAlBB3dzakHc08LlBWoiFCADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIAxqIgFqIhEgCSAXc3EgF3NqIBFBGncgEUEVd3MgEUEHd3NqQdqR5rcHaiIXIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogDWoiAmoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pB0qL5wXlqIhkgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAPaiIDaiITaiAeIBJqIBogEWogHSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakHtjMfBemoiGiADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBhqIgFqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQcjPjIB7aiIYIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogFGoiAmoiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBx//l+ntqIhQgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAXaiIDaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakHzl4C3fGoiFyADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBlqIgFqIhNqICAgEmogHCARaiAfIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQceinq19aiIZIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGmoiAmoiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pB0capNmoiGiACIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBhqIgNqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQefSpKEBaiIYIAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogFGoiAWoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pBhZXcvQJqIhQgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAXaiICaiITICNqICYgEmogIiARaiAlIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQbjC7PACaiIXIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGWoiA2oiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pB/Nux6QRqIhkgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAaaiIBaiIRIAkgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakGTmuCZBWoiGiABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBhqIgJqIhIgESAJc3EgCXNqIBJBGncgEkEVd3MgEkEHd3NqQdTmqagGaiIYIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogFGoiA2oiE2ogKCASaiAkIBFqICcgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pBu5WoswdqIhQgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAXaiIBaiIJIBMgEnNxIBJzaiAJQRp3IAlBFXdzIAlBB3dzakGukouOeGoiFyABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBlqIgJqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQYXZyJN5aiIZIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGmoiA2oiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pBodH/lXpqIhogAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAYaiIBaiITaiAqIBJqIC0gEWogKSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakHLzOnAemoiGCABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBRqIgJqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQfCWrpJ8aiIUIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogF2oiA2oiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBo6Oxu3xqIhcgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAZaiIBaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakGZ0MuMfWoiGSABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBpqIgJqIhNqIDAgEmogLyARaiArIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQaSM5LR9aiIaIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGGoiA2oiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pBheu4oH9qIhggAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAUaiIBaiIRIAkgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakHwwKqDAWoiFCABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBdqIgJqIhIgESAJc3EgCXNqIBJBGncgEkEVd3MgEkEHd3NqQZaCk80BaiIXIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGWoiA2oiEyA2aiAyIBJqIDUgEWogMSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakGI2N3xAWoiGSADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBpqIgFqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQczuoboCaiIaIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGGoiAmoiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBtfnCpQNqIhggAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAUaiIDaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakGzmfDIA2oiFCADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBdqIgFqIhNqICxBGXcgLEEOd3MgLEEDdnMgKGogNGogM0EPdyAzQQ13cyAzQQp2c2oiFyASaiA3IBFqIDMgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pBytTi9gRqIhsgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAZaiICaiIJIBMgEnNxIBJzaiAJQRp3IAlBFXdzIAlBB3dzakHPlPPcBWoiGSACIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBpqIgNqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQfPfucEGaiIaIAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogGGoiAWoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pB7oW+pAdqIhwgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAUaiICaiITaiAuQRl3IC5BDndzIC5BA3ZzICpqIDZqIC1BGXcgLUEOd3MgLUEDdnMgKWogNWogF0EPdyAXQQ13cyAXQQp2c2oiFEEPdyAUQQ13cyAUQQp2c2oiGCASaiA5IBFqIBQgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pB78aVxQdqIgkgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAbaiIDaiIRIBMgEnNxIBJzaiARQRp3IBFBFXdzIBFBB3dzakGU8KGmeGoiGyADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBlqIgFqIhIgESATc3EgE3NqIBJBGncgEkEVd3MgEkEHd3NqQYiEnOZ4aiIZIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGmoiAmoiEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pB+v/7hXlqIhogAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAcaiIDaiIUIDxqNgLkgQVBACA/IAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogCWoiASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAbaiICIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBlqIgMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogGmoiCWo2AtSBBUEAID0gL0EZdyAvQQ53cyAvQQN2cyAraiA3aiAYQQ93IBhBDXdzIBhBCnZzaiIYIBFqIBQgEyASc3EgEnNqIBRBGncgFEEVd3MgFEEHd3NqQevZwaJ6aiIZIAFqIhFqNgLggQVBACBBIAkgA3MgAnEgCSADcXMgCUEedyAJQRN3cyAJQQp3c2ogGWoiAWo2AtCBBUEAID4gMEEZdyAwQQ53cyAwQQN2cyAvaiAXaiA6QQ93IDpBDXdzIDpBCnZzaiASaiARIBQgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakH3x+b3e2oiFyACaiISajYC3IEFQQAgQyABIAlzIANxIAEgCXFzIAFBHncgAUETd3MgAUEKd3NqIBdqIgJqNgLMgQVBACA7IDRBGXcgNEEOd3MgNEEDdnMgMGogOGogGEEPdyAYQQ13cyAYQQp2c2ogE2ogEiARIBRzcSAUc2ogEkEadyASQRV3cyASQQd3c2pB8vHFs3xqIhEgA2pqNgLYgQVBACAAIAIgAXMgCXEgAiABcXMgAkEedyACQRN3cyACQQp3c2ogEWpqNgLIgQULswYCBH8BfkEAKALAgQUiAEECdkEPcSIBQQJ0IgIgAigCgIEFQX8gAEEDdCIAdEF/c3FBgAEgAHRzNgKAgQUCQAJAAkAgAUEOSQ0AAkAgAUEORw0AQQBBADYCvIEFC0GAgQUQA0EAIQIMAQsgAUENRg0BIAFBAWohAgsgAiEDAkBBBiACa0EHcSIARQ0AIAIgAGohAyACQQJ0QYCBBWohAQNAIAFBADYCACABQQRqIQEgAEF/aiIADQALCyACQXlqQQdJDQACQEEGIANrIgBBCHENACADQQJ0IgFCADcCmIEFIAFCADcCkIEFIAFCADcCiIEFIAFCADcCgIEFIABBCEkNASADQQhqIQMLIANBAnRBgIEFaiEBA0AgAUIANwIAIAFBOGpCADcCACABQTBqQgA3AgAgAUEoakIANwIAIAFBIGpCADcCACABQRhqQgA3AgAgAUEQakIANwIAIAFBCGpCADcCACABQcAAaiEBDAALC0EAIQBBAEEAKQPAgQUiBKdBA3QiAUH4gfwHcUEIeCABQRh4Qf+B/AdxcjYCvIEFQQAgBEIdiKciAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYCuIEFQYCBBRADQQBBACgC5IEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AuSBBUEAQQAoAuCBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLggQVBAEEAKALcgQUiAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYC3IEFQQBBACgC2IEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AtiBBUEAQQAoAtSBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLUgQVBAEEAKALQgQUiAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYC0IEFQQBBACgCzIEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AsyBBUEAQQAoAsiBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLIgQUCQEEAKALogQUiAkUNAEEAIQEDQCABQYCBBGogAUHIgQVqLQAAOgAAIAFBAWohASACIABBAWoiAEH/AXFLDQALCwsGAEGAgQULowEAQQBCADcDwIEFQQBBHEEgIAFB4AFGIgEbNgLogQVBAEKnn+anxvST/b5/Qquzj/yRo7Pw2wAgARs3A+CBBUEAQrGWgP6fooWs6ABC/6S5iMWR2oKbfyABGzcD2IEFQQBCl7rDg5Onlod3QvLmu+Ojp/2npX8gARs3A9CBBUEAQti9loj8oLW+NkLnzKfQ1tDrs7t/IAEbNwPIgQUgABACEAQLCwwBAEGAgAQLBHAAAAA=",
  gA = "8ed695a3",
  QA = { name: IA, data: BA, hash: gA },
  tA = new c();
var GA = new c();
function u() {
  return AA(QA, 32).then((A) => {
    A.init(256);
    let B = {
      init: () => (A.init(256), B),
      update: (I) => (A.update(I), B),
      digest: (I) => A.digest(I),
      save: () => A.save(),
      load: (I) => (A.load(I), B),
      blockSize: 64,
      digestSize: 32,
    };
    return B;
  });
}
var yA = new c();
var dA = new c();
var fA = new c();
var HA = new c();
var NA = new Uint8Array(8);
var rA = new c();
var qA = new Uint8Array(8);
var JA = new c();
var MA = new Uint8Array(8);
var KA = new c();
var RA = new c();
var YA = new c();
async function* z(A) {
  let B = A.getReader();
  try {
    for (let I = await B.read(); !I.done; I = await B.read()) yield I.value;
  } finally {
    await B.cancel();
  }
}
var L = 8 * 1024 * 1024;
function d(A) {
  postMessage(A);
}
var CA = u();
async function EA({ file: A }) {
  try {
    let B = (await CA).init(), { size: I } = A, [Q, E] = [0, 0];
    I >= L && d({ kind: "progress", done: Q, size: I });
    for await (let i of z(A.stream())) {
      B.update(i), Q += i.length, Q - E >= L && (E = Q, d({ kind: "progress", done: Q, size: I }));
    }
    if (Q !== I) throw new Error("the file changed while it was read");
    d({ kind: "hashed", hash: B.digest("hex"), size: I });
  } catch (B) {
    d({ kind: "failed", message: B instanceof Error ? B.message : String(B) });
  }
}
addEventListener("message", (A) => {
  EA(A.data);
});
/*!
 * hash-wasm (https://www.npmjs.com/package/hash-wasm)
 * (c) Dani Biro
 * @license MIT
 */
