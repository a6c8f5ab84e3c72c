function J(B, A, I, g) {
  function Q(C) {
    return C instanceof I ? C : new I(function (i) {
      i(C);
    });
  }
  return new (I || (I = Promise))(function (C, i) {
    function E(a) {
      try {
        h(g.next(a));
      } catch (c) {
        i(c);
      }
    }
    function e(a) {
      try {
        h(g.throw(a));
      } catch (c) {
        i(c);
      }
    }
    function h(a) {
      a.done ? C(a.value) : Q(a.value).then(E, e);
    }
    h((g = g.apply(B, A || [])).next());
  });
}
var D = class {
    constructor() {
      this.mutex = Promise.resolve();
    }
    lock() {
      let A = () => {};
      return this.mutex = this.mutex.then(() => new Promise(A)),
        new Promise((I) => {
          A = I;
        });
    }
    dispatch(A) {
      return J(this, void 0, void 0, function* () {
        let I = yield this.lock();
        try {
          return yield Promise.resolve(A());
        } finally {
          I();
        }
      });
    }
  },
  V;
function mA() {
  return typeof globalThis < "u"
    ? globalThis
    : typeof self < "u"
    ? self
    : typeof window < "u"
    ? window
    : global;
}
var L = mA(),
  X = (V = L.Buffer) !== null && V !== void 0 ? V : null,
  LA = L.TextEncoder ? new L.TextEncoder() : null;
function CA(B, A) {
  return (B & 15) + (B >> 6 | B >> 3 & 8) << 4 | (A & 15) + (A >> 6 | A >> 3 & 8);
}
function zA(B, A) {
  let I = A.length >> 1;
  for (let g = 0; g < I; g++) {
    let Q = g << 1;
    B[g] = CA(A.charCodeAt(Q), A.charCodeAt(Q + 1));
  }
}
function OA(B, A) {
  if (B.length !== A.length * 2) return !1;
  for (let I = 0; I < A.length; I++) {
    let g = I << 1;
    if (A[I] !== CA(B.charCodeAt(g), B.charCodeAt(g + 1))) return !1;
  }
  return !0;
}
var AA = 87, IA = 48;
function BA(B, A, I) {
  let g = 0;
  for (let Q = 0; Q < I; Q++) {
    let C = A[Q] >>> 4;
    B[g++] = C > 9 ? C + AA : C + IA, C = A[Q] & 15, B[g++] = C > 9 ? C + AA : C + IA;
  }
  return String.fromCharCode.apply(null, B);
}
var gA = X !== null
    ? (B) => {
      if (typeof B == "string") {
        let A = X.from(B, "utf8");
        return new Uint8Array(A.buffer, A.byteOffset, A.length);
      }
      if (X.isBuffer(B)) return new Uint8Array(B.buffer, B.byteOffset, B.length);
      if (ArrayBuffer.isView(B)) return new Uint8Array(B.buffer, B.byteOffset, B.byteLength);
      throw new Error("Invalid data type!");
    }
    : (B) => {
      if (typeof B == "string") return LA.encode(B);
      if (ArrayBuffer.isView(B)) return new Uint8Array(B.buffer, B.byteOffset, B.byteLength);
      throw new Error("Invalid data type!");
    },
  QA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  p = new Uint8Array(256);
for (let B = 0; B < QA.length; B++) p[QA.charCodeAt(B)] = B;
function ZA(B) {
  let A = Math.floor(B.length * .75), I = B.length;
  return B[I - 1] === "=" && (A -= 1, B[I - 2] === "=" && (A -= 1)), A;
}
function bA(B) {
  let A = ZA(B), I = B.length, g = new Uint8Array(A), Q = 0;
  for (let C = 0; C < I; C += 4) {
    let i = p[B.charCodeAt(C)],
      E = p[B.charCodeAt(C + 1)],
      e = p[B.charCodeAt(C + 2)],
      h = p[B.charCodeAt(C + 3)];
    g[Q] = i << 2 | E >> 4,
      Q += 1,
      g[Q] = (E & 15) << 4 | e >> 2,
      Q += 1,
      g[Q] = (e & 3) << 6 | h & 63,
      Q += 1;
  }
  return g;
}
var q = 16 * 1024, N = 4, WA = new D(), m = new Map();
function PA(B, A) {
  return J(this, void 0, void 0, function* () {
    let I = null, g = null, Q = !1;
    if (typeof WebAssembly > "u") {
      throw new Error("WebAssembly is not supported in this environment!");
    }
    let C = (t, n = 0) => {
        g.set(t, n);
      },
      i = () => g,
      E = () => I.exports,
      e = (t) => {
        I.exports.Hash_SetMemorySize(t);
        let n = I.exports.Hash_GetBuffer(), w = I.exports.memory.buffer;
        g = new Uint8Array(w, n, t);
      },
      h = () => new DataView(I.exports.memory.buffer).getUint32(I.exports.STATE_SIZE, !0),
      a = WA.dispatch(() =>
        J(this, void 0, void 0, function* () {
          if (!m.has(B.name)) {
            let n = bA(B.data), w = WebAssembly.compile(n.buffer);
            m.set(B.name, w);
          }
          let t = yield m.get(B.name);
          I = yield WebAssembly.instantiate(t, {});
        })
      ),
      c = () =>
        J(this, void 0, void 0, function* () {
          I || (yield a);
          let t = I.exports.Hash_GetBuffer(), n = I.exports.memory.buffer;
          g = new Uint8Array(n, t, q);
        }),
      r = (t = null) => {
        Q = !0, I.exports.Hash_Init(t);
      },
      F = (t) => {
        let n = 0;
        for (; n < t.length;) {
          let w = t.subarray(n, n + q);
          n += w.length, g.set(w), I.exports.Hash_Update(w.length);
        }
      },
      s = (t) => {
        if (!Q) throw new Error("update() called before init()");
        let n = gA(t);
        F(n);
      },
      f = new Uint8Array(A * 2),
      $ = (t, n = null) => {
        if (!Q) throw new Error("digest() called before init()");
        return Q = !1, I.exports.Hash_Final(n), t === "binary" ? g.slice(0, A) : BA(f, g, A);
      },
      YA = () => {
        if (!Q) throw new Error("save() can only be called after init() and before digest()");
        let t = I.exports.Hash_GetState(),
          n = h(),
          w = I.exports.memory.buffer,
          y = new Uint8Array(w, t, n),
          H = new Uint8Array(N + n);
        return zA(H, B.hash), H.set(y, N), H;
      },
      xA = (t) => {
        if (!(t instanceof Uint8Array)) {
          throw new Error("load() expects an Uint8Array generated by save()");
        }
        let n = I.exports.Hash_GetState(), w = h(), y = N + w, H = I.exports.memory.buffer;
        if (t.length !== y) {
          throw new Error(`Bad state length (expected ${y} bytes, got ${t.length})`);
        }
        if (!OA(B.hash, t.subarray(0, N))) {
          throw new Error("This state was written by an incompatible hash implementation");
        }
        let XA = t.subarray(N);
        new Uint8Array(H, n, w).set(XA), Q = !0;
      },
      x = (t) => typeof t == "string" ? t.length < q / 4 : t.byteLength < q,
      G = x;
    switch (B.name) {
      case "argon2":
      case "scrypt":
        G = () => !0;
        break;
      case "blake2b":
      case "blake2s":
        G = (t, n) => n <= 512 && x(t);
        break;
      case "blake3":
        G = (t, n) => n === 0 && x(t);
        break;
      case "xxhash64":
      case "xxhash3":
      case "xxhash128":
      case "crc64":
        G = () => !1;
        break;
    }
    let VA = (t, n = null, w = null) => {
      if (!G(t, n)) return r(n), s(t), $("hex", w);
      let y = gA(t);
      return g.set(y), I.exports.Hash_Calculate(y.length, n, w), BA(f, g, A);
    };
    return yield c(), {
      getMemory: i,
      writeMemory: C,
      getExports: E,
      setMemorySize: e,
      init: r,
      update: s,
      digest: $,
      save: YA,
      load: xA,
      calculate: VA,
      hashLength: A,
    };
  });
}
var sI = new D();
var SI = new D();
var UI = new DataView(new ArrayBuffer(4));
var yI = new D();
var kI = new D();
var GI = new D();
var HI = new D();
var NI = new Uint8Array(8);
var pI = new D();
var uI = new D();
var MI = new D();
var qI = new D();
var JI = new D();
var vA = "sha256",
  TA =
    "AGFzbQEAAAABEQRgAAF/YAF/AGAAAGACf38AAwgHAAEBAQIAAwUEAQECAgYPAn8BQYCABAt/AEGAgAQLB4IBCQZtZW1vcnkCAA9fX3N0YWNrX3BvaW50ZXIDAA5IYXNoX0dldEJ1ZmZlcgAACUhhc2hfSW5pdAABC0hhc2hfVXBkYXRlAAIKSGFzaF9GaW5hbAAEDUhhc2hfR2V0U3RhdGUABQ5IYXNoX0NhbGN1bGF0ZQAGClNUQVRFX1NJWkUDAQqGSQcGAEGAgQQLnQEAQQBCADcDwIEFQQBBHEEgIABB4AFGIgAbNgLogQVBAEKnn+anxvST/b5/Qquzj/yRo7Pw2wAgABs3A+CBBUEAQrGWgP6fooWs6ABC/6S5iMWR2oKbfyAAGzcD2IEFQQBCl7rDg5Onlod3QvLmu+Ojp/2npX8gABs3A9CBBUEAQti9loj8oLW+NkLnzKfQ1tDrs7t/IAAbNwPIgQUL9wICAX4Hf0EAQQApA8CBBSIBIACtfDcDwIEFAkACQAJAIAGnQT9xIgINAEGAgQQhAwwBCyAAQcAAIAJrIgRJIQUCQCAARQ0AIAAgBCAFGyIDQQNxIQYgAkGAgQVqIQdBACECAkAgA0EESQ0AIANB/ABxIQhBACECA0AgByACaiIDIAJBgIEEai0AADoAACADQQFqIAJBgYEEai0AADoAACADQQJqIAJBgoEEai0AADoAACADQQNqIAJBg4EEai0AADoAACAIIAJBBGoiAkcNAAsgBkUNAQsDQCAHIAJqIAJBgIEEai0AADoAACACQQFqIQIgBkF/aiIGDQALCyAFDQFBgIEFEAMgACAEayEAIARBgIEEaiEDCwJAIABBwABJDQADQCADEAMgA0HAAGohAyAAQUBqIgBBP0sNAAsLIABFDQBBACEGQQAhAgNAIAJBgIEFaiADIAJqLQAAOgAAIAJBAWohAiAAIAZBAWoiBkH/AXFLDQALCwuDPQFFf0EAIAAoAjwiAUH/gfwHcUEIeCABQRh4Qf+B/AdxciIBQRl3IAFBDndzIAFBA3ZzIAAoAjgiAkH/gfwHcUEIeCACQRh4Qf+B/AdxciICaiAAKAIgIgNB/4H8B3FBCHggA0EYeEH/gfwHcXIiBEEZdyAEQQ53cyAEQQN2cyAAKAIcIgNB/4H8B3FBCHggA0EYeEH/gfwHcXIiBWogACgCBCIDQf+B/AdxQQh4IANBGHhB/4H8B3FyIgZBGXcgBkEOd3MgBkEDdnMgACgCACIDQf+B/AdxQQh4IANBGHhB/4H8B3FyIgdqIAAoAiQiA0H/gfwHcUEIeCADQRh4Qf+B/AdxciIIaiACQQ93IAJBDXdzIAJBCnZzaiIDaiAAKAIYIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiCkEZdyAKQQ53cyAKQQN2cyAAKAIUIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiC2ogAmogACgCECIJQf+B/AdxQQh4IAlBGHhB/4H8B3FyIgxBGXcgDEEOd3MgDEEDdnMgACgCDCIJQf+B/AdxQQh4IAlBGHhB/4H8B3FyIg1qIAAoAjAiCUH/gfwHcUEIeCAJQRh4Qf+B/AdxciIOaiAAKAIIIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiD0EZdyAPQQ53cyAPQQN2cyAGaiAAKAIoIglB/4H8B3FBCHggCUEYeEH/gfwHcXIiEGogAUEPdyABQQ13cyABQQp2c2oiCUEPdyAJQQ13cyAJQQp2c2oiEUEPdyARQQ13cyARQQp2c2oiEkEPdyASQQ13cyASQQp2c2oiE2ogACgCNCIUQf+B/AdxQQh4IBRBGHhB/4H8B3FyIhVBGXcgFUEOd3MgFUEDdnMgDmogEmogACgCLCIAQf+B/AdxQQh4IABBGHhB/4H8B3FyIhZBGXcgFkEOd3MgFkEDdnMgEGogEWogCEEZdyAIQQ53cyAIQQN2cyAEaiAJaiAFQRl3IAVBDndzIAVBA3ZzIApqIAFqIAtBGXcgC0EOd3MgC0EDdnMgDGogFWogDUEZdyANQQ53cyANQQN2cyAPaiAWaiADQQ93IANBDXdzIANBCnZzaiIUQQ93IBRBDXdzIBRBCnZzaiIXQQ93IBdBDXdzIBdBCnZzaiIYQQ93IBhBDXdzIBhBCnZzaiIZQQ93IBlBDXdzIBlBCnZzaiIaQQ93IBpBDXdzIBpBCnZzaiIbQQ93IBtBDXdzIBtBCnZzaiIcQRl3IBxBDndzIBxBA3ZzIAJBGXcgAkEOd3MgAkEDdnMgFWogGGogDkEZdyAOQQ53cyAOQQN2cyAWaiAXaiAQQRl3IBBBDndzIBBBA3ZzIAhqIBRqIBNBD3cgE0ENd3MgE0EKdnNqIh1BD3cgHUENd3MgHUEKdnNqIh5BD3cgHkENd3MgHkEKdnNqIh9qIBNBGXcgE0EOd3MgE0EDdnMgGGogA0EZdyADQQ53cyADQQN2cyABaiAZaiAfQQ93IB9BDXdzIB9BCnZzaiIgaiASQRl3IBJBDndzIBJBA3ZzIBdqIB9qIBFBGXcgEUEOd3MgEUEDdnMgFGogHmogCUEZdyAJQQ53cyAJQQN2cyADaiAdaiAcQQ93IBxBDXdzIBxBCnZzaiIhQQ93ICFBDXdzICFBCnZzaiIiQQ93ICJBDXdzICJBCnZzaiIjQQ93ICNBDXdzICNBCnZzaiIkaiAbQRl3IBtBDndzIBtBA3ZzIB5qICNqIBpBGXcgGkEOd3MgGkEDdnMgHWogImogGUEZdyAZQQ53cyAZQQN2cyATaiAhaiAYQRl3IBhBDndzIBhBA3ZzIBJqIBxqIBdBGXcgF0EOd3MgF0EDdnMgEWogG2ogFEEZdyAUQQ53cyAUQQN2cyAJaiAaaiAgQQ93ICBBDXdzICBBCnZzaiIlQQ93ICVBDXdzICVBCnZzaiImQQ93ICZBDXdzICZBCnZzaiInQQ93ICdBDXdzICdBCnZzaiIoQQ93IChBDXdzIChBCnZzaiIpQQ93IClBDXdzIClBCnZzaiIqQQ93ICpBDXdzICpBCnZzaiIrQRl3ICtBDndzICtBA3ZzIB9BGXcgH0EOd3MgH0EDdnMgG2ogJ2ogHkEZdyAeQQ53cyAeQQN2cyAaaiAmaiAdQRl3IB1BDndzIB1BA3ZzIBlqICVqICRBD3cgJEENd3MgJEEKdnNqIixBD3cgLEENd3MgLEEKdnNqIi1BD3cgLUENd3MgLUEKdnNqIi5qICRBGXcgJEEOd3MgJEEDdnMgJ2ogIEEZdyAgQQ53cyAgQQN2cyAcaiAoaiAuQQ93IC5BDXdzIC5BCnZzaiIvaiAjQRl3ICNBDndzICNBA3ZzICZqIC5qICJBGXcgIkEOd3MgIkEDdnMgJWogLWogIUEZdyAhQQ53cyAhQQN2cyAgaiAsaiArQQ93ICtBDXdzICtBCnZzaiIwQQ93IDBBDXdzIDBBCnZzaiIxQQ93IDFBDXdzIDFBCnZzaiIyQQ93IDJBDXdzIDJBCnZzaiIzaiAqQRl3ICpBDndzICpBA3ZzIC1qIDJqIClBGXcgKUEOd3MgKUEDdnMgLGogMWogKEEZdyAoQQ53cyAoQQN2cyAkaiAwaiAnQRl3ICdBDndzICdBA3ZzICNqICtqICZBGXcgJkEOd3MgJkEDdnMgImogKmogJUEZdyAlQQ53cyAlQQN2cyAhaiApaiAvQQ93IC9BDXdzIC9BCnZzaiI0QQ93IDRBDXdzIDRBCnZzaiI1QQ93IDVBDXdzIDVBCnZzaiI2QQ93IDZBDXdzIDZBCnZzaiI3QQ93IDdBDXdzIDdBCnZzaiI4QQ93IDhBDXdzIDhBCnZzaiI5QQ93IDlBDXdzIDlBCnZzaiI6IDggNCAuICwgISAbIBkgAyAOIARBACgC2IEFIjtBGncgO0EVd3MgO0EHd3NBACgC5IEFIjxqQQAoAuCBBSI9QQAoAtyBBSI+cyA7cSA9c2ogB2pBmN+olARqIgdBACgC1IEFIj9qIgAgDGogOyANaiA+IA9qID0gBmogACA+IDtzcSA+c2ogAEEadyAAQRV3cyAAQQd3c2pBkYndiQdqIkBBACgC0IEFIkFqIgwgACA7c3EgO3NqIAxBGncgDEEVd3MgDEEHd3NqQc/3g657aiJCQQAoAsyBBSJDaiINIAwgAHNxIABzaiANQRp3IA1BFXdzIA1BB3dzakGlt9fNfmoiREEAKALIgQUiAGoiDyANIAxzcSAMc2ogD0EadyAPQRV3cyAPQQd3c2pB24TbygNqIkUgQSBDIABzcSBDIABxcyAAQR53IABBE3dzIABBCndzaiAHaiIGaiIHaiAFIA9qIAogDWogCyAMaiAHIA8gDXNxIA1zaiAHQRp3IAdBFXdzIAdBB3dzakHxo8TPBWoiCiAGIABzIENxIAYgAHFzIAZBHncgBkETd3MgBkEKd3NqIEBqIgxqIgQgByAPc3EgD3NqIARBGncgBEEVd3MgBEEHd3NqQaSF/pF5aiILIAwgBnMgAHEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogQmoiDWoiDyAEIAdzcSAHc2ogD0EadyAPQRV3cyAPQQd3c2pB1b3x2HpqIkAgDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiBEaiIGaiIHIA8gBHNxIARzaiAHQRp3IAdBFXdzIAdBB3dzakGY1Z7AfWoiQiAGIA1zIAxxIAYgDXFzIAZBHncgBkETd3MgBkEKd3NqIEVqIgxqIgVqIBYgB2ogECAPaiAIIARqIAUgByAPc3EgD3NqIAVBGncgBUEVd3MgBUEHd3NqQYG2jZQBaiIIIAwgBnMgDXEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogCmoiDWoiDyAFIAdzcSAHc2ogD0EadyAPQRV3cyAPQQd3c2pBvovGoQJqIg4gDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiALaiIGaiIHIA8gBXNxIAVzaiAHQRp3IAdBFXdzIAdBB3dzakHD+7GoBWoiECAGIA1zIAxxIAYgDXFzIAZBHncgBkETd3MgBkEKd3NqIEBqIgxqIgQgByAPc3EgD3NqIARBGncgBEEVd3MgBEEHd3NqQfS6+ZUHaiIWIAwgBnMgDXEgDCAGcXMgDEEedyAMQRN3cyAMQQp3c2ogQmoiDWoiBWogASAEaiACIAdqIBUgD2ogBSAEIAdzcSAHc2ogBUEadyAFQRV3cyAFQQd3c2pB/uP6hnhqIgcgDSAMcyAGcSANIAxxcyANQR53IA1BE3dzIA1BCndzaiAIaiIBaiIGIAUgBHNxIARzaiAGQRp3IAZBFXdzIAZBB3dzakGnjfDeeWoiBCABIA1zIAxxIAEgDXFzIAFBHncgAUETd3MgAUEKd3NqIA5qIgJqIgwgBiAFc3EgBXNqIAxBGncgDEEVd3MgDEEHd3NqQfTi74x8aiIFIAIgAXMgDXEgAiABcXMgAkEedyACQRN3cyACQQp3c2ogEGoiA2oiDSAMIAZzcSAGc2ogDUEadyANQRV3cyANQQd3c2pBwdPtpH5qIgggAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAWaiIBaiIPIBdqIBEgDWogFCAMaiAJIAZqIA8gDSAMc3EgDHNqIA9BGncgD0EVd3MgD0EHd3NqQYaP+f1+aiIGIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogB2oiAmoiCSAPIA1zcSANc2ogCUEadyAJQRV3cyAJQQd3c2pBxruG/gBqIgwgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAEaiIDaiIRIAkgD3NxIA9zaiARQRp3IBFBFXdzIBFBB3dzakHMw7KgAmoiDSADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIAVqIgFqIhQgESAJc3EgCXNqIBRBGncgFEEVd3MgFEEHd3NqQe/YpO8CaiIPIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogCGoiAmoiF2ogEyAUaiAYIBFqIBIgCWogFyAUIBFzcSARc2ogF0EadyAXQRV3cyAXQQd3c2pBqonS0wRqIhggAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAGaiIDaiIJIBcgFHNxIBRzaiAJQRp3IAlBFXdzIAlBB3dzakHc08LlBWoiFCADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIAxqIgFqIhEgCSAXc3EgF3NqIBFBGncgEUEVd3MgEUEHd3NqQdqR5rcHaiIXIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogDWoiAmoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pB0qL5wXlqIhkgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAPaiIDaiITaiAeIBJqIBogEWogHSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakHtjMfBemoiGiADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBhqIgFqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQcjPjIB7aiIYIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogFGoiAmoiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBx//l+ntqIhQgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAXaiIDaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakHzl4C3fGoiFyADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBlqIgFqIhNqICAgEmogHCARaiAfIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQceinq19aiIZIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGmoiAmoiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pB0capNmoiGiACIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBhqIgNqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQefSpKEBaiIYIAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogFGoiAWoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pBhZXcvQJqIhQgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAXaiICaiITICNqICYgEmogIiARaiAlIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQbjC7PACaiIXIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGWoiA2oiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pB/Nux6QRqIhkgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAaaiIBaiIRIAkgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakGTmuCZBWoiGiABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBhqIgJqIhIgESAJc3EgCXNqIBJBGncgEkEVd3MgEkEHd3NqQdTmqagGaiIYIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogFGoiA2oiE2ogKCASaiAkIBFqICcgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pBu5WoswdqIhQgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAXaiIBaiIJIBMgEnNxIBJzaiAJQRp3IAlBFXdzIAlBB3dzakGukouOeGoiFyABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBlqIgJqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQYXZyJN5aiIZIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGmoiA2oiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pBodH/lXpqIhogAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAYaiIBaiITaiAqIBJqIC0gEWogKSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakHLzOnAemoiGCABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBRqIgJqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQfCWrpJ8aiIUIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogF2oiA2oiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBo6Oxu3xqIhcgAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAZaiIBaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakGZ0MuMfWoiGSABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBpqIgJqIhNqIDAgEmogLyARaiArIAlqIBMgEiARc3EgEXNqIBNBGncgE0EVd3MgE0EHd3NqQaSM5LR9aiIaIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGGoiA2oiCSATIBJzcSASc2ogCUEadyAJQRV3cyAJQQd3c2pBheu4oH9qIhggAyACcyABcSADIAJxcyADQR53IANBE3dzIANBCndzaiAUaiIBaiIRIAkgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakHwwKqDAWoiFCABIANzIAJxIAEgA3FzIAFBHncgAUETd3MgAUEKd3NqIBdqIgJqIhIgESAJc3EgCXNqIBJBGncgEkEVd3MgEkEHd3NqQZaCk80BaiIXIAIgAXMgA3EgAiABcXMgAkEedyACQRN3cyACQQp3c2ogGWoiA2oiEyA2aiAyIBJqIDUgEWogMSAJaiATIBIgEXNxIBFzaiATQRp3IBNBFXdzIBNBB3dzakGI2N3xAWoiGSADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBpqIgFqIgkgEyASc3EgEnNqIAlBGncgCUEVd3MgCUEHd3NqQczuoboCaiIaIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGGoiAmoiESAJIBNzcSATc2ogEUEadyARQRV3cyARQQd3c2pBtfnCpQNqIhggAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAUaiIDaiISIBEgCXNxIAlzaiASQRp3IBJBFXdzIBJBB3dzakGzmfDIA2oiFCADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBdqIgFqIhNqICxBGXcgLEEOd3MgLEEDdnMgKGogNGogM0EPdyAzQQ13cyAzQQp2c2oiFyASaiA3IBFqIDMgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pBytTi9gRqIhsgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAZaiICaiIJIBMgEnNxIBJzaiAJQRp3IAlBFXdzIAlBB3dzakHPlPPcBWoiGSACIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBpqIgNqIhEgCSATc3EgE3NqIBFBGncgEUEVd3MgEUEHd3NqQfPfucEGaiIaIAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogGGoiAWoiEiARIAlzcSAJc2ogEkEadyASQRV3cyASQQd3c2pB7oW+pAdqIhwgASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAUaiICaiITaiAuQRl3IC5BDndzIC5BA3ZzICpqIDZqIC1BGXcgLUEOd3MgLUEDdnMgKWogNWogF0EPdyAXQQ13cyAXQQp2c2oiFEEPdyAUQQ13cyAUQQp2c2oiGCASaiA5IBFqIBQgCWogEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pB78aVxQdqIgkgAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAbaiIDaiIRIBMgEnNxIBJzaiARQRp3IBFBFXdzIBFBB3dzakGU8KGmeGoiGyADIAJzIAFxIAMgAnFzIANBHncgA0ETd3MgA0EKd3NqIBlqIgFqIhIgESATc3EgE3NqIBJBGncgEkEVd3MgEkEHd3NqQYiEnOZ4aiIZIAEgA3MgAnEgASADcXMgAUEedyABQRN3cyABQQp3c2ogGmoiAmoiEyASIBFzcSARc2ogE0EadyATQRV3cyATQQd3c2pB+v/7hXlqIhogAiABcyADcSACIAFxcyACQR53IAJBE3dzIAJBCndzaiAcaiIDaiIUIDxqNgLkgQVBACA/IAMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogCWoiASADcyACcSABIANxcyABQR53IAFBE3dzIAFBCndzaiAbaiICIAFzIANxIAIgAXFzIAJBHncgAkETd3MgAkEKd3NqIBlqIgMgAnMgAXEgAyACcXMgA0EedyADQRN3cyADQQp3c2ogGmoiCWo2AtSBBUEAID0gL0EZdyAvQQ53cyAvQQN2cyAraiA3aiAYQQ93IBhBDXdzIBhBCnZzaiIYIBFqIBQgEyASc3EgEnNqIBRBGncgFEEVd3MgFEEHd3NqQevZwaJ6aiIZIAFqIhFqNgLggQVBACBBIAkgA3MgAnEgCSADcXMgCUEedyAJQRN3cyAJQQp3c2ogGWoiAWo2AtCBBUEAID4gMEEZdyAwQQ53cyAwQQN2cyAvaiAXaiA6QQ93IDpBDXdzIDpBCnZzaiASaiARIBQgE3NxIBNzaiARQRp3IBFBFXdzIBFBB3dzakH3x+b3e2oiFyACaiISajYC3IEFQQAgQyABIAlzIANxIAEgCXFzIAFBHncgAUETd3MgAUEKd3NqIBdqIgJqNgLMgQVBACA7IDRBGXcgNEEOd3MgNEEDdnMgMGogOGogGEEPdyAYQQ13cyAYQQp2c2ogE2ogEiARIBRzcSAUc2ogEkEadyASQRV3cyASQQd3c2pB8vHFs3xqIhEgA2pqNgLYgQVBACAAIAIgAXMgCXEgAiABcXMgAkEedyACQRN3cyACQQp3c2ogEWpqNgLIgQULswYCBH8BfkEAKALAgQUiAEECdkEPcSIBQQJ0IgIgAigCgIEFQX8gAEEDdCIAdEF/c3FBgAEgAHRzNgKAgQUCQAJAAkAgAUEOSQ0AAkAgAUEORw0AQQBBADYCvIEFC0GAgQUQA0EAIQIMAQsgAUENRg0BIAFBAWohAgsgAiEDAkBBBiACa0EHcSIARQ0AIAIgAGohAyACQQJ0QYCBBWohAQNAIAFBADYCACABQQRqIQEgAEF/aiIADQALCyACQXlqQQdJDQACQEEGIANrIgBBCHENACADQQJ0IgFCADcCmIEFIAFCADcCkIEFIAFCADcCiIEFIAFCADcCgIEFIABBCEkNASADQQhqIQMLIANBAnRBgIEFaiEBA0AgAUIANwIAIAFBOGpCADcCACABQTBqQgA3AgAgAUEoakIANwIAIAFBIGpCADcCACABQRhqQgA3AgAgAUEQakIANwIAIAFBCGpCADcCACABQcAAaiEBDAALC0EAIQBBAEEAKQPAgQUiBKdBA3QiAUH4gfwHcUEIeCABQRh4Qf+B/AdxcjYCvIEFQQAgBEIdiKciAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYCuIEFQYCBBRADQQBBACgC5IEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AuSBBUEAQQAoAuCBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLggQVBAEEAKALcgQUiAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYC3IEFQQBBACgC2IEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AtiBBUEAQQAoAtSBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLUgQVBAEEAKALQgQUiAUH/gfwHcUEIeCABQRh4Qf+B/AdxcjYC0IEFQQBBACgCzIEFIgFB/4H8B3FBCHggAUEYeEH/gfwHcXI2AsyBBUEAQQAoAsiBBSIBQf+B/AdxQQh4IAFBGHhB/4H8B3FyNgLIgQUCQEEAKALogQUiAkUNAEEAIQEDQCABQYCBBGogAUHIgQVqLQAAOgAAIAFBAWohASACIABBAWoiAEH/AXFLDQALCwsGAEGAgQULowEAQQBCADcDwIEFQQBBHEEgIAFB4AFGIgEbNgLogQVBAEKnn+anxvST/b5/Qquzj/yRo7Pw2wAgARs3A+CBBUEAQrGWgP6fooWs6ABC/6S5iMWR2oKbfyABGzcD2IEFQQBCl7rDg5Onlod3QvLmu+Ojp/2npX8gARs3A9CBBUEAQti9loj8oLW+NkLnzKfQ1tDrs7t/IAEbNwPIgQUgABACEAQLCwwBAEGAgAQLBHAAAAA=",
  jA = "8ed695a3",
  _A = { name: vA, data: TA, hash: jA },
  lI = new D();
var KI = new D();
function iA() {
  return PA(_A, 32).then((B) => {
    B.init(256);
    let A = {
      init: () => (B.init(256), A),
      update: (I) => (B.update(I), A),
      digest: (I) => B.digest(I),
      save: () => B.save(),
      load: (I) => (B.load(I), A),
      blockSize: 64,
      digestSize: 32,
    };
    return A;
  });
}
var RI = new D();
var YI = new D();
var xI = new D();
var VI = new D();
var XI = new Uint8Array(8);
var mI = new D();
var LI = new Uint8Array(8);
var zI = new D();
var OI = new Uint8Array(8);
var ZI = new D();
var bI = new D();
var WI = new D();
async function* EA(B) {
  let A = B.getReader();
  try {
    for (let I = await A.read(); !I.done; I = await A.read()) yield I.value;
  } finally {
    await A.cancel();
  }
}
var $A = (B) => B / 2 ** 32 | 0, AI = (B) => B >>> 0;
function oA(B, A, I, g) {
  let Q = $A(I), C = AI(I);
  B.setUint32(A, g ? C : Q, g), B.setUint32(A + 4, g ? Q : C, g);
}
function eA(B) {
  return B instanceof Uint8Array ||
    ArrayBuffer.isView(B) && B.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in B &&
      B.BYTES_PER_ELEMENT === 1;
}
var z = (B) => B ? `"${B}" ` : "";
function II(B, A = "") {
  if (typeof B != "number") throw new TypeError(z(A) + "expected number, got " + typeof B);
  if (!Number.isSafeInteger(B) || B < 0) {
    throw new RangeError(z(A) + "expected integer >= 0, got " + B);
  }
  return B;
}
function l(B, A, I = "") {
  if (eA(B) && (A === void 0 || B.length === A)) return B;
  A !== void 0 && II(A, "length");
  let g = eA(B),
    Q = A !== void 0 ? ` of length ${A}` : "",
    C = g ? `length=${B.length}` : `type=${typeof B}`,
    i = z(I) + "expected Uint8Array" + Q + ", got " + C;
  throw g ? new RangeError(i) : new TypeError(i);
}
var BI = (B, A) => {
    if (B === null || typeof B != "object" || Array.isArray(B)) {
      throw new TypeError(
        (A === "object" ? "" : `"${A}" `) + "expected object, got type=" + typeof B,
      );
    }
  },
  cA = (B, A) => {
    BI(B, A);
    let I = Object.getPrototypeOf(B);
    if (I !== Object.prototype && I !== null) throw new TypeError(`"${A}" expected plain object`);
    if (Object.hasOwn(B, "__proto__")) throw new TypeError(`"${A}.__proto__" is not allowed`);
  };
function O(B, A = !0) {
  if (B.destroyed) throw new Error("hash was destroyed");
  if (A && B.finished) throw new Error("digest() was already called");
}
function tA(B, A) {
  l(B, void 0, "output");
  let I = A.outputLen;
  if (!(B.length >= I)) throw new RangeError('"output" expected length >= ' + I);
}
function Z(...B) {
  for (let A = 0; A < B.length; A++) B[A].fill(0);
}
function K(B) {
  return new DataView(B.buffer, B.byteOffset, B.byteLength);
}
function d(B, A) {
  return B << 32 - A | B >>> A;
}
var gI = typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function",
  QI = Array.from({ length: 256 }, (B, A) => A.toString(16).padStart(2, "0"));
function hA(B) {
  if (l(B), gI) return B.toHex();
  let A = "";
  for (let I = 0; I < B.length; I++) A += QI[B[I]];
  return A;
}
function CI(B, A, I = "opts") {
  return cA(B, "defaults"), A !== void 0 && cA(A, I), Object.assign(Object.create(null), B, A);
}
function nA(B, A = {}) {
  if (typeof B != "function") {
    throw new TypeError('"hashCons" expected function, got type=' + typeof B);
  }
  A = CI({}, A, "info");
  let I = (Q, C) => B(C).update(Q).digest(), g = B(void 0);
  return I.outputLen = g.outputLen,
    I.blockLen = g.blockLen,
    I.canXOF = g.canXOF,
    I.create = (Q) => B(Q),
    Object.assign(I, A),
    Object.freeze(I);
}
var aA = (B) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, B]) });
function FA(B, A, I) {
  return B & A ^ ~B & I;
}
function DA(B, A, I) {
  return B & A ^ B & I ^ A & I;
}
var R = class {
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
    constructor(A, I, g, Q) {
      this.blockLen = A,
        this.outputLen = I,
        this.padOffset = g,
        this.isLE = Q,
        this.buffer = new Uint8Array(A),
        this.view = K(this.buffer);
    }
    update(A) {
      O(this), l(A);
      let { view: I, buffer: g, blockLen: Q } = this, C = A.length, i = !1;
      for (let E = 0; E < C;) {
        let e = Math.min(Q - this.pos, C - E);
        if (e === Q) {
          let h = K(A);
          for (; Q <= C - E; E += Q) this.process(h, E);
          i = !0;
          continue;
        }
        g.set(E === 0 && e === C ? A : A.subarray(E, E + e), this.pos),
          this.pos += e,
          E += e,
          this.pos === Q && (this.process(I, 0), this.pos = 0, i = !0);
      }
      return this.length += A.length, i && this.roundClean(), this;
    }
    digestInto(A) {
      O(this), tA(A, this), this.finished = !0;
      let { buffer: I, view: g, blockLen: Q, isLE: C } = this, { pos: i } = this;
      I[i++] = 128,
        I.fill(0, i),
        this.padOffset > Q - i && (this.process(g, 0), I.fill(0)),
        oA(g, Q - 8, this.length * 8, C),
        this.process(g, 0),
        this.roundClean();
      let E = A === I ? g : K(A), e = this.outputLen, h = e / 4, a = this.get();
      if (e % 4 || h > a.length) throw new Error("invalid outputLen");
      for (let c = 0; c < h; c++) E.setUint32(4 * c, a[c], C);
    }
    digest() {
      let { buffer: A, outputLen: I } = this;
      this.digestInto(A);
      let g = A.slice(0, I);
      return this.destroy(), g;
    }
    _cloneIntoMeta(A) {
      let { buffer: I, length: g, finished: Q, destroyed: C, pos: i } = this;
      return A.destroyed = C, A.finished = Q, A.length = g, A.pos = i, i && A.buffer.set(I), A;
    }
    clone() {
      return this._cloneInto();
    }
  },
  rA = Uint32Array.from([
    1779033703,
    3144134277,
    1013904242,
    2773480762,
    1359893119,
    2600822924,
    528734635,
    1541459225,
  ]);
var iI = Uint32Array.from([
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
  U = new Uint32Array(64),
  b = class extends R {
    A = 0;
    B = 0;
    C = 0;
    D = 0;
    E = 0;
    F = 0;
    G = 0;
    H = 0;
    constructor(A, I) {
      super(64, A, 8, !1),
        this.A = I[0] | 0,
        this.B = I[1] | 0,
        this.C = I[2] | 0,
        this.D = I[3] | 0,
        this.E = I[4] | 0,
        this.F = I[5] | 0,
        this.G = I[6] | 0,
        this.H = I[7] | 0;
    }
    get() {
      let { A, B: I, C: g, D: Q, E: C, F: i, G: E, H: e } = this;
      return [A, I, g, Q, C, i, E, e];
    }
    set(A, I, g, Q, C, i, E, e) {
      this.A = A | 0,
        this.B = I | 0,
        this.C = g | 0,
        this.D = Q | 0,
        this.E = C | 0,
        this.F = i | 0,
        this.G = E | 0,
        this.H = e | 0;
    }
    _cloneInto(A) {
      return (A ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(A);
    }
    process(A, I) {
      for (let c = 0; c < 16; c++, I += 4) U[c] = A.getUint32(I, !1);
      for (let c = 16; c < 64; c++) {
        let r = U[c - 15],
          F = U[c - 2],
          s = d(r, 7) ^ d(r, 18) ^ r >>> 3,
          f = d(F, 17) ^ d(F, 19) ^ F >>> 10;
        U[c] = f + U[c - 7] + s + U[c - 16] | 0;
      }
      let { A: g, B: Q, C, D: i, E, F: e, G: h, H: a } = this;
      for (let c = 0; c < 64; c++) {
        let r = d(E, 6) ^ d(E, 11) ^ d(E, 25),
          F = a + r + FA(E, e, h) + iI[c] + U[c] | 0,
          f = (d(g, 2) ^ d(g, 13) ^ d(g, 22)) + DA(g, Q, C) | 0;
        a = h, h = e, e = E, E = i + F | 0, i = C, C = Q, Q = g, g = F + f | 0;
      }
      g = g + this.A | 0,
        Q = Q + this.B | 0,
        C = C + this.C | 0,
        i = i + this.D | 0,
        E = E + this.E | 0,
        e = e + this.F | 0,
        h = h + this.G | 0,
        a = a + this.H | 0,
        this.set(g, Q, C, i, E, e, h, a);
    }
    roundClean() {
      Z(U);
    }
    destroy() {
      this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), Z(this.buffer);
    }
  },
  W = class extends b {
    constructor() {
      super(32, rA);
    }
  };
var wA = nA(() => new W(), aA(1));
var o = 32,
  FB = 2 ** 53,
  EI = new TextEncoder(),
  DB = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 });
function S(B) {
  return EI.encode(B);
}
function u(B) {
  return hA(B);
}
function v(...B) {
  let A = 0;
  for (let Q of B) A += Q.length;
  let I = new Uint8Array(A), g = 0;
  for (let Q of B) I.set(Q, g), g += Q.length;
  return I;
}
function k(B) {
  let A = [];
  for (let I = B; I > 0; I = I === 1 ? 0 : Math.ceil(I / 2)) A.push(I);
  return A;
}
function fA(B, A) {
  let I = [], g = B;
  for (let Q of k(B.length / o)) I.push(g), g = A(g);
  return I;
}
function Y(B, A) {
  let I = k(A), g = [];
  for (let C = 0; C < A; C++) {
    let i = 0, E = C;
    for (let e of I) {
      let h = E % 2 === 0 ? E + 1 : E - 1;
      h < e && g.push(i + h), i += e, E = Math.floor(E / 2);
    }
  }
  let Q = new Uint8Array(g.length * o);
  for (let [C, i] of g.entries()) Q.set(B.subarray(i * o, (i + 1) * o), C * o);
  return Q;
}
var dA = 0, SA = 1;
function UA(B) {
  let A = (I) => oI(B, I);
  return {
    sha256: (I) => B(I),
    leafHashes: (I, g) => sA(B, I, g),
    numberedLeafHashes(I) {
      let { entries: g, ends: Q } = T(I);
      return sA(B, g, Q);
    },
    nodeHash(I, g) {
      let Q = new Uint8Array(1 + 2 * o);
      return Q[0] = SA, Q.set(I, 1), Q.set(g, 1 + o), B(Q);
    },
    treeLevel(I, g = 1) {
      let Q = I;
      for (let C = 0; C < g && Q.length > o; C++) Q = A(Q);
      return Q === I ? I.slice() : Q;
    },
    treeLevels: (I) => v(...fA(I, A)),
    inclusionPaths: Y,
  };
}
function sA(B, A, I) {
  let g = new Uint8Array(I.length * o), Q = new Uint8Array(257);
  Q[0] = dA;
  let C = 0;
  for (let i = 0; i < I.length; i++) {
    let E = I[i];
    1 + E - C > Q.length && (Q = new Uint8Array(1 + E - C), Q[0] = dA),
      Q.set(A.subarray(C, E), 1),
      g.set(B(Q.subarray(0, 1 + E - C)), i * o),
      C = E;
  }
  return g;
}
function oI(B, A) {
  let I = A.length / o, g = new Uint8Array(Math.ceil(I / 2) * o), Q = new Uint8Array(1 + 2 * o);
  Q[0] = SA;
  for (let C = 0; C + 1 < I; C += 2) {
    Q.set(A.subarray(C * o, (C + 2) * o), 1), g.set(B(Q), C / 2 * o);
  }
  return I % 2 === 1 && g.set(A.subarray((I - 1) * o), g.length - o), g;
}
function T(B) {
  let { before: A, digests: I, between: g, first: Q, after: C } = B,
    i = I.length / o,
    E = S(u(I)),
    e = new Uint32Array(i),
    h = A.length + 2 * o + g.length + C.length,
    a = new Uint8Array(i * (h + String(Q + i).length)),
    c = 0,
    r = (F) => {
      a.set(F, c), c += F.length;
    };
  for (let F = 0; F < i; F++) {
    r(A), r(E.subarray(F * 2 * o, (F + 1) * 2 * o)), r(g);
    let s = String(Q + F);
    for (let f = 0; f < s.length; f++) a[c++] = s.charCodeAt(f);
    r(C), e[F] = c;
  }
  return { entries: a.subarray(0, c), ends: e };
}
var yA = UA(wA);
var kA = "countersign/work-proof/v1";
var cI = 48, JB = Uint8Array.of(0, cI), lB = S("BLS-SIG-KEYGEN-SALT-");
var tI = Uint8Array.of(0), hI = new Uint8Array();
function GA(B) {
  return new j(B);
}
var j = class {
  #A;
  #I;
  #E;
  #C;
  #Q;
  #g;
  #B;
  #o;
  constructor(A) {
    let I = A.memory.buffer;
    this.#A = A,
      this.#I = new Uint8Array(I),
      this.#C = A.inputRegion(),
      this.#Q = A.inputBytes(),
      this.#g = A.nodesRegion(),
      this.#B = A.leafLimit(),
      this.#E = new Uint32Array(I, A.endsRegion(), this.#B),
      this.#o = A.pathsRegion();
  }
  sha256(A) {
    return this.#e(hI, A);
  }
  leafHashes(A, I) {
    let g = new Uint8Array(I.length * o);
    for (let Q = 0; Q < I.length;) {
      let C = Q === 0 ? 0 : I[Q - 1], i = this.#n(I, Q, C);
      if (i === Q) {
        let E = A.subarray(C, I[Q]);
        g.set(this.#e(tI, E), Q * o), Q++;
        continue;
      }
      if (this.#I.set(A.subarray(C, I[i - 1]), this.#C), C === 0) this.#E.set(I.subarray(Q, i));
      else for (let E = Q; E < i; E++) this.#E[E - Q] = I[E] - C;
      this.#A.leafHashes(i - Q), g.set(this.#h(i - Q), Q * o), Q = i;
    }
    return g;
  }
  numberedLeafHashes(A) {
    let { before: I, digests: g, between: Q, first: C, after: i } = A, E = this.#A.pieceLimit();
    if (Math.max(I.length, Q.length, i.length) > E) {
      let { entries: e, ends: h } = T(A);
      return this.leafHashes(e, h);
    }
    return this.#I.set(I, this.#A.beforeRegion()),
      this.#I.set(Q, this.#A.betweenRegion()),
      this.#I.set(i, this.#A.afterRegion()),
      this.#t(g, this.#C, (e, h) => {
        let a = C + h, { length: c } = I;
        return this.#A.numberedLeafHashes(e, a, c, Q.length, i.length), e;
      });
  }
  nodeHash(A, I) {
    return this.#I.set(A, this.#g),
      this.#I.set(I, this.#g + o),
      this.#A.treeLevel(2, 1),
      this.#i(1);
  }
  treeLevel(A, I = 1) {
    let g = Math.min(I, Math.log2(this.#B)),
      Q = this.#t(A, this.#g, (i) => this.#A.treeLevel(i, g));
    return g === I || Q.length <= o ? Q : this.treeLevel(Q, I - g);
  }
  treeLevels(A) {
    let I = A.length / o;
    return I > this.#B ? this.#a(A) : (this.#I.set(A, this.#g), this.#i(this.#A.treeLevels(I)));
  }
  inclusionPaths(A, I) {
    if (I > this.#A.roundLimit()) return Y(A, I);
    this.#I.set(A, this.#g);
    let g = this.#o + this.#A.inclusionPaths(I) * o;
    return this.#I.slice(this.#o, g);
  }
  #n(A, I, g) {
    let Q = Math.min(A.length, I + this.#B);
    if (A[Q - 1] - g <= this.#Q) return Q;
    for (Q = I; A[Q] - g <= this.#Q;) Q++;
    return Q;
  }
  #e(A, I) {
    this.#A.startMessage(), A.length > 0 && this.#c(A);
    for (let g = 0; g < I.length; g += this.#Q) this.#c(I.subarray(g, g + this.#Q));
    return this.#A.finishMessage(), this.#i(1);
  }
  #c(A) {
    this.#I.set(A, this.#C), this.#A.appendInput(A.length);
  }
  #t(A, I, g) {
    let Q = A.length / o;
    if (Q <= this.#B) return this.#I.set(A, I), this.#i(g(Q, 0));
    let C = new Uint8Array(A.length), i = 0;
    for (let E = 0; E < Q; E += this.#B) {
      let e = Math.min(E + this.#B, Q);
      this.#I.set(A.subarray(E * o, e * o), I);
      let h = this.#h(g(e - E, E));
      C.set(h, i), i += h.length;
    }
    return i === C.length ? C : C.slice(0, i);
  }
  #a(A) {
    let I = A.length / o,
      g = k(I),
      Q = Math.log2(this.#B),
      C = new Uint8Array(g.reduce((E, e) => E + e) * o),
      i = new Uint8Array(g[Q] * o);
    for (let E = 0; E < I; E += this.#B) {
      let e = Math.min(E + this.#B, I),
        h = this.treeLevels(A.subarray(E * o, e * o)),
        a = k(e - E),
        c = 0,
        r = 0;
      for (let F = 0; F < Q; F++) {
        let s = a[F] ?? 1;
        F > 0 && F < a.length && (c += a[F - 1]);
        let f = h.subarray(c * o, (c + s) * o);
        C.set(f, (r + E / 2 ** F) * o), r += g[F];
      }
      i.set(h.subarray(-o), E / this.#B * o);
    }
    return C.set(this.treeLevels(i), C.length - this.#F(i)), C;
  }
  #F(A) {
    return k(A.length / o).reduce((g, Q) => g + Q, 0) * o;
  }
  #h(A) {
    return this.#I.subarray(this.#g, this.#g + A * o);
  }
  #i(A) {
    return this.#I.slice(this.#g, this.#g + A * o);
  }
};
async function HA(B) {
  for (let A of B) {
    if (A.isSupported()) {
      try {
        let I = await A.load();
        if (A.passes?.(I) ?? !0) return { name: A.name, exports: I };
      } catch {}
    }
  }
}
function NA(B, A) {
  return B.map((I) => ({
    ...I,
    load: async () => {
      let g = await A(`${I.name}.wasm`);
      try {
        let { instance: Q } = await WebAssembly.instantiateStreaming(g);
        return Q.exports;
      } finally {
        g.bodyUsed || await g.body?.cancel();
      }
    },
  }));
}
var nI = [65, 0, 253, 15, 253, 98, 26],
  jB = [65, 0, 253, 15, 65, 0, 253, 15].concat([65, 0, 253, 15, 253, 135, 2, 26]);
function aI(B) {
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
    B.length + 4,
    1,
    B.length + 2,
    0,
    ...B,
    11,
  );
}
function pA(B) {
  return typeof WebAssembly == "object" && WebAssembly.validate(aI(B));
}
function uA() {
  return pA([]);
}
function MA() {
  return pA(nI);
}
var qA = [{
  name: "hashing.simd",
  isSupported: MA,
  load: () => import("../../wasm/build/hashing.simd.wasm"),
}, {
  name: "hashing.scalar",
  isSupported: uA,
  load: () => import("../../wasm/build/hashing.scalar.wasm"),
}];
async function FI(B = qA) {
  let A = await HA(B);
  return A && GA(A.exports);
}
function JA(B) {
  return FI(NA(qA, B));
}
var _ = 4096;
function lA(B, { time: A, bits: I }, g) {
  for (let Q = 0;; Q += _) {
    let C = DI(B, A, Q, _, g);
    for (let i = 0; i < _; i++) {
      let E = C.subarray(i * o, (i + 1) * o);
      if (rI(E) >= I) return { time: A, counter: Q + i };
    }
  }
}
function DI({ issuerName: B, requestDigest: A }, I, g, Q, C) {
  let i = new Uint8Array(Q * o);
  for (let E = 0; E < Q; E++) i.set(A, E * o);
  return C.numberedLeafHashes({
    before: S(`${kA}
${B}
${I}
`),
    digests: i,
    between: S(`
`),
    first: g,
    after: S(`
`),
  });
}
function rI(B) {
  for (let A = 0; A < B.length; A++) if (B[A] !== 0) return 8 * A + Math.clz32(B[A]) - 24;
  return 8 * B.length;
}
var KA = 8 * 1024 * 1024;
function M(B) {
  postMessage(B);
}
var wI = iA();
async function fI(B) {
  let A = (await wI).init(), { size: I } = B, [g, Q] = [0, 0];
  I >= KA && M({ kind: "progress", done: g, size: I });
  for await (let C of EA(B.stream())) {
    A.update(C), g += C.length, g - Q >= KA && (Q = g, M({ kind: "progress", done: g, size: I }));
  }
  if (g !== I) throw new Error("the file changed while it was read");
  M({ kind: "hashed", hash: A.digest("hex"), size: I });
}
var RA;
async function dI({ subject: B, demand: A, modules: I }) {
  RA ??= JA((Q) => fetch(I[Q]));
  let g = lA(B, A, await RA ?? yA);
  M({ kind: "found", proof: g });
}
addEventListener("message", (B) => {
  let { data: A } = B;
  (A.kind === "file" ? fI(A.file) : dI(A)).catch((g) => {
    M({ kind: "failed", message: g instanceof Error ? g.message : String(g) });
  });
});
/*!
 * hash-wasm (https://www.npmjs.com/package/hash-wasm)
 * (c) Dani Biro
 * @license MIT
 */
