var Pl = Object.defineProperty,
  Pc = (t, e) => {
    let n = {};
    for (var r in t) Pl(n, r, { get: t[r], enumerable: !0 });
    return e || Pl(n, Symbol.toStringTag, { value: "Module" }), n;
  };
var ai = Symbol("RENDERER"),
  kr = Symbol("ERROR_HANDLER"),
  Me = Symbol("STASH"),
  ci = Symbol("INTERNAL"),
  fi = Symbol("MEMO"),
  jl = Symbol("PERMALINK"),
  cx = Symbol("RENDERED_JSX");
var jc = (t) => (t[ci] = !0, t);
var Dl = (t) => ({ value: e, children: n }) => {
    if (!n) return;
    let r = {
      children: [{
        tag: jc(() => {
          t.push(e);
        }),
        props: {},
      }],
    };
    Array.isArray(n) ? r.children.push(...n.flat()) : r.children.push(n),
      r.children.push({
        tag: jc(() => {
          t.pop();
        }),
        props: {},
      });
    let o = { tag: "", props: r, type: "" };
    return o[kr] = (s) => {
      throw t.pop(), s;
    },
      o;
  },
  Or = (t) => {
    let e = [t], n = Dl(e);
    return n.values = e, n.Provider = n, io.push(n), n;
  };
var ns = {
    title: [],
    script: ["src"],
    style: ["data-href"],
    link: ["href"],
    meta: ["name", "httpEquiv", "charset", "itemProp"],
  },
  Dc = {},
  di = "data-precedence",
  Uc = (t) => t.rel === "stylesheet" && "precedence" in t,
  zc = (t, e) => t === "link" ? e : ns[t].length > 0;
var qc = (t) => Array.isArray(t) ? t : [t];
var dx = new Map([
    ["className", "class"],
    ["htmlFor", "for"],
    ["crossOrigin", "crossorigin"],
    ["httpEquiv", "http-equiv"],
    ["itemProp", "itemprop"],
    ["fetchPriority", "fetchpriority"],
    ["noModule", "nomodule"],
    ["formAction", "formaction"],
  ]),
  ui = (t) => dx.get(t) || t;
var zl = (t, e, n) => {
  t.size >= e && t.clear(), t.add(n);
};
var ux = /[\s"'():;\\/\[\]{}\x00-\x1f\x7f-\x9f]/,
  Gc = new Set(),
  ql = 1024,
  lx = (t) => {
    if (Gc.has(t)) return !0;
    let e = t.length;
    if (e === 0) return !1;
    for (let n = 0; n < e; n++) {
      let r = t.charCodeAt(n);
      if (
        !(r >= 97 && r <= 122 || r >= 65 && r <= 90 || r >= 48 && r <= 57 || r === 45 || r === 95)
      ) return ux.test(t) ? !1 : (zl(Gc, ql, t), !0);
    }
    return zl(Gc, ql, t), !0;
  },
  hx = /[;"'\\/\[\](){}]/,
  px = (t) => {
    if (!hx.test(t)) return !1;
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
  Vc = (t, e) => {
    for (let [n, r] of Object.entries(t)) {
      let o = n[0] === "-" || !/[A-Z]/.test(n)
        ? n
        : n.replace(/[A-Z]/g, (i) => `-${i.toLowerCase()}`);
      if (!lx(o)) continue;
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
        if (px(r)) continue;
        s = r;
      } else continue;
      e(o, s);
    }
  };
var io = [],
  Gl = !1,
  Kc,
  mx,
  gx = 0,
  Vl = !1,
  wx = () => {
    if (Gl) return Kc;
    Gl = !0;
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
    return e && (Kc = new e()), Kc;
  },
  yx = () => wx()?.getStore() || mx,
  bx = () => {
    gx > 0 && !Vl && (Vl = !0,
      console.warn(
        "hono/jsx: AsyncLocalStorage is unavailable in this runtime, so useContext() after an await in an async component falls back to the context default value during server-side rendering. To get provided values across await boundaries, use a runtime with AsyncLocalStorage (Node.js >= 20.16, Deno, Bun, or Cloudflare Workers with the nodejs_compat flag).",
      ));
  };
var xx = (t, e) => {
  if (!t) return bx(), e.values.at(-1);
  let n = t.get(e);
  return n?.length ? n.at(-1) : e.values[0];
};
var hn = (t) => xx(yx(), t);
var _x = 0;
var Ex = 2,
  vx = 3,
  Sx = 4,
  Wc = new WeakMap(),
  Yc = (t, e) => !t || !e || t.length !== e.length || e.some((n, r) => n !== t[r]);
var Tx;
var Kl = [];
var K = (t) => {
  let e = () => typeof t == "function" ? t() : t, n = Yn.at(-1);
  if (!n) return [e(), () => {}];
  let [, r] = n, o = r[Me][1][_x] ||= [], s = r[Me][0]++;
  return o[s] ||= [e(), (i) => {
    let a = Tx, f = o[s];
    if (typeof i == "function" && (i = i(f[0])), !Object.is(i, f[0])) {
      if (f[0] = i, Kl.length) {
        let [d, u] = Kl.at(-1);
        Promise.all([d === 3 ? r : rs([d, !1, a], r), u]).then(([l]) => {
          if (!l || !(d === 2 || d === 3)) return;
          let h = l.vC;
          requestAnimationFrame(() => {
            setTimeout(() => {
              h === l.vC && rs([d === 3 ? 1 : 0, !1, a], l);
            });
          });
        });
      } else rs([0, !1, a], r);
    }
  }];
};
var kx = (t, e, n) => {
    let r = Yn.at(-1);
    if (!r) return;
    let [, o] = r, s = o[Me][1][1] ||= [], i = o[Me][0]++, [a, , f] = s[i] ||= [];
    if (Yc(a, n)) {
      f && f();
      let d = () => {
          u[t] = void 0, u[2] = e();
        },
        u = [n, void 0, void 0, void 0, void 0];
      u[t] = d, s[i] = u;
    }
  },
  Te = (t, e) => kx(3, t, e);
var pn = (t, e) => {
  let n = Yn.at(-1);
  if (!n) return t;
  let [, r] = n, o = r[Me][1][Ex] ||= [], s = r[Me][0]++, i = o[s];
  return Yc(i?.[1], e) ? o[s] = [t, e] : t = o[s][0], t;
};
function Pt(t) {
  let e = Yn.at(-1);
  if (!e) return { current: t };
  let [, n] = e, r = n[Me][1][Sx] ||= [], o = n[Me][0]++;
  return r[o] ||= { current: t };
}
var Zc = (t) => {
    let e = Wc.get(t);
    if (e) {
      if (e.length === 2) throw e[1];
      return e[0];
    }
    throw t.then((n) => Wc.set(t, [n]), (n) => Wc.set(t, [void 0, n])), t;
  },
  li = (t, e) => {
    let n = Yn.at(-1);
    if (!n) return t();
    let [, r] = n, o = r[Me][1][vx] ||= [], s = r[Me][0]++, i = o[s];
    return Yc(i?.[1], e) && (o[s] = [t(), e]), o[s][0];
  },
  Ox = 0,
  Ar = () => li(() => `:r${(Ox++).toString(32)}:`, []);
var is = "_hp",
  Ax = { Change: "Input", DoubleClick: "DblClick" },
  Bx = { svg: "2000/svg", math: "1998/Math/MathML" },
  Yn = [],
  os = new WeakMap(),
  ao,
  th = () => ao,
  _t = (t) => "t" in t,
  Xc = { onClick: ["click", !1] },
  Wl = (t) => {
    if (!t.startsWith("on")) return;
    if (Xc[t]) return Xc[t];
    let e = t.match(/^on([A-Z][a-zA-Z]+?(?:PointerCapture)?)(Capture)?$/);
    if (e) {
      let [, n, r] = e;
      return Xc[t] = [(Ax[n] || n).toLowerCase(), !!r];
    }
  },
  Yl = (t, e) =>
    ao && t instanceof SVGElement && /[A-Z]/.test(e) &&
      (e in t.style || e.match(/^(?:o|pai|str|u|ve)/))
      ? e.replace(/([A-Z])/g, "-$1").toLowerCase()
      : e,
  nh = (t) => t == null || t === !1 ? null : t,
  Nx = (t, e) => {
    "value" in e &&
      (t.value = nh(e.value), !t.multiple && t.selectedIndex === -1 && (t.selectedIndex = 0));
  },
  Zl = (t) => t instanceof DOMException && t.name === "InvalidCharacterError",
  Cx = (t, e, n) => {
    e ||= {};
    for (let r in e) {
      let o = e[r];
      if (r !== "children" && (!n || n[r] !== o)) {
        r = ui(r);
        let s = Wl(r);
        if (s) {
          if (n?.[r] !== o && (n && t.removeEventListener(s[0], n[r], s[1]), o != null)) {
            if (typeof o != "function") {
              throw new Error(`Event handler for "${r}" is not a function`);
            }
            t.addEventListener(s[0], o, s[1]);
          }
        } else if (r === "dangerouslySetInnerHTML" && o) t.innerHTML = o.__html;
        else if (r === "ref") {
          os.get(t)?.();
          let i;
          typeof o == "function"
            ? i = o(t) || (() => o(null))
            : o && "current" in o && (o.current = t, i = () => o.current = null), os.set(t, i);
        } else if (r === "style") {
          let i = t.style;
          typeof o == "string"
            ? i.cssText = o
            : (i.cssText = "", o != null && Vc(o, i.setProperty.bind(i)));
        } else {
          if (r === "value") {
            let a = t.nodeName;
            if (a === "SELECT") continue;
            if ((a === "INPUT" || a === "TEXTAREA") && (t.value = nh(o), a === "TEXTAREA")) {
              t.textContent = o;
              continue;
            }
          } else {(r === "checked" && t.nodeName === "INPUT" ||
              r === "selected" && t.nodeName === "OPTION") && (t[r] = o);}
          let i = Yl(t, r);
          try {
            o == null || o === !1
              ? t.removeAttribute(i)
              : o === !0
              ? t.setAttribute(i, "")
              : typeof o == "string" || typeof o == "number"
              ? t.setAttribute(i, o)
              : t.setAttribute(i, o.toString());
          } catch (a) {
            if (!Zl(a)) throw a;
          }
        }
      }
    }
    if (n) {
      for (let r in n) {
        let o = n[r];
        if (r !== "children" && !(r in e)) {
          r = ui(r);
          let s = Wl(r);
          if (s) t.removeEventListener(s[0], o, s[1]);
          else if (r === "ref") os.get(t)?.(), os.delete(t);
          else {try {
              t.removeAttribute(Yl(t, r));
            } catch (i) {
              if (!Zl(i)) throw i;
            }}
        }
      }
    }
  },
  Rx = (t, e) => {
    e[Me][0] = 0, Yn.push([t, e]);
    let n = e.tag[ai] || e.tag, r = n.defaultProps ? { ...n.defaultProps, ...e.props } : e.props;
    try {
      return [n.call(null, r)];
    } finally {
      Yn.pop();
    }
  },
  rh = (t, e, n, r, o) => {
    t.vR?.length && (r.push(...t.vR), delete t.vR),
      typeof t.tag == "function" && t[Me][1][1]?.forEach((s) => o.push(s)),
      t.vC.forEach((s) => {
        if (_t(s)) n.push(s);
        else if (typeof s.tag == "function" || s.tag === "") {
          s.c = e;
          let i = n.length;
          if (rh(s, e, n, r, o), s.s) {
            for (let a = i; a < n.length; a++) n[a].s = !0;
            s.s = !1;
          }
        } else n.push(s), s.vR?.length && (r.push(...s.vR), delete s.vR);
      });
  },
  Ix = (t) => {
    for (; t && (t.tag === is || !t.e);) t = t.tag === is || !t.vC?.[0] ? t.nN : t.vC[0];
    return t?.e;
  },
  oh = (t) => {
    if (!_t(t)) {
      let e = t[Me];
      e?.[1][1] && (e[1][1].forEach((n) => n[2]?.()), delete e[1][1]),
        os.get(t.e)?.(),
        t.p === 2 && t.vC?.forEach((n) => n.p = 2),
        t.vC?.forEach(oh);
    }
    t.p || (t.e?.remove(), delete t.e),
      typeof t.tag == "function" && (ss.delete(t), hi.delete(t), delete t[Me][3], t.a = !0);
  },
  Jc = (t, e, n) => {
    t.c = e, sh(t, e, n);
  },
  Xl = (t, e) => {
    if (e) { for (let n = 0, r = t.length; n < r; n++) if (t[n] === e) return n; }
  },
  Jl = Symbol(),
  sh = (t, e, n) => {
    let r = [], o = [], s = [];
    rh(t, e, r, o, s), o.forEach(oh);
    let i = n ? void 0 : e.childNodes, a, f = null;
    if (n) a = -1;
    else if (!i.length) a = 0;
    else {
      let d = Xl(i, Ix(t.nN));
      d !== void 0 ? (f = i[d], a = d) : a = Xl(i, r.find((u) => u.tag !== is && u.e)?.e) ?? -1,
        a === -1 && (n = !0);
    }
    for (let d = 0, u = r.length; d < u; d++, a++) {
      let l = r[d], h;
      if (l.s && l.e) h = l.e, l.s = !1;
      else {
        let p = n || !l.e;
        if (_t(l)) {
          l.e && l.d && (l.e.textContent = l.t), l.d = !1, h = l.e ||= document.createTextNode(l.t);
        } else {
          let m = !l.e;
          h = l.e ||= l.n ? document.createElementNS(l.n, l.tag) : document.createElement(l.tag),
            Cx(h, l.props, m ? void 0 : l.pP),
            sh(l, h, p),
            l.tag === "select" && Nx(h, l.props);
        }
      }
      l.tag === is ? a-- : n ? h.parentNode || e.appendChild(h) : i[a] !== h && i[a - 1] !== h &&
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
  Lx = (t, e) => !!(t && t.length === e.length && t.every((n, r) => n[1] === e[r][1])),
  Mx = (t) => {
    let e = new Map();
    for (let n of t) {
      let r = n.key;
      if (e.has(r)) return;
      e.set(r, n);
    }
    return e;
  },
  hi = new WeakMap(),
  pi = (t, e, n) => {
    let r = !n && e.pC;
    n && (e.pC ||= e.vC);
    let o;
    try {
      n ||= typeof e.tag == "function" ? Rx(t, e) : qc(e.props.children),
        n[0]?.tag === "" && n[0][kr] && (o = n[0][kr], t[5].push([t, o, e]));
      let s = r ? [...e.pC] : e.vC ? [...e.vC] : void 0, i = [], a, f = (s?.length || 0) * 2, d;
      for (let u = 0; u < n.length; u++) {
        if (Array.isArray(n[u])) {
          n.splice(u, 1, ...n[u].flat(1 / 0)), u--;
          continue;
        }
        let l = ih(n[u]);
        if (l) {
          typeof l.tag == "function" && !l.tag[ci] &&
            (io.length > 0 && (l[Me][2] = io.map((p) => [p, p.values.at(-1)])),
              t[5]?.length && (l[Me][3] = t[5].at(-1)));
          let h;
          if (d && l.key === void 0 && !_t(l) && (s = [...d.values()], d = void 0), d) {
            let p = l.key, m = d.get(p);
            m && (_t(l) ? _t(m) : m.tag === l.tag && m.key === p) && (h = m, d.delete(p));
          } else if (s && s.length) {
            let p = s[0];
            if (
              _t(l) ? _t(p) : !_t(p) &&
                (l.key !== void 0 ? p.key === l.key && p.tag === l.tag : p.tag === l.tag)
            ) h = s.shift();
            else {
              let m = s.findIndex(
                _t(l)
                  ? (g) => _t(g)
                  : l.key !== void 0
                  ? (g) => g.key === l.key && g.tag === l.tag
                  : (g) => g.tag === l.tag,
              );
              f -= m === -1 ? s.length : m,
                m !== -1 && (h = s[m], s.splice(m, 1)),
                f < 0 && (f = 1 / 0, d = Mx(s));
            }
          }
          if (h) {
            if (_t(l)) h.t !== l.t && (h.t = l.t, h.d = !0), l = h;
            else {
              let p = h.pP = h.props;
              if (h.props = l.props, h.f ||= l.f || e.f, typeof l.tag == "function") {
                let m = h[Me][2];
                h[Me][2] = l[Me][2] || [],
                  h[Me][3] = l[Me][3],
                  !h.f && ((h.o || h) === l.o || h.tag[fi]?.(p, h.props)) && Lx(m, h[Me][2]) &&
                  (h.s = !0);
              }
              l = h;
            }
          } else if (!_t(l) && ao) {
            let p = hn(ao);
            p && (l.n = p);
          }
          if (!_t(l) && !l.s && (pi(t, l), delete l.f), i.push(l), a && !a.s && !l.s) {
            for (let p = a; p && !_t(p); p = p.vC?.at(-1)) {
              p.nN = l;
            }
          }
          a = l;
        }
      }
      if (a && !a.s) { for (let u = a; u && !_t(u); u = u.vC?.at(-1)) u.nN = e.nN; }
      s = d ? [...d.values()] : s,
        e.vR = r ? [...e.vC, ...s || []] : s || [],
        e.vC = i,
        r && delete e.pC;
    } catch (s) {
      if (e.f = !0, s === Jl) {
        if (o) return;
        throw s;
      }
      let [i, a, f] = e[Me]?.[3] || [];
      if (a) {
        let d = () => rs([0, !1, t[2]], f), u = hi.get(f) || [];
        u.push(d), hi.set(f, u);
        let l = a(s, () => {
          let h = hi.get(f);
          if (h) {
            let p = h.indexOf(d);
            if (p !== -1) return h.splice(p, 1), d();
          }
        });
        if (l) {
          if (t[0] === 1) t[1] = !0;
          else if (
            pi(t, f, [l]), (a.length === 1 || t !== i) && f.c && !t[5].some(([, , h]) => h === f)
          ) {
            Jc(f, f.c, !1);
            return;
          }
          throw Jl;
        }
      }
      throw s;
    } finally {
      o && t[5].pop();
    }
  },
  ih = (t) => {
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
      ) t[Me] = [0, []];
      else {
        let e = Bx[t.tag];
        e &&
          (ao ||= Or(""),
            t.props.children = [{
              tag: ao,
              props: { value: t.n = `http://www.w3.org/${e}`, children: t.props.children },
            }]);
      }
      return t;
    }
  },
  ah = (t, e, n) => {
    t.c === e && (t.c = n, t.vC.forEach((r) => ah(r, e, n)));
  },
  Ql = (t, e) => {
    e[Me][2]?.forEach(([n, r]) => {
      n.values.push(r);
    });
    try {
      pi(t, e, void 0);
    } catch {
      return;
    }
    if (e.a) {
      delete e.a;
      return;
    }
    e[Me][2]?.forEach(([n]) => {
      n.values.pop();
    }), (t[0] !== 1 || !t[1]) && Jc(e, e.c, !1);
  },
  ss = new WeakMap(),
  eh = [],
  rs = async (t, e) => {
    t[5] ||= [];
    let n = ss.get(e);
    n && n[0](void 0);
    let r, o = new Promise((s) => r = s);
    if (
      ss.set(e, [r, () => {
        t[2]
          ? t[2](t, e, (s) => {
            Ql(s, e);
          }).then(() => r(e))
          : (Ql(t, e), r(e));
      }]), eh.length
    ) eh.at(-1).add(e);
    else {
      await Promise.resolve();
      let s = ss.get(e);
      s && (ss.delete(e), s[1]());
    }
    return o;
  },
  Hx = (t, e) => {
    let n = [];
    n[5] = [], n[4] = !0, pi(n, t, void 0), n[4] = !1;
    let r = document.createDocumentFragment();
    Jc(t, r, !0), ah(t, r, e), e.replaceChildren(r);
  },
  Qc = (t, e) => {
    Hx(ih({ tag: "", props: { children: t } }), e);
  };
var ef = (t, e, n) => ({ tag: is, props: { children: t }, key: n, e, p: 1 });
var fh = Or({ pending: !1, data: null, method: null, action: null }),
  ch = new Set(),
  dh = (t) => {
    ch.add(t);
    let e = () => {
      ch.delete(t);
    };
    t.then(e, e);
  };
var rf = Pc({
    button: () => xh,
    clearCache: () => Fx,
    composeRef: () => mi,
    form: () => wh,
    input: () => bh,
    link: () => ph,
    meta: () => mh,
    script: () => lh,
    style: () => hh,
    title: () => uh,
  }),
  Fx = () => {
    tf = Object.create(null), nf = Object.create(null);
  },
  mi = (t, e) =>
    li(() => (n) => {
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
  tf = Object.create(null),
  nf = Object.create(null),
  as = (t, e, n, r, o) => {
    if (e?.itemProp) return { tag: t, props: e, type: t, ref: e.ref };
    let s = document.head,
      { onLoad: i, onError: a, precedence: f, blocking: d, ...u } = e,
      l = null,
      h = !1,
      p = ns[t],
      m = zc(t, r),
      g = (_) =>
        _.getAttribute("rel") === "stylesheet" && _.getAttribute("data-precedence") !== null,
      w;
    if (m) {
      let _ = s.querySelectorAll(t);
      e: for (let v of _) {
        if (!(t === "link" && !g(v))) {
          for (let R of p) {
            if (v.getAttribute(R) === e[R]) {
              l = v;
              break e;
            }
          }
        }
      }
      if (!l) {
        let v = p.reduce((R, A) => e[A] === void 0 ? R : `${R}-${A}-${e[A]}`, t);
        h = !nf[v],
          l = nf[v] ||= (() => {
            let R = document.createElement(t);
            for (let A of p) e[A] !== void 0 && R.setAttribute(A, e[A]);
            return e.rel && R.setAttribute("rel", e.rel), R;
          })();
      }
    } else w = s.querySelectorAll(t);
    f = r ? f ?? "" : void 0, r && (u[di] = f);
    let b = pn((_) => {
        if (m) {
          if (t === "link" && f !== void 0) {
            let R = !1;
            for (let A of s.querySelectorAll(t)) {
              let I = A.getAttribute(di);
              if (I === null) {
                s.insertBefore(_, A);
                return;
              }
              if (R && I !== f) {
                s.insertBefore(_, A);
                return;
              }
              I === f && (R = !0);
            }
            s.appendChild(_);
            return;
          }
          let v = !1;
          for (let R of s.querySelectorAll(t)) {
            if (v && R.getAttribute("data-precedence") !== f) {
              s.insertBefore(_, R);
              return;
            }
            R.getAttribute("data-precedence") === f && (v = !0);
          }
          s.appendChild(_);
        } else if (t === "link") s.contains(_) || s.appendChild(_);
        else if (w) {
          let v = !1;
          for (let R of w) {
            if (R === _) {
              v = !0;
              break;
            }
          }
          v || s.insertBefore(_, s.contains(w[0]) ? w[0] : s.querySelector(t)), w = void 0;
        }
      }, [m, f, t]),
      x = mi(e.ref, (_) => {
        let v = p[0];
        if (n === 2 && (_.innerHTML = ""), (h || w) && b(_), !a && !i || !v) return;
        let R = tf[_.getAttribute(v)] ||= new Promise((A, I) => {
          _.addEventListener("load", A), _.addEventListener("error", I);
        });
        i && (R = R.then(i)), a && (R = R.catch(a)), R.catch(() => {});
      });
    if (o && d === "render") {
      let _ = ns[t][0];
      if (_ && e[_]) {
        let v = e[_],
          R = tf[v] ||= new Promise((A, I) => {
            b(l), l.addEventListener("load", A), l.addEventListener("error", I);
          });
        Zc(R);
      }
    }
    let y = { tag: t, type: t, props: { ...u, ref: x }, ref: x };
    return y.p = n, l && (y.e = l), ef(y, s);
  },
  uh = (t) => {
    let e = th();
    return (e && hn(e))?.endsWith("svg")
      ? { tag: "title", props: t, type: "title", ref: t.ref }
      : as("title", t, void 0, !1, !1);
  },
  lh = (t) =>
    !t || ["src", "async"].some((e) => !t[e])
      ? { tag: "script", props: t, type: "script", ref: t.ref }
      : as("script", t, 1, !1, !0),
  hh = (t) =>
    !t || !["href", "precedence"].every((e) => e in t)
      ? { tag: "style", props: t, type: "style", ref: t.ref }
      : (t["data-href"] = t.href, delete t.href, as("style", t, 2, !0, !0)),
  ph = (t) =>
    !t || ["onLoad", "onError"].some((e) => e in t) ||
      t.rel === "stylesheet" && (!("precedence" in t) || "disabled" in t)
      ? { tag: "link", props: t, type: "link", ref: t.ref }
      : as("link", t, 1, Uc(t), !0),
  mh = (t) => as("meta", t, void 0, !1, !1),
  gh = Symbol(),
  wh = (t) => {
    let { action: e, ...n } = t;
    typeof e != "function" && (n.action = e);
    let [r, o] = K([null, !1]),
      s = pn(async (d) => {
        let u = d.isTrusted ? e : d.detail[gh];
        if (typeof u != "function") return;
        d.preventDefault();
        let l = new FormData(d.target);
        o([l, !0]);
        try {
          let h = u(l);
          h instanceof Promise && (dh(h), await h);
        } finally {
          o([null, !0]);
        }
      }, []),
      i = mi(t.ref, (d) => (d.addEventListener("submit", s), () => {
        d.removeEventListener("submit", s);
      })),
      [a, f] = r;
    return r[1] = !1, {
      tag: fh,
      props: {
        value: { pending: a !== null, data: a, method: a ? "post" : null, action: a ? e : null },
        children: { tag: "form", props: { ...n, ref: i }, type: "form", ref: i },
      },
      f,
    };
  },
  yh = (t, { formAction: e, ...n }) => {
    if (typeof e == "function") {
      let r = pn((o) => {
        o.preventDefault(),
          o.currentTarget.form.dispatchEvent(new CustomEvent("submit", { detail: { [gh]: e } }));
      }, []);
      n.ref = mi(n.ref, (o) => (o.addEventListener("click", r), () => {
        o.removeEventListener("click", r);
      }));
    }
    return { tag: t, props: n, type: t, ref: n.ref };
  },
  bh = (t) => yh("input", t),
  xh = (t) => yh("button", t);
Object.assign(Dc, {
  title: uh,
  script: lh,
  style: hh,
  link: ph,
  meta: mh,
  form: wh,
  input: bh,
  button: xh,
});
var c = (
    t,
    e,
    n,
  ) => (typeof t == "string" && rf[t] && (t = rf[t]),
    { tag: t, type: t, props: e, key: n, ref: e.ref }),
  H = (t) => c("", t, void 0);
var of = ({ children: t, fallback: e, fallbackRender: n, onError: r }) => {
  let o = H({ children: t });
  return o[kr] = (s) => {
    if (s instanceof Promise) throw s;
    return r?.(s), n?.(s) || e;
  },
    o;
};
function ht(t) {
  return Math.floor(t.nowMs() / 1e3);
}
var Zn = {
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
function co(...t) {
  let e = new AbortController();
  for (let n of t) {
    let r = () => e.abort(n.reason);
    n.aborted ? r() : n.addEventListener("abort", r, { once: !0, signal: e.signal });
  }
  return e.signal;
}
function fo(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var gi = (t) => t ? `"${t}" ` : "";
function ut(t, e = "") {
  if (typeof t != "number") throw new TypeError(gi(e) + "expected number, got " + typeof t);
  if (!Number.isSafeInteger(t) || t < 0) {
    throw new RangeError(gi(e) + "expected integer >= 0, got " + t);
  }
  return t;
}
function vh(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(gi(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function xe(t, e, n = "") {
  if (fo(t) && (e === void 0 || t.length === e)) return t;
  e !== void 0 && ut(e, "length");
  let r = fo(t),
    o = e !== void 0 ? ` of length ${e}` : "",
    s = r ? `length=${t.length}` : `type=${typeof t}`,
    i = gi(n) + "expected Uint8Array" + o + ", got " + s;
  throw r ? new RangeError(i) : new TypeError(i);
}
function Br(t) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError("expected hash wrapped by utils.createHasher");
  }
  if (ut(t.outputLen), ut(t.blockLen), t.outputLen < 1 || t.blockLen < 1) {
    throw new Error("hash blockLen / outputLen must be >= 1");
  }
}
var $x = (t, e) => {
    if (t === null || typeof t != "object" || Array.isArray(t)) {
      throw new TypeError(
        (e === "object" ? "" : `"${e}" `) + "expected object, got type=" + typeof t,
      );
    }
  },
  _h = (t, e) => {
    $x(t, e);
    let n = Object.getPrototypeOf(t);
    if (n !== Object.prototype && n !== null) throw new TypeError(`"${e}" expected plain object`);
    if (Object.hasOwn(t, "__proto__")) throw new TypeError(`"${e}.__proto__" is not allowed`);
  };
function Hn(t, e = !0) {
  if (t.destroyed) throw new Error("hash was destroyed");
  if (e && t.finished) throw new Error("digest() was already called");
}
function uo(t, e) {
  xe(t, void 0, "output");
  let n = e.outputLen;
  if (!(t.length >= n)) throw new RangeError('"output" expected length >= ' + n);
}
function sf(t) {
  return new Uint32Array(t.buffer, t.byteOffset, Math.floor(t.byteLength / 4));
}
function At(...t) {
  for (let e = 0; e < t.length; e++) t[e].fill(0);
}
function wi(t) {
  return new DataView(t.buffer, t.byteOffset, t.byteLength);
}
function en(t, e) {
  return t << 32 - e | t >>> e;
}
var Sh = new Uint8Array(new Uint32Array([287454020]).buffer)[0] === 68;
function Px(t) {
  return t << 24 & 4278190080 | t << 8 & 16711680 | t >>> 8 & 65280 | t >>> 24 & 255;
}
function jx(t) {
  for (let e = 0; e < t.length; e++) t[e] = Px(t[e]);
  return t;
}
var af = Sh ? (t) => t : jx,
  Th = typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function",
  Dx = Array.from({ length: 256 }, (t, e) => e.toString(16).padStart(2, "0"));
function Xn(t) {
  if (xe(t), Th) return t.toHex();
  let e = "";
  for (let n = 0; n < t.length; n++) e += Dx[t[n]];
  return e;
}
function Eh(t) {
  return t >= 48 && t <= 57
    ? t - 48
    : t >= 65 && t <= 70
    ? t - 55
    : t >= 97 && t <= 102
    ? t - 87
    : void 0;
}
function lo(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  if (Th) {
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
    let i = Eh(t.charCodeAt(s)), a = Eh(t.charCodeAt(s + 1));
    if (i === void 0 || a === void 0) {
      let f = t[s] + t[s + 1];
      throw new RangeError('hex string expected, got non-hex character "' + f + '" at index ' + s);
    }
    r[o] = i * 16 + a;
  }
  return r;
}
function ho(...t) {
  let e = 0;
  for (let r = 0; r < t.length; r++) {
    let o = t[r];
    xe(o), e += o.length;
  }
  let n = new Uint8Array(e);
  for (let r = 0, o = 0; r < t.length; r++) {
    let s = t[r];
    n.set(s, o), o += s.length;
  }
  return n;
}
function cf(t, e, n = "opts") {
  return _h(t, "defaults"), e !== void 0 && _h(e, n), Object.assign(Object.create(null), t, e);
}
function po(t, e = {}) {
  if (typeof t != "function") {
    throw new TypeError('"hashCons" expected function, got type=' + typeof t);
  }
  e = cf({}, e, "info");
  let n = (o, s) => t(s).update(o).digest(), r = t(void 0);
  return n.outputLen = r.outputLen,
    n.blockLen = r.blockLen,
    n.canXOF = r.canXOF,
    n.create = (o) => t(o),
    Object.assign(n, e),
    Object.freeze(n);
}
function yi(t = 32) {
  ut(t, "bytesLength");
  let e = typeof globalThis == "object" ? globalThis.crypto : null;
  if (typeof e?.getRandomValues != "function") {
    throw new Error("crypto.getRandomValues must be defined");
  }
  if (t > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${t}`);
  return e.getRandomValues(new Uint8Array(t));
}
var Nr = (t) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, t]) });
var bi = Uint8Array;
function cs(t, e) {
  if (bi.prototype.toBase64) return bi.prototype.toBase64.call(t, { alphabet: e });
  let n = btoa(Array.from(t, (r) => String.fromCharCode(r)).join(""));
  return e === "base64" ? n : n.replaceAll("+", "-").replaceAll("/", "_");
}
function ff(t, e) {
  try {
    if (bi.fromBase64) return bi.fromBase64(t, { alphabet: e });
    let n = e === "base64" ? t : t.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(n), (r) => r.charCodeAt(0));
  } catch {
    return;
  }
}
var kh = [
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
  C = class extends Error {
    name = "CountersignError";
    code;
    constructor(e, n, r) {
      super(n, r), this.code = e;
    }
  };
function Ge(t, e) {
  return (n, r) => new C(t, `${e}: ${n}`, r);
}
function Lt(t, e) {
  return t instanceof C && t.code === e;
}
function Cr(t) {
  if (t instanceof C) return t;
  throw t;
}
function lt(t) {
  try {
    return t();
  } catch (e) {
    Cr(e);
    return;
  }
}
var T = 32,
  Oh = 2 ** 53,
  Ux = new TextEncoder(),
  zx = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 });
function ee(t) {
  return Ux.encode(t);
}
function Bt(t, e = "malformed_text") {
  try {
    return zx.decode(t);
  } catch (n) {
    throw new C(e, "Cannot read text: bytes are not UTF-8", { cause: n });
  }
}
function J(t) {
  return Xn(t);
}
function Oe(t) {
  return lo(t);
}
function He(t, e) {
  return t.length === e * 2 && /^[0-9a-f]*$/.test(t);
}
function Ue(t, e) {
  return He(t, e) ? Oe(t) : void 0;
}
function mo(t) {
  return cs(t, "base64");
}
function mn(t) {
  let e = ff(t, "base64");
  return e !== void 0 && mo(e) === t ? e : void 0;
}
function Ah(t) {
  return cs(t, "base64url").replaceAll("=", "");
}
function go(t) {
  let e = ff(t, "base64url"), n = e && cs(e, "base64url");
  return t === n || t === n?.replaceAll("=", "") ? e : void 0;
}
function me(...t) {
  let e = 0;
  for (let o of t) e += o.length;
  let n = new Uint8Array(e), r = 0;
  for (let o of t) n.set(o, r), r += o.length;
  return n;
}
var qx = 128;
function Fe(t, e) {
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
function wo(t) {
  let e = new Uint8Array(8);
  return new DataView(e.buffer).setBigUint64(0, BigInt(t)), e;
}
function Et(t) {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(t)) return;
  let e = Number(t);
  return Number.isSafeInteger(e) ? e : void 0;
}
function _e(t) {
  return Number.isSafeInteger(t) && t >= 0;
}
var xi = BigInt(4294967295), Bh = BigInt(32);
function Gx(t, e = !1) {
  return e
    ? { h: Number(t & xi), l: Number(t >> Bh & xi) }
    : { h: Number(t >> Bh & xi) | 0, l: Number(t & xi) | 0 };
}
function _i(t, e = !1) {
  let n = t.length, r = new Uint32Array(n), o = new Uint32Array(n);
  for (let s = 0; s < n; s++) {
    let { h: i, l: a } = Gx(t[s], e);
    [r[s], o[s]] = [i, a];
  }
  return [r, o];
}
var Vx = (t) => t / 2 ** 32 | 0, Kx = (t) => t >>> 0;
function Nh(t, e, n, r) {
  let o = Vx(n), s = Kx(n);
  t.setUint32(e, r ? s : o, r), t.setUint32(e + 4, r ? o : s, r);
}
var df = (t, e, n) => t >>> n,
  uf = (t, e, n) => t << 32 - n | e >>> n,
  Rr = (t, e, n) => t >>> n | e << 32 - n,
  Ir = (t, e, n) => t << 32 - n | e >>> n,
  fs = (t, e, n) => t << 64 - n | e >>> n - 32,
  ds = (t, e, n) => t >>> n - 32 | e << 64 - n;
function gn(t, e, n, r) {
  let o = (e >>> 0) + (r >>> 0);
  return { h: t + n + (o / 2 ** 32 | 0) | 0, l: o | 0 };
}
var Ch = (t, e, n) => (t >>> 0) + (e >>> 0) + (n >>> 0),
  Rh = (t, e, n, r) => e + n + r + (t / 2 ** 32 | 0) | 0,
  Ih = (t, e, n, r) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0),
  Lh = (t, e, n, r, o) => e + n + r + o + (t / 2 ** 32 | 0) | 0,
  Mh = (t, e, n, r, o) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0) + (o >>> 0),
  Hh = (t, e, n, r, o, s) => e + n + r + o + s + (t / 2 ** 32 | 0) | 0;
function Fh(t, e, n) {
  return t & e ^ ~t & n;
}
function $h(t, e, n) {
  return t & e ^ t & n ^ e & n;
}
var us = class {
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
        this.view = wi(this.buffer);
    }
    update(e) {
      Hn(this), xe(e);
      let { view: n, buffer: r, blockLen: o } = this, s = e.length, i = !1;
      for (let a = 0; a < s;) {
        let f = Math.min(o - this.pos, s - a);
        if (f === o) {
          let d = wi(e);
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
      Hn(this), uo(e, this), this.finished = !0;
      let { buffer: n, view: r, blockLen: o, isLE: s } = this, { pos: i } = this;
      n[i++] = 128,
        n.fill(0, i),
        this.padOffset > o - i && (this.process(r, 0), n.fill(0)),
        Nh(r, o - 8, this.length * 8, s),
        this.process(r, 0),
        this.roundClean();
      let a = e === n ? r : wi(e), f = this.outputLen, d = f / 4, u = this.get();
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
  Ph = Uint32Array.from([
    1779033703,
    3144134277,
    1013904242,
    2773480762,
    1359893119,
    2600822924,
    528734635,
    1541459225,
  ]);
var jh = Uint32Array.from([
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
  Dh = Uint32Array.from([
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
var Yx = Uint32Array.from([
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
  Jn = new Uint32Array(64),
  lf = class extends us {
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
      for (let l = 0; l < 16; l++, n += 4) Jn[l] = e.getUint32(n, !1);
      for (let l = 16; l < 64; l++) {
        let h = Jn[l - 15],
          p = Jn[l - 2],
          m = en(h, 7) ^ en(h, 18) ^ h >>> 3,
          g = en(p, 17) ^ en(p, 19) ^ p >>> 10;
        Jn[l] = g + Jn[l - 7] + m + Jn[l - 16] | 0;
      }
      let { A: r, B: o, C: s, D: i, E: a, F: f, G: d, H: u } = this;
      for (let l = 0; l < 64; l++) {
        let h = en(a, 6) ^ en(a, 11) ^ en(a, 25),
          p = u + h + Fh(a, f, d) + Yx[l] + Jn[l] | 0,
          g = (en(r, 2) ^ en(r, 13) ^ en(r, 22)) + $h(r, o, s) | 0;
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
      At(Jn);
    }
    destroy() {
      this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), At(this.buffer);
    }
  },
  hf = class extends lf {
    constructor() {
      super(32, Ph);
    }
  };
var Uh = _i(
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
  Zx = Uh[0],
  Xx = Uh[1],
  Qn = new Uint32Array(80),
  er = new Uint32Array(80),
  Ei = class extends us {
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
      for (let y = 0; y < 16; y++, n += 4) Qn[y] = e.getUint32(n), er[y] = e.getUint32(n += 4);
      for (let y = 16; y < 80; y++) {
        let _ = Qn[y - 15] | 0,
          v = er[y - 15] | 0,
          R = Rr(_, v, 1) ^ Rr(_, v, 8) ^ df(_, v, 7),
          A = Ir(_, v, 1) ^ Ir(_, v, 8) ^ uf(_, v, 7),
          I = Qn[y - 2] | 0,
          z = er[y - 2] | 0,
          ne = Rr(I, z, 19) ^ fs(I, z, 61) ^ df(I, z, 6),
          ae = Ir(I, z, 19) ^ ds(I, z, 61) ^ uf(I, z, 6),
          le = Ih(A, ae, er[y - 7], er[y - 16]),
          Ce = Lh(le, R, ne, Qn[y - 7], Qn[y - 16]);
        Qn[y] = Ce | 0, er[y] = le | 0;
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
        let _ = Rr(l, h, 14) ^ Rr(l, h, 18) ^ fs(l, h, 41),
          v = Ir(l, h, 14) ^ Ir(l, h, 18) ^ ds(l, h, 41),
          R = l & p ^ ~l & g,
          A = h & m ^ ~h & w,
          I = Mh(x, v, A, Xx[y], er[y]),
          z = Hh(I, b, _, R, Zx[y], Qn[y]),
          ne = I | 0,
          ae = Rr(r, o, 28) ^ fs(r, o, 34) ^ fs(r, o, 39),
          le = Ir(r, o, 28) ^ ds(r, o, 34) ^ ds(r, o, 39),
          Ce = r & s ^ r & a ^ s & a,
          W = o & i ^ o & f ^ i & f;
        b = g | 0,
          x = w | 0,
          g = p | 0,
          w = m | 0,
          p = l | 0,
          m = h | 0,
          { h: l, l: h } = gn(d | 0, u | 0, z | 0, ne | 0),
          d = a | 0,
          u = f | 0,
          a = s | 0,
          f = i | 0,
          s = r | 0,
          i = o | 0;
        let ce = Ch(ne, le, W);
        r = Rh(ce, z, ae, Ce), o = ce | 0;
      }
      ({ h: r, l: o } = gn(this.Ah | 0, this.Al | 0, r | 0, o | 0)),
        { h: s, l: i } = gn(this.Bh | 0, this.Bl | 0, s | 0, i | 0),
        { h: a, l: f } = gn(this.Ch | 0, this.Cl | 0, a | 0, f | 0),
        { h: d, l: u } = gn(this.Dh | 0, this.Dl | 0, d | 0, u | 0),
        { h: l, l: h } = gn(this.Eh | 0, this.El | 0, l | 0, h | 0),
        { h: p, l: m } = gn(this.Fh | 0, this.Fl | 0, p | 0, m | 0),
        { h: g, l: w } = gn(this.Gh | 0, this.Gl | 0, g | 0, w | 0),
        { h: b, l: x } = gn(this.Hh | 0, this.Hl | 0, b | 0, x | 0),
        this.set(r, o, s, i, a, f, d, u, l, h, p, m, g, w, b, x);
    }
    roundClean() {
      At(Qn, er);
    }
    destroy() {
      this.destroyed = !0,
        At(this.buffer),
        this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  },
  pf = class extends Ei {
    constructor() {
      super(64, Dh);
    }
  },
  mf = class extends Ei {
    constructor() {
      super(48, jh);
    }
  };
var tn = po(() => new hf(), Nr(1));
var ls = po(() => new pf(), Nr(3)), zh = po(() => new mf(), Nr(2));
function jt(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
var Ee = (t, e, n) => xe(t, e, n), wf = ut;
function tr(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function Lr(t, e) {
  if (typeof t != "function") {
    throw new TypeError(`"${e}" is invalid: expected function, got ${typeof t}`);
  }
  return t;
}
var Mr = Xn,
  it = (...t) => ho(...t),
  Hr = (t) => lo(t),
  wn = fo,
  Fn = (t) => yi(t),
  vi = BigInt(0),
  gf = BigInt(1),
  Jx = (t) => t ? `"${t}" ` : "";
function Mt(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(Jx(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function Qx(t) {
  if (typeof t == "bigint") {
    if (!nr(t)) {
      throw new RangeError("positive bigint expected, got " + t);
    }
  } else wf(t);
  return t;
}
function Ve(t, e = "") {
  if (typeof t != "number") {
    let n = e && `"${e}" `;
    throw new TypeError(n + "expected number, got type=" + typeof t);
  }
  if (!Number.isSafeInteger(t)) {
    let n = e && `"${e}" `;
    throw new RangeError(n + "expected safe integer, got " + t);
  }
}
function qh(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  return t === "" ? vi : BigInt("0x" + t);
}
function Dt(t) {
  return qh(Xn(t));
}
function yn(t) {
  return qh(Xn(xn(xe(t)).reverse()));
}
function bn(t, e) {
  if (ut(e), e === 0) throw new Error("zero output length is invalid");
  t = Qx(t);
  let n = e * 2, r = t.toString(16);
  if (r.length > n) throw new RangeError("number is too large");
  return lo(r.padStart(n, "0"));
}
function yf(t, e) {
  return bn(t, e).reverse();
}
function xn(t) {
  return Uint8Array.from(Ee(t));
}
function Si(t) {
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
function nr(t) {
  return typeof t == "bigint" && vi <= t;
}
function bf(t, e, n) {
  return nr(t) && nr(e) && nr(n) && e <= t && t < n;
}
function Fr(t, e, n, r) {
  if (!bf(e, n, r)) {
    throw new RangeError("expected valid " + t + ": " + n + " <= n < " + r + ", got " + e);
  }
}
function Kt(t) {
  if (t < vi) throw new Error("expected non-negative bigint, got " + t);
  return t === vi ? 0 : t.toString(2).length;
}
function Gh(t, e) {
  if (typeof t != "bigint") throw new TypeError('"n" expected bigint, got type=' + typeof t);
  return Ve(e, "pos"), t >> BigInt(e) & gf;
}
var Ti = (t) => (Ve(t, "n"), (gf << BigInt(t)) - gf);
function Ke(t, e = {}, n = {}, r = "object") {
  tr(t, r), tr(e, "fields"), tr(n, "optFields");
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
var nn = () => {
  throw new Error("not implemented");
};
var tt = BigInt(0),
  Be = BigInt(1),
  $r = BigInt(2),
  Wh = BigInt(3),
  Oi = BigInt(4),
  Yh = BigInt(5),
  e1 = BigInt(7),
  Zh = BigInt(8),
  t1 = BigInt(9),
  Xh = BigInt(15),
  Jh = BigInt(16),
  Qh = BigInt("0x10000000000000000");
function Qe(t, e) {
  if (e <= tt) throw new Error("mod: expected positive modulus, got " + e);
  let n = t % e;
  return n >= tt ? n : e + n;
}
function n1(t, e, n) {
  if (n <= Be) throw new Error("pow: expected modulus > 1, got " + n);
  if (typeof e != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof e);
  }
  if (e < tt) throw new Error("invalid exponent, negatives unsupported");
  if (e === tt) return Be;
  if (e === Be) return t;
  let r = t % n;
  if (r < tt && (r += n), e < Qh) {
    let a = Be;
    for (; e > tt;) e & Be && (a = a * r % n), r = r * r % n, e >>= Be;
    return a;
  }
  let o = [];
  for (; e > tt;) o.push(Number(e & Xh)), e >>= Oi;
  let s = new Array(16);
  s[0] = Be, s[1] = r;
  for (let a = 2; a < 16; a++) s[a] = s[a - 1] * r % n;
  let i = s[o[o.length - 1]];
  for (let a = o.length - 2; a >= 0; a--) {
    i = i * i % n, i = i * i % n, i = i * i % n, i = i * i % n;
    let f = o[a];
    f !== 0 && (i = i * s[f] % n);
  }
  return i;
}
function rn(t, e, n) {
  if (n <= Be) throw new Error("pow2: expected modulus > 1, got " + n);
  if (e < tt) throw new Error("pow2: expected non-negative exponent, got " + e);
  let r = t;
  for (; e-- > tt;) r *= r, r %= n;
  return r;
}
function Vh(t, e) {
  if (t === tt) throw new Error("invert: expected non-zero number");
  if (e <= Be) throw new Error("invert: expected modulus > 1, got " + e);
  let n = Qe(t, e), r = e, o = tt, s = Be;
  for (; n !== tt;) {
    let a = r / n, f = r - n * a, d = o - s * a;
    r = n, n = f, o = s, s = d;
  }
  if (r !== Be) throw new Error("invert: does not exist");
  return Qe(o, e);
}
function xf(t, e, n) {
  let r = t;
  if (!r.eql(r.sqr(e), n)) throw new Error("Cannot find square root");
}
function _f(t, e) {
  if ((t & Be) === tt) throw new Error(e + ": expected odd modulus, got " + t);
}
function ep(t, e) {
  let n = t, r = (n.ORDER + Be) / Oi, o = n.pow(e, r);
  return xf(n, o, e), o;
}
function r1(t, e) {
  let n = t,
    r = (n.ORDER - Yh) / Zh,
    o = n.mul(e, $r),
    s = n.pow(o, r),
    i = n.mul(e, s),
    a = n.mul(n.mul(i, $r), s),
    f = n.mul(i, n.sub(a, n.ONE));
  return xf(n, f, e), f;
}
function o1(t) {
  let e = rr(t),
    n = tp(t),
    r = n(e, e.neg(e.ONE)),
    o = n(e, r),
    s = n(e, e.neg(r)),
    i = (t + e1) / Jh;
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
    return xf(d, b, f), b;
  };
}
function tp(t) {
  if (t < Wh) throw new Error("sqrt is not defined for small field");
  _f(t, "tonelliShanks");
  let e = t - Be, n = 0;
  for (; e % $r === tt;) e /= $r, n++;
  let r = $r, o = rr(t);
  for (; $n(o, r) === 1;) {
    if (r++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
  }
  if (n === 1) return ep;
  let s = o.pow(r, e), i = (e + Be) / $r;
  return function (f, d) {
    let u = f;
    if (u.is0(d)) return d;
    if ($n(u, d) !== 1) throw new Error("Cannot find square root");
    let l = n, h = u.mul(u.ONE, s), p = u.pow(d, e), m = u.pow(d, i);
    for (; !u.eql(p, u.ONE);) {
      if (u.is0(p)) throw new Error("Cannot find square root: probably non-prime P");
      let g = 1, w = u.sqr(p);
      for (; !u.eql(w, u.ONE);) {
        if (g++, w = u.sqr(w), g === l) throw new Error("Cannot find square root");
      }
      let b = Be << BigInt(l - g - 1), x = u.pow(h, b);
      l = g, h = u.sqr(x), p = u.mul(p, h), m = u.mul(m, x);
    }
    return m;
  };
}
function s1(t) {
  return _f(t, "Fp.sqrt"), t % Oi === Wh ? ep : t % Zh === Yh ? r1 : t % Jh === t1 ? o1(t) : tp(t);
}
var np = (t, e) => (Qe(t, e) & Be) === Be,
  i1 = [
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
function Ht(t) {
  if (tr(t, "field"), typeof t.ORDER != "bigint") {
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof t.ORDER);
  }
  Ve(t.BYTES, "BYTES"), Ve(t.BITS, "BITS");
  for (let e of i1) Lr(t[e], "field." + e);
  if (t.BYTES < 1 || t.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
  if (t.ORDER <= Be) throw new Error("invalid field: expected ORDER > 1, got " + t.ORDER);
  return t;
}
function Ai(t, e, n) {
  Ht(t);
  let r = t;
  if (typeof n != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof n);
  }
  if (n < tt) throw new Error("invalid exponent, negatives unsupported");
  if (n === tt) return r.ONE;
  if (n === Be) return e;
  if (n < Qh) {
    let a = r.ONE, f = e;
    for (; n > tt;) n & Be && (a = r.mul(a, f)), f = r.sqr(f), n >>= Be;
    return a;
  }
  let o = [];
  for (; n > tt;) o.push(Number(n & Xh)), n >>= Oi;
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
function on(t, e, n = !1) {
  Ht(t), jt(e, "nums"), Mt(n, "passZero");
  let r = t,
    o = new Array(e.length).fill(n ? r.ZERO : void 0),
    s = e.reduce((a, f, d) => r.is0(f) ? a : (o[d] = a, r.mul(a, f)), r.ONE),
    i = r.inv(s);
  return e.reduceRight((a, f, d) => r.is0(f) ? a : (o[d] = r.mul(a, o[d]), r.mul(a, f)), i), o;
}
function $n(t, e) {
  Ht(t);
  let n = t;
  _f(n.ORDER, "FpLegendre");
  let r = (n.ORDER - Be) / $r,
    o = n.pow(e, r),
    s = n.eql(o, n.ONE),
    i = n.eql(o, n.ZERO),
    a = n.eql(o, n.neg(n.ONE));
  if (!s && !i && !a) throw new Error("invalid Legendre symbol result");
  return s ? 1 : i ? 0 : -1;
}
function Ef(t, e) {
  return $n(t, e) !== -1;
}
function a1(t, e) {
  if (e !== void 0 && wf(e), t <= tt) {
    throw new Error("invalid n length: expected positive n, got " + t);
  }
  if (e !== void 0 && e < 1) {
    throw new Error("invalid n length: expected positive bit length, got " + e);
  }
  let n = Kt(t);
  if (e !== void 0 && e < n) {
    throw new Error(`invalid n length: expected nBitLength (${e}) >= bitLen(n) (${n})`);
  }
  let r = e !== void 0 ? e : n, o = Math.ceil(r / 8);
  return { nBitLength: r, nByteLength: o };
}
var Kh = new WeakMap(),
  ki = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO = tt;
    ONE = Be;
    _lengths;
    _mod;
    constructor(e, n = {}) {
      if (e <= Be) throw new Error("invalid field: expected ORDER > 1, got " + e);
      let r;
      this.isLE = !1,
        n != null && typeof n == "object" &&
        (typeof n.BITS == "number" && (r = n.BITS),
          typeof n.sqrt == "function" &&
          Object.defineProperty(this, "sqrt", { value: n.sqrt, enumerable: !0 }),
          typeof n.isLE == "boolean" && (this.isLE = n.isLE),
          n.allowedLengths && (this._lengths = Object.freeze(n.allowedLengths.slice())),
          typeof n.modFromBytes == "boolean" && (this._mod = n.modFromBytes));
      let { nBitLength: o, nByteLength: s } = a1(e, r);
      if (s > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
      this.ORDER = e, this.BITS = o, this.BYTES = s, Object.freeze(this);
    }
    create(e) {
      return Qe(e, this.ORDER);
    }
    isValid(e) {
      if (typeof e != "bigint") {
        throw new TypeError("invalid field element: expected bigint, got " + typeof e);
      }
      return tt <= e && e < this.ORDER;
    }
    is0(e) {
      return e === tt;
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    isOdd(e) {
      return (e & Be) === Be;
    }
    neg(e) {
      return Qe(-e, this.ORDER);
    }
    eql(e, n) {
      return e === n;
    }
    sqr(e) {
      return Qe(e * e, this.ORDER);
    }
    add(e, n) {
      return Qe(e + n, this.ORDER);
    }
    sub(e, n) {
      return Qe(e - n, this.ORDER);
    }
    mul(e, n) {
      return Qe(e * n, this.ORDER);
    }
    pow(e, n) {
      return n1(e, n, this.ORDER);
    }
    div(e, n) {
      return Qe(e * Vh(n, this.ORDER), this.ORDER);
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
      return Vh(e, this.ORDER);
    }
    sqrt(e) {
      let n = Kh.get(this);
      return n || Kh.set(this, n = s1(this.ORDER)), n(this, e);
    }
    toBytes(e) {
      return this.isLE ? yf(e, this.BYTES) : bn(e, this.BYTES);
    }
    fromBytes(e, n = !1) {
      Ee(e);
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
      let f = s ? yn(e) : Dt(e);
      if (a && (f = Qe(f, i)), !n && !this.isValid(f)) {
        throw new Error("invalid field element: outside of range 0..ORDER");
      }
      return f;
    }
    invertBatch(e) {
      return on(this, e, !0);
    }
    cmov(e, n, r) {
      return Mt(r, "condition"), r ? n : e;
    }
  };
function rr(t, e = {}) {
  return Object.freeze(ki.prototype), new ki(t, e);
}
function rp(t) {
  if (typeof t != "bigint") throw new Error("field order must be bigint");
  if (t <= Be) throw new Error("field order must be greater than 1");
  let e = Kt(t - Be);
  return Math.ceil(e / 8);
}
function vf(t) {
  let e = rp(t);
  return e + Math.ceil(e / 2);
}
function op(t, e, n = !1) {
  Ee(t);
  let r = t.length, o = rp(e), s = Math.max(vf(e), 16);
  if (r < s || r > 1024) throw new Error("expected " + s + "-1024 bytes of input, got " + r);
  let i = n ? yn(t) : Dt(t), a = Qe(i, e - Be) + Be;
  return n ? yf(a, o) : bn(a, o);
}
var kf = BigInt(0), hs = BigInt(1), f1 = BigInt(4), Sf = 16, sp = 128, d1 = 5, ip = 2 ** 31;
function or(t) {
  let e = t;
  if (typeof e != "function") {
    throw new TypeError('"Point" expected constructor, got type=' + typeof t);
  }
  Lr(e.fromAffine, "Point.fromAffine"),
    Lr(e.fromBytes, "Point.fromBytes"),
    Lr(e.fromHex, "Point.fromHex"),
    tr(e.BASE, "Point.BASE"),
    tr(e.ZERO, "Point.ZERO"),
    Ht(e.Fp),
    Ht(e.Fn);
}
function Bi(t, e) {
  or(t), fp(e, t);
  let n = on(t.Fp, e.map((r) => r.Z));
  return e.map((r, o) => t.fromAffine(r.toAffine(n[o])));
}
function u1(t, e, n = 1) {
  if (!Number.isSafeInteger(t) || t < n || t > e) {
    throw new Error("invalid window size, expected [" + n + ".." + e + "], got W=" + t);
  }
}
function l1(t, e) {
  let n = t * (4 * e + 128);
  if (n > ip) {
    throw new Error(
      "invalid window size: table would need ~" + Math.ceil(n / 2 ** 20) + " MiB, max " +
        ip / 2 ** 20 + " MiB",
    );
  }
}
function cp(t, e) {
  if (t !== void 0) {
    Lr(t, "randomBytes");
    try {
      let n = t(e);
      if (!wn(n) || n.length !== e) return;
    } catch {
      return;
    }
    return t;
  }
}
function fp(t, e) {
  jt(t, "points"),
    t.forEach((n, r) => {
      if (!(n instanceof e)) throw new Error("invalid point at index " + r);
    });
}
function h1(t, e, n) {
  if (!Array.isArray(t)) throw new Error("array of scalars expected");
  t.forEach((r, o) => {
    if (!(n === void 0 ? e.isValid(r) : nr(r) && r < n)) {
      throw new Error("invalid scalar at index " + o);
    }
  });
}
var dp = new WeakMap();
function Tf(t) {
  return dp.get(t) || 1;
}
function p1(t, e) {
  let n = t.double(), r = [t];
  for (let o = 1; o < e; o++) r.push(r[o - 1].add(n));
  return r;
}
function m1(t, e) {
  let n = 2 ** e, r = n / 2, o = BigInt(n - 1), s = [];
  for (; t > kf;) {
    let i = 0;
    t & hs && (i = Number(t & o), i >= r && (i -= n), t -= BigInt(i)), s.push(i), t >>= hs;
  }
  return s;
}
function g1(t, e, n) {
  let r = 2 ** e, o = r / 2, s = BigInt(r - 1), i = BigInt(e), a = [];
  for (let f = 0; f < n; f++) {
    let d = Number(t & s);
    t >>= i, d > o && (d -= r, t += hs), a.push(d);
  }
  if (t !== kf) throw new Error("invalid wnaf");
  return a;
}
function w1(t, e, n) {
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
var yo = class {
  Point;
  BASE;
  ZERO;
  randomBytes;
  wnafPrecomputes = new WeakMap();
  baseCanBeBlinded;
  bits;
  constructor(e, n) {
    or(e),
      this.randomBytes = cp(n, Sf),
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
      a = g1(n, r, o),
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
    if (this.assertPoint(e), !bf(n, hs, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
  }
  runCT(e, n, r, o) {
    let s = Tf(e);
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
    let o = this.Point.Fn.BITS + sp, s = this.randomBytes(Sf);
    if (!wn(s) || s.length !== Sf) throw new Error("randomBytes returned invalid byte array");
    s[0] = s[0] & 63 | 128;
    let i = n + Dt(s) * this.Point.Fn.ORDER;
    return this.runCT(e, i, o, r);
  }
  fixedWindowCT(e, n, r) {
    let o = d1, s = 1 << o, i = Ti(o), a = new Array(s);
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
      : n === hs
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
    if (this.assertPoint(e), !nr(n)) throw new Error("invalid scalar");
    let o = Tf(e);
    if (o === 1 || n >= this.Point.Fn.ORDER) return Ni(this.Point, [e], [n], !0);
    let s = this.getWnafPrecomputes(o, e, this.bits, r);
    return this.wnafCachedCT(s, n).p;
  }
  setWindowSize(e, n) {
    this.assertPoint(e), u1(n, this.bits);
    let r = Math.ceil((this.bits + sp) / n) + 1;
    l1(r * 2 ** (n - 1), this.Point.Fp.BYTES), dp.set(e, n), this.wnafPrecomputes.delete(e);
  }
  hasWindowSize(e) {
    return Tf(e) !== 1;
  }
};
function Ni(t, e, n, r = !1) {
  if (
    or(t),
      fp(e, t),
      Mt(r, "allowOversized"),
      h1(n, t.Fn, r ? t.Fn.ORDER ** f1 : void 0),
      e.length !== n.length
  ) throw new Error("arrays of points and scalars must have equal length");
  let o = e.map((i) => p1(i, 4)), s = n.map((i) => m1(i, 4));
  return w1(t.ZERO, o, s);
}
function ap(t, e, n) {
  if (e) {
    if (e.ORDER !== t) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
    return Ht(e), e;
  } else return rr(t, { isLE: n });
}
function Ci(t, e, n = {}, r) {
  if (t !== "weierstrass" && t !== "edwards") {
    throw new Error('expected curve type "weierstrass" or "edwards"');
  }
  if (r === void 0 && (r = t === "edwards"), !e || typeof e != "object") {
    throw new Error(`expected valid ${t} CURVE object`);
  }
  Ke(n);
  for (let f of ["p", "n", "h"]) {
    let d = e[f];
    if (!(nr(d) && d !== kf)) throw new Error(`CURVE.${f} must be positive bigint`);
  }
  let o = ap(e.p, n.Fp, r),
    s = ap(e.n, n.Fn, r),
    a = ["Gx", "Gy", "a", t === "weierstrass" ? "b" : "d"];
  for (let f of a) {
    if (!o.isValid(e[f])) throw new Error(`CURVE.${f} must be valid field element of CURVE.Fp`);
  }
  return e = Object.freeze(Object.assign({}, e)), { CURVE: e, Fp: o, Fn: s };
}
function Of(t, e) {
  return function (r) {
    let o = t(r);
    return { secretKey: o, publicKey: e(o) };
  };
}
var up = BigInt(0), _n = BigInt(1), sr = BigInt(2), lp = BigInt(3), hp = BigInt(4), y1 = Dt;
function Pr(t, e) {
  if (Ve(t), Ve(e), e < 0 || e > 4) throw new Error("invalid I2OSP length: " + e);
  if (t < 0 || t > 2 ** (8 * e) - 1) throw new Error("invalid I2OSP input: " + t);
  let n = Array.from({ length: e }).fill(0);
  for (let r = e - 1; r >= 0; r--) n[r] = t & 255, t >>>= 8;
  return new Uint8Array(n);
}
function b1(t, e) {
  let n = new Uint8Array(t.length);
  for (let r = 0; r < t.length; r++) n[r] = t[r] ^ e[r];
  return n;
}
function pp(t) {
  if (!wn(t) && typeof t != "string") throw new Error("DST must be Uint8Array or ascii string");
  let e = typeof t == "string" ? Si(t) : t;
  if (e.length === 0) throw new Error("DST must be non-empty");
  return e;
}
function x1(t, e, n, r) {
  if (Ee(t), Ve(n), typeof r != "function") {
    throw new Error("expand_message_xmd: expected hash function");
  }
  Ve(r.outputLen, "hash.outputLen"),
    Ve(r.blockLen, "hash.blockLen"),
    e = pp(e),
    e.length > 255 && (e = r(it(Si("H2C-OVERSIZE-DST-"), e)));
  let { outputLen: o, blockLen: s } = r, i = Math.ceil(n / o);
  if (n > 65535 || i > 255) throw new Error("expand_message_xmd: invalid lenInBytes");
  let a = it(e, Pr(e.length, 1)),
    f = new Uint8Array(s),
    d = Pr(n, 2),
    u = new Array(i),
    l = r(it(f, t, d, Pr(0, 1), a));
  u[0] = r(it(l, Pr(1, 1), a));
  for (let p = 1; p < i; p++) {
    let m = [b1(l, u[p - 1]), Pr(p + 1, 1), a];
    u[p] = r(it(...m));
  }
  return it(...u).slice(0, n);
}
function _1(t, e, n, r, o) {
  if (Ee(t), Ve(n), Ve(r, "k"), r < 0) throw new Error("expand_message_xof: invalid k");
  if (typeof o != "function") throw new Error("expand_message_xof: expected XOF function");
  if (typeof o.create != "function") throw new Error("expand_message_xof: expected XOF create");
  if (e = pp(e), n < 0 || n > 65535) throw new Error("expand_message_xof: invalid lenInBytes");
  if (e.length > 255) {
    let s = Math.ceil(2 * r / 8);
    e = o.create({ dkLen: s }).update(Si("H2C-OVERSIZE-DST-")).update(e).digest();
  }
  if (e.length > 255) throw new Error("expand_message_xof: invalid DST");
  return o.create({ dkLen: n }).update(t).update(Pr(n, 2)).update(e).update(Pr(e.length, 1))
    .digest();
}
function Af(t, e, n) {
  Ke(n, { p: "bigint", m: "number", k: "number", hash: "function" });
  let { p: r, k: o, m: s, hash: i, expand: a, DST: f } = n;
  if (Ve(i.outputLen, "valid hash"), Ee(t), Ve(e), Ve(s, "m"), Ve(o, "k"), r <= BigInt(1)) {
    throw new Error("hash_to_field: expected valid field characteristic");
  }
  if (e < 1) throw new Error("hash_to_field: expected count >= 1");
  if (s < 1) throw new Error("hash_to_field: expected m >= 1");
  if (o < 0) throw new Error("hash_to_field: invalid k");
  let d = r.toString(2).length, u = Math.ceil((d + o) / 8), l = e * s * u, h;
  if (a === "xmd") h = x1(t, f, l, i);
  else if (a === "xof") h = _1(t, f, l, o, i);
  else if (a === "_internal_pass") h = t;
  else throw new Error('expand must be "xmd" or "xof"');
  let p = new Array(e);
  for (let m = 0; m < e; m++) {
    let g = new Array(s);
    for (let w = 0; w < s; w++) {
      let b = u * (w + m * s), x = h.subarray(b, b + u);
      g[w] = Qe(y1(x), r);
    }
    p[m] = g;
  }
  return p;
}
function Bf(t, e) {
  Ht(t), jt(e, "map");
  let n = e.map((r, o) => {
    if (jt(r, "map[" + o + "]"), r.length < 1) {
      throw new Error("isogenyMap: expected non-empty coefficients");
    }
    return Array.from(r).reverse();
  });
  return (r, o) => {
    let [s, i, a, f] = n.map((h) => h.reduce((p, m) => t.add(t.mul(p, r), m))),
      d = t.is0(i) || t.is0(f),
      [u, l] = on(t, [i, f], !0);
    return r = t.mul(s, u),
      o = t.mul(o, t.mul(a, l)),
      d ? { x: t.ZERO, y: t.ZERO } : { x: r, y: o };
  };
}
var E1 = "HashToScalar-";
function Nf(t, e, n) {
  if (typeof e != "function") throw new Error("mapToCurve() must be defined");
  Ke(n);
  let r = (f) =>
      Object.freeze({
        ...f,
        DST: wn(f.DST) ? xn(f.DST) : f.DST,
        ...f.encodeDST === void 0
          ? {}
          : { encodeDST: wn(f.encodeDST) ? xn(f.encodeDST) : f.encodeDST },
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
      let u = Object.assign({}, o, s(d)), l = Af(f, 2, u), h = i(l[0]), p = i(l[1]);
      return a(h.add(p));
    },
    encodeToCurve(f, d) {
      let u = o.encodeDST === void 0 ? {} : { DST: o.encodeDST },
        l = Object.assign({}, o, u, s(d)),
        h = Af(f, 1, l),
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
      let u = t.Fn.ORDER, l = Object.assign({}, o, { DST: E1 }, s(d), { p: u, m: 1 });
      return Af(f, 1, l)[0][0];
    },
  });
}
function v1(t, e) {
  let n = Ht(t), r = n.ORDER, o = up;
  for (let g = r - _n; g % sr === up; g /= sr) o += _n;
  let s = o,
    i = sr << s - _n - _n,
    a = i * sr,
    f = (r - _n) / a,
    d = (f - _n) / sr,
    u = a - _n,
    l = i,
    h = n.pow(e, f),
    p = n.pow(e, (f + _n) / sr),
    m = (g, w) => {
      let b = h, x = n.pow(w, u), y = n.sqr(x);
      y = n.mul(y, w);
      let _ = n.mul(g, y);
      _ = n.pow(_, d), _ = n.mul(_, x), x = n.mul(_, w), y = n.mul(_, g);
      let v = n.mul(y, x);
      _ = n.pow(v, l);
      let R = n.eql(_, n.ONE);
      x = n.mul(y, p), _ = n.mul(v, b), y = n.cmov(x, y, R), v = n.cmov(_, v, R);
      for (let A = s; A > _n; A--) {
        let I = A - sr;
        I = sr << I - _n;
        let z = n.pow(v, I), ne = n.eql(z, n.ONE);
        x = n.mul(y, b),
          b = n.mul(b, b),
          z = n.mul(v, b),
          y = n.cmov(x, y, ne),
          v = n.cmov(z, v, ne);
      }
      return { isValid: !n.is0(w) && (R || n.is0(g)), value: y };
    };
  if (n.ORDER % hp === lp) {
    let g = (n.ORDER - lp) / hp, w = n.sqrt(n.neg(e));
    m = (b, x) => {
      let y = n.sqr(x), _ = n.mul(b, x);
      y = n.mul(y, _);
      let v = n.pow(y, g);
      v = n.mul(v, _);
      let R = n.mul(v, w), A = n.mul(n.sqr(v), x), I = n.eql(A, b), z = n.cmov(R, v, I);
      return { isValid: !n.is0(x) && I, value: z };
    };
  }
  return m;
}
function Cf(t, e) {
  let n = Ht(t);
  Ke(e, {}, {}, "opts");
  let { A: r, B: o, Z: s } = e;
  if (!n.isValidNot0(r) || !n.isValidNot0(o) || !n.isValid(s)) {
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  }
  if (n.eql(s, n.neg(n.ONE)) || Ef(n, s)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let i = n.mul(o, n.inv(n.mul(s, r))), a = n.add(n.add(n.mul(n.sqr(i), i), n.mul(r, i)), o);
  if (!Ef(n, a)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let f = v1(n, s);
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
    let v = on(n, [p], !0)[0];
    return w = n.mul(w, v), { x: w, y: b };
  };
}
var Ri = class {
    oHash;
    iHash;
    blockLen;
    outputLen;
    canXOF = !1;
    finished = !1;
    destroyed = !1;
    constructor(e, n) {
      if (
        Br(e), xe(n, void 0, "key"), this.iHash = e.create(), typeof this.iHash.update != "function"
      ) throw new Error("expected Hash instance");
      this.blockLen = this.iHash.blockLen, this.outputLen = this.iHash.outputLen;
      let r = this.blockLen, o = new Uint8Array(r);
      o.set(n.length > r ? e.create().update(n).digest() : n);
      for (let s = 0; s < o.length; s++) o[s] ^= 54;
      this.iHash.update(o), this.oHash = e.create();
      for (let s = 0; s < o.length; s++) o[s] ^= 106;
      this.oHash.update(o), At(o);
    }
    update(e) {
      return Hn(this), this.iHash.update(e), this;
    }
    digestInto(e) {
      Hn(this), uo(e, this), this.finished = !0;
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
  Rf = (() => {
    let t = (e, n, r) => new Ri(e, n).update(r).digest();
    return t.create = (e, n) => new Ri(e, n), t;
  })();
var mp = (t, e) => (t + (t >= 0 ? e : -e) / T1) / e;
function S1(t, e, n) {
  Fr("scalar", t, bo, n);
  let [[r, o], [s, i]] = e,
    a = mp(i * t, n),
    f = mp(-o * t, n),
    d = t - a * r - f * s,
    u = -a * o - f * i,
    l = d < bo,
    h = u < bo;
  l && (d = -d), h && (u = -u);
  let p = Ti(Math.ceil(Kt(n) / 2)) + ps;
  if (d < bo || d >= p || u < bo || u >= p) {
    throw new Error("splitScalar (endomorphism): failed for k");
  }
  return { k1neg: l, k1: d, k2neg: h, k2: u };
}
var bo = BigInt(0), ps = BigInt(1), T1 = BigInt(2), If = BigInt(3), k1 = BigInt(4);
function Lf(t, e = {}) {
  let n = Ci("weierstrass", t, e), r = n.Fp, o = n.Fn, s = n.CURVE, { h: i, n: a } = s;
  Ke(e, {}, {
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
    m = e.randomBytes === void 0 ? Fn : e.randomBytes;
  if (f && (!r.is0(s.a) || typeof f.beta != "bigint" || !Array.isArray(f.basises))) {
    throw new Error('invalid endo: expected "beta": bigint and "basises": array');
  }
  let g = f ? { beta: f.beta, basises: f.basises.map(($) => [...$]) } : void 0, w = A1(r, o);
  function b() {
    if (!r.isOdd) throw new Error("compression is not supported: Field does not have .isOdd()");
  }
  function x($, S, L) {
    if (S.is0()) {
      if (!d) throw new Error("bad point: ZERO");
      return Uint8Array.of(0);
    }
    let { x: F, y: P } = S.toAffine(), j = r.toBytes(F);
    if (Mt(L, "isCompressed"), L) {
      b();
      let E = !r.isOdd(P);
      return it(O1(E), j);
    } else return it(Uint8Array.of(4), j, r.toBytes(P));
  }
  function y($) {
    Ee($, void 0, "Point");
    let { publicKey: S, publicKeyUncompressed: L } = w, F = $.length, P = $[0], j = $.subarray(1);
    if (d && F === 1 && P === 0) return { x: r.ZERO, y: r.ZERO };
    if (F === S && (P === 2 || P === 3)) {
      let E = r.fromBytes(j);
      if (!r.isValid(E)) throw new Error("bad point: is not on curve, wrong x");
      let B = I(E), k;
      try {
        k = r.sqrt(B);
      } catch (G) {
        let oe = G instanceof Error ? ": " + G.message : "";
        throw new Error("bad point: is not on curve, sqrt error" + oe);
      }
      b();
      let N = r.isOdd(k);
      return (P & 1) === 1 !== N && (k = r.neg(k)), { x: E, y: k };
    } else if (F === L && P === 4) {
      let E = r.BYTES, B = r.fromBytes(j.subarray(0, E)), k = r.fromBytes(j.subarray(E, E * 2));
      if (!z(B, k)) throw new Error("bad point: is not on curve");
      return { x: B, y: k };
    } else {throw new Error(
        `bad point: got length ${F}, expected compressed=${S} or uncompressed=${L}`,
      );}
  }
  let _ = p === void 0 ? x : p,
    v = h === void 0 ? y : h,
    R = r.mul(s.b, If),
    A = r.is0(s.a) ? ($) => r.ZERO : ($) => r.mul(s.a, $);
  function I($) {
    let S = r.sqr($), L = r.mul(S, $);
    return r.add(r.add(L, r.mul($, s.a)), s.b);
  }
  function z($, S) {
    let L = r.sqr(S), F = I($);
    return r.eql(L, F);
  }
  if (!z(s.Gx, s.Gy)) throw new Error("bad curve params: generator point");
  let ne = r.mul(r.pow(s.a, If), k1), ae = r.mul(r.sqr(s.b), BigInt(27));
  if (r.is0(r.add(ne, ae))) throw new Error("bad curve params: a or b");
  function le($, S, L = !1) {
    if (!r.isValid(S) || L && r.is0(S)) throw new Error(`bad point coordinate ${$}`);
    return typeof S == "object" && S !== null ? r.create(S) : S;
  }
  function Ce($) {
    if (!($ instanceof O)) throw new Error("Weierstrass Point expected");
  }
  function W($) {
    if (!g || !g.basises) throw new Error("no endo");
    return S1($, g.basises, o.ORDER);
  }
  function ce($, S, L, F) {
    if (!o.isValid(F)) throw new RangeError("invalid scalar: out of range");
    if (g) {
      let { k1neg: P, k1: j, k2neg: E, k2: B } = W(F), k = new O(r.mul(L.X, g.beta), L.Y, L.Z);
      $.push(P ? L.negate() : L, E ? k.negate() : k), S.push(j, B);
    } else $.push(L), S.push(F);
  }
  let fe = new WeakSet();
  class O {
    static BASE = new O(s.Gx, s.Gy, r.ONE);
    static ZERO = new O(r.ZERO, r.ONE, r.ZERO);
    static Fp = r;
    static Fn = o;
    X;
    Y;
    Z;
    constructor(S, L, F) {
      this.X = le("x", S), this.Y = le("y", L, !0), this.Z = le("z", F), Object.freeze(this);
    }
    static CURVE() {
      return s;
    }
    static fromAffine(S) {
      let { x: L, y: F } = S || {};
      if (!S || !r.isValid(L) || !r.isValid(F)) throw new Error("invalid affine point");
      if (S instanceof O) throw new Error("projective point not allowed");
      return r.is0(L) && r.is0(F) ? O.ZERO : new O(L, F, r.ONE);
    }
    static fromBytes(S) {
      let L = O.fromAffine(v(Ee(S, void 0, "point")));
      return L.assertValidity(), L;
    }
    static fromHex(S) {
      return O.fromBytes(Hr(S));
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(S = 6, L = !0) {
      return V.setWindowSize(this, S), L || this.multiply(If), this;
    }
    assertValidity() {
      let S = this;
      if (S.is0()) {
        if (d && r.is0(S.X) && r.eql(S.Y, r.ONE) && r.is0(S.Z)) return;
        throw new Error("bad point: ZERO");
      }
      if (fe.has(S)) return;
      let { x: L, y: F } = S.toAffine();
      if (!r.isValid(L) || !r.isValid(F)) throw new Error("bad point: x or y not field elements");
      if (!z(L, F)) throw new Error("bad point: equation left != right");
      if (!S.isTorsionFree()) throw new Error("bad point: not in prime-order subgroup");
      fe.add(S);
    }
    hasEvenY() {
      let { y: S } = this.toAffine();
      if (!r.isOdd) throw new Error("Field doesn't support isOdd");
      return !r.isOdd(S);
    }
    equals(S) {
      Ce(S);
      let { X: L, Y: F, Z: P } = this,
        { X: j, Y: E, Z: B } = S,
        k = r.eql(r.mul(L, B), r.mul(j, P)),
        N = r.eql(r.mul(F, B), r.mul(E, P));
      return k && N;
    }
    negate() {
      return new O(this.X, r.neg(this.Y), this.Z);
    }
    double() {
      let { X: S, Y: L, Z: F } = this,
        P = r.ZERO,
        j = r.ZERO,
        E = r.ZERO,
        B = r.mul(S, S),
        k = r.mul(L, L),
        N = r.mul(F, F),
        M = r.mul(S, L);
      return M = r.add(M, M),
        E = r.mul(S, F),
        E = r.add(E, E),
        P = A(E),
        j = r.mul(R, N),
        j = r.add(P, j),
        P = r.sub(k, j),
        j = r.add(k, j),
        j = r.mul(P, j),
        P = r.mul(M, P),
        E = r.mul(R, E),
        N = A(N),
        M = r.sub(B, N),
        M = A(M),
        M = r.add(M, E),
        E = r.add(B, B),
        B = r.add(E, B),
        B = r.add(B, N),
        B = r.mul(B, M),
        j = r.add(j, B),
        N = r.mul(L, F),
        N = r.add(N, N),
        B = r.mul(N, M),
        P = r.sub(P, B),
        E = r.mul(N, k),
        E = r.add(E, E),
        E = r.add(E, E),
        new O(P, j, E);
    }
    add(S) {
      Ce(S);
      let { X: L, Y: F, Z: P } = this,
        { X: j, Y: E, Z: B } = S,
        k = r.ZERO,
        N = r.ZERO,
        M = r.ZERO,
        G = r.mul(L, j),
        oe = r.mul(F, E),
        he = r.mul(P, B),
        Re = r.add(L, F),
        pe = r.add(j, E);
      Re = r.mul(Re, pe), pe = r.add(G, oe), Re = r.sub(Re, pe), pe = r.add(L, P);
      let be = r.add(j, B);
      return pe = r.mul(pe, be),
        be = r.add(G, he),
        pe = r.sub(pe, be),
        be = r.add(F, P),
        k = r.add(E, B),
        be = r.mul(be, k),
        k = r.add(oe, he),
        be = r.sub(be, k),
        M = A(pe),
        k = r.mul(R, he),
        M = r.add(k, M),
        k = r.sub(oe, M),
        M = r.add(oe, M),
        N = r.mul(k, M),
        oe = r.add(G, G),
        oe = r.add(oe, G),
        he = A(he),
        pe = r.mul(R, pe),
        oe = r.add(oe, he),
        he = r.sub(G, he),
        he = A(he),
        pe = r.add(pe, he),
        G = r.mul(oe, pe),
        N = r.add(N, G),
        G = r.mul(be, pe),
        k = r.mul(Re, k),
        k = r.sub(k, G),
        G = r.mul(Re, oe),
        M = r.mul(be, M),
        M = r.add(M, G),
        new O(k, N, M);
    }
    subtract(S) {
      return Ce(S), this.add(S.negate());
    }
    is0() {
      return this.equals(O.ZERO);
    }
    multiply(S) {
      if (!o.isValidNot0(S)) throw new RangeError("invalid scalar: out of range");
      let { p: L, f: F } = V.mulSecret(this, S, i, q);
      return q([L, F])[0];
    }
    multiplyUnsafe(S) {
      let L = this, F = S;
      if (!o.isValid(F)) throw new RangeError("invalid scalar: out of range");
      if (F === bo || L.is0()) return O.ZERO;
      if (F === ps) return L;
      if (V.hasWindowSize(this)) return V.mulUnsafe(L, F, q);
      let P = [], j = [];
      return ce(P, j, L, F), Ni(O, P, j);
    }
    mulAddUnsafe(S, L, F) {
      Ce(L);
      let P = [], j = [];
      return ce(P, j, this, S), ce(P, j, L, F), Ni(O, P, j);
    }
    toAffine(S) {
      let L = this, F = S;
      if (F != null && !r.isValid(F)) {
        throw new RangeError('"invertedZ" expected valid field element');
      }
      let { X: P, Y: j, Z: E } = L;
      if (r.eql(E, r.ONE)) return { x: P, y: j };
      let B = L.is0();
      F == null && (F = B ? r.ONE : r.inv(E));
      let k = r.mul(P, F), N = r.mul(j, F), M = r.mul(E, F);
      if (B) return { x: r.ZERO, y: r.ZERO };
      if (!r.eql(M, r.ONE)) throw new Error("invZ was invalid");
      return { x: k, y: N };
    }
    isTorsionFree() {
      return i === ps ? !0 : l ? l(O, this) : V.mulUnsafe(this, a).is0();
    }
    clearCofactor() {
      return i === ps ? this : u ? u(O, this) : this.multiplyUnsafe(i);
    }
    isSmallOrder() {
      return i === ps ? this.is0() : this.clearCofactor().is0();
    }
    toBytes(S = !0) {
      return Mt(S, "isCompressed"), this.assertValidity(), _(O, this, S);
    }
    toHex(S = !0) {
      return Mr(this.toBytes(S));
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let q = ($) => Bi(O, $), V = new yo(O, m);
  return V.bits >= 6 && O.BASE.precompute(6), Object.freeze(O.prototype), Object.freeze(O), O;
}
function O1(t) {
  return Uint8Array.of(t ? 2 : 3);
}
function A1(t, e) {
  return {
    secretKey: e.BYTES,
    publicKey: 1 + t.BYTES,
    publicKeyUncompressed: 1 + 2 * t.BYTES,
    publicKeyHasPrefix: !0,
    signature: 2 * e.BYTES,
  };
}
var B1 = BigInt(0), Ii = BigInt(1), gp = BigInt(2), xo = BigInt(3);
function N1(t) {
  let e = [];
  for (; t > Ii; t >>= Ii) {
    (t & Ii) === B1 ? e.unshift(0) : (t & xo) === xo ? (e.unshift(-1), t += Ii) : e.unshift(1);
  }
  return e;
}
function Mf(t) {
  if (!Array.isArray(t) || t.length === 0) throw new Error("expected non-empty array");
}
function C1(t, e, n, r) {
  if (
    Ke(
      t,
      { Fp: "object", Fr: "object", Fp2: "object", Fp12: "object" },
      { Fp6: "object" },
      "fields",
    ), typeof e != "function"
  ) throw new TypeError('"G1_Point" expected point constructor, got type=' + typeof e);
  if (typeof n != "function") {
    throw new TypeError('"G2_Point" expected point constructor, got type=' + typeof n);
  }
  Ke(r, { ateLoopSize: "bigint", xNegative: "boolean", twistType: "string" }, {
    randomBytes: "function",
    postPrecompute: "function",
  }, "params");
  let { Fp: o, Fr: s, Fp2: i, Fp12: a } = t,
    { twistType: f, ateLoopSize: d, xNegative: u, postPrecompute: l } = r,
    h = (O, q) => ({ c0: O, c1: q }),
    p = ({ c0: O, c1: q }) => Object.freeze({ c0: O, c1: q }),
    m = (O, q) => h(o.add(O.c0, q.c0), o.add(O.c1, q.c1)),
    g = (O, q) => h(o.sub(O.c0, q.c0), o.sub(O.c1, q.c1)),
    w = (O, q) => {
      let V = o.mul(O.c0, q.c0), $ = o.mul(O.c1, q.c1);
      return h(o.sub(V, $), o.sub(o.mul(o.add(O.c0, O.c1), o.add(q.c0, q.c1)), o.add(V, $)));
    },
    b = (O, q) => h(o.mul(O.c0, q), o.mul(O.c1, q)),
    x = (O) => i.mulByNonresidue(O),
    y = ({ c0: O, c1: q }, V, $, S, L, F) => {
      let P = b($, L),
        j = b(S, F),
        { c0: E, c1: B, c2: k } = O,
        { c0: N, c1: M, c2: G } = q,
        oe = w(E, V),
        he = w(B, P),
        Re = m(x(g(w(m(B, k), P), he)), oe),
        pe = g(g(w(m(V, P), m(E, B)), oe), he),
        be = m(g(w(m(E, k), V), oe), he),
        et = x(w(G, j)),
        bt = w(N, j),
        Je = w(M, j),
        dt = m(E, N),
        xt = m(B, M),
        $t = m(k, G),
        se = m(P, j),
        Ot = w(dt, V),
        Se = w(xt, se),
        qe = m(x(g(w(m(xt, $t), se), Se)), Ot),
        ot = g(g(w(m(V, se), m(dt, xt)), Ot), Se),
        It = m(g(w(m(dt, $t), V), Ot), Se);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(Je), Re)), c1: p(m(et, pe)), c2: p(m(bt, be)) }),
        c1: Object.freeze({
          c0: p(g(g(qe, Re), et)),
          c1: p(g(g(ot, pe), bt)),
          c2: p(g(g(It, be), Je)),
        }),
      });
    },
    _ = ({ c0: O, c1: q }, V, $, S, L, F) => {
      let P = b(V, F),
        j = b($, L),
        { c0: E, c1: B, c2: k } = O,
        { c0: N, c1: M, c2: G } = q,
        oe = w(E, P),
        he = w(B, P),
        Re = w(k, P),
        pe = w(N, j),
        be = w(M, S),
        et = m(x(g(w(m(M, G), S), be)), pe),
        bt = g(g(w(m(j, S), m(N, M)), pe), be),
        Je = m(g(w(m(N, G), j), pe), be),
        dt = m(E, N),
        xt = m(B, M),
        $t = m(k, G),
        se = m(P, j),
        Ot = w(dt, se),
        Se = w(xt, S),
        qe = m(x(g(w(m(xt, $t), S), Se)), Ot),
        ot = g(g(w(m(se, S), m(dt, xt)), Ot), Se),
        It = m(g(w(m(dt, $t), se), Ot), Se);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(Je), oe)), c1: p(m(et, he)), c2: p(m(bt, Re)) }),
        c1: Object.freeze({
          c0: p(g(g(qe, oe), et)),
          c1: p(g(g(ot, he), bt)),
          c2: p(g(g(It, Re), Je)),
        }),
      });
    },
    v;
  if (f === "multiplicative") v = (O, q, V, $, S, L) => y($, O, q, V, S, L);
  else if (f === "divisive") v = (O, q, V, $, S, L) => _($, V, q, O, S, L);
  else throw new Error("bls: unknown twist type");
  let R = i.div(i.ONE, i.mul(i.ONE, gp));
  function A(O, q, V, $) {
    let S = i.sqr(V),
      L = i.sqr($),
      F = i.mulByB(i.mul(L, xo)),
      P = i.mul(F, xo),
      j = i.sub(i.sub(i.sqr(i.add(V, $)), L), S),
      E = i.sub(F, S),
      B = i.mul(i.sqr(q), xo),
      k = i.neg(j);
    return O.push([E, B, k]),
      q = i.mul(i.mul(i.mul(i.sub(S, P), q), V), R),
      V = i.sub(i.sqr(i.mul(i.add(S, P), R)), i.mul(i.sqr(F), xo)),
      $ = i.mul(S, j),
      { Rx: q, Ry: V, Rz: $ };
  }
  function I(O, q, V, $, S, L) {
    let F = i.sub(V, i.mul(L, $)),
      P = i.sub(q, i.mul(S, $)),
      j = i.sub(i.mul(F, S), i.mul(P, L)),
      E = i.neg(F),
      B = P;
    O.push([j, E, B]);
    let k = i.sqr(P),
      N = i.mul(k, P),
      M = i.mul(k, q),
      G = i.add(i.sub(N, i.mul(M, gp)), i.mul(i.sqr(F), $));
    return q = i.mul(P, G),
      V = i.sub(i.mul(i.sub(M, G), F), i.mul(N, V)),
      $ = i.mul($, N),
      { Rx: q, Ry: V, Rz: $ };
  }
  let z = N1(d),
    ne = (O) => {
      if (!(O instanceof n)) throw new TypeError('"point" expected G2 point, got type=' + typeof O);
      let q = O,
        { x: V, y: $ } = q.toAffine(),
        S = V,
        L = $,
        F = i.neg($),
        P = S,
        j = L,
        E = i.ONE,
        B = [];
      for (let k of z) {
        let N = [];
        ({ Rx: P, Ry: j, Rz: E } = A(N, P, j, E)),
          k && ({ Rx: P, Ry: j, Rz: E } = I(N, P, j, E, S, k === -1 ? F : L)),
          B.push(N);
      }
      if (l) {
        let k = B[B.length - 1];
        l(P, j, E, S, L, I.bind(null, k));
      }
      return B;
    };
  function ae(O, q = !1) {
    jt(O, "pairs", ($, S) => {
      if (jt($, S), $.length !== 3) throw new TypeError(`"${S}" expected precompute tuple`);
      jt($[0], S + "[0]");
    });
    let V = a.ONE;
    if (O.length) {
      let $ = O[0][0].length;
      for (let S = 0; S < $; S++) {
        S !== 0 && (V = a.sqr(V));
        for (let [L, F, P] of O) for (let [j, E, B] of L[S]) V = v(j, E, B, V, F, P);
      }
    }
    return u && (V = a.conjugate(V)), q ? a.finalExponentiate(V) : V;
  }
  function le(O, q = !0) {
    jt(O, "pairs");
    let V = [];
    for (let $ = 0; $ < O.length; $++) {
      let S = O[$];
      Ke(S, { g1: "object", g2: "object" }, {}, "pairs[" + $ + "]");
      let { g1: L, g2: F } = S;
      if (!(L instanceof e)) {
        throw new TypeError('"pairs[' + $ + '].g1" expected G1 point, got type=' + typeof L);
      }
      if (!(F instanceof n)) {
        throw new TypeError('"pairs[' + $ + '].g2" expected G2 point, got type=' + typeof F);
      }
      if (L.is0() || F.is0()) throw new Error("pairing is not available for ZERO point");
      L.assertValidity(), F.assertValidity();
      let P = L.toAffine();
      V.push([ne(F), P.x, P.y]);
    }
    return ae(V, q);
  }
  function Ce(O, q, V = !0) {
    if (!(O instanceof e)) throw new TypeError('"Q" expected G1 point, got type=' + typeof O);
    if (!(q instanceof n)) throw new TypeError('"P" expected G2 point, got type=' + typeof q);
    return le([{ g1: O, g2: q }], V);
  }
  let W = { seed: vf(s.ORDER) },
    ce = r.randomBytes === void 0 ? Fn : r.randomBytes,
    fe = (O) => (O = O === void 0 ? ce(W.seed) : O, Ee(O, W.seed, "seed"), op(O, s.ORDER));
  return Object.freeze(W), {
    lengths: W,
    Fr: s,
    Fp12: a,
    millerLoopBatch: ae,
    pairing: Ce,
    pairingBatch: le,
    calcPairingPrecomputes: ne,
    randomSecretKey: fe,
  };
}
function wp(t, e, n, r, o, s) {
  let { Fr: i, Fp12: a, pairingBatch: f, randomSecretKey: d, lengths: u } = t;
  s || (s = { fromBytes: nn, fromHex: nn, toBytes: nn, toHex: nn });
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
      let _ = x.negate(), v = e.BASE, R = m(b), A = w;
      try {
        let I = f([g(_, R), g(v, A)]);
        return a.eql(I, a.ONE);
      } catch {
        return !1;
      }
    },
    verifyBatch(w, b) {
      Mf(b);
      let x = p(w), y = b.map((I) => m(I.message)), _ = b.map((I) => h(I.publicKey)), v = new Map();
      for (let I = 0; I < _.length; I++) {
        let z = _[I], ne = y[I], ae = v.get(ne);
        ae === void 0 && (ae = [], v.set(ne, ae)), ae.push(z);
      }
      let R = [], A = e.BASE;
      try {
        for (let [I, z] of v) {
          let ne = z.reduce((ae, le) => ae.add(le));
          R.push(g(ne, I));
        }
        return R.push(g(A.negate(), x)), a.eql(f(R), a.ONE);
      } catch {
        return !1;
      }
    },
    aggregatePublicKeys(w) {
      Mf(w), w = w.map((x) => h(x));
      let b = w.reduce((x, y) => x.add(y), e.ZERO);
      return b.assertValidity(), b;
    },
    aggregateSignatures(w) {
      Mf(w), w = w.map((x) => p(x));
      let b = w.reduce((x, y) => x.add(y), n.ZERO);
      return b.assertValidity(), b;
    },
    hash(w, b) {
      return Ee(w), o(w, b === void 0 ? void 0 : { DST: b });
    },
    Signature: Object.freeze({ ...l }),
  });
}
function R1(t, e, n, r) {
  let { Fp: o, Fr: s, Fp2: i, Fp6: a, Fp12: f } = t,
    d = { Point: e },
    u = { Point: n },
    l = C1(t, e, n, r),
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
function I1(t, e, n, r, o) {
  let s = R1(t, e, n, r);
  Ke(o, { hasherOpts: "object", hasherOptsG1: "object", hasherOptsG2: "object" }, {
    mapToG1: "function",
    mapToG2: "function",
  }, "hasherParams");
  let i = Nf(e, o.mapToG1 === void 0 ? nn : o.mapToG1, { ...o.hasherOpts, ...o.hasherOptsG1 }),
    a = Nf(n, o.mapToG2 === void 0 ? nn : o.mapToG2, { ...o.hasherOpts, ...o.hasherOptsG2 });
  return Object.freeze({ ...s, G1: i, G2: a });
}
function yp(t, e, n, r, o, s) {
  let i = I1(t, e, n, r, o),
    a = {
      ...i,
      Fr: i.fields.Fr,
      Fp12: i.fields.Fp12,
      calcPairingPrecomputes: i.utils.calcPairingPrecomputes,
      randomSecretKey: i.utils.randomSecretKey,
    },
    f = wp(a, e, n, !1, i.G2.hashToCurve, s?.LongSignature),
    d = wp(a, n, e, !0, i.G1.hashToCurve, s?.ShortSignature);
  return Object.freeze({ ...i, longSignatures: f, shortSignatures: d });
}
var Hf = BigInt(0),
  ir = BigInt(1),
  Nt = BigInt(2),
  bp = BigInt(3),
  L1 = BigInt(6),
  M1 = BigInt(12),
  jr = (t) => !!t && typeof t == "object";
function _p(t, e, n, r, o = 1, s) {
  Ve(o, "num"), Ve(r, "degree");
  let i = s === void 0 ? r : s;
  Ve(i, "divisor");
  let a = t;
  if (typeof n != "bigint" || n <= ir) {
    throw new Error("calcFrobeniusCoefficients: expected valid modulus, got " + n);
  }
  if (r <= 0) throw new Error("calcFrobeniusCoefficients: expected positive degree, got " + r);
  if (o <= 0) throw new Error("calcFrobeniusCoefficients: expected positive row count, got " + o);
  if (i <= 0) throw new Error("calcFrobeniusCoefficients: expected positive divisor, got " + i);
  let f = BigInt(i), d = n ** BigInt(r), u = [];
  for (let l = 0; l < o; l++) {
    let h = BigInt(l + 1), p = [];
    for (let m = 0, g = ir; m < r; m++) {
      let w = h * g - h;
      if (w % f) throw new Error("calcFrobeniusCoefficients: inexact tower exponent");
      let b = w / f % d;
      p.push(a.pow(e, b)), g *= n;
    }
    u.push(p);
  }
  return u;
}
function Ep(t, e, n) {
  if (
    Ht(t),
      Ht(e),
      Ke(e, {
        Fp: "object",
        frobeniusMap: "function",
        fromBigTuple: "function",
        mulByB: "function",
        mulByNonresidue: "function",
        reim: "function",
        Fp4Square: "function",
        NONRESIDUE: "object",
      }, {}),
      !jr(n) || Array.isArray(n)
  ) throw new TypeError('"base" expected Fp2 element, got type=' + typeof n);
  if (!e.isValid(n)) throw new RangeError('"base" expected valid Fp2 element');
  let r = e.pow(n, (t.ORDER - ir) / bp), o = e.pow(n, (t.ORDER - ir) / Nt);
  function s(h, p) {
    let m = e.mul(e.frobeniusMap(h, 1), r), g = e.mul(e.frobeniusMap(p, 1), o);
    return [m, g];
  }
  let i = e.pow(n, (t.ORDER ** Nt - ir) / bp), a = e.pow(n, (t.ORDER ** Nt - ir) / Nt);
  if (!e.eql(a, e.neg(e.ONE))) throw new Error("psiFrobenius: PSI2_Y!==-1");
  function f(h, p) {
    return [e.mul(h, i), e.neg(p)];
  }
  let d = (h) => (p, m) => {
      if (typeof p != "function") {
        throw new TypeError('"c" expected point constructor, got type=' + typeof p);
      }
      if (or(p), !(m instanceof p)) {
        throw new TypeError('"P" expected Point instance, got type=' + typeof m);
      }
      let g = m.toAffine(), w = h(g.x, g.y);
      return p.fromAffine({ x: w[0], y: w[1] });
    },
    u = d(s),
    l = d(f);
  return { psi: s, psi2: f, G2psi: u, G2psi2: l, PSI_X: r, PSI_Y: o, PSI2_X: i, PSI2_Y: a };
}
var Ff = class {
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
        this.BITS = Kt(a),
        this.BYTES = Math.ceil(Kt(a) / 8),
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.Fp_NONRESIDUE = e.create(r),
        this.Fp_div2 = e.div(e.ONE, Nt),
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
      if (!jr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!jr(e)) return !1;
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
      return Ai(this, e, n);
    }
    invertBatch(e) {
      return on(this, e, !0);
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
        return $n(n, o) === 1
          ? r.create({ c0: n.sqrt(o), c1: n.ZERO })
          : r.create({ c0: n.ZERO, c1: n.sqrt(n.div(o, this.Fp_NONRESIDUE)) });
      }
      let i = n.sqrt(n.sub(n.sqr(o), n.mul(n.sqr(s), this.Fp_NONRESIDUE))),
        a = n.mul(n.add(i, o), this.Fp_div2);
      $n(n, a) === -1 && (a = n.sub(a, i));
      let d = n.sqrt(a), u = r.create({ c0: d, c1: n.div(n.mul(s, this.Fp_div2), d) });
      if (!r.eql(r.sqr(u), e)) throw new Error("Cannot find square root");
      let l = u, h = r.neg(l), { re: p, im: m } = r.reim(l), { re: g, im: w } = r.reim(h);
      return m > w || m === w && p > g ? l : h;
    }
    isOdd(e) {
      let { re: n, im: r } = this.reim(e), o = n % Nt, s = n === Hf, i = r % Nt;
      return BigInt(o || s && i) == ir;
    }
    fromBytes(e) {
      let { Fp: n } = this;
      if (Ee(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      return it(this.Fp.toBytes(e), this.Fp.toBytes(n));
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
  $f = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp2;
    constructor(e) {
      this.Fp2 = e,
        this.ORDER = e.Fp.ORDER ** L1,
        this.BITS = 3 * e.BITS,
        this.BYTES = 3 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO, c2: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO, c2: e.ZERO }),
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS_1() {
      let e = Li.get(this);
      if (e) return e[0];
      let { Fp2: n } = this,
        { Fp: r } = n,
        o = _p(n, n.NONRESIDUE, r.ORDER, 6, 2, 3),
        s = [Object.freeze(o[0]), Object.freeze(o[1])];
      return Li.set(this, s), s[0];
    }
    get FROBENIUS_COEFFICIENTS_2() {
      let e = Li.get(this);
      return e ? e[1] : (this.FROBENIUS_COEFFICIENTS_1, Li.get(this)[1]);
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
        i = o.mul(o.mul(e, n), Nt),
        a = o.mul(o.mul(n, r), Nt),
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
      if (!jr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r, c2: o } = e, { Fp2: s } = this;
      return s.isValid(n) && s.isValid(r) && s.isValid(o);
    }
    is0(e) {
      if (!jr(e)) return !1;
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
      return nn();
    }
    div(e, n) {
      let { Fp2: r } = this, { Fp: o } = r;
      return this.mul(e, typeof n == "bigint" ? o.inv(o.create(n)) : this.inv(n));
    }
    pow(e, n) {
      return Ai(this, e, n);
    }
    invertBatch(e) {
      return on(this, e, !0);
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
      if (Ee(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      let r = n.BYTES;
      return this.create({
        c0: n.fromBytes(e.subarray(0, r)),
        c1: n.fromBytes(e.subarray(r, r * 2)),
        c2: n.fromBytes(e.subarray(2 * r)),
      });
    }
    toBytes({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return it(o.toBytes(e), o.toBytes(n), o.toBytes(r));
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
  Li = new WeakMap(),
  Pf = class {
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
        this.ORDER = i.ORDER ** M1,
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
      let e = xp.get(this);
      if (e) return e;
      let { Fp2: n } = this.Fp6,
        { Fp: r } = n,
        o = Object.freeze(_p(n, n.NONRESIDUE, r.ORDER, 12, 1, 6)[0]);
      return xp.set(this, o), o;
    }
    create(e) {
      let { Fp6: n } = this, r = n.create(e.c0), o = n.create(e.c1);
      return Object.freeze({ c0: r, c1: o });
    }
    isValid(e) {
      if (!jr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp6: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!jr(e)) return !1;
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
      return nn();
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
      return Ai(this, e, n);
    }
    invertBatch(e) {
      return on(this, e, !0);
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
      if (Ee(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      let { Fp6: r } = this;
      return it(r.toBytes(e), r.toBytes(n));
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
          c0: o.add(o.mul(o.sub(l, s), Nt), l),
          c1: o.add(o.mul(o.sub(p, i), Nt), p),
          c2: o.add(o.mul(o.sub(g, a), Nt), g),
        }),
        c1: Object.freeze({
          c0: o.add(o.mul(o.add(b, f), Nt), b),
          c1: o.add(o.mul(o.add(h, d), Nt), h),
          c2: o.add(o.mul(o.add(m, u), Nt), m),
        }),
      });
    }
    _cyclotomicExp(e, n) {
      if (Fr("cyclotomic exponent", n, Hf, ir << BigInt(this.X_LEN)), n === Hf) return this.ONE;
      let r = e;
      for (let o = Kt(n) - 2; o >= 0; o--) {
        r = this._cyclotomicSquare(r), Gh(n, o) && (r = this.mul(r, e));
      }
      return r;
    }
  },
  xp = new WeakMap();
function vp(t) {
  if (
    Ke(t, {
      ORDER: "bigint",
      X_LEN: "number",
      FP2_NONRESIDUE: "object",
      Fp2mulByB: "function",
      Fp12finalExponentiate: "function",
    }, { NONRESIDUE: "bigint" }),
      Ve(t.X_LEN, "X_LEN"),
      t.X_LEN < 1
  ) throw new Error("invalid X_LEN");
  let e = t.FP2_NONRESIDUE;
  if (!Array.isArray(e) || e.length !== 2) throw new Error("invalid FP2_NONRESIDUE");
  if (typeof e[0] != "bigint" || typeof e[1] != "bigint") throw new Error("invalid FP2_NONRESIDUE");
  let n = rr(t.ORDER), r = new Ff(n, t), o = new $f(r), s = new Pf(o, t);
  return { Fp: n, Fp2: r, Fp6: o, Fp12: s };
}
var Gf = BigInt(0),
  Sp = BigInt(1),
  Mi = BigInt(2),
  _o = BigInt(3),
  Eo = BigInt(4),
  Dr = BigInt("0xd201000000010000"),
  H1 = Kt(Dr),
  ms = {
    p: BigInt(
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ),
    n: BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
    h: BigInt("0x396c8c005555e1568c00aaab0000aaab"),
    a: Gf,
    b: Eo,
    Gx: BigInt(
      "0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    ),
    Gy: BigInt(
      "0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    ),
  },
  Vf = rr(ms.n, { modFromBytes: !0 });
function F1(t, e, { g2: n, g3: r, g4: o, g5: s }) {
  return { c0: { c0: t, c1: o, c2: r }, c1: { c0: n, c1: e, c2: s } };
}
function $1({ c0: t, c1: e }) {
  return { g2: e.c0, g3: t.c2, g4: t.c1, g5: e.c2 };
}
function P1({ g2: t, g3: e, g4: n, g5: r }) {
  let { first: o, second: s } = Z.Fp4Square(n, r),
    { first: i, second: a } = Z.Fp4Square(t, e),
    f = Z.add(t, t),
    d = Z.add(e, e),
    u = Z.add(n, n),
    l = Z.add(r, r);
  return {
    g2: Z.add(Z.mul(Z.mulByNonresidue(s), _o), f),
    g3: Z.sub(Z.mul(o, _o), d),
    g4: Z.sub(Z.mul(i, _o), u),
    g5: Z.add(Z.mul(a, _o), l),
  };
}
function j1({ g2: t, g3: e, g4: n, g5: r }) {
  return Z.is0(t) ? { num: Z.mul(Z.mul(n, r), Mi), den: e } : {
    num: Z.add(Z.sub(Z.mul(Z.sqr(n), _o), Z.mul(e, Mi)), Z.mulByNonresidue(Z.sqr(r))),
    den: Z.mul(t, Eo),
  };
}
function D1(t, { g2: e, g3: n, g4: r, g5: o }) {
  let s = Z.mul(n, r), i = Z.add(Z.sub(Z.mul(Z.sub(Z.sqr(t), s), Mi), s), Z.mul(e, o));
  return Z.add(Z.mulByNonresidue(i), Z.ONE);
}
function U1(t, e) {
  let n = [], r = $1(t);
  for (let f of e) {
    for (let d = 0; d < f; d++) r = P1(r);
    n.push(r);
  }
  let o = n.map(({ g2: f, g3: d }) => Z.is0(f) && Z.is0(d)),
    s = n.map(j1),
    i = Z.invertBatch(s.map(({ den: f }) => f)),
    a = n.map((f, d) => {
      if (o[d]) return ke.ONE;
      let u = Z.mul(s[d].num, i[d]);
      return F1(D1(u, f), u, f);
    });
  return { result: ke.mul(ke.mul(a[0], a[1]), a[2]), last: a[2] };
}
function z1(t) {
  let { result: e, last: n } = U1(t, [16, 32, 9]), r = e, o = n;
  for (let s = 0; s < 3; s++) o = ke._cyclotomicSquare(o);
  r = ke.mul(r, o);
  for (let s = 0; s < 2; s++) o = ke._cyclotomicSquare(o);
  return r = ke.mul(r, o), o = ke._cyclotomicSquare(o), ke.mul(r, o);
}
var { Fp: $e, Fp2: Z, Fp6: q1, Fp12: ke } = vp({
    ORDER: ms.p,
    X_LEN: H1,
    FP2_NONRESIDUE: [Sp, Sp],
    Fp2mulByB: ({ c0: t, c1: e }) => {
      let n = $e.mul(t, Eo), r = $e.mul(e, Eo);
      return { c0: $e.sub(n, r), c1: $e.add(n, r) };
    },
    Fp12finalExponentiate: (t) => {
      let e = (m) => ke.conjugate(z1(m)),
        n = ke.div(ke.frobeniusMap(t, 6), t),
        r = ke.mul(ke.frobeniusMap(n, 2), n),
        o = e(r),
        s = ke.mul(ke.conjugate(ke._cyclotomicSquare(r)), o),
        i = e(s),
        a = e(i),
        f = ke.mul(e(a), ke._cyclotomicSquare(o)),
        d = e(f),
        u = ke.frobeniusMap(ke.mul(o, a), 2),
        l = ke.frobeniusMap(ke.mul(i, r), 3),
        h = ke.frobeniusMap(ke.mul(f, ke.conjugate(r)), 1),
        p = ke.mul(ke.mul(d, ke.conjugate(s)), r);
      return ke.mul(ke.mul(ke.mul(u, l), h), p);
    },
  }),
  Tp,
  Mp = () => Tp || (Tp = Ep($e, Z, Z.div(Z.ONE, Z.NONRESIDUE))),
  zf = (t, e) => {
    let n = Mp().G2psi;
    return zf = n, n(t, e);
  },
  Hp = (t, e) => {
    let n = Mp().G2psi2;
    return Hp = n, n(t, e);
  },
  jf = Object.freeze({
    DST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    encodeDST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    p: $e.ORDER,
    m: 2,
    k: 128,
    expand: "xmd",
    hash: tn,
  }),
  Fp = {
    p: Z.ORDER,
    n: ms.n,
    h: BigInt(
      "0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5",
    ),
    a: Z.ZERO,
    b: Z.fromBigTuple([Eo, Eo]),
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
  kp = (t, e) => {
    for (let n of t) if (n !== Gf) return !!(n * Mi / e);
    return !1;
  },
  Op = {
    encode({ c0: t, c1: e }) {
      let { BYTES: n } = $e;
      return it(bn(e, n), bn(t, n));
    },
    decode(t) {
      let { BYTES: e } = $e;
      return Z.create({ c0: qf(t.subarray(e)), c1: qf(t.subarray(0, e)) });
    },
  },
  Ap = $e;
function qf(t) {
  return $e.fromBytes(t);
}
var $p = (t, e, n, r, o, s) => {
  let i = e, a = r, f = o, d = i.BYTES;
  return (u) => ({
    encode(l, h = !0) {
      if (!h && !u) throw new Error("invalid signature: expected compressed encoding");
      let p = l.is0(), { x: m, y: g } = l.toAffine(), w = h ? a(m) : it(a(m), a(g)), b;
      return h && !p && (b = kp(s(g), Ap.ORDER)), V1(w, { compressed: h, infinity: p, sort: b });
    },
    decode(l) {
      let h = u ? Ee(l, void 0, "point") : Ee(l, d, "signature"),
        { compressed: p, infinity: m, sort: g, value: w } = G1(h);
      if (!u && !p) throw new Error("invalid signature: expected compressed encoding");
      let b = p ? d : 2 * d;
      if (w.length !== b) throw new Error(`invalid ${t} point: expected ${b} bytes`);
      if (m) {
        for (let _ of w) if (_) throw new Error(`invalid ${t} point: non-canonical zero`);
        return { x: i.ZERO, y: i.ZERO };
      }
      let x = f(p ? w : w.subarray(0, d)), y;
      if (p) {
        if (y = i.sqrt(i.add(i.pow(x, _o), n)), !y) {
          throw new Error(`invalid ${t} point: compressed`);
        }
        kp(s(y), Ap.ORDER) !== g && (y = i.neg(y));
      } else y = f(w.subarray(d));
      if (!p && i.is0(x) && i.is0(y)) throw new Error(`invalid ${t} point: uncompressed`);
      return { x, y };
    },
  });
};
function Pp({ compressed: t, infinity: e, sort: n }) {
  if (!t && !e && n || !t && e && n || t && e && n) throw new Error("invalid encoding flag");
}
function G1(t) {
  t = xn(t);
  let e = t[0] & 224, n = !!(e >> 7 & 1), r = !!(e >> 6 & 1), o = !!(e >> 5 & 1);
  return Pp({ compressed: n, infinity: r, sort: o }),
    t[0] &= 31,
    { compressed: n, infinity: r, sort: o, value: t };
}
function V1(t, e) {
  if (t[0] & 224) throw new Error("setMask: non-empty mask");
  return Pp({ compressed: !!e.compressed, infinity: !!e.infinity, sort: !!e.sort }),
    e.compressed && (t[0] |= 128),
    e.infinity && (t[0] |= 64),
    e.sort && (t[0] |= 32),
    t;
}
var Bp = $p("G1", $e, $e.create(ms.b), (t) => bn(t, $e.BYTES), qf, (t) => [t]),
  Hi = { point: Bp(!0), sig: Bp(!1) },
  Df = (t) => (t.assertValidity(), Hi.sig.encode(t));
function Np(t) {
  let n = En.G1.Point.fromAffine(Hi.sig.decode(t));
  return n.assertValidity(), n;
}
var Cp = $p("G2", Z, Fp.b, Op.encode, Op.decode, (t) => [t.c1, t.c0]),
  Fi = { point: Cp(!0), sig: Cp(!1) },
  Uf = (t) => (t.assertValidity(), Fi.sig.encode(t));
function Rp(t) {
  let n = En.G2.Point.fromAffine(Fi.sig.decode(t));
  return n.assertValidity(), n;
}
var K1 = {
    ShortSignature: {
      fromBytes(t) {
        return Np(Ee(t));
      },
      fromHex(t) {
        return Np(Hr(t));
      },
      toBytes(t) {
        return Df(t);
      },
      toRawBytes(t) {
        return Df(t);
      },
      toHex(t) {
        return Mr(Df(t));
      },
    },
    LongSignature: {
      fromBytes(t) {
        return Rp(Ee(t));
      },
      fromHex(t) {
        return Rp(Hr(t));
      },
      toBytes(t) {
        return Uf(t);
      },
      toRawBytes(t) {
        return Uf(t);
      },
      toHex(t) {
        return Mr(Uf(t));
      },
    },
  },
  W1 = { Fp: $e, Fp2: Z, Fp6: q1, Fp12: ke, Fr: Vf },
  Y1 = Lf(ms, {
    allowInfinityPoint: !0,
    Fn: Vf,
    fromBytes: Hi.point.decode,
    toBytes: (t, e, n) => Hi.point.encode(e, n),
    isTorsionFree: (t, e) => {
      let n = BigInt(
          "0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe",
        ),
        r = new t($e.mul(e.X, n), e.Y, e.Z);
      return e.multiplyUnsafe(Dr).negate().multiplyUnsafe(Dr).equals(r);
    },
    clearCofactor: (t, e) => e.multiplyUnsafe(Dr).add(e),
  }),
  Z1 = Lf(Fp, {
    Fp: Z,
    allowInfinityPoint: !0,
    Fn: Vf,
    fromBytes: Fi.point.decode,
    toBytes: (t, e, n) => Fi.point.encode(e, n),
    isTorsionFree: (t, e) => e.multiplyUnsafe(Dr).negate().equals(zf(t, e)),
    clearCofactor: (t, e) => {
      let n = Dr, r = e.multiplyUnsafe(n).negate(), o = zf(t, e), s = e.double();
      return s = Hp(t, s),
        s = s.subtract(o),
        o = r.add(o),
        o = o.multiplyUnsafe(n).negate(),
        s = s.add(o),
        s = s.subtract(r),
        s.subtract(e);
    },
  }),
  X1 = {
    mapToG1: r_,
    mapToG2: o_,
    hasherOpts: jf,
    hasherOptsG1: {
      ...jf,
      m: 1,
      DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
      encodeDST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    },
    hasherOptsG2: { ...jf },
  },
  J1 = { ateLoopSize: Dr, xNegative: !0, twistType: "multiplicative", randomBytes: Fn },
  En = yp(W1, Y1, Z1, J1, X1, K1),
  Q1 = Bf(
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
  e_ = Bf(
    $e,
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
  Ip,
  Lp,
  t_ = () =>
    Ip || (Ip = Cf($e, {
      A: $e.create(
        BigInt(
          "0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d",
        ),
      ),
      B: $e.create(
        BigInt(
          "0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0",
        ),
      ),
      Z: $e.create(BigInt(11)),
    })),
  n_ = () =>
    Lp ||
    (Lp = Cf(Z, {
      A: Z.create({ c0: $e.create(Gf), c1: $e.create(BigInt(240)) }),
      B: Z.create({ c0: $e.create(BigInt(1012)), c1: $e.create(BigInt(1012)) }),
      Z: Z.create({ c0: $e.create(BigInt(-2)), c1: $e.create(BigInt(-1)) }),
    }));
function r_(t) {
  let { x: e, y: n } = t_()($e.create(t[0]));
  return e_(e, n);
}
function o_(t) {
  let { x: e, y: n } = n_()(Z.fromBigTuple(t));
  return Q1(e, n);
}
var Kf = "countersign/attestation/v1",
  jp = "countersign/round/v1",
  Dp = "cosignature/v1",
  Up = `subtree/v1
\0`,
  zp = "countersign/trust-core/v1",
  qp = "countersign/trust-core/v2",
  Gp = "countersign/succession/v1",
  Vp = "countersign/epoch-end/v1",
  Kp = "countersign/next-log/v1";
var Wp = ["cosignature/", "countersign/", "subtree/"],
  gs = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
  Wf = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
var Yp = "countersign/bls-aggregate/v1", Zp = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
var vo = 32;
function Xp(t, e, n) {
  return Br(t), n === void 0 && (n = new Uint8Array(t.outputLen)), Rf(t, n, e);
}
var ws = Uint8Array.of(0), s_ = Uint8Array.of();
function Jp(t, e, n, r = 32, o) {
  Br(t), ut(r, "length"), xe(e, void 0, "prk");
  let s = t.outputLen;
  if (e.length < s) throw new Error('"prk" must be at least HashLen octets');
  if (r > 255 * s) throw new Error("Length must be <= 255*HashLen");
  let i = Math.ceil(r / s);
  if (n === void 0 ? n = s_ : xe(n, void 0, "info"), !i) return o && At(e), new Uint8Array();
  let a = o && i === 1 ? e : new Uint8Array(i * s),
    { iHash: f, oHash: d } = Rf.create(t, e),
    u = o ? e : new Uint8Array(s),
    l = i > 1 ? o?.iHash || t.create() : void 0;
  for (let p = 0; p < i - 1; p++) {
    ws[0] = p + 1;
    let m = f._cloneInto(l);
    p && m.update(u),
      m.update(n).update(ws).digestInto(u),
      d._cloneInto(l).update(u).digestInto(u),
      a.set(u, s * p);
  }
  if (
    ws[0] = i,
      i > 1 && f.update(u),
      f.update(n).update(ws).digestInto(u),
      d.update(u).digestInto(u),
      a.set(u, s * (i - 1)),
      f.destroy(),
      d.destroy(),
      l?.destroy(),
      u !== a && At(u),
      At(ws),
      r === a.length
  ) return a;
  let h = a.slice(0, r);
  return At(a), h;
}
var i_ = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
  Qp = 48,
  a_ = Uint8Array.of(0, Qp),
  c_ = ee("BLS-SIG-KEYGEN-SALT-");
function $i(t) {
  if (t.length < 32) {
    throw new C(
      "invalid_key",
      `Cannot create BLS secret key: ${t.length} secret bytes are fewer than 32`,
    );
  }
  let e = me(t, Uint8Array.of(0));
  for (let n = tn(c_);; n = tn(n)) {
    let r = Xp(tn, e, n), o = Jp(tn, r, a_, Qp), s = Dt(o) % i_;
    if (r.fill(0), o.fill(0), s !== 0n) return e.fill(0), bn(s, vo);
  }
}
function So() {
  return new C(
    "invalid_key",
    "Cannot use BLS secret key: it is not 32 bytes big-endian in [1, r-1]",
  );
}
var sn = class {
  #e;
  #t = new Map();
  constructor(e) {
    this.#e = e;
  }
  get(e) {
    return this.#t.get(J(e));
  }
  set(e, n) {
    if (this.#t.size >= this.#e) {
      for (let r of this.#t.keys()) {
        this.#t.delete(r);
        break;
      }
    }
    this.#t.set(J(e), n);
  }
};
var { G1: { Point: f_ }, G2: { Point: Xf }, fields: { Fp12: Yf } } = En,
  d_ = 48,
  u_ = 96,
  em = new sn(1024),
  tm;
function nm(t, e, n) {
  if (t.length !== e) return;
  let r;
  try {
    r = n(t), r.assertValidity();
  } catch {
    return;
  }
  return r.is0() || !Fe(r.toBytes(!0), t) ? void 0 : r;
}
function ys(t) {
  return nm(t, d_, (e) => f_.fromBytes(e));
}
function Zf(t) {
  let e = em.get(t);
  if (e !== void 0) return e;
  let n = nm(t, u_, (o) => Xf.fromBytes(o));
  if (n === void 0) return;
  let r = { point: n };
  return em.set(t, r), r;
}
function Jf(t, e) {
  let n = t;
  for (let r of e) {
    if (r === void 0) return;
    n = n.add(r);
  }
  return n.is0() ? void 0 : n;
}
function Pi(t) {
  if (t.length === 1) return Zf(t[0]);
  let e = Jf(Xf.ZERO, t.map((n) => Zf(n)?.point));
  return e === void 0 ? void 0 : { point: e };
}
function bs(t, e) {
  return En.G1.hashToCurve(t, { DST: e });
}
function Qf(t, e) {
  tm ??= En.utils.calcPairingPrecomputes(Xf.BASE.negate());
  let n = [],
    r = (s, i) => {
      if (s.is0()) return;
      let { x: a, y: f } = s.toAffine();
      n.push([i, a, f]);
    };
  r(t, tm);
  for (let { point: s, key: i } of e) r(s, i.lines ??= En.utils.calcPairingPrecomputes(i.point));
  let o = Yf.finalExponentiate(En.millerLoopBatch(n));
  return Yf.eql(o, Yf.ONE);
}
var ar = {
  keyValidate: (t) => Zf(t) !== void 0,
  verify(t, e, n, r) {
    return ar.fastAggregateVerify([t], e, n, r);
  },
  fastAggregateVerify(t, e, n, r) {
    let o = Pi(t), s = ys(n);
    return o !== void 0 && s !== void 0 && Qf(s, [{ point: bs(e, r), key: o }]);
  },
};
var { G1: { Point: ji }, G2: { Point: l_ } } = En, h_ = ji.Fn.ORDER, p_ = 16;
function rm(t) {
  let e = t.length === vo ? Dt(t) : 0n;
  if (e > 0n && e < h_) return e;
  throw So();
}
function m_(t, e, n) {
  let r = Pi(t.publicKeys), o = ys(t.signature);
  if (r === void 0 || o === void 0) return;
  let s = J(r.point.toBytes(!0));
  return { index: e, key: r, keyId: s, hash: bs(t.message, n), signature: o };
}
function g_() {
  return Dt(crypto.getRandomValues(new Uint8Array(p_)));
}
function w_(t) {
  let e = ji.ZERO, n = new Map();
  for (let { key: r, keyId: o, hash: s, signature: i } of t) {
    let a = t.length === 1 ? 1n : g_();
    e = e.add(i.multiplyUnsafe(a));
    let f = n.get(o) ?? { point: ji.ZERO, key: r };
    f.point = f.point.add(s.multiplyUnsafe(a)), n.set(o, f);
  }
  return Qf(e, [...n.values()]);
}
function ed(t, e) {
  if (t.length === 0) return;
  if (w_(t)) return t.forEach(e);
  if (t.length === 1) return;
  let n = Math.ceil(t.length / 2);
  ed(t.slice(0, n), e), ed(t.slice(n), e);
}
var xs = {
  ...ar,
  keyGen: $i,
  skToPk: (t) => l_.BASE.multiply(rm(t)).toBytes(!0),
  sign(t, e, n) {
    let r = rm(t);
    return bs(e, n).multiply(r).toBytes(!0);
  },
  signatureValidate: (t) => ys(t) !== void 0,
  hashToG1: (t, e) => bs(t, e).toBytes(!0),
  aggregate(t) {
    return Jf(ji.ZERO, t.map(ys))?.toBytes(!0);
  },
  aggregateKeys(t) {
    return Pi(t)?.point.toBytes(!0);
  },
  batchVerify(t, e) {
    let n = t.map(() => !1), r = t.map((o, s) => m_(o, s, e));
    return ed(r.filter((o) => o !== void 0), ({ index: o }) => {
      n[o] = !0;
    }),
      n;
  },
};
function Ur(t) {
  let e = [];
  for (let n = t; n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) e.push(n);
  return e;
}
function om(t, e) {
  let n = [], r = t;
  for (let o of Ur(t.length / T)) n.push(r), r = e(r);
  return n;
}
function Di(t, e) {
  let n = Ur(e), r = [];
  for (let s = 0; s < e; s++) {
    let i = 0, a = s;
    for (let f of n) {
      let d = a % 2 === 0 ? a + 1 : a - 1;
      d < f && r.push(i + d), i += f, a = Math.floor(a / 2);
    }
  }
  let o = new Uint8Array(r.length * T);
  for (let [s, i] of r.entries()) o.set(t.subarray(i * T, (i + 1) * T), s * T);
  return o;
}
var sm = 0, am = 1;
function cm(t) {
  let e = (n) => y_(t, n);
  return {
    sha256: (n) => t(n),
    leafHashes: (n, r) => im(t, n, r),
    numberedLeafHashes(n) {
      let { entries: r, ends: o } = td(n);
      return im(t, r, o);
    },
    nodeHash(n, r) {
      let o = new Uint8Array(1 + 2 * T);
      return o[0] = am, o.set(n, 1), o.set(r, 1 + T), t(o);
    },
    treeLevel(n, r = 1) {
      let o = n;
      for (let s = 0; s < r && o.length > T; s++) o = e(o);
      return o === n ? n.slice() : o;
    },
    treeLevels: (n) => me(...om(n, e)),
    inclusionPaths: Di,
  };
}
function im(t, e, n) {
  let r = new Uint8Array(n.length * T), o = new Uint8Array(257);
  o[0] = sm;
  let s = 0;
  for (let i = 0; i < n.length; i++) {
    let a = n[i];
    1 + a - s > o.length && (o = new Uint8Array(1 + a - s), o[0] = sm),
      o.set(e.subarray(s, a), 1),
      r.set(t(o.subarray(0, 1 + a - s)), i * T),
      s = a;
  }
  return r;
}
function y_(t, e) {
  let n = e.length / T, r = new Uint8Array(Math.ceil(n / 2) * T), o = new Uint8Array(1 + 2 * T);
  o[0] = am;
  for (let s = 0; s + 1 < n; s += 2) {
    o.set(e.subarray(s * T, (s + 2) * T), 1), r.set(t(o), s / 2 * T);
  }
  return n % 2 === 1 && r.set(e.subarray((n - 1) * T), r.length - T), r;
}
function td(t) {
  let { before: e, digests: n, between: r, first: o, after: s } = t,
    i = n.length / T,
    a = ee(J(n)),
    f = new Uint32Array(i),
    d = e.length + 2 * T + r.length + s.length,
    u = new Uint8Array(i * (d + String(o + i).length)),
    l = 0,
    h = (p) => {
      u.set(p, l), l += p.length;
    };
  for (let p = 0; p < i; p++) {
    h(e), h(a.subarray(p * 2 * T, (p + 1) * 2 * T)), h(r);
    let m = String(o + p);
    for (let g = 0; g < m.length; g++) u[l++] = m.charCodeAt(g);
    h(s), f[p] = l;
  }
  return { entries: u.subarray(0, l), ends: f };
}
var _s = cm(tn);
var vn = 2;
var nd = 32, WA = 2 + nd + 2 * T;
function Ui(t) {
  return Uint8Array.of(t >> 8, t & 255);
}
function b_(t) {
  let { issuerName: e, redemptionContext: n, originInfo: r } = t;
  if (!zi(e) || e === "" || !zi(r)) {
    throw new C(
      "invalid_configuration",
      "Cannot write token challenge: the issuer name or origin info is not printable ASCII",
    );
  }
  return me(Ui(vn), Ui(e.length), ee(e), Uint8Array.of(n.length), n, Ui(r.length), ee(r));
}
function zi(t) {
  return t.length < 65536 && /^[\x20-\x7e]*$/.test(t);
}
function fm(t) {
  let e = 0,
    n = (u) => t.slice(e, e += u),
    r = (u) => n(u).reduce((l, h) => l << 8 | h, 0),
    o = r(2),
    s = Bt(n(r(2))),
    i = n(r(1)),
    a = Bt(n(r(2))),
    d = o === vn && s !== "" && zi(s) && zi(a) && [0, T].includes(i.length) &&
      { issuerName: s, redemptionContext: i, originInfo: a };
  if (!d || !Fe(b_(d), t)) {
    throw new C(
      "malformed_text",
      `Cannot read token challenge: ${t.length} bytes are not a TokenChallenge of type 2`,
    );
  }
  return d;
}
function dm(t) {
  return _s.sha256(t);
}
function qi(t) {
  return _s.sha256(t);
}
function rd(t) {
  return me(Ui(vn), t.nonce, t.challengeDigest, t.tokenKeyId);
}
function x_(t) {
  return me(rd(t), t.authenticator);
}
function um(t) {
  return Ah(x_(t));
}
var { rawJSON: __ = (t) => t } = JSON,
  Es = class {
    text;
    constructor(e) {
      this.text = e;
    }
    toJSON() {
      return __(this.text);
    }
  },
  lm = 32,
  E_ = 40,
  v_ = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  Gi = /[^"\\\u0000-\u001f]*/y,
  S_ = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y,
  T_ = 15,
  od = 48,
  k_ = 57;
function mt(t, e, n = 1 / 0, r = "JSON") {
  return new sd(t, e, n, r).read();
}
function vs(t) {
  return JSON.stringify(t.slice(0, E_));
}
var sd = class {
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
    if (e > lm) throw this.#l(`more than ${lm} levels`);
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
    for (; n < e + T_; n++) {
      let i = this.#e.charCodeAt(n);
      if (!(i >= od && i <= k_)) break;
      r = 10 * r + i - od;
    }
    let o = "0123456789.eE".includes(this.#e[n] ?? " "),
      s = n > e + 1 && this.#e.charCodeAt(e) === od;
    if (!(n === e || o || s)) return this.#r = n, r;
  }
  #p() {
    let e = this.#g(v_);
    if (e === void 0) throw this.#l("not a JSON value");
    return Et(e) ?? new Es(e);
  }
  #u(e) {
    let n = Object.create(null);
    if (this.#r++, this.#d(), this.#f("}")) return n;
    do {
      this.#d();
      let r = this.#m();
      if (Object.hasOwn(n, r)) throw this.#l(`duplicate member ${vs(r)}`);
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
    Gi.lastIndex = this.#r, Gi.test(this.#e);
    let n = Gi.lastIndex;
    if (this.#e[n] === '"') return this.#r = n + 1, this.#e.slice(e + 1, n);
    do this.#g(Gi); while (this.#g(S_) !== void 0);
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
    return new C(this.#t, `Cannot read ${this.#o}: ${e} at character ${this.#r}`);
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
  Wt = class t {
    read;
    describe;
    constructor(e, n) {
      this.read = e, this.describe = n;
    }
    parse(e, { where: n, code: r }) {
      try {
        return this.read(e, "");
      } catch (o) {
        throw o instanceof Ut ? new C(r, `Cannot read ${n}${o.subject}: ${o.problem}`) : o;
      }
    }
    parseText(e, n, r) {
      return this.parse(mt(e, n.code, r), n);
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
      return new Ss(this.read, this.describe);
    }
  },
  Ss = class extends Wt {
    isOptional = !0;
  },
  id = class extends Wt {
    members;
    constructor(e, n) {
      super(
        (r, o) => O_(e, r, o, n === "refused"),
        (r) => ({
          type: "object",
          properties: Object.fromEntries(Object.entries(e).map(([o, s]) => [o, s.describe(r)])),
          required: Object.keys(e).filter((o) => !(e[o] instanceof Ss)),
          ...n !== "allowed" && { additionalProperties: !1 },
        }),
      ), this.members = e;
    }
  };
function O_(t, e, n, r) {
  if (!(typeof e == "object" && e !== null && !Array.isArray(e)) || e instanceof Es) {
    throw new Ut(n, "expected an object");
  }
  let s = e, i = {};
  for (let [f, d] of Object.entries(t)) {
    if (Object.hasOwn(s, f)) i[f] = d.read(s[f], `${n}.${f}`);
    else if (!(d instanceof Ss)) throw new Ut(`${n}.${f}`, `member ${f} is missing`, n);
  }
  let a = Object.keys(s).find((f) => !Object.hasOwn(t, f));
  if (r && a !== void 0) throw new Ut(n, `unknown member ${vs(a)}`);
  return i;
}
function D(t, e = "refused") {
  return new id(t, e);
}
function Vi(t, e, n) {
  return new Wt((r, o) => {
    if (!t(r)) throw new Ut(o, `expected ${e}`);
    return r;
  }, () => n);
}
var ve = Vi((t) => typeof t == "string", "text", { type: "string" }),
  Ts = Vi((t) => typeof t == "boolean", "true or false", { type: "boolean" }),
  A_ = Vi((t) => t === null, "null", { type: "null" }),
  Pn = Vi(_e, "an integer from 0 to 2^53 - 1", { type: "integer", minimum: 0, maximum: Oh - 1 }),
  To = new Wt(
    (t) => t ?? null,
    () => ({ type: ["string", "number", "boolean", "null", "array", "object"] }),
  ).named("JsonValue", { description: "Any JSON value" });
function Sn(t) {
  return ve.with({ description: t });
}
function ad(t) {
  return Ts.with({ description: t });
}
function te(t) {
  return Pn.with({ description: t });
}
function We(t) {
  return Pn.with({ description: `${t}, Unix seconds`, example: 1766275200 });
}
function hm(t) {
  return ve.map((e) => t.test(e) ? e : void 0, `text that matches ${t.source}`).with({
    pattern: t.source,
  });
}
function gt(t, e) {
  let n = 2 * t;
  return ve.map((r) => He(r, t) ? r : void 0, `${n} lowercase hex digits`).with({
    pattern: `^[0-9a-f]{${n}}$`,
    description: e,
  });
}
var nt = gt(T, "32 bytes, lowercase hex").named("Hash"),
  zt = ge(nt).named("HashPath", {
    description:
      "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
  });
function Yt(t) {
  return ve.map((e) => t.find((n) => n === e), t.join(" or ")).with({ enum: t });
}
function ge(t, e = 0, n = 1 / 0) {
  return new Wt(
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
function zr(...t) {
  return new Wt((e, n) => {
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
function cr(t) {
  return zr(t, A_);
}
var B_ = ["open", "token_optional", "token_required"],
  pm = ve.with({ pattern: "^[A-Za-z0-9_-]+$" }),
  N_ = D({
    token_key: pm.with({
      description: "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
      example: "MIIBUjA9BgkqhkiG9w0BAQo",
    }),
    token_key_id: gt(T, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
    not_before: We("First second in which its tokens are accepted").optional(),
    not_after: We("First second in which its tokens are refused").optional(),
  }, "ignored").named("TokenKey"),
  cd = D({
    name: Sn("`issuer_name` of the challenge").with({ minLength: 1, example: "issuer.example" }),
    url: Sn("URL of the issuer, below which clients find its directory").with({ format: "uri" })
      .optional(),
    token_type: te("Blind RSA (2048-bit)").with({ enum: [vn] }),
    challenge: pm.with({
      description:
        "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's id as origin_info",
      example: "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
    }),
    token_keys: ge(N_).with({ minItems: 1 }),
  }, "ignored").named("TokenIssuer"),
  i8 = D({
    mode: Sn("Which new hashes need tokens").with({ enum: B_, example: "token_required" }),
    issuers: ge(cd),
  }, "ignored").named("AdmissionOffer"),
  C_ = D({ name: To, token_type: Pn, challenge: To, token_keys: To }, "ignored"),
  R_ = new Wt((t, e) => {
    let { token_type: n } = C_.read(t, e);
    return n === vn ? cd.read(t, e) : void 0;
  }, cd.describe),
  I_ = D({ mode: ve, issuers: ge(R_) }, "ignored").map(({ mode: t, issuers: e }) => {
    let n = e.flatMap((r) => r === void 0 ? [] : [L_(r)]);
    return n.includes(void 0) ? void 0 : { mode: t, issuers: n.flatMap((r) => r ?? []) };
  }, "issuers with keys that match their ids, and a challenge that matches their name");
function mm(t) {
  return I_.parseText(t, { where: "admission", code: "gateway_refused" });
}
function L_(t) {
  let { name: e, url: n } = t, r = go(t.challenge);
  if (r === void 0) return;
  let o = fm(r), s = t.token_keys.flatMap((a) => M_(a) ?? []);
  return s.length === t.token_keys.length && o.issuerName === e
    ? { ...n !== void 0 && { url: n }, challengeBytes: r, challenge: o, keys: s }
    : void 0;
}
function M_(t) {
  let { not_before: e, not_after: n } = t, r = go(t.token_key);
  if (!(r === void 0 || J(qi(r)) !== t.token_key_id)) {
    return { tokenKey: r, ...e !== void 0 && { notBefore: e }, ...n !== void 0 && { notAfter: n } };
  }
}
var gm = 48,
  wm = 80,
  H_ = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/,
  Ki = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;
function qt(t) {
  return t.length <= gm && Ki.test(t) && !Wp.some((e) => t.startsWith(e));
}
function ko(t) {
  return t.length <= wm && Ki.test(t);
}
var rt = ve.named("NetworkId", {
    minLength: 1,
    maxLength: gm,
    pattern: Ki.source,
    description: "The log's C2SP origin",
  }),
  Zt = ve.named("WitnessId", {
    minLength: 1,
    maxLength: wm,
    pattern: Ki.source,
    description: "The witness's C2SP key name",
  }),
  Oo = hm(H_).with({
    description: "The gateway's name for the service; only where it has several of this provider",
  });
var Ao = Ge("malformed_text", "Cannot read attestation"),
  ym = D({
    hash: nt,
    timestamp: We("Timestamp of the round"),
    network_id: rt,
    sequence: te("Order of acceptance, from 0; also the index of the leaf in the log"),
  }).named("Attestation");
function ks(t) {
  let { network_id: e, hash: n, timestamp: r, sequence: o } = t;
  if (!qt(e)) throw Ao("network_id is not a valid C2SP origin");
  if (!He(n, T)) throw Ao("hash is not 64 lowercase hex digits");
  if (!_e(r)) throw Ao("timestamp is not an integer in [0, 2^53)");
  if (!_e(o)) throw Ao("sequence is not an integer in [0, 2^53)");
  return `${Kf}
${e}
${n}
${r}
${o}
`;
}
function bm(t) {
  let [e, n = "", r = "", o = "", s = ""] = t.split(`
`);
  if (e !== Kf) throw Ao("the first line is not the domain");
  let i = { hash: r, timestamp: Et(o) ?? NaN, network_id: n, sequence: Et(s) ?? NaN };
  if (ks(i) !== t) throw Ao("the text is not canonical");
  return i;
}
var pt = { ed25519: 64, bls: 48 }, Tn = { ed25519: 32, bls: 96 };
function jn(t) {
  return "signatures" in t;
}
function fr(t) {
  return jn(t) ? t.signatures.map(({ witness_id: e }) => e) : t.signers;
}
var Wi = Zt.map((t) => ko(t) ? t : void 0, "a witness id of 1 to 80 characters"),
  F_ = ge(
    D({ witness_id: Wi, signature: gt(pt.ed25519, "Ed25519 signature (RFC 8032)") }).named(
      "WitnessSignature",
    ),
  ).with({ description: "One signature per witness, strictly ascending by witness_id" });
function qr(t, e, n) {
  return zr(
    D({ ...e, signatures: F_ }).named(`Ed25519${t}`),
    D({
      ...e,
      signature: gt(pt.bls, "Aggregate BLS12-381 signature in G1, compressed"),
      signers: ge(Wi).with({
        description: "Ids of the witnesses in the aggregate, strictly ascending",
      }),
    }).named(`Bls${t}`),
  ).named(t, n);
}
var Os = Ge("malformed_text", "Cannot read tree head"),
  Gr = D({
    network_id: rt,
    tree_size: te("Number of leaves").with({ example: 2 }),
    timestamp: We("Timestamp of the head"),
    root_hash: nt,
  }).named("TreeHead"),
  As = gt(pt.ed25519, "The log key's Ed25519 signature over the checkpoint body"),
  $_ = gt(
    pt.ed25519,
    "The log key's Ed25519 signature over the Sig_structure of this head's COSE receipts",
  ),
  kn = qr("SignedTreeHead", {
    tree_head: Gr,
    log_signature: As.optional(),
    receipt_signature: $_.optional(),
  }, { description: "Size and root hash of the log at a time, cosigned by the threshold" });
function On(t) {
  if (!qt(t.network_id)) throw Os("the origin is not a network id");
  if (!_e(t.tree_size)) throw Os("the tree size is not an integer in [0, 2^53)");
  if (!He(t.root_hash, T)) throw Os("the root hash is not 32 bytes");
  let e = mo(Oe(t.root_hash));
  return `${t.network_id}
${t.tree_size}
${e}
`;
}
function Yi(t) {
  let [e = "", n = "", r = ""] = t.split(`
`),
    o = { network_id: e, tree_size: Et(n) ?? NaN, root_hash: J(mn(r) ?? new Uint8Array()) };
  if (On(o) !== t) throw Os("the text is not canonical");
  return o;
}
function Zi(t) {
  return Xi(t.timestamp, On(t));
}
function Xi(t, e) {
  if (!_e(t)) throw Os("the time is not an integer in [0, 2^53)");
  return `${Dp}
time ${t}
${e}`;
}
var fd = D({
    provider: Sn("Kind of service"),
    service: Oo.optional(),
    status: Sn("State of the proof, as the provider names it"),
    timestamp: We("Time of the anchor, as the service states it"),
    tree_head: Gr,
    consistency_path: zt,
    digest: nt,
    proof: To.with({ description: "Proof in the provider's format" }),
  }).named("ExternalAnchor", {
    description: "Proof of an external service over SHA-256(checkpoint body)",
  }),
  N8 = ge(fd);
var Vr = Ge("malformed_text", "Cannot read signed note"),
  xm = 1 << 20,
  _m = 256,
  dd = 4,
  ud = 8,
  P_ = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
function Ji(t) {
  if (t.length <= ud) return;
  let e = new DataView(t.buffer, t.byteOffset, ud), n = Number(e.getBigUint64(0));
  if (Number.isSafeInteger(n)) return { timestamp: n, signature: t.slice(ud) };
}
function Bo(t) {
  if (t.length > xm) throw Vr(`more than ${xm} characters`);
  if (!t.isWellFormed()) throw Vr("invalid Unicode");
  if (/[\u0000-\u0009\u000b-\u001f]/.test(t)) throw Vr("control character");
  let e = t.lastIndexOf(`

`);
  if (e < 0) throw Vr("no empty line before the signatures");
  let n = t.slice(e + 2).split(`
`);
  if (n.pop() !== "" || n.length === 0) throw Vr("no signature line, or no newline at the end");
  if (n.length > _m) throw Vr(`more than ${_m} signatures`);
  return { text: t.slice(0, e + 1), signatures: n.map(j_) };
}
function j_(t) {
  let [, e = "", n = ""] = P_.exec(t) ?? [], r = mn(n);
  if (e === "" || r === void 0 || r.length <= dd) throw Vr("malformed signature line");
  return { name: e, keyId: r.slice(0, dd), payload: r.slice(dd) };
}
var D_ = Uint8Array.of(0), F8 = Uint8Array.of(1);
function an(t) {
  return tn(t);
}
function Qi(t, e) {
  return t.sha256(me(D_, e));
}
var ea = 48;
var ld = Object.freeze({
  name: "drand quicknet",
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey: Oe(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
  periodSeconds: 3,
  genesisTime: 1692803367,
});
function hd(t, e) {
  return t.genesisTime + (e - 1) * t.periodSeconds;
}
function U_(t) {
  return an(wo(t));
}
function Em(t, e, n) {
  let r = z_(e, n);
  return r !== void 0 && t.verify(e.publicKey, U_(n.round), r, Zp);
}
function z_(t, e) {
  let { chain_hash: n, round: r, signature: o } = e;
  if (!(!He(n, T) || n !== t.hash) && !(!(r >= 1) || !Number.isSafeInteger(hd(t, r)))) {
    return Ue(o, ea);
  }
}
var Bs = Ge("malformed_text", "Cannot write round message"),
  No = 512,
  q_ = D({
    chain_hash: nt,
    round: te("Round of the beacon"),
    signature: gt(ea, "Signature of the beacon over that round"),
  }).named("Beacon", {
    description: "Public drand randomness: the round was signed after the beacon was published",
  }),
  vm = D({
    index: te("Index of the attestation in the round").with({ maximum: No - 1 }),
    size: te("Number of attestations").with({ minimum: 1, maximum: No }),
    inclusion_path: zt,
    beacon: cr(q_),
  }).named("RoundInclusion", {
    description:
      "Position of the attestation in its round, and its inclusion path to the round's root",
  });
function Sm(t) {
  let { network_id: e, timestamp: n, size: r, root: o, beacon: s } = t;
  if (!qt(e)) throw Bs("network_id is not a valid C2SP origin");
  if (!_e(n)) throw Bs("timestamp is not an integer in [0, 2^53)");
  if (!_e(r) || r < 1 || r > No) throw Bs(`size is not an integer from 1 to ${No}`);
  if (!He(o, T)) throw Bs("root is not 64 lowercase hex digits");
  return `${jp}
${e}
${n}
${r}
${o}
${G_(s)}
`;
}
function G_(t) {
  if (t === null) return "none";
  if (!He(t.chain_hash, T) || !_e(t.round) || !He(t.signature, ea)) throw Bs("malformed beacon");
  return `drand/${t.chain_hash}/${t.round}/${t.signature}`;
}
function Tm(t, e, n) {
  return t.verify(e, e, n, Wf);
}
var ta = BigInt(0), na = BigInt(1), ra = BigInt(2), V_ = BigInt(4), km = BigInt(8);
function K_(t, e, n, r) {
  let o = t.sqr(n),
    s = t.sqr(r),
    i = t.add(t.mul(e.a, o), s),
    a = t.add(t.ONE, t.mul(e.d, t.mul(o, s)));
  return t.eql(i, a);
}
function Om(t, e = {}) {
  Ke(e, {}, {}, "extraOpts");
  let n = e, r = Ci("edwards", t, n, n.FpFnLE), { Fp: o, Fn: s } = r, i = r.CURVE, { h: a } = i;
  if ($n(o, i.a) !== 1) {
    throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
  }
  if ($n(o, i.d) !== -1) {
    throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
  }
  Ke(n, {}, { uvRatio: "function", randomBytes: "function" });
  let f = n.randomBytes === void 0 ? Fn : n.randomBytes, d = ra << BigInt(o.BYTES * 8) - na;
  function u(x) {
    if (!o.isOdd) throw new Error("Field does not have .isOdd()");
    return o.isOdd(x);
  }
  let l = n.uvRatio === void 0
    ? (x, y) => {
      try {
        return { isValid: !0, value: o.sqrt(o.div(x, y)) };
      } catch {
        return { isValid: !1, value: ta };
      }
    }
    : n.uvRatio;
  if (!K_(o, i, i.Gx, i.Gy)) throw new Error("bad curve params: generator point");
  let h = o.eql(i.a, o.neg(o.ONE))
    ? (x) => o.neg(x)
    : o.eql(i.a, o.ONE)
    ? (x) => x
    : (x) => o.mul(i.a, x);
  function p(x, y, _ = !1) {
    let v = _ ? na : ta;
    return Fr("coordinate " + x, y, v, d), y;
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
    constructor(y, _, v, R) {
      this.X = p("x", y),
        this.Y = p("y", _),
        this.Z = p("z", v, !0),
        this.T = p("t", R),
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
      let v = o.BYTES, { a: R, d: A } = i;
      y = xn(Ee(y, v, "point")), Mt(_, "zip215");
      let I = xn(y), z = y[v - 1];
      I[v - 1] = z & -129;
      let ne = yn(I), ae = _ ? d : o.ORDER;
      Fr("point.y", ne, ta, ae);
      let le = o.sqr(ne),
        Ce = o.sub(le, o.ONE),
        W = o.sub(o.mulN(A, le), R),
        { isValid: ce, value: fe } = l(Ce, W);
      if (!ce) throw new Error("bad point: invalid y coordinate");
      let O = u(fe), q = (z & 128) !== 0;
      if (!_ && o.is0(fe) && q) throw new Error("bad point: x=0 and x_0=1");
      return q !== O && (fe = o.neg(fe)), g.fromAffine({ x: fe, y: ne });
    }
    static fromHex(y, _ = !1) {
      return g.fromBytes(Hr(y), _);
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(y = 6, _ = !0) {
      return b.setWindowSize(this, y), _ || this.multiply(ra), this;
    }
    assertValidity() {
      let y = this, { a: _, d: v } = i;
      if (y.is0()) throw new Error("bad point: ZERO");
      let { X: R, Y: A, Z: I, T: z } = y,
        ne = o.sqr(R),
        ae = o.sqr(A),
        le = o.sqr(I),
        Ce = o.sqr(le),
        W = o.mul(ne, _),
        ce = o.mul(o.add(W, ae), le),
        fe = o.add(Ce, o.mul(v, o.mul(ne, ae)));
      if (!o.eql(ce, fe)) throw new Error("bad point: equation left != right (1)");
      let O = o.mul(R, A), q = o.mul(I, z);
      if (!o.eql(O, q)) throw new Error("bad point: equation left != right (2)");
    }
    equals(y) {
      m(y);
      let { X: _, Y: v, Z: R } = this,
        { X: A, Y: I, Z: z } = y,
        ne = o.mul(_, z),
        ae = o.mul(A, R),
        le = o.mul(v, z),
        Ce = o.mul(I, R);
      return o.eql(ne, ae) && o.eql(le, Ce);
    }
    is0() {
      return this.equals(g.ZERO);
    }
    negate() {
      return new g(o.neg(this.X), this.Y, this.Z, o.neg(this.T));
    }
    double() {
      let { X: y, Y: _, Z: v } = this,
        R = o.sqr(y),
        A = o.sqr(_),
        I = o.mul(o.sqr(v), ra),
        z = h(R),
        ne = o.addN(y, _),
        ae = o.sub(o.subN(o.sqr(ne), R), A),
        le = o.addN(z, A),
        Ce = o.subN(le, I),
        W = o.subN(z, A),
        ce = o.mul(ae, Ce),
        fe = o.mul(le, W),
        O = o.mul(ae, W),
        q = o.mul(Ce, le);
      return new g(ce, fe, q, O);
    }
    add(y) {
      m(y);
      let { d: _ } = i,
        { X: v, Y: R, Z: A, T: I } = this,
        { X: z, Y: ne, Z: ae, T: le } = y,
        Ce = o.mul(v, z),
        W = o.mul(R, ne),
        ce = o.mul(o.mulN(I, _), le),
        fe = o.mul(A, ae),
        O = o.sub(o.subN(o.mulN(o.addN(v, R), o.addN(z, ne)), Ce), W),
        q = o.subN(fe, ce),
        V = o.addN(fe, ce),
        $ = o.sub(W, h(Ce)),
        S = o.mul(O, q),
        L = o.mul(V, $),
        F = o.mul(O, $),
        P = o.mul(q, V);
      return new g(S, L, P, F);
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
      return y === ta ? g.ZERO : this.is0() || y === na ? this : b.mulUnsafe(this, y, w);
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
      let { X: R, Y: A, Z: I } = _, z = _.is0();
      v == null && (v = z ? o.create(km) : o.inv(I));
      let ne = o.mul(R, v), ae = o.mul(A, v), le = o.mul(I, v);
      if (z) return { x: o.ZERO, y: o.ONE };
      if (!o.eql(le, o.ONE)) throw new Error("invZ was invalid");
      return { x: ne, y: ae };
    }
    clearCofactor() {
      return a === na
        ? this
        : a === ra
        ? this.double()
        : a === V_
        ? this.double().double()
        : a === km
        ? this.double().double().double()
        : this.multiplyUnsafe(a);
    }
    toBytes() {
      let { x: y, y: _ } = this.toAffine(), v = o.toBytes(_);
      return v[v.length - 1] |= u(y) ? 128 : 0, v;
    }
    toHex() {
      return Mr(this.toBytes());
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let w = (x) => Bi(g, x), b = new yo(g, f);
  return b.bits >= 6 && g.BASE.precompute(6), Object.freeze(g.prototype), Object.freeze(g), g;
}
function Am(t, e, n = {}) {
  if (or(t), typeof e != "function") throw new Error('"hash" function param is required');
  let r = e, o = n;
  Ke(o, {}, {
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
  if (d !== void 0 && (Ve(d, "hash.outputLen"), d !== u)) {
    throw new Error(`hash.outputLen must be ${u}, got ${d}`);
  }
  let l = o.randomBytes === void 0 ? Fn : o.randomBytes,
    h = o.toMontgomery,
    p = o.toMontgomerySecret,
    m = o.adjustScalarBytes === void 0 ? (W) => W : o.adjustScalarBytes,
    g = o.domain === void 0
      ? (W, ce, fe) => {
        if (Mt(fe, "phflag"), ce.length || fe) {
          throw new Error("Contexts/pre-hash are not supported");
        }
        return W;
      }
      : o.domain;
  function w(W) {
    return f.create(yn(W));
  }
  function b(W) {
    let ce = z.secretKey;
    Ee(W, z.secretKey, "secretKey");
    let fe = Ee(r(W), 2 * ce, "hashedSecretKey"),
      O = m(fe.slice(0, ce)),
      q = fe.slice(ce, 2 * ce),
      V = w(O);
    return { head: O, prefix: q, scalar: V };
  }
  function x(W) {
    let { head: ce, prefix: fe, scalar: O } = b(W), q = i.multiply(O), V = q.toBytes();
    return { head: ce, prefix: fe, scalar: O, point: q, pointBytes: V };
  }
  function y(W) {
    return x(W).pointBytes;
  }
  function _(W = Uint8Array.of(), ...ce) {
    let fe = it(...ce);
    return w(r(g(fe, Ee(W, void 0, "context"), !!s)));
  }
  function v(W, ce, fe = {}) {
    Ke(fe, {}, {}, "options"), W = xn(Ee(W, void 0, "message")), s && (W = s(W));
    let { prefix: O, scalar: q, pointBytes: V } = x(ce),
      $ = _(fe.context, O, W),
      S = i.multiply($).toBytes(),
      L = _(fe.context, S, V, W),
      F = f.create($ + L * q);
    if (!f.isValid(F)) throw new Error("sign failed: invalid s");
    let P = it(S, f.toBytes(F));
    return Ee(P, z.signature, "result");
  }
  let R = { zip215: o.zip215 };
  function A(W, ce, fe, O = R) {
    Ke(O);
    let { context: q } = O, V = O.zip215 === void 0 ? !!R.zip215 : O.zip215, $ = z.signature;
    W = Ee(W, $, "signature"),
      ce = Ee(ce, void 0, "message"),
      fe = Ee(fe, z.publicKey, "publicKey"),
      V !== void 0 && Mt(V, "zip215"),
      s && (ce = s(ce));
    let S = $ / 2, L = W.subarray(0, S), F = yn(W.subarray(S, $)), P, j, E;
    try {
      P = t.fromBytes(fe, V), j = t.fromBytes(L, V), E = i.multiplyUnsafe(F);
    } catch {
      return !1;
    }
    if (!V && P.isSmallOrder()) return !1;
    let B = _(q, L, fe, ce);
    return j.add(P.multiplyUnsafe(B)).subtract(E).clearCofactor().is0();
  }
  let I = a.BYTES, z = { secretKey: I, publicKey: I, signature: 2 * I, seed: I };
  function ne(W) {
    return W = W === void 0 ? l(z.seed) : W, Ee(W, z.seed, "seed");
  }
  function ae(W) {
    return wn(W) && W.length === z.secretKey;
  }
  function le(W, ce) {
    try {
      return !!t.fromBytes(W, ce === void 0 ? R.zip215 : ce);
    } catch {
      return !1;
    }
  }
  let Ce = {
    getExtendedPublicKey: x,
    randomSecretKey: ne,
    isValidSecretKey: ae,
    isValidPublicKey: le,
    toMontgomery(W) {
      if (h === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return h(t.fromBytes(W));
    },
    toMontgomerySecret(W) {
      if (p === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return p(W);
    },
  };
  return Object.freeze(z),
    Object.freeze(Ce),
    Object.freeze({
      keygen: Of(ne, y),
      getPublicKey: y,
      sign: v,
      verify: A,
      utils: Ce,
      Point: t,
      lengths: z,
    });
}
function Ns(t, e = "n") {
  if (typeof t != "number") {
    throw new TypeError(`wrong u32 integer "${e}": expected number, got type=${typeof t}`);
  }
  if (!Number.isSafeInteger(t) || t < 0 || t > 4294967295) {
    throw new RangeError(`wrong u32 integer "${e}": expected 0..4294967295, got ${t}`);
  }
  return t;
}
function Nm(t) {
  return Ns(t, "x"), (t & t - 1) === 0 && t !== 0;
}
function pd(t, e) {
  if (Ns(t), typeof e != "number") {
    throw new TypeError('"bits" expected number, got type=' + typeof e);
  }
  if (!Number.isSafeInteger(e) || e < 0 || e > 32) {
    throw new Error(`expected integer 0 <= bits <= 32, got ${e}`);
  }
  let n = 0;
  for (let r = 0; r < e; r++, t >>>= 1) n = n << 1 | t & 1;
  return n >>> 0;
}
function Cm(t) {
  return Ns(t), 31 - Math.clz32(t);
}
function Bm(t) {
  if (!t || typeof t != "object" || typeof t.length != "number") {
    throw new TypeError('"values" expected array-like, got type=' + typeof t);
  }
  let e = t.length;
  if (!Nm(e)) throw new Error("expected positive power-of-two length, got " + e);
  let n = Cm(e);
  for (let r = 0; r < e; r++) {
    let o = pd(r, n);
    if (r < o) {
      let s = t[r];
      t[r] = t[o], t[o] = s;
    }
  }
  return t;
}
var md = (t, e) => {
  Ke(e, { N: "number", roots: "object", dit: "boolean" }, {
    invertButterflies: "boolean",
    skipStages: "number",
    brp: "boolean",
  }, "coreOpts");
  let { N: n, roots: r, dit: o, invertButterflies: s = !1, skipStages: i = 0, brp: a = !0 } = e;
  Ns(n, "coreOpts.N");
  let f = Cm(n);
  if (!Nm(n)) throw new Error("FFT: Polynomial size should be power of two");
  Ns(i, "coreOpts.skipStages");
  let d = f === 0 ? 0 : f - 1;
  if (i > d) throw new Error(`FFT: wrong skipStages: expected 0 <= skipStages <= ${d}`);
  if (r.length !== n) throw new Error(`FFT: wrong roots length: expected ${n}, got ${r.length}`);
  let u = o !== s;
  return (l) => {
    if (l.length !== n) throw new Error("FFT: wrong Polynomial length");
    o && a && Bm(l);
    for (let h = 0, p = 1; h < f - i; h++) {
      let m = o ? h + 1 + i : f - h, g = 1 << m, w = g >> 1, b = n >> m;
      for (let x = 0; x < n; x += g) {
        for (let y = 0, _ = p++; y < w; y++) {
          let v = s ? o ? n - _ : _ : y * b,
            R = x + y,
            A = x + y + w,
            I = r[v],
            z = l[A],
            ne = l[R];
          if (u) {
            let ae = t.mul(z, I);
            l[R] = t.add(ne, ae), l[A] = t.sub(ne, ae);
          } else {s
              ? (l[R] = t.add(z, ne), l[A] = t.mul(t.sub(z, ne), I))
              : (l[R] = t.add(ne, z), l[A] = t.mul(t.sub(ne, z), I));}
        }
      }
    }
    return !o && a && Bm(l), l;
  };
};
var gd = BigInt(1), Rm = BigInt(2);
var W_ = BigInt(5),
  Y_ = BigInt(8),
  wd = BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"),
  Z_ = {
    p: wd,
    n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
    h: Y_,
    a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
    d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
    Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
    Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658"),
  };
function X_(t) {
  let e = BigInt(10),
    n = BigInt(20),
    r = BigInt(40),
    o = BigInt(80),
    s = wd,
    a = t * t % s * t % s,
    f = rn(a, Rm, s) * a % s,
    d = rn(f, gd, s) * t % s,
    u = rn(d, W_, s) * d % s,
    l = rn(u, e, s) * u % s,
    h = rn(l, n, s) * l % s,
    p = rn(h, r, s) * h % s,
    m = rn(p, o, s) * p % s,
    g = rn(m, o, s) * p % s,
    w = rn(g, e, s) * u % s;
  return { pow_p_5_8: rn(w, Rm, s) * t % s, b2: a };
}
function Mm(t) {
  return t[0] &= 248, t[31] &= 127, t[31] |= 64, t;
}
var Im = BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function J_(t, e) {
  let n = wd,
    r = Qe(e * e * e, n),
    o = Qe(r * r * e, n),
    s = X_(t * o).pow_p_5_8,
    i = Qe(t * r * s, n),
    a = Qe(e * i * i, n),
    f = i,
    d = Qe(i * Im, n),
    u = a === t,
    l = a === Qe(-t, n),
    h = a === Qe(-t * Im, n);
  return u && (i = f),
    (l || h) && (i = d),
    np(i, n) && (i = Qe(-i, n)),
    { isValid: u || l, value: i };
}
var yd = Om(Z_, { uvRatio: J_ }), Lm = yd.Fp;
function Q_(t) {
  let { y: e } = t;
  return Lm.toBytes(Lm.div(gd + e, gd - e));
}
function e2(t) {
  let e = yd.Fp.BYTES;
  return xe(t, e), Mm(ls(t.subarray(0, e))).subarray(0, e);
}
function t2(t) {
  return Am(
    yd,
    ls,
    Object.assign(
      { adjustScalarBytes: Mm, toMontgomery: Q_, toMontgomerySecret: e2, zip215: !0 },
      t,
    ),
  );
}
var Hm = t2({});
var Co = 32,
  n2 = 64,
  r2 = Oe("01".padEnd(64, "0")),
  o2 = [Oe("01".padEnd(62, "0") + "80"), Oe("ec".padEnd(64, "f"))];
function s2(t) {
  return !(t[0] >= 237 && t.subarray(1, 31).every((n) => n === 255) && t[31] % 128 === 127) &&
    !o2.some((n) => Fe(n, t));
}
function bd(t, e) {
  return t.length === Co && e.length === n2 && s2(t) && !Fe(e.subarray(0, Co), r2);
}
var i2 = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  a2 = "72",
  c2 = [{
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
async function Fm(t) {
  let e = Oe(i2), n = Oe(a2);
  for (let { valid: r, r: o, s } of c2) if (await t(e, n, Oe(o + s)) !== r) return !1;
  return !0;
}
var oa = Ge("invalid_key", "Cannot use Ed25519 public key"), { Point: xd } = Hm, { Fn: $m } = xd;
function Um(t) {
  try {
    return xd.fromBytes(t);
  } catch {
    return;
  }
}
var Pm = new sn(16384);
function _d(t) {
  if (Pm.get(t)) return;
  if (t.length !== Co) throw oa(`it has ${t.length} bytes instead of 32`);
  let e = Um(t);
  if (e === void 0 || !Fe(e.toBytes(), t)) {
    throw oa("it is not the canonical encoding of a curve point");
  }
  if (e.isSmallOrder()) throw oa("the point has small order");
  if (!e.isTorsionFree()) throw oa("the point has mixed order");
  Pm.set(t, !0);
}
function f2(t, e, n) {
  if (!bd(t, n)) return !1;
  let r = n.subarray(0, Co), o = yn(n.subarray(Co));
  if (!$m.isValid(o)) return !1;
  let s = Um(t);
  if (s === void 0) return !1;
  let i = $m.create(yn(ls(me(r, t, e)))),
    a = xd.BASE.multiplyUnsafe(o).subtract(s.multiplyUnsafe(i));
  return Fe(a.toBytes(), r);
}
var jm = new sn(256);
async function d2(t, e) {
  let n = jm.get(e);
  if (n !== void 0) return n;
  try {
    let r = await t.importKey("raw", e, "Ed25519", !1, ["verify"]);
    return jm.set(e, r), r;
  } catch (r) {
    if (r instanceof DOMException) return;
    throw r;
  }
}
async function Dm(t, e, n) {
  let r = globalThis.crypto?.subtle;
  if (r === void 0 || !bd(t, n)) return !1;
  let [o, s] = [e.slice(), n.slice()], i = await d2(r, t.slice());
  return i === void 0 ? !1 : await r.verify("Ed25519", i, s, o);
}
async function Ed() {
  return await Fm(Dm) ? Dm : f2;
}
var Ye = { ed25519: 1, cosignature: 4, mlDsaCosignature: 6, private: 255 },
  u2 = { [Ye.ed25519]: 32, [Ye.cosignature]: 32, [Ye.mlDsaCosignature]: 1312 },
  l2 = [Ye.ed25519, Ye.cosignature];
function Cs(t) {
  let { name: e, type: n, identifier: r = "", publicKey: o } = t;
  return an(me(
    ee(`${e}
`),
    Uint8Array.of(n),
    ee(r),
    o,
  )).slice(0, 4);
}
function ia(t) {
  let e = me(Uint8Array.of(t.type), t.publicKey);
  return `${t.name}+${J(Cs(t))}+${mo(e)}`;
}
function at(t, e = l2) {
  let [, n = "", , r = ""] = /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(t) ?? [],
    o = mn(r) ?? new Uint8Array(),
    s = { name: n, type: o[0] ?? 0, publicKey: o.slice(1) };
  if (!(e.includes(s.type) && s.publicKey.length === u2[s.type]) || ia(s) !== t) {
    throw new C(
      "invalid_key",
      `Cannot read verifier key: not a C2SP note key of type ${
        e.map((a) => `0x0${a}`).join(" or ")
      }`,
    );
  }
  return s;
}
var Gt = ve.with({
    pattern: "^[^+\\s]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*$",
    description: "C2SP verifier key",
    example: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
  }),
  Rs = te("Number of witnesses that must sign").with({ minimum: 1, example: 2 }),
  Is = gt(pt.bls, "Signature of the key over itself"),
  vd = ve.with({
    format: "uri",
    description: "Where anybody may submit checkpoints to the witness (tlog-witness)",
  }),
  aa = {
    ed25519: gt(Tn.ed25519, "Ed25519 public key"),
    bls: gt(Tn.bls, "BLS12-381 public key in G2, compressed"),
  },
  Sd = D({
    enabled: Ts,
    peer_networks: ge(
      D({
        id: rt,
        gateway_url: ve.with({ format: "uri" }).optional(),
        min_witnesses: te("Number of its witnesses that must cosign").optional(),
      }, "ignored").named("PeerNetwork"),
    ),
    cross_anchor_threshold: te("Number of peers that must cosign a tree head"),
  }, "ignored").named("FederationPolicy"),
  Td = {
    id: rt,
    epoch: te("Number of this configuration; absent in the first, which is 0").optional(),
    threshold: Rs,
    log_vkey: Gt.optional(),
    log_ml_dsa_vkey: Gt.optional(),
    merge_delay_seconds: te("Seconds within which the log includes a confirmed attestation").with({
      example: 60,
    }).optional(),
  },
  Vm = "malformed_configuration",
  Km = [Ye.mlDsaCosignature],
  zm = 128,
  Ct = Ge("invalid_configuration", "Cannot use network configuration"),
  kd = { enabled: !1, peer_networks: [], cross_anchor_threshold: 0 },
  qm = { where: "network", code: Vm },
  h2 = D({ signature_scheme: ve }, "ignored"),
  p2 = { ed25519: Gm("ed25519"), bls: Gm("bls") };
function Gm(t) {
  let e = D({
    id: Zt,
    pubkey: aa[t],
    vkey: Gt.optional(),
    ml_dsa_vkey: Gt.optional(),
    public_url: vd.optional(),
    proof_of_possession: Is.optional(),
  }, "ignored");
  return D({ ...Td, witnesses: ge(e), federation: Sd.optional() }, "ignored");
}
function Ls(t, e = ar) {
  return m2(mt(t, Vm), e);
}
function m2(t, e = ar) {
  let { signature_scheme: n } = h2.parse(t, qm);
  if (n !== "ed25519" && n !== "bls") throw Ct("unknown signature_scheme");
  let r = p2[n].parse(t, qm), o = { federation: kd, ...r, signature_scheme: n };
  return Od(o, e), o;
}
function Od(t, e = ar) {
  let { id: n, threshold: r, witnesses: o, signature_scheme: s } = t;
  if (!qt(n)) throw Ct("malformed network id");
  if (r < 1 || r > o.length) throw Ct(`threshold ${r} is not from 1 to ${o.length}`);
  let i = o.map((a) => a.pubkey);
  for (let a of o) {
    if (!ko(a.id)) throw Ct("malformed witness id");
    s === "bls" ? w2(a, e) : g2(a);
  }
  if (t.log_vkey !== void 0) {
    let a = at(t.log_vkey);
    if (a.type !== Ye.ed25519 || a.name !== n) {
      throw Ct(`log_vkey is not of type 0x01 or not named ${n}`);
    }
    _d(a.publicKey), i.push(J(a.publicKey));
  }
  if (new Set(o.map((a) => a.id)).size !== o.length) throw Ct("duplicate witness id");
  if (new Set(i).size !== i.length) {
    throw Ct("duplicate public key among the witnesses and the log");
  }
  y2(t), b2(t);
}
function Ad({ log_ml_dsa_vkey: t }) {
  return t === void 0 ? void 0 : at(t, Km);
}
function Bd({ ml_dsa_vkey: t }) {
  return t === void 0 ? void 0 : at(t, Km);
}
function Wm(t) {
  let e = new Set(t.witnesses.map((n) => n.pubkey));
  return t.log_vkey !== void 0 && e.add(J(at(t.log_vkey).publicKey)), e;
}
function g2(t) {
  let e = Ue(t.pubkey, Tn.ed25519) ?? new Uint8Array();
  _d(e);
  let n = ia({ name: t.id, type: Ye.cosignature, publicKey: e });
  if (t.vkey !== void 0 && t.vkey !== n) {
    throw Ct(`vkey of ${t.id} does not match its id and pubkey`);
  }
}
function w2({ id: t, pubkey: e, vkey: n, proof_of_possession: r }, o) {
  if (n !== void 0) throw Ct(`bls witness ${t} has a vkey`);
  let s = Ue(e, Tn.bls) ?? new Uint8Array();
  if (!o.keyValidate(s)) {
    throw new C(
      "invalid_key",
      `Cannot use BLS public key of ${t}: not the encoding of a point of G2 of order r`,
    );
  }
  let i = Ue(r ?? "", pt.bls);
  if (i === void 0 || !Tm(o, s, i)) {
    throw Ct(`proof_of_possession of ${t} is ${r === void 0 ? "missing" : "invalid"}`);
  }
}
function y2(t) {
  let e = t.witnesses.flatMap((o) => {
      let s = Bd(o);
      return s === void 0 ? [] : [{ key: s, owner: o.id }];
    }),
    n = Ad(t);
  if (n !== void 0 && e.push({ key: n, owner: t.id }), e.length === 0) return;
  if (t.signature_scheme !== "ed25519") throw Ct("a bls network has no ML-DSA-44 keys");
  let r = e.find(({ key: o, owner: s }) => o.name !== s);
  if (r !== void 0) throw Ct(`the ML-DSA-44 vkey of ${r.owner} has another name than its owner`);
  if (new Set(e.map(({ key: o }) => J(o.publicKey))).size !== e.length) {
    throw Ct("duplicate ML-DSA-44 key among the witnesses and the log");
  }
  if (e.length > zm) throw Ct(`more than ${zm} ML-DSA-44 keys`);
}
function b2(t) {
  let { peer_networks: e } = t.federation, n = new Set(e.map((r) => r.id));
  if (n.size !== e.length || n.has(t.id) || !e.every((r) => qt(r.id))) {
    throw Ct("a peer id is malformed, duplicate or the network's own");
  }
}
var Ms = Ge("malformed_text", "Cannot read trust core"),
  x2 = D({
    id: rt,
    epoch: te("Number of the configuration, from 0"),
    signature_scheme: Yt(["ed25519", "bls"]),
    threshold: Rs,
    log_vkey: Gt.optional(),
    log_ml_dsa_vkey: Gt.optional(),
    witnesses: ge(
      D({
        id: Zt,
        pubkey: ve.with({ description: "Public key, lowercase hex" }),
        ml_dsa_vkey: Gt.optional(),
        proof_of_possession: Is.optional(),
      }).named("CoreWitness"),
      1,
    ).with({ description: "Strictly ascending by id" }),
  }),
  Nd = x2.map(
    (t) => _2(t) ? t : void 0,
    "a trust core with witnesses in ascending order, and proofs of possession exactly if it is bls",
  ).named("TrustCore", {
    description: "Who signs in an epoch: the part of a configuration that verifiers trust",
  });
function Cd(t) {
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
function Zm(t) {
  let { id: e, epoch: n, signature_scheme: r, threshold: o, log_vkey: s, witnesses: i } = t,
    { log_ml_dsa_vkey: a } = t;
  if (!qt(e)) throw Ms("the network id is not a valid C2SP origin");
  if (!_e(n)) throw Ms("the epoch is not an integer in [0, 2^53)");
  if (!_e(o)) throw Ms("the threshold is not an integer in [0, 2^53)");
  s !== void 0 && at(s);
  let f = a !== void 0 || i.some(({ ml_dsa_vkey: l }) => l !== void 0),
    d = i.map(({ id: l, pubkey: h, ml_dsa_vkey: p }) => {
      if (!ko(l)) throw Ms("a witness id is malformed");
      if (!He(h, Tn[r])) throw Ms(`the key of ${l} is malformed`);
      return f ? `${l} ${h} ${Ym(p)}` : `${l} ${h}`;
    });
  return `${
    [f ? qp : zp, e, n, r, o, s ?? "none", ...f ? [Ym(a)] : [], ...d].join(`
`)
  }
`;
}
function Ym(t) {
  return t !== void 0 && at(t, [Ye.mlDsaCosignature]), t ?? "none";
}
function Dn(t) {
  return J(an(ee(Zm(t))));
}
function Rt(t) {
  return Dn(Cd(t));
}
function _2(t) {
  let { signature_scheme: e, witnesses: n } = t;
  return lt(() => Zm(t)) !== void 0 &&
    n.every(({ id: r, proof_of_possession: o }, s) =>
      (s === 0 || n[s - 1].id < r) && o !== void 0 == (e === "bls")
    );
}
var dr = Ge("malformed_text", "Cannot read succession"),
  Rd = ge(
    D({
      witness_id: Wi,
      signature: ve.map(
        (t) => Object.values(pt).some((e) => He(t, e)) ? t : void 0,
        "64 or 48 bytes in lowercase hex",
      ),
    }).named("SuccessionSignature"),
  ).with({ description: "Each witness's own signature, strictly ascending by witness_id" }),
  Xm = gt(pt.ed25519, "Ed25519 signature of a log key"),
  E2 = D({ origin: rt, log_vkey: Gt, core: nt.with({ description: "SHA-256 of its trust core" }) })
    .named("NextLog", { description: "The log that continues a frozen one" }),
  Jm = {
    predecessor: Nd,
    successor: cr(Nd),
    next_log: E2.optional(),
    tree_size: te("Size of a published tree head; the epoch ends after it"),
    timestamp: We("When the succession was proposed"),
    nonce: nt.with({ description: "32 random bytes, so that nobody else can log its digest" }),
    signatures: D({
      predecessor: Rd,
      successor: Rd,
      log: Xm.optional(),
      successor_log: Xm.optional(),
    }).named("SuccessionSignatures"),
  },
  oB = D(Jm).map((t) => e0(t) ? t : void 0, "a succession; next_log only without a successor")
    .named("Succession", { description: "Leads from one configuration to the next, when signed" }),
  v2 = D({
    tree_size: te("Number of leaves of this and all earlier epochs"),
    root_hash: nt,
    timestamp: We("Timestamp of the last attestation, whose hash is that of the succession"),
    inclusion_path: zt,
    signatures: Rd,
  }).named("EpochEnd", { description: "The tree with which an epoch ended" }),
  Id = D({ ...Jm, end: v2 }).map(
    (t) => e0(t) ? t : void 0,
    "a succession; next_log only without a successor",
  ).named("SuccessionLink", {
    description: "A succession that took effect, and the tree at which it did",
  }),
  S2 = ge(Id).named("SuccessionChain", {
    description: "The links from the first epoch on, in order, without a gap",
  });
function ca(t) {
  let { predecessor: e, successor: n, next_log: r, tree_size: o, timestamp: s, nonce: i } = t;
  if (!_e(o)) throw dr("the tree size is not an integer in [0, 2^53)");
  if (!_e(s)) throw dr("the time is not an integer in [0, 2^53)");
  if (!He(i, T)) throw dr("the nonce is not 32 bytes");
  return `${
    [Gp, e.id, e.epoch + 1, Dn(e), n === null ? T2(r) : Dn(n), o, s, i].join(`
`)
  }
`;
}
function Ro(t) {
  return J(an(ee(ca(t))));
}
function Qm(t, { tree_size: e, root_hash: n }) {
  if (!_e(e)) throw dr("the tree size is not an integer in [0, 2^53)");
  if (!He(n, T)) throw dr("the root hash is not 32 bytes");
  let { id: r, epoch: o } = t.predecessor;
  return `${
    [Vp, r, o, Ro(t), e, n].join(`
`)
  }
`;
}
function fa(t, e = "malformed_configuration") {
  return S2.parseText(t, { where: "succession chain", code: e });
}
function e0(t) {
  return (t.next_log === void 0 || t.successor === null) && lt(() => ca(t)) !== void 0;
}
function T2(t) {
  if (t === void 0) return "none";
  let { origin: e, log_vkey: n, core: r } = t;
  if (!qt(e)) throw dr("the next log's id is not a valid C2SP origin");
  if (at(n).name !== e) throw dr(`log_vkey is not named ${e}`);
  if (!He(r, T)) throw dr("the next log's core digest is not 32 bytes");
  return J(an(ee(`${
    [Kp, e, n, r].join(`
`)
  }
`)));
}
var Ld = qr("SignedAttestation", { attestation: ym, round: vm }, {
    description: "A hash with its timestamp and log index, signed by the threshold",
  }),
  Md = D({
    id: te("Size of the closing tree head"),
    network_id: rt,
    root_hash: nt,
    tree_size: te("Size of the closing tree head"),
    first_index: te("Size of the previous tree head; informative"),
    attestation_count: te("Number of attestations in the batch; informative"),
    period_start: We("Timestamp of the previous tree head, 0 if there is none; informative"),
    period_end: We("Timestamp of the closing tree head"),
  }).named("Batch", {
    description: "The growth of the log between two consecutive published tree heads",
  }),
  t0 = {
    hash: nt,
    leaf_hash: nt,
    leaf_index: te("Index of the leaf in the log, equal to the sequence of the attestation"),
    tree_size: te("Size of the tree whose root the path leads to"),
    inclusion_path: zt,
  },
  n0 = D({ ...t0, root_hash: nt, batch_id: te("Id of the batch that contains the attestation") })
    .named("MerkleProofResponse", {
      description: "Inclusion proof of an attestation in the tree that closed its batch",
    }),
  k2 = D({ ...t0, sth: kn }).named("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
  }),
  O2 = D({
    first: te("Size of the smaller tree"),
    second: te("Size of the larger tree"),
    first_sth: kn,
    second_sth: kn,
    consistency_path: zt,
  }).named("ConsistencyProof", {
    description: "RFC 9162 consistency proof between two published tree heads",
  }),
  A2 = D({ batch: Md, merkle_proof: n0, sth: kn }).named("BatchInclusion"),
  B2 = qr("CrossAnchor", { witnessing_network: rt, tree_head: Gr, consistency_path: zt }, {
    description: "A tree head of this log with the cosignatures of a peer network",
  }),
  N2 = ve.map((t) => lt(() => Yi(Bo(t).text)) && t, "a checkpoint"),
  C2 = D({
    checkpoint: N2.with({
      description: "A checkpoint of this log, with cosignatures of foreign witnesses",
    }),
    inclusion_path: zt,
  }).named("Witnessed", {
    description:
      "Proof that the attestation is in a tree whose checkpoint foreign witnesses cosigned",
  }),
  R2 = D({
    signed_attestation: Ld,
    batch_inclusion: cr(A2),
    cross_anchors: ge(B2),
    external_anchors: ge(fd),
    succession: ge(Id, 1).with({
      description: "The links from the first epoch on; absent in the first",
    }).optional(),
    witnessed: C2.optional(),
  }).named("ProofBundle", {
    description:
      "Everything that offline verification needs in addition to the pinned configuration",
  });
function Hs(t) {
  return R2.parseText(t, Fs("bundle"));
}
function Hd(t) {
  return kn.parseText(t, Fs("sth"));
}
function Fd(t) {
  return n0.parseText(t, Fs("proof"));
}
function $d(t) {
  return k2.parseText(t, Fs("proof"));
}
function Pd(t) {
  return O2.parseText(t, Fs("proof"));
}
function Fs(t) {
  return { where: t, code: "malformed_bundle" };
}
var I2 = 16,
  r0 = 54,
  L2 = 8192,
  M2 = 262144,
  jd = { sth: kn, log_signature: As },
  o0 = D(jd).named("LoggedTreeHead", {
    description: "A tree head with the signatures of its threshold and of its log key",
  }),
  i0 = zt.map((t) => t.length <= r0 ? t.map((e) => Oe(e)) : void 0, `at most ${r0} hashes`),
  vB = D({
    ...jd,
    min_witnesses: te("Distinct signatures that the peer must obtain"),
    growth: ge(D({ old_size: te("Size of the older head"), consistency_path: i0 }), 0, I2),
  }).map(({ growth: t, min_witnesses: e, ...n }) => {
    let { tree_size: r } = n.sth.tree_head;
    if (t.every(({ old_size: s }, i) => s > (t[i - 1]?.old_size ?? 0) && s < r)) {
      return {
        ...da(n),
        minWitnesses: e,
        growth: t.map((s) => ({ oldSize: s.old_size, path: s.consistency_path })),
      };
    }
  }, "growth from ascending sizes of 1 to below the head's"),
  SB = qr("PeerCosignature", { witnessing_network: rt, tree_head: Gr }, {}),
  TB = D({ origin: rt, seen_at: We("When this gateway accepted the head"), ...jd }).named(
    "SeenTreeHead",
    { description: "The latest tree head of a peer that this gateway accepted" },
  ).map(
    ({ origin: t, seen_at: e, ...n }) =>
      n.sth.tree_head.network_id === t ? { ...da(n), seenAt: e } : void 0,
    "a head of the origin",
  ),
  a0 = D({
    origin: rt,
    found_at: We("When this gateway found it; not signed"),
    first: o0,
    second: o0,
    consistency_path: i0,
  }).named("Contradiction", {
    description:
      "Two signed tree heads of one log that no append-only log can have both. At equal sizes the roots differ and the path is empty. At different sizes the path proves that the second root extends a root other than the first's. If the first size is a power of two, the path begins with that other root.",
  }).map(({ origin: t, first: e, second: n, ...r }) => {
    if ([e, n].every(({ sth: s }) => s.tree_head.network_id === t)) {
      return {
        origin: t,
        foundAt: r.found_at,
        first: da(e),
        second: da(n),
        path: r.consistency_path,
      };
    }
  }, "heads of the origin");
function $s({ origin: t, foundAt: e, first: n, second: r, path: o }) {
  return { origin: t, found_at: e, first: s0(n), second: s0(r), consistency_path: o.map(J) };
}
function Dd(t) {
  return `${JSON.stringify($s(t), void 0, 2)}
`;
}
function c0(t, e) {
  return a0.parseText(t, { where: "contradiction", code: e }, L2);
}
function f0(t, e) {
  return ge(a0).parseText(t, { where: "contradictions", code: e }, M2);
}
function s0({ sth: t, logSignature: e }) {
  return { sth: t, log_signature: J(e) };
}
function da(t) {
  let { sth: e, log_signature: n } = t;
  return { sth: e, logSignature: Oe(n) };
}
var H2 = [
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
  F2 = D({
    id: Zt,
    healthy: Ts,
    last_seen_at: We("When it last answered successfully").optional(),
    last_error: Sn("Error code of the current failure").with({ example: "witness_unreachable" })
      .optional(),
    failing: ge(ve.with({ enum: ["probe", "cosign", "sign"] })).with({
      minItems: 1,
      description:
        "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
    }).optional(),
  }, "ignored").named("WitnessHealth"),
  $2 = D({
    id: rt,
    last_cross_anchor: D({
      tree_size: te("Size of the largest tree head of this log that it cosigned"),
      age: te("Seconds since the timestamp of its cosignature"),
    }, "ignored").optional(),
    failing: ad("Whether the last request to this peer failed"),
  }, "ignored").named("PeerStatus"),
  P2 = D({
    provider: Sn("Kind of service").with({ example: "rfc3161" }),
    service: Oo.optional(),
    last: D({
      tree_size: te("Size of the largest tree head that it anchored"),
      age: te("Seconds since the time that the service states"),
      status: ve.with({ enum: ["pending", "confirmed"] }),
    }, "ignored").optional(),
  }, "ignored").named("AnchorStatus"),
  j2 = D({
    status: ve.with({ enum: H2 }),
    witnesses: ge(F2),
    pending_count: te("Number of unconfirmed jobs"),
    oldest_pending_age: te("Age of the oldest unconfirmed job in seconds").optional(),
    sth: D({
      tree_size: te("Size of the latest published tree head"),
      age: te("Its age in seconds"),
    }, "ignored").optional(),
    beacon: cr(
      D(
        { round: te("Round of the latest drand beacon"), age: te("Its age in seconds") },
        "ignored",
      ),
    ).with({
      description: "Absent if the network uses no beacon; null while no recent round is known",
    }).optional(),
    peers: ge($2).optional(),
    anchors: ge(P2).optional(),
    contradictions: te("Number of contradictions that this gateway holds against peers").optional(),
    succession: D({
      epoch: te("Number of the present configuration"),
      next: te("The epoch that a succession leads to").optional(),
      step: ve.with({ enum: ["checking", "ending", "beginning"] }).optional(),
      tree_size: te("Where the present epoch ends").optional(),
      waits_for: ge(Zt).optional(),
      frozen: ad("The log has ended for good").optional(),
    }, "ignored").named("SuccessionStatus", {
      description: "Absent in epoch 0 while no succession is applied",
    }).optional(),
  }, "ignored").named("Status"),
  D2 = j2.map((t) => ({ peers: [], anchors: [], contradictions: 0, ...t }), "");
function d0(t) {
  return D2.parseText(t, { where: "status", code: "gateway_refused" });
}
var Xt = class t {
  where;
  code;
  #e;
  constructor(e, { where: n, code: r }, o, s = {}) {
    if (this.where = n, this.code = r, typeof e != "object" || e === null || !U2(e)) {
      throw this.error("expected an object");
    }
    this.#e = e;
    for (let a of o) if (!this.has(a)) throw this.error(`member ${a} is missing`);
    if (s.ignoreUnknown) return;
    let i = new Set([...o, ...s.optional ?? []]);
    for (let a of Object.keys(e)) if (!i.has(a)) throw this.error(`unknown member ${vs(a)}`);
  }
  static parse(e, n, r, o = {}) {
    let s = mt(e, n.code, o.maxValues, `JSON of ${n.where}`);
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
    if (!_e(n)) throw this.error(`${e} must be an integer from 0 to 2^53 - 1`);
    return n;
  }
  hex(e, n) {
    let r = this.text(e);
    if (!He(r, n)) throw this.error(`${e} must be ${2 * n} lowercase hex digits`);
    return r;
  }
  base64(e) {
    let n = mn(this.text(e));
    if (n === void 0) throw this.error(`${e} must be padded base64`);
    return n;
  }
  base64Url(e) {
    let n = go(this.text(e));
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
    return new C(this.code, `Cannot read ${this.where}: ${e}`);
  }
};
function U2(t) {
  return Object.getPrototypeOf(t) === null;
}
var z2 = new Set(kh),
  q2 = 300,
  G2 = /^[0-9a-f]{16}$/,
  V2 = new Set([301, 302, 303, 307, 308]),
  K2 = "a redirect, which is not followed",
  Ne = class extends C {
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
function Io(t, e, n) {
  let { status: r } = e;
  return new Ne(t, {
    status: r,
    ...V2.has(r) ? { detail: K2 } : W2(n),
    retryAfter: Et(e.headers.get("Retry-After") ?? ""),
  });
}
function W2(t) {
  try {
    let e = mt(Bt(t), "gateway_refused"),
      n = new Xt(e, { where: "problem", code: "gateway_refused" }, ["code"], { ignoreUnknown: !0 }),
      r = n.text("code"),
      o = n.has("request_id") ? n.text("request_id") : "";
    return {
      ...Y2(r) && { reason: r },
      ...n.has("detail") && { detail: n.text("detail").slice(0, q2) },
      ...G2.test(o) && { requestId: o },
    };
  } catch (e) {
    if (e instanceof C) return {};
    throw e;
  }
}
function Y2(t) {
  return z2.has(t);
}
var h0 = "malformed_bundle",
  Z2 = D({ code: ve.with({ example: "threshold_not_met" }), message: ve }, "ignored").named(
    "LastError",
    { description: "Why the last attempt failed" },
  ),
  Ud = {
    hash: nt,
    attempts: te("Number of signing attempts").with({ example: 1 }),
    created_at: We("When the hash was accepted"),
    updated_at: We("When the job last changed"),
    last_error: Z2.optional(),
  },
  u0 = { ...Ud, status: Yt(["confirmed"]), signed_attestation: Ld },
  l0 = zr(
    D({
      ...Ud,
      status: Yt(["pending", "retryable"]),
      progress: Yt(["unconfirmed"]),
      next_attempt_at: We("When the next signing attempt starts"),
    }, "ignored").named("WaitingJob"),
    D({ ...u0, progress: Yt(["confirmed"]) }, "ignored").named("ConfirmedJob"),
    D({
      ...u0,
      progress: Yt(["batched"]),
      batch_id: te("Id of the batch that contains the attestation"),
    }, "ignored").named("BatchedJob"),
    D({ ...Ud, status: Yt(["failed"]), progress: Yt(["unconfirmed"]) }, "ignored").named(
      "FailedJob",
    ),
  ).named("JobSnapshot", {
    description: "The current state of a job. `confirmed` and `failed` are terminal",
  }),
  X2 = ["signed_attestation", "batch_id"],
  p0 = new Wt((t, e) => {
    let n = l0.read(t, e), r = X2.find((o) => Object.hasOwn(t, o) && !(o in n));
    if (r !== void 0) throw new Ut(`${e}.${r}`, "a job in this state has no such member");
    return n;
  }, l0.describe);
function m0(t) {
  return t.status === "confirmed" || t.status === "failed";
}
function zd(t) {
  return p0.parseText(t, { where: "job", code: h0 });
}
function g0(t) {
  return ge(p0).parseText(t, { where: "jobs", code: h0 });
}
function qd(t) {
  if (t.length % T !== 0) {
    throw new C("internal", `Cannot count nodes: ${t.length} bytes are not a multiple of ${T}`);
  }
  return t.length / T;
}
function Gd(t, e, n) {
  return t.slice(e * T, n * T);
}
function Vd(t) {
  return t.sha256(new Uint8Array());
}
var Lo = 8, Ze = 256;
function ua(t, e, n) {
  let r = String(e),
    s = r.padStart(Math.ceil(r.length / 3) * 3, "0").replace(/[0-9]{3}(?=[0-9])/g, "x$&/"),
    i = n === Ze ? "" : `.p/${n}`;
  return `tile/${t}/${s}${i}`;
}
function Kd(t, e) {
  return Math.floor(e / Ze ** (t + 1));
}
function Wd(t, e) {
  return Math.floor(e / Ze ** t) % Ze;
}
function Mo(t, e, n) {
  let r = Kd(t, n);
  return e < r ? Ze : e === r ? Wd(t, n) : 0;
}
var y0 = D({
    id: rt,
    threshold: Rs,
    signature_scheme: ve.with({ enum: ["ed25519", "bls"] }),
    witness_count: te("Number of witnesses").with({ minimum: 1 }),
  }, "ignored").named("GatewayConfig"),
  J2 = D({
    id: Zt,
    pubkey: aa.ed25519,
    vkey: Gt,
    ml_dsa_vkey: Gt.optional(),
    public_url: vd.optional(),
  }).named("Ed25519Witness"),
  Q2 = D({ id: Zt, pubkey: aa.bls, proof_of_possession: Is }).named("BlsWitness"),
  sN = zr(w0("ed25519", J2).named("Ed25519Network"), w0("bls", Q2).named("BlsNetwork")).named(
    "Network",
  );
function w0(t, e) {
  return D({ ...Td, signature_scheme: Yt([t]), witnesses: ge(e, 1), federation: Sd });
}
var b0 = "gateway_refused",
  x0 = "malformed_bundle",
  eE = ge(D({ provider: ve, service: Oo.optional(), status: ve, timestamp: Pn }, "ignored")),
  _0 = Md.map((t) => {
    let { id: e, tree_size: n, first_index: r, attestation_count: o } = t;
    return e === n && o === n - r ? t : void 0;
  }, "an id and a count that match the tree size"),
  tE = ge(_0).map(
    (t) => t.every((e, n) => n === 0 || e.id < t[n - 1].id) ? t : void 0,
    "descending ids",
  );
function E0(t) {
  return y0.parseText(t, { where: "configuration", code: b0 });
}
function v0(t) {
  return eE.parseText(t, { where: "anchors", code: b0 });
}
function S0(t) {
  return tE.parseText(t, { where: "batches", code: x0 });
}
function T0(t) {
  return _0.parseText(t, { where: "batch", code: x0 });
}
async function* la(t) {
  let e = t.getReader();
  try {
    for (let n = await e.read(); !n.done; n = await e.read()) yield n.value;
  } finally {
    await e.cancel();
  }
}
async function ha(t) {
  let e = typeof t == "function" ? await t() : t;
  return e === void 0 ? {} : { Authorization: `Bearer ${e}` };
}
async function pa(t, e) {
  let { method: n = "GET", headers: r = {}, body: o, maxBytes: s, timeoutMs: i, clock: a = Zn } = e,
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
        new C(u.redirected, `${f}: ${d} answered ${b.status}, and redirects are not followed`);
    }
    if (b.type === "opaqueredirect") throw new Error("redirect");
    e.onHeaders?.(b.headers), x = await Yd(b, s);
  } catch (y) {
    if (y instanceof C) throw y;
    let _ = l?.aborted
      ? "the request was cancelled"
      : w
      ? `no answer from ${d} within ${i / 1e3} s`
      : `no answer from ${d}`;
    throw new C(u.unreachable, `${f}: ${_}`, { cause: y });
  } finally {
    g.abort(), l?.removeEventListener("abort", m);
  }
  if (x === void 0 && u.tooLarge !== void 0) {
    let y = `${f}: the answer of ${d} exceeds ${s} bytes`;
    throw new C(u.tooLarge, y);
  }
  return {
    status: b.status,
    ok: b.ok,
    headers: b.headers,
    mediaType: Zd(b.headers),
    body: x ?? new Uint8Array(),
  };
}
async function Yd(t, e) {
  let n = [], r = 0;
  for await (let o of t.body === null ? [] : la(t.body)) {
    if (r += o.length, r > e) return;
    n.push(o);
  }
  return me(...n);
}
function Zd(t) {
  let [e = ""] = (t.get("Content-Type") ?? "").split(";");
  return e.trim().toLowerCase();
}
var nE = 32 * 1024 * 1024,
  rE = 15e3,
  oE = 5,
  sE = 10,
  iE = 40,
  ma = class {
    url;
    #e;
    #t;
    constructor(e) {
      this.url = e.url, this.#e = e, this.#t = Xd(e);
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
        let a = s.slice(0, iE) || "of no media type";
        throw new C("gateway_refused", `Cannot get ${o}: the answer is ${a}, not application/json`);
      }
      try {
        let a = Bt(i, "gateway_refused");
        return { text: a, value: await n(a) };
      } catch (a) {
        if (!(a instanceof C)) throw a;
        let f = `${a.message}, in the gateway's ${o}`;
        throw new C(a.code, f, { cause: a });
      }
    }
    async withRetries(e, n = {}) {
      let { clock: r = Zn } = this.#e, { isTransient: o = Fo } = n, s = this.#n(n.signal);
      for (let i = 1;; i++) {
        try {
          return await e();
        } catch (a) {
          if (i === oE || !o(a)) throw a;
          let f = a instanceof Ne ? a.retryAfter : void 0, d = Math.min(f ?? 1, sE);
          await r.sleep(d * 1e3, s), s?.throwIfAborted();
        }
      }
    }
    #n(e) {
      let { signal: n } = this.#e;
      return e !== void 0 && n !== void 0 ? co(e, n) : e ?? n;
    }
    async #o(e, n) {
      let r = this.#n(n), o = this.#t, s;
      for (let [i, a] of o.entries()) {
        try {
          let f = await this.#r(a, e, r);
          return i > 0 && (this.#t = [a, ...o.filter((d) => d !== a)]), f;
        } catch (f) {
          if (!ga(f)) throw f;
          if (f instanceof Ne && (s ??= f), i === o.length - 1) throw s ?? f;
        }
      }
      throw new TypeError("A connection has at least one URL");
    }
    async #r(e, n, r) {
      let { what: o, path: s, body: i, waitSeconds: a = 0 } = n,
        { timeoutMs: f = rE, fetch: d, apiKey: u } = this.#e,
        l = await pa(new URL(s, e), {
          method: i === void 0 ? "GET" : "POST",
          headers: {
            Accept: "application/json",
            ...await ha(u),
            ...i !== void 0 && { "Content-Type": "application/json" },
            ...a > 0 && { Prefer: `wait=${a}` },
          },
          ...i !== void 0 && { body: JSON.stringify(i) },
          maxBytes: nE,
          timeoutMs: f + a * 1e3,
          signal: r,
          ...d && { fetch: d },
          failure: `Cannot get ${o}`,
          codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
        }).catch((h) => {
          throw r?.throwIfAborted(), h;
        });
      if (!l.ok) throw Io(o, l, l.body);
      return l;
    }
  };
function Xd({ url: t, others: e = [] }) {
  return [...new Map([t, ...e].map((n) => [n.href, n])).values()];
}
function Ho(t) {
  return Fo(t) || ga(t);
}
function ga(t) {
  return Lt(t, "gateway_unreachable") || t instanceof Ne && [502, 503, 504].includes(t.status);
}
function Fo(t) {
  return t instanceof Ne && (t.status === 429 || t.status === 503);
}
var wa = class extends ma {
  #e;
  constructor(e) {
    super(e), this.#e = e.blsFor ?? (() => xs);
  }
  network(e) {
    let n = { what: "network configuration", path: "v1/network" },
      r = async (o) => Ls(o, await this.#e(o));
    return this.json(n, r, e);
  }
  succession(e) {
    let n = (r) => fa(r, "malformed_bundle");
    return this.json({ what: "succession", path: "v1/succession" }, n, e);
  }
  config(e) {
    return this.json({ what: "configuration", path: "v1/config" }, E0, e);
  }
  status(e) {
    return this.json({ what: "status", path: "v1/status" }, d0, e);
  }
  admission(e) {
    return this.json({ what: "admission", path: "v1/admission" }, mm, e);
  }
  async submit(e, n, { tokens: r, ...o } = {}) {
    let [s] = e,
      i = e.length === 1,
      a = i
        ? { what: "job", path: "v1/attestations", body: { hash: s, issuer_token: r?.[0] } }
        : { what: "jobs", path: "v1/attestations/batch", body: { hashes: e, issuer_tokens: r } },
      f = i ? (u) => [zd(u)] : g0,
      { value: d } = await this.withRetries(
        () => this.json({ ...a, waitSeconds: n }, f, o.signal),
        o,
      );
    if (d.length !== e.length || d.some((u, l) => u.hash !== e[l])) {
      throw k0("its jobs are not those of the submitted hashes");
    }
    return d;
  }
  job(e, n, r) {
    return this.json({ what: "job", path: `v1/attestations/${e}`, waitSeconds: n }, (o) => {
      let s = zd(o);
      if (s.hash !== e) throw k0("its job is not that of the hash");
      return s;
    }, r);
  }
  async isKnown(e) {
    try {
      return await this.withRetries(() => this.job(e, 0)), !0;
    } catch (n) {
      if (n instanceof Ne && n.reason === "hash_unknown") return !1;
      throw n;
    }
  }
  bundle(e, n, r = !1) {
    let o = `v1/bundle/${e}${r ? "?log_signature=true" : ""}`;
    return this.json({ what: "bundle", path: o }, Hs, n);
  }
  merkleProof(e, n) {
    return this.json({ what: "proof", path: `v1/proof/${e}` }, Fd, n);
  }
  anchors(e, n) {
    return this.json({ what: "anchors", path: `v1/anchors/${e}` }, v0, n);
  }
  sth(e, n) {
    let r = e === void 0 ? "v1/log/sth" : `v1/log/sth/${e}`;
    return this.json({ what: "tree head", path: r }, Hd, n);
  }
  consistency(e, n, r) {
    let o = `v1/log/consistency?first=${e}&second=${n}`;
    return this.json({ what: "consistency proof", path: o }, Pd, r);
  }
  inclusion(e, n, r) {
    let o = `v1/log/proof?hash=${e}&tree_size=${n}`;
    return this.json({ what: "inclusion proof", path: o }, $d, r);
  }
  batches(e = {}, n) {
    let r = new URLSearchParams(Object.entries(e).map(([s, i]) => [s, String(i)])),
      o = r.size === 0 ? "v1/batches" : `v1/batches?${r}`;
    return this.json({ what: "batches", path: o }, S0, n);
  }
  batch(e, n) {
    return this.json({ what: "batch", path: `v1/batches/${e}` }, T0, n);
  }
  contradictions(e) {
    let n = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.json(n, (r) => f0(r, "malformed_bundle"), e);
  }
  async checkpoint(e) {
    return Bt(await this.bytes({ what: "checkpoint", path: "checkpoint" }, e));
  }
  tile(e, n, r, o) {
    let s = e === "entries" ? "entries" : "tile";
    return this.bytes({ what: s, path: ua(e, n, r) }, o);
  }
};
function k0(t) {
  return new C("gateway_refused", `Cannot use the gateway's answer: ${t}`);
}
var A0 = "/.well-known/private-token-issuer-directory", O0 = 64, aE = 1024;
function B0(t) {
  let e = { where: "issuer directory", code: "issuer_refused" },
    n = Xt.parse(t, e, ["issuer-request-uri", "token-keys"], { ignoreUnknown: !0, maxValues: aE }),
    r = n.objects("token-keys", ["token-type", "token-key"], { ignoreUnknown: !0 });
  if (r.length > O0) throw n.error(`token-keys has more than ${O0} keys`);
  let o = r.filter((s) => s.integer("token-type") === vn).map(cE);
  return { requestUri: n.text("issuer-request-uri"), tokenKeys: o };
}
function cE(t) {
  let e = t.base64Url("token-key");
  return t.has("not-before")
    ? { tokenKey: e, notBefore: t.integer("not-before") }
    : { tokenKey: e };
}
var Jd = Ge("invalid_configuration", "Cannot use service URL"),
  fE = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
function N0(t, e) {
  let n = Qd(t);
  if (n === void 0 || n.protocol !== "https:" && n.protocol !== "http:") {
    throw Jd("it is not an http or https URL");
  }
  if (n.username !== "" || n.password !== "" || n.search !== "" || n.hash !== "") {
    throw Jd("it has credentials, a query or a fragment");
  }
  if (n.protocol === "http:" && !e.insecure && !ya(n.hostname)) {
    throw Jd("http is allowed only on loopback; use https");
  }
  return n.pathname.endsWith("/") || (n.pathname += "/"), n;
}
function ya(t) {
  return fE.test(t);
}
function Qd(t, e) {
  try {
    return new URL(t, e);
  } catch {
    return;
  }
}
var C0 = Ge("invalid_key", "Cannot use blind RSA key"),
  cn = 256,
  tu = 48,
  nu = 65537n,
  Ps = Oe(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100",
  ),
  eu = Oe("0203010001");
function $o(t) {
  return BigInt(`0x${J(t)}`);
}
function ba(t) {
  return Oe(t.toString(16).padStart(2 * cn, "0"));
}
function dE(t) {
  if (t.length !== cn || t[0] < 128 || t.at(-1) % 2 === 0) {
    throw C0("the modulus is not an odd integer of 2048 bits");
  }
  return { spki: me(Ps, t, eu), modulus: $o(t) };
}
function R0(t) {
  let e = Ps.length + cn;
  if (t.length !== e + eu.length || !Fe(t.subarray(0, Ps.length), Ps) || !Fe(t.subarray(e), eu)) {
    throw C0(
      `${t.length} bytes are not the DER of an RSASSA-PSS key of 2048 bits with SHA-384, a salt of 48 bytes and the exponent 65537`,
    );
  }
  return dE(t.subarray(Ps.length, e));
}
var Po = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
};
function I0(t) {
  let { truncatedTokenKeyId: e, blindedMessage: n } = t;
  return me(Uint8Array.of(0, vn, e), n);
}
function L0(t) {
  if (t.length === cn) return t.slice();
  throw new C("issuer_refused", `Cannot read token response: ${t.length} bytes in place of ${cn}`);
}
var uE = 256 * 1024,
  lE = 15e3,
  jo = class extends C {
    status;
    retryAfter;
    constructor(e, n) {
      super("issuer_refused", e), this.status = n.status, this.retryAfter = n.retryAfter;
    }
  };
function Do(t) {
  return Lt(t, "issuer_unreachable") || t instanceof jo && [429, 502, 503, 504].includes(t.status);
}
var xa = class {
  #e;
  #t;
  constructor({ url: e, timeoutMs: n = lE }) {
    this.#e = e, this.#t = n;
  }
  async directory(e) {
    let n = new URL(A0, this.#e),
      r = { Accept: Po.directory },
      o = await this.#n(n, { headers: r, signal: e });
    M0("issuer directory", o, Po.directory);
    let s = B0(Bt(o.body, "issuer_refused")), { requestUri: i } = s, a = Qd(i, n);
    if (a?.origin === n.origin) return { ...s, requestUri: a.href };
    throw new C(
      "issuer_refused",
      "Cannot use issuer directory: its issuer-request-uri has another origin than the issuer",
    );
  }
  async request(e, n, r) {
    let o = await this.#n(new URL(e), {
      method: "POST",
      headers: {
        Accept: Po.response,
        "Content-Type": Po.request,
        ...r !== void 0 && { Authorization: r },
      },
      body: n,
    });
    return o.status === 401 && r === void 0
      ? { kind: "unauthorized", challenge: o.headers.get("WWW-Authenticate") ?? "" }
      : (M0("token", o, Po.response), { kind: "response", response: o.body });
  }
  #n(e, n) {
    return pa(e, {
      ...n,
      maxBytes: uE,
      timeoutMs: this.#t,
      failure: "Cannot ask issuer",
      codes: { unreachable: "issuer_unreachable", tooLarge: "issuer_refused" },
    });
  }
};
function M0(t, e, n) {
  let { status: r } = e;
  if (r === 200 && e.mediaType === n) return;
  let { reason: o, retryAfter: s } = Io(t, e, e.body),
    i = r === 200
      ? `an answer that is not ${n}`
      : [`status ${r}`, ...o === void 0 ? [] : [o], ...s === void 0 ? [] : [`retry in ${s} s`]]
        .join(", ");
  throw new jo(`Cannot get ${t}: the issuer sent ${i}`, { status: r, retryAfter: s });
}
var ru = {
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
  _a = [
    "Something failed",
    "Try again. If it happens again, tell the gateway's operator the code below.",
  ];
function Ea(t) {
  let e = t instanceof Error ? t.message : String(t);
  if (t instanceof Ne) {
    let n = t.reason ?? "gateway_refused", [r, o] = ru[n] ?? _a;
    return { title: r, advice: o, code: t.reason ?? `HTTP ${t.status}`, detail: e };
  }
  if (Do(t)) {
    let [n, r] = ru.issuer_unreachable;
    return { title: n, advice: r, code: "issuer_unreachable", detail: e };
  }
  if (t instanceof C) {
    let [n, r] = ru[t.code] ?? _a;
    return { title: n, advice: r, code: t.code, detail: e };
  }
  return { title: _a[0], advice: _a[1], code: "internal", detail: e };
}
var hE = {
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
function Xe({ name: t }) {
  return c("svg", {
    class: "icon",
    viewBox: "0 0 16 16",
    width: "16",
    height: "16",
    "aria-hidden": "true",
    children: c("path", { d: hE[t] }),
  });
}
var ou = { good: "check", bad: "cross", warn: "warning", info: "info", neutral: "minus" };
function ie({ tone: t, icon: e, children: n }) {
  return c("span", {
    class: `badge tone-${t}`,
    children: [c(Xe, { name: e ?? ou[t] }), c("span", { children: n })],
  });
}
function re({ tone: t, title: e, icon: n, live: r = !1, children: o }) {
  let s = r ? t === "bad" ? "alert" : "status" : void 0;
  return c("div", {
    class: `alert tone-${t}`,
    role: s,
    children: [
      c(Xe, { name: n ?? ou[t] }),
      c("div", {
        class: "alert-body",
        children: [c("p", { class: "alert-title", children: e }), o],
      }),
    ],
  });
}
function de({ onClick: t, kind: e, icon: n, disabled: r, label: o, isRemoved: s, children: i }) {
  return c("button", {
    type: "button",
    class: e === void 0 ? "button" : `button button-${e}`,
    disabled: r,
    "aria-label": o,
    onClick: s ? su(t) : t,
    children: [n !== void 0 && c(Xe, { name: n }), c("span", { children: i })],
  });
}
function su(t) {
  return ({ target: e }) => {
    e instanceof Element && e.closest("section")?.querySelector("h2[tabindex]")?.focus(), t();
  };
}
function fn({ fileName: t, text: e, primary: n = !1, onSaved: r, children: o }) {
  return c(de, {
    icon: "download",
    kind: n ? "primary" : void 0,
    onClick: () => {
      iu(t, new Blob([e], { type: "application/json" })), r?.();
    },
    children: o,
  });
}
function iu(t, e) {
  let n = URL.createObjectURL(e), r = document.createElement("a");
  r.href = n, r.download = t, r.click(), setTimeout(() => URL.revokeObjectURL(n), 0);
}
function dn({ label: t }) {
  return c("p", {
    class: "spinner",
    role: "status",
    children: [
      c("span", { class: "spinner-mark", "aria-hidden": "true" }),
      c("span", { children: t }),
    ],
  });
}
function ur({ label: t, value: e, max: n }) {
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
function je({ error: t, title: e, retry: n }) {
  let r = Ea(t);
  return c(re, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: e ?? r.title,
    children: [
      e !== void 0 && c("p", { children: [r.title, "."] }),
      c("p", { children: r.advice }),
      c("p", { class: "failure-code", children: [c("code", { children: r.code }), " ", r.detail] }),
      n !== void 0 && c(de, { onClick: n, children: "Try again" }),
    ],
  });
}
function Pe({ loaded: t, what: e, retry: n, render: r }) {
  return c(H, {
    children: [
      t.state === "failed" && c(je, { error: t.error, title: `Cannot show ${e}`, retry: n }),
      t.value !== void 0
        ? r(t.value)
        : t.state === "loading"
        ? c(dn, { label: `Loading ${e}` })
        : null,
    ],
  });
}
function js(t, e = "stamp") {
  if (t === "" || t === "#" || t === "#/") return { page: e };
  let [n, ...r] = t.split("/");
  return n !== "#" ? { page: "unknown" } : pE(r) ?? { page: "unknown" };
}
function pE(t) {
  let [e, n, r, ...o] = t;
  if (!(o.length > 0)) {
    return n === void 0
      ? e === "stamp" || e === "verify" || e === "explore" || e === "log" ? { page: e } : void 0
      : e === "explore"
      ? mE(n, r)
      : (e === "proof" || e === "certificate") && r === void 0 && He(n, T)
      ? { page: e, hash: n }
      : void 0;
  }
}
function mE(t, e) {
  if (e === void 0) return t === "tiles" ? { page: "tiles" } : void 0;
  let n = Et(e);
  if (n !== void 0) {
    return t === "batch"
      ? { page: "batch", id: n }
      : t === "position"
      ? { page: "position", index: n }
      : void 0;
  }
}
function ue(t) {
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
function va(t) {
  return `${location.origin}${location.pathname}${ue(t)}`;
}
var H0 = !0;
function ft({ title: t, isBelowExplore: e = !1, children: n }) {
  let r = Pt(null);
  return Te(() => {
    document.title = `${t} - Countersign`, H0 || r.current?.focus(), H0 = !1;
  }, [t]),
    c(H, {
      children: [
        e &&
        c("nav", {
          class: "back-link",
          "aria-label": "Breadcrumb",
          children: c("a", { href: ue({ page: "explore" }), children: "Explore" }),
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
var au = Or(void 0);
function Y() {
  return hn(au);
}
function Ie(t, e) {
  let { line: n } = Y(),
    [r, o] = K(0),
    [s, i] = K({ cause: "", loaded: { state: "loading" } }),
    a = JSON.stringify(e);
  Te(() => {
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
  let f = pn(() => o((d) => d + 1), []);
  return [s.cause === a ? s.loaded : { state: "loading" }, f];
}
function cu() {
  let { clock: t } = Y(), [, e] = K(0);
  return Te(() => {
    let n = setInterval(() => e(ht(t)), 1e3);
    return () => clearInterval(n);
  }, [t]),
    ht(t);
}
function Sa() {
  let { line: t, stamps: e } = Y(), n = Ae(e.follower.submissions);
  return Ae(t) ?? n;
}
function Ae(t) {
  let [e, n] = K(t.state);
  return Te(() => (n(t.state), t.subscribe(() => n(t.state))), [t]), e;
}
function Uo(
  { label: t, text: e, hint: n, fault: r, onText: o, action: s, icon: i, secret: a = !1 },
) {
  let f = Ar();
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
            children: [i !== void 0 && c(Xe, { name: i }), c("span", { children: s })],
          }),
        ],
      }),
      c("p", {
        id: `${f}-hint`,
        class: r === void 0 ? "field-hint" : "field-error",
        role: "status",
        children: [r !== void 0 && c(Xe, { name: "warning" }), c("span", { children: r ?? n })],
      }),
    ],
  });
}
var gE = { wanted: "This gateway is private", refused: "The gateway does not accept this API key" };
function F0({ apiKey: t }) {
  let { fault: e, version: n } = Ae(t);
  return e === void 0 ? null : c(re, {
    tone: "warn",
    live: !0,
    title: gE[e],
    children: [
      c("p", {
        children: e === "wanted"
          ? "Enter the API key that its operator gave you. It stays in this tab until you close it."
          : "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator.",
      }),
      c(wE, { use: (r) => t.use(r) }, n),
    ],
  });
}
function $0({ apiKey: t }) {
  return Ae(t).key === void 0 ? null : c("p", {
    children: [
      "This tab uses an API key. ",
      c(de, { onClick: () => t.use(""), children: "Forget it" }),
    ],
  });
}
function wE({ use: t }) {
  let [e, n] = K("");
  return c("form", {
    class: "field",
    onSubmit: (o) => {
      o.preventDefault(), e.trim() !== "" && t(e.trim());
    },
    noValidate: !0,
    children: c(Uo, {
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
var fu = ["system", "light", "dark"],
  yE = { system: "System theme", light: "Light theme", dark: "Dark theme" },
  du = "theme";
function P0(t) {
  U0(D0(t));
}
function j0() {
  let { storage: t } = Y(), [e, n] = K(() => D0(t));
  return Te(() => U0(e), [e]),
    c("select", {
      class: "theme-switch",
      "aria-label": "Theme",
      value: e,
      onChange: (o) => {
        let s = fu[o.target.selectedIndex] ?? "system";
        s === "system" ? t.remove(du) : t.write(du, s), n(s);
      },
      children: fu.map((o) => c("option", { value: o, children: yE[o] }, o)),
    });
}
function D0(t) {
  let e = t.read(du);
  return fu.find((n) => n === e) ?? "system";
}
function U0(t) {
  let e = document.documentElement;
  t === "system" ? e.removeAttribute("data-theme") : e.setAttribute("data-theme", t);
}
var Jt = {
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
function uu(t) {
  let e = t.find(([, n, r]) => n !== r);
  return e && { reason: "field_mismatch", field: e[0] };
}
function vt(t, e) {
  if (!(e.valid || e.reason === void 0)) {
    return { reason: e.reason, field: e.field ? `${t}.${e.field}` : t };
  }
}
function z0(t, e, n) {
  let r = [], o = t;
  for (let s = e; s < n; s *= 2) {
    o / s % 2 === 1
      ? (r.push({ start: o - s, end: o }), o -= s)
      : o + s < n && r.push({ start: o + s, end: Math.min(o + 2 * s, n) });
  }
  return r;
}
function q0(t, e) {
  return _e(t) && _e(e) && t < e;
}
function lu(t, e) {
  return _e(t) && _e(e) && t >= 1 && t <= e;
}
function Ta(t) {
  return t.length === T;
}
function ka(t, e) {
  if (!q0(t, e)) throw new C("internal", `No leaf ${t} in a tree of ${e}`);
}
function bE(t, e) {
  return ka(t, e), z0(t, 1, e);
}
function Ds(t, e) {
  if (!lu(t, e)) throw new C("internal", `No consistency proof from ${t} to ${e}`);
  if (t === e) return [];
  let n = 1;
  for (; t / n % 2 === 0;) n *= 2;
  let r = t - n, o = z0(r, n, e);
  return r === 0 ? o : [{ start: r, end: t }, ...o];
}
function Us(t, e) {
  let { leafHash: n, index: r, size: o, path: s } = e;
  if (!q0(r, o) || !Ta(n) || !s.every(Ta)) return;
  let i = bE(r, o);
  if (s.length !== i.length) return;
  let a = n.slice();
  for (let [f, d] of i.entries()) {
    let u = s[f];
    a = d.start < r ? t.nodeHash(u, a) : t.nodeHash(a, u);
  }
  return a;
}
function G0(t, e) {
  let n = Us(t, e);
  return n !== void 0 && Fe(n, e.root);
}
function hu(t, { first: e, second: n, firstRoot: r, path: o }) {
  if (!lu(e, n) || !Ta(r) || !o.every(Ta)) return;
  let s = Ds(e, n);
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
function V0(t, e) {
  let { first: n, second: r, firstRoot: o, secondRoot: s, path: i } = e;
  if (!lu(n, r)) return !1;
  if (n === r) return i.length === 0 && Fe(o, s);
  let a = hu(t, e);
  return a !== void 0 && Fe(a.first, o) && Fe(a.second, s);
}
function Oa(t) {
  let e = t.map((n) => Ue(n, T));
  return e.every((n) => n !== void 0) ? e : void 0;
}
function pu(t, e, n) {
  let r = Oa(n);
  if (r === void 0) return;
  let o = Us(t, { ...e, path: r });
  return o && J(o);
}
function Kr(t, e, n, r) {
  let o = Oa(r), s = Ue(e.root_hash, T), i = Ue(n.root_hash, T);
  return o === void 0 || s === void 0 || i === void 0
    ? !1
    : V0(t, { first: e.tree_size, second: n.tree_size, firstRoot: s, secondRoot: i, path: o });
}
function zs(t, e, n, r) {
  if (e.index >= r.tree_size) return { reason: "leaf_beyond_tree", field: "leaf_index" };
  if (pu(t, { ...e, size: r.tree_size }, n) !== r.root_hash) {
    return { reason: "inclusion_invalid", field: "inclusion_path" };
  }
}
async function Wr(t, e, n, r) {
  let o = jn(r);
  if (o !== (e.signature_scheme === "ed25519")) return qs(e, [], "scheme_mismatch");
  let s = o ? r.signatures.map((u) => u.witness_id) : r.signers,
    i = new Map(e.witnesses.map((u) => [u.id, u.pubkey])),
    a = s.filter((u) => !i.has(u)),
    f = xE(s);
  if (f !== void 0) return qs(e, a, ...f);
  if (!o) {
    return a.length > 0
      ? qs(e, a, "signer_unknown", a[0])
      : s.length > 0 && !_E(t, s.map((u) => i.get(u)), n, r)
      ? qs(e, a, "signature_invalid")
      : mu(e, s, a);
  }
  let d = [];
  for (let { witness_id: u, signature: l } of r.signatures) {
    let h = i.get(u);
    if (h !== void 0) {
      if (!await Aa(t, "ed25519", h, n, l)) return qs(e, a, "signature_invalid", u);
      d.push(u);
    }
  }
  return mu(e, d, a);
}
function xE(t) {
  let e = new Set();
  for (let r of t) {
    if (e.has(r)) return ["signer_duplicate", r];
    e.add(r);
  }
  let n = t.find((r, o) => o > 0 && r < t[o - 1]);
  return n === void 0 ? void 0 : ["signers_unordered", n];
}
async function Aa(t, e, n, r, o) {
  let s = Ue(n, Tn[e]), i = Ue(o, pt[e]);
  return s === void 0 || i === void 0
    ? !1
    : e === "ed25519"
    ? await t.ed25519(s, r, i)
    : t.bls.fastAggregateVerify([s], r, i, gs);
}
function Ba(t, e, n, r) {
  return Aa(t, "ed25519", J(at(e).publicKey), n, r);
}
function _E(t, e, n, r) {
  let o = e.map((i) => Ue(i, Tn.bls)), s = Ue(r.signature, pt.bls);
  return s !== void 0 && o.every((i) => i !== void 0) && t.bls.fastAggregateVerify(o, n, s, gs);
}
function mu(t, e, n) {
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
  return { ...mu(t, [], e), reason: n, ...r !== void 0 && { witness: r } };
}
async function EE(t, e, n = []) {
  let { predecessor: r, successor: o, signatures: s } = e, i = await vE(t, e);
  if (i !== void 0) return i;
  if (!X0(r, s.predecessor, n)) {
    return { reason: "threshold_not_met", field: "signatures.predecessor" };
  }
  if (r.log_vkey !== void 0 && s.log === void 0) {
    return { reason: "log_signature_missing", field: "signatures.log" };
  }
  if (o !== null) {
    return s.successor.length < o.witnesses.length
      ? { reason: "successor_unsigned", field: "signatures.successor" }
      : Y0(e) && s.successor_log === void 0
      ? { reason: "log_signature_missing", field: "signatures.successor_log" }
      : void 0;
  }
}
function Y0({ predecessor: t, successor: e }) {
  let n = e?.log_vkey;
  return n !== void 0 && n !== t.log_vkey;
}
async function vE(t, e) {
  let { predecessor: n, successor: r, signatures: o } = e,
    s = K0(t, n, "predecessor") ?? (r === null ? void 0 : K0(t, r, "successor") ?? TE(n, r));
  if (s !== void 0) return s;
  let i = ee(ca(e)), { log: a, successor_log: f } = o;
  return await gu(t, n, i, o.predecessor, "predecessor") ??
    await gu(t, r, i, o.successor, "successor") ?? await W0(t, n.log_vkey, i, a, "log") ??
    await W0(t, Y0(e) ? r?.log_vkey : void 0, i, f, "successor_log");
}
async function Z0(t, e, n = []) {
  let { predecessor: r, end: o } = e,
    s = await EE(t, e, n) ?? vt("end", { valid: !1, ...SE(t, e) });
  if (s !== void 0) return s;
  let i = ee(Qm(e, o)), a = await gu(t, r, i, o.signatures, "end");
  return a !== void 0
    ? { ...a, field: "end.signatures" }
    : X0(r, o.signatures, n)
    ? void 0
    : { reason: "threshold_not_met", field: "end.signatures" };
}
function SE(t, e) {
  let { tree_size: n, root_hash: r, timestamp: o, inclusion_path: s } = e.end;
  if (n <= e.tree_size) return { reason: "boundary_wrong", field: "tree_size" };
  let { id: i } = e.predecessor,
    a = n - 1,
    f = Ro(e),
    d = ee(ks({ network_id: i, hash: f, timestamp: o, sequence: a })),
    u = { leafHash: Qi(t.kernels, d), index: a };
  return zs(t.kernels, u, s, { network_id: i, tree_size: n, root_hash: r });
}
function K0(t, e, n) {
  return 2 * e.threshold <= e.witnesses.length
    ? { reason: "threshold_too_low", field: n }
    : lt(() => (Od({ ...e, federation: kd }, t.bls), !0))
    ? void 0
    : { reason: "core_invalid", field: n };
}
function TE(t, e) {
  return e.id === t.id && e.epoch === t.epoch + 1 && e.signature_scheme === t.signature_scheme
    ? void 0
    : { reason: "succession_unrelated", field: "successor" };
}
async function gu(t, e, n, r, o) {
  let s = (i) => `signatures.${o}[${i}]`;
  for (let [i, { witness_id: a, signature: f }] of r.entries()) {
    if (i > 0 && a <= r[i - 1].witness_id) return { reason: "signers_unordered", field: s(i) };
    let d = e?.witnesses.find((u) => u.id === a);
    if (e === null || d === void 0) return { reason: "signer_unknown", field: s(i) };
    if (!await Aa(t, e.signature_scheme, d.pubkey, n, f)) {
      return { reason: "signature_invalid", field: s(i) };
    }
  }
}
async function W0(t, e, n, r, o) {
  if (r === void 0) return;
  let s = `signatures.${o}`;
  return e === void 0
    ? { reason: "log_key_missing", field: s }
    : await Ba(t, e, n, r)
    ? void 0
    : { reason: "log_signature_invalid", field: s };
}
function X0(t, e, n) {
  return e.filter(({ witness_id: o }) => !n.includes(o)).length >= t.threshold;
}
async function Na(t, e, n) {
  let r = e.links ?? [], o = n.length > r.length ? n : r, s = kE(e, n, r.length);
  if (s !== void 0) return { network: e, failure: s };
  for (let [d, u] of n.entries()) {
    if (NE(u, r[d])) continue;
    let l = OE(e, n, d) ?? AE(u, r[d]) ?? await Z0(t, u, Ia({ ...e, links: n }, u.end.tree_size)),
      h = l && vt(`succession[${d}]`, { valid: !1, ...l });
    if (h !== void 0) return { network: e, failure: h };
  }
  if (o === r) return { network: e };
  let i = o.map(({ predecessor: d, end: u }) => ({
      network: J0(e, d),
      end: u.tree_size,
      endTime: u.timestamp,
    })
    ),
    a = o.at(-1).successor,
    f = a === null ? [] : [{ network: J0(e, a) }];
  return { network: { ...e, epochs: [...i, ...f], links: o } };
}
function Un(t, e) {
  let { epochs: n = [{ network: t }] } = t,
    r = n.find(({ end: s = 1 / 0 }) => e <= s),
    o = Ia(t, e);
  return r && o.length > 0 ? { ...r.network, distrusted: o } : r?.network;
}
function Ca(t, e) {
  return Un(t, e + 1);
}
function Ra({ links: t = [] }, { tree_size: e, root_hash: n }) {
  return t.some(({ end: o }) => o.tree_size === e && o.root_hash !== n)
    ? { reason: "head_forked" }
    : void 0;
}
function kE(t, e, n) {
  if (e.length <= n) return;
  let { epoch: r = 0 } = t, o = e[r]?.predecessor ?? e[r - 1]?.successor;
  if (!(o && Dn(o) === Dn(Cd(t)))) return { reason: "succession_unrelated", field: "succession" };
}
function OE(t, e, n) {
  let { predecessor: r, end: o } = e[n],
    s = { reason: "succession_unrelated", field: "predecessor" };
  if (r.epoch !== n || r.id !== t.id) return s;
  let i = e[n - 1];
  if (i !== void 0) {
    return i.successor === null || Dn(i.successor) !== Dn(r)
      ? s
      : o.tree_size > i.end.tree_size
      ? void 0
      : { reason: "boundary_wrong", field: "end.tree_size" };
  }
}
function AE(t, e) {
  if (!(e === void 0 || BE(t, e))) return { reason: "succession_conflict" };
}
function BE(t, e) {
  return Ro(t) === Ro(e) && t.end.tree_size === e.end.tree_size &&
    t.end.root_hash === e.end.root_hash;
}
function NE(t, e) {
  return e !== void 0 && JSON.stringify(t) === JSON.stringify(e);
}
function Ia({ distrust: t = [], links: e = [] }, n) {
  let r = new Set(t.filter((f) => n > f.size).map(({ witness: f }) => f));
  if (r.size === 0) return [];
  let s = e.flatMap(({ predecessor: f, successor: d }) => [f, d]).flatMap((f) =>
      f?.witnesses ?? []
    ),
    i = new Set(s.filter(({ id: f }) => r.has(f)).map(({ pubkey: f }) => f)),
    a = s.filter(({ pubkey: f }) => i.has(f)).map(({ id: f }) => f);
  return [...new Set([...r, ...a])];
}
function J0(t, e) {
  let { federation: n, merge_delay_seconds: r } = t;
  return { ...e, federation: n, ...r !== void 0 && { merge_delay_seconds: r } };
}
async function CE(t, e) {
  try {
    return (await t.succession(e)).value;
  } catch (n) {
    return e?.throwIfAborted(), Cr(n), [];
  }
}
async function La(t, e, n, r) {
  let o = await CE(e, r), s = await Na(t, n, o);
  return s.failure === void 0 && s.network !== n ? s.network : void 0;
}
function Ma({ met: t, ...e }) {
  return { valid: t, ...e };
}
function An(t, e) {
  return { valid: !1, ...e, verified: 0, required: t.threshold, signers: [], unknown: [] };
}
function St(t, e) {
  return e === void 0 ? t : { ...t, valid: !1, ...e };
}
function zo(t, e) {
  return Qi(t, ee(ks(e)));
}
async function Ha(t, e, n) {
  let r = RE(e, n);
  if (r !== void 0) return An(e, r);
  let { attestation: o, round: s } = n,
    i = zo(t.kernels, o),
    a = pu(t.kernels, { ...s, leafHash: i }, s.inclusion_path);
  if (a === void 0) return An(e, { reason: "round_path_invalid", field: "round.inclusion_path" });
  let f = Sm({ network_id: e.id, timestamp: o.timestamp, size: s.size, root: a, beacon: s.beacon }),
    d = Ca(e, o.sequence);
  if (d === void 0) return An(e, { reason: "log_ended", field: "attestation.sequence" });
  let u = await Wr(t, d, ee(f), n), l = u.verified + (u.distrusted?.length ?? 0) >= u.required;
  return { ...Ma(u), ...l && { leafHash: i } };
}
function RE(t, { attestation: e, round: n }) {
  if (e.network_id !== t.id) return { reason: "network_mismatch", field: "attestation.network_id" };
  if (n.size < 1 || n.size > No) return { reason: "round_size_invalid", field: "round.size" };
  if (n.index >= n.size || n.index > e.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
}
var wu = class {
    tag;
    value;
    constructor(e, n) {
      this.tag = e, this.value = n;
    }
  },
  [IE, LE, ME, HE, FE, $E, PE] = [0, 1, 2, 3, 4, 5, 6],
  jE = 246;
function qo(t) {
  if (t === null) return Uint8Array.of(jE);
  if (typeof t == "number") return t < 0 ? Yr(LE, -1 - t) : Yr(IE, t);
  if (typeof t == "string") {
    let n = ee(t);
    return me(Yr(HE, n.length), n);
  }
  if (t instanceof Uint8Array) return me(Yr(ME, t.length), t);
  if (t instanceof wu) return me(Yr(PE, t.tag), qo(t.value));
  if (t instanceof Map) {
    let n = Array.from(t, (r) => r.map(qo));
    return n.sort(([r], [o]) => DE(r, o)), me(Yr($E, n.length), ...n.flat());
  }
  let e = t;
  return me(Yr(FE, e.length), ...e.map(qo));
}
function Yr(t, e) {
  let n = e < 24 ? 0 : e < 256 ? 1 : e < 65536 ? 2 : e < 4294967296 ? 4 : 8,
    r = new Uint8Array(1 + n);
  r[0] = t * 32 + (n === 0 ? e : 24 + Math.log2(n));
  let o = e;
  for (let s = n; s > 0; s--) r[s] = o % 256, o = Math.floor(o / 256);
  return r;
}
function DE(t, e) {
  let n = t.findIndex((r, o) => r !== e[o]);
  return n < 0 ? t.length - e.length : t[n] - (e[n] ?? -1);
}
var [UE, zE, qE, GE] = [1, 4, 15, 395], VE = 1, KE = "countersign/tree-size", WE = -8, YE = 1;
function ZE(t, e) {
  return qo(["Signature1", JE(t), new Uint8Array(), e]);
}
function Q0(t, e) {
  let n = { name: e.network_id, type: Ye.ed25519, publicKey: t };
  return ZE(XE(n, e.tree_size), Oe(e.root_hash));
}
function XE(t, e) {
  return { origin: t.name, keyId: Cs(t), treeSize: e };
}
function JE({ origin: t, keyId: e, treeSize: n }) {
  return qo(new Map([[UE, WE], [zE, e], [qE, new Map([[VE, t]])], [GE, YE], [KE, n]]));
}
var QE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
async function Tt(t, e, n) {
  let r = n.tree_head;
  if (r.network_id !== e.id) {
    return An(e, { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  if (r.tree_size === 0 && r.root_hash !== QE) {
    return An(e, { reason: "empty_root_wrong", field: "tree_head.root_hash" });
  }
  let o = Un(e, r.tree_size);
  if (o === void 0) return An(e, { reason: "log_ended", field: "tree_head.tree_size" });
  let s = ee(Zi(r)), i = Ma(await Wr(t, o, s, n));
  return i.valid ? St(i, Ra(e, r) ?? await ev(t, o, n)) : i;
}
async function ev(t, { log_vkey: e }, { tree_head: n, log_signature: r, receipt_signature: o }) {
  if (e === void 0) return;
  let s = async (a, f, d) =>
      d !== void 0 && !await Ba(t, e, f, d)
        ? { reason: "log_signature_invalid", field: a }
        : void 0,
    i = Q0(at(e).publicKey, n);
  return await s("log_signature", ee(On(n)), r) ?? await s("receipt_signature", i, o);
}
var eg = [
  "batch_inclusion.batch.first_index",
  "batch_inclusion.batch.attestation_count",
  "batch_inclusion.batch.period_start",
];
async function tg(t, e, n, r) {
  let o = await Tt(t, e, n.sth),
    s = r.attestation.sequence,
    i = vt("sth", o) ?? tv(e, n, r) ?? nv(n.batch, s) ??
      vt("merkle_proof", {
        valid: !1,
        ...zs(
          t.kernels,
          { leafHash: r.leafHash, index: s },
          n.merkle_proof.inclusion_path,
          n.sth.tree_head,
        ),
      });
  return St(o, vt("batch_inclusion", { valid: !1, ...i }));
}
function tv(t, { batch: e, merkle_proof: n, sth: r }, { attestation: o, leafHash: s }) {
  let i = r.tree_head;
  return uu([
    ["merkle_proof.hash", n.hash, o.hash],
    ["merkle_proof.leaf_hash", n.leaf_hash, J(s)],
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
function nv(t, e) {
  if (t.attestation_count !== t.tree_size - t.first_index) {
    return { reason: "batch_count_wrong", field: "batch.attestation_count" };
  }
  if (t.first_index > e) return { reason: "batch_range_wrong", field: "batch.first_index" };
}
var rv = 8;
async function rg(t, e, n, r) {
  let o = [], s = new Map();
  for (let i of n) {
    let { witnessing_network: a } = i, f = s.get(a) ?? 0;
    s.set(a, f + 1),
      o.push(
        r === void 0
          ? Zr(i, "not_checked", { reason: "lower_layer_unverified" })
          : f >= rv
          ? Zr(i, "not_checked", Go("peer_anchors_surplus"))
          : await ov(t, e, i, r),
      );
  }
  return cv(e, o);
}
function Zr(t, e, n) {
  return { network: t.witnessing_network, status: e, counted: !1, ...n };
}
async function ov(t, e, n, r) {
  let { network: o } = e,
    s = n.tree_head,
    i = n.witnessing_network,
    a = o.federation.peer_networks.find((g) => g.id === i);
  if (i === o.id) return Zr(n, "failed", Go("peer_is_home"));
  if (a === void 0) return Zr(n, "failed", Go("peer_not_pinned"));
  if (s.network_id !== o.id) {
    return Zr(n, "failed", { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  let f = e.peers.find((g) => g.id === i);
  if (f === void 0) return Zr(n, "not_checked", Go("peer_configuration_missing"));
  let d = await iv(t, f, s, n, r.timestamp);
  if (d === void 0) return Zr(n, "failed", Go("log_ended"));
  let { met: u, reason: l, witness: h, ...p } = d,
    m = l !== void 0 ? { reason: l } : av(t, a, n, { head: r, verified: p.verified });
  return {
    network: i,
    status: u && m === void 0 ? "verified" : "failed",
    counted: !1,
    ...m,
    signatures: p,
    ...h !== void 0 && { witness: h },
  };
}
function sv(t, e) {
  let { epochs: n = [{ network: t }], distrust: r = [] } = t, o = Ia(t, 1 / 0);
  return n.filter(({ endTime: s }) => s === void 0 || e <= s).map(({ network: s }) =>
    r.length > 0 ? { ...s, distrusted: o } : s
  ).reverse();
}
async function iv(t, e, n, r, o = 0) {
  let [s, ...i] = sv(e, o);
  if (s === void 0) return;
  let a = ee(Zi(n)), f = await Wr(t, s, a, r);
  for (let d of f.met ? [] : i) {
    let u = await Wr(t, d, a, r);
    if (u.met) return u;
  }
  return f;
}
function ng(t) {
  let e = t.epochs ?? [{ network: t }];
  return new Set(e.flatMap((n) => [...Wm(n.network)]));
}
function Go(t) {
  return { reason: t, field: "witnessing_network" };
}
function av(t, e, n, { head: r, verified: o }) {
  if (o < (e.min_witnesses ?? 0)) {
    return { reason: "min_witnesses_not_met", field: jn(n) ? "signatures" : "signers" };
  }
  if (n.tree_head.tree_size < r.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!Kr(t.kernels, r, n.tree_head, n.consistency_path)) {
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
}
function cv(t, e) {
  let { enabled: n, peer_networks: r, cross_anchor_threshold: o } = t.network.federation,
    s = ng(t.network),
    i = [],
    a = new Map();
  for (let { id: f } of r) {
    let d = e.filter((g) => g.network === f && g.status === "verified"),
      [u] = d,
      l = t.peers.find((g) => g.id === f);
    if (u === void 0 || l === void 0) continue;
    let h = ng(l),
      p = [...h].some((g) => s.has(g)),
      m = Go(p ? "peer_key_shared" : "peer_already_counted");
    for (let g of d) a.set(g, { ...g, ...m });
    if (!p) {
      for (let g of h) s.add(g);
      i.push(f), a.set(u, { ...u, counted: !0 });
    }
  }
  return {
    layers: e.map((f) => a.get(f) ?? f),
    summary: { counted: i, required: o, ...fv(n, o, i.length) },
  };
}
function fv(t, e, n) {
  return !t || e < 1
    ? { reason: "federation_disabled" }
    : n < e
    ? { reason: "cross_anchors_missing" }
    : void 0;
}
function og(t, e, n) {
  let r = e.map((s) => {
      let i = dv(t, s, n), { provider: a, service: f } = s;
      return { provider: a, ...f !== void 0 && { service: f }, bound: i === void 0, ...i };
    }),
    o = r.filter((s) => s.bound).length;
  return { present: o, unbound: r.length - o, anchors: r };
}
function dv(t, e, n) {
  if (n === void 0) return { reason: "lower_layer_unverified" };
  let r = e.tree_head;
  return r.network_id !== n.network_id
    ? { reason: "network_mismatch", field: "tree_head.network_id" }
    : J(t.sha256(ee(On(r)))) !== e.digest
    ? { reason: "digest_mismatch", field: "digest" }
    : r.tree_size < n.tree_size
    ? { reason: "anchor_precedes_batch", field: "tree_head.tree_size" }
    : Kr(t, n, r, e.consistency_path)
    ? void 0
    : { reason: "consistency_invalid", field: "consistency_path" };
}
var sg = Object.freeze({ not_before: [], not_after: [], failed: [], contradictions: [] });
function ig(t) {
  return { chain: ld, verify: (e) => Em(t, ld, e) };
}
function ag(t, { attestation: e, round: n }, r) {
  if (!r.valid) return sg;
  let o = { time: e.timestamp, source: "attestation", word: bu(e.network_id, r.verified) };
  return yu({ ...sg, ...uv(t, n) }, { not_after: [o] });
}
function cg({ network_id: t, tree_size: e, timestamp: n }, r) {
  return { time: n, source: `tree head of size ${e}`, word: bu(t, r) };
}
function fg({ tree_head: t, witnessing_network: e }, n) {
  return { time: t.timestamp, source: `cross-anchor of size ${t.tree_size}`, word: bu(e, n) };
}
function yu(t, e) {
  let n = [...t.not_before, ...e.not_before ?? []].toSorted((i, a) => a.time - i.time),
    r = [...t.not_after, ...e.not_after ?? []].toSorted((i, a) => i.time - a.time),
    [o] = n,
    s = o === void 0
      ? []
      : r.filter(({ time: i }) => i < o.time).map((i) => ({ not_before: o, not_after: i }));
  return { ...t, not_before: n, not_after: r, contradictions: s };
}
function uv(t, { beacon: e }) {
  if (e === null) return { not_before: [], failed: [] };
  let { chain: n } = t;
  if (e.chain_hash !== n.hash) {
    let s = `drand chain ${e.chain_hash} round ${e.round}`;
    return { not_before: [], failed: [{ source: s, reason: "beacon_chain_unknown" }] };
  }
  let r = `${n.name} round ${e.round}`;
  return t.verify(e)
    ? {
      not_before: [{ time: hd(n, e.round), source: r, word: `the nodes of ${n.name}` }],
      failed: [],
    }
    : { not_before: [], failed: [{ source: r, reason: "beacon_invalid" }] };
}
function bu(t, e) {
  return `${e} ${e === 1 ? "witness" : "witnesses"} of ${t}`;
}
var Xr = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
];
var lv = BigInt(0),
  Gs = BigInt(1),
  hv = BigInt(2),
  pv = BigInt(7),
  mv = BigInt(256),
  gv = BigInt(113),
  lg = [],
  hg = [],
  pg = [];
for (let t = 0, e = Gs, n = 1, r = 0; t < 24; t++) {
  [n, r] = [r, (2 * n + 3 * r) % 5], lg.push(2 * (5 * r + n)), hg.push((t + 1) * (t + 2) / 2 % 64);
  let o = lv;
  for (let s = 0; s < 7; s++) {
    e = (e << Gs ^ (e >> pv) * gv) % mv, e & hv && (o ^= Gs << (Gs << BigInt(s)) - Gs);
  }
  pg.push(o);
}
var mg = _i(pg, !0),
  wv = mg[0],
  yv = mg[1],
  bv = (t, e, n) => t << n | e >>> 32 - n,
  xv = (t, e, n) => e << n | t >>> 32 - n,
  _v = (t, e, n) => e << n - 32 | t >>> 64 - n,
  Ev = (t, e, n) => t << n - 32 | e >>> 64 - n,
  dg = (t, e, n) => n > 32 ? _v(t, e, n) : bv(t, e, n),
  ug = (t, e, n) => n > 32 ? Ev(t, e, n) : xv(t, e, n),
  Vo = new Uint32Array(5 * 2);
function vv(t, e = 24) {
  if (!(t instanceof Uint32Array)) {
    throw new TypeError('"s" expected Uint32Array(50), got type=' + typeof t);
  }
  if (t.length !== 50) throw new RangeError('"s" expected Uint32Array(50), got length=' + t.length);
  if (ut(e, "rounds"), e < 1 || e > 24) throw new Error('"rounds" expected integer 1..24');
  for (let n = 24 - e; n < 24; n++) {
    for (let s = 0; s < 10; s++) Vo[s] = t[s] ^ t[s + 10] ^ t[s + 20] ^ t[s + 30] ^ t[s + 40];
    for (let s = 0; s < 10; s += 2) {
      let i = (s + 8) % 10,
        a = (s + 2) % 10,
        f = Vo[a],
        d = Vo[a + 1],
        u = dg(f, d, 1) ^ Vo[i],
        l = ug(f, d, 1) ^ Vo[i + 1];
      for (let h = 0; h < 50; h += 10) t[s + h] ^= u, t[s + h + 1] ^= l;
    }
    let r = t[2], o = t[3];
    for (let s = 0; s < 24; s++) {
      let i = hg[s], a = dg(r, o, i), f = ug(r, o, i), d = lg[s];
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
    t[0] ^= wv[n], t[1] ^= yv[n];
  }
  At(Vo);
}
var xu = class t {
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
      ut(e, "blockLen"),
        ut(n, "suffix"),
        ut(s, "rounds"),
        vh(o, "enableXOF"),
        this.blockLen = e,
        this.suffix = n,
        this.outputLen = r,
        this.enableXOF = o,
        this.canXOF = o,
        this.rounds = s,
        ut(r, "outputLen"),
        !(0 < e && e < 200)
    ) throw new Error('"blockLen" must be 1..199');
    this.state = new Uint8Array(200), this.state32 = sf(this.state);
  }
  clone() {
    return this._cloneInto();
  }
  keccak() {
    af(this.state32),
      vv(this.state32, this.rounds),
      af(this.state32),
      this.posOut = 0,
      this.pos = 0;
  }
  update(e) {
    Hn(this), xe(e);
    let { blockLen: n, state: r, state32: o } = this,
      s = e.length,
      i = n % 4 === 0 && e.byteOffset % 4 === 0,
      a = n / 4,
      f = i && s >= n ? sf(e) : void 0;
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
    Hn(this, !1), xe(e), this.finish();
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
    return ut(e), this.xofInto(new Uint8Array(e));
  }
  digestInto(e) {
    if (uo(e, this), this.finished) throw new Error("digest() was already called");
    this.writeInto(e.length === this.outputLen ? e : e.subarray(0, this.outputLen)), this.destroy();
  }
  digest() {
    let e = new Uint8Array(this.outputLen);
    return this.digestInto(e), e;
  }
  destroy() {
    this.destroyed = !0, At(this.state);
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
var gg = (t, e, n, r = {}) =>
    po((o = {}) => (o = cf({}, o), new xu(e, t, o.dkLen === void 0 ? n : o.dkLen, !0)), r),
  wg = gg(31, 168, 16, Nr(11)),
  Ft = gg(31, 136, 32, Nr(12));
var lr = xe;
var _u = yi;
function Sv(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
function Tv(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function Eu(t, e) {
  if (t = xe(t), e = xe(e), t.length !== e.length) return !1;
  let n = 0;
  for (let r = 0; r < t.length; r++) n |= t[r] ^ e[r];
  return n === 0;
}
function kv(t) {
  if (fo(t)) throw new TypeError('"opts" expected object, got Uint8Array');
  Tv(t, "opts");
  let e = Object.getPrototypeOf(t);
  if (e !== null && e !== Object.prototype) throw new TypeError('"opts" expected a plain object');
}
var Ov = Object.freeze(["context"]), Av = Object.freeze(["context", "extraEntropy"]);
function Fa(t, e) {
  kv(t);
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
function vu(t, e = Ov) {
  let n = Fa(t, e);
  return n.context !== void 0 && xe(n.context, void 0, "opts.context"), n;
}
function $a(t, e = Av) {
  let n = Fa(t, e);
  return n.context !== void 0 && xe(n.context, void 0, "opts.context"),
    n.extraEntropy !== !1 && n.extraEntropy !== void 0 &&
    xe(n.extraEntropy, void 0, "opts.extraEntropy"),
    n;
}
function Vs(t, ...e) {
  let n = (o) => typeof o == "number" ? o : o.bytesLen, r = e.reduce((o, s) => o + n(s), 0);
  return {
    bytesLen: r,
    encode: (o) => {
      let s = new Uint8Array(r);
      for (let i = 0, a = 0; i < e.length; i++) {
        let f = e[i], d = n(f), u = typeof f == "number" ? o[i] : f.encode(o[i]);
        xe(u, d, t), s.set(u, a), typeof f != "number" && u.fill(0), a += d;
      }
      return s;
    },
    decode: (o) => {
      xe(o, r, t);
      let s = [];
      for (let i of e) {
        let a = n(i), f = o.subarray(0, a);
        s.push(typeof i == "number" ? f : i.decode(f)), o = o.subarray(a);
      }
      return s;
    },
  };
}
function Jr(t, e) {
  let n = t, r = e * n.bytesLen;
  return {
    bytesLen: r,
    encode: (o) => {
      let s = Sv(o, "u");
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
      xe(o, r);
      let s = [];
      for (let i = 0; i < o.length; i += n.bytesLen) {
        s.push(n.decode(o.subarray(i, i + n.bytesLen)));
      }
      return s;
    },
  };
}
function wt(...t) {
  for (let e of t) {
    if (Array.isArray(e)) { for (let n of e) n.fill(0); }
    else e.fill(0);
  }
}
function Su(t) {
  if (ut(t, "bits"), t > 32) throw new RangeError('"bits" expected <= 32, got ' + t);
  return t === 32 ? 4294967295 : ~(-1 << t) >>> 0;
}
var yg = Uint8Array.of();
function Tu(t, e = yg) {
  if (xe(t, void 0, "msg"), xe(e, void 0, "ctx"), e.length > 255) {
    throw new RangeError("context should be 255 bytes or less");
  }
  return ho(new Uint8Array([0, e.length]), e, t);
}
var Bv = Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2]),
  Nv = { "060960864801650304020b": 32, "060960864801650304020c": 64 };
function ku(t, e = 0) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError('"hash" expected hash function, got type=' + typeof t);
  }
  Br(t), ut(e, "requiredStrength");
  let n = t.oid;
  if (xe(n, void 0, "hash.oid"), !Eu(n.subarray(0, 10), Bv)) {
    throw new Error('"hash.oid" is invalid: expected NIST hash');
  }
  let r = Nv[Xn(n)];
  if (r !== void 0 && t.outputLen !== r) {
    throw new Error(
      "Pre-hash XOF output length must be " + r + " bytes for this OID, got: " + t.outputLen,
    );
  }
  let o = t.outputLen * 8 / 2;
  if (e > o) throw new Error("Pre-hash security strength too low: " + o + ", required: " + e);
}
function Ou(t, e, n = yg) {
  if (ku(t), xe(e, void 0, "msg"), xe(n, void 0, "ctx"), n.length > 255) {
    throw new RangeError("context should be 255 bytes or less");
  }
  let r = t(e);
  return ho(new Uint8Array([1, n.length]), n, t.oid, r);
}
var bg = (t) => {
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
        let v = pd(_, i), R = BigInt(s) ** BigInt(v) % BigInt(r);
        y[_] = Number(R) | 0;
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
      g = md(p, { dit: !1, ...m }),
      w = md(p, { dit: !0, ...m }),
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
        for (let A = 0, I = 0; A < n; A++) I += y, I > 32 && Su(I), I %= 8;
        let v = Su(y), R = y * (n / 8);
        return {
          bytesLen: R,
          encode: (A) => {
            let I = A, z = new Uint8Array(R);
            for (let ne = 0, ae = 0, le = 0, Ce = 0; ne < I.length; ne++) {
              for (ae |= (_.encode(I[ne]) & v) << le, le += y; le >= 8; le -= 8, ae >>= 8) {
                z[Ce++] = ae & 255;
              }
            }
            return z;
          },
          decode: (A) => {
            let I = e(n);
            for (let z = 0, ne = 0, ae = 0, le = 0; z < A.length; z++) {
              for (ne |= A[z] << ae, ae += 8; ae >= y; ae -= y, ne >>= y) {
                I[le++] = _.decode(ne & v);
              }
            }
            return I;
          },
        };
      },
    };
  },
  xg = (t) => (e, n) => {
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
        i.destroy(), wt(s, r);
      },
    };
  },
  _g = xg(wg),
  Eg = xg(Ft);
var vg = Object.freeze(["extraEntropy", "externalMu"]), Cv = Object.freeze(["externalMu"]);
function Sg(t, e) {
  let n = Fa(t, e);
  return n.externalMu !== void 0 && Mt(n.externalMu, "opts.externalMu"), n;
}
var ze = 256,
  mr = 8380417,
  Rv = 1753,
  Iv = 8347681,
  Qr = 13,
  Au = Math.floor((mr - 1) / 88) | 0,
  Bu = Math.floor((mr - 1) / 32) | 0,
  Lv = Object.freeze({
    2: Object.freeze({
      K: 4,
      L: 4,
      D: Qr,
      GAMMA1: 2 ** 17,
      GAMMA2: Au,
      TAU: 39,
      ETA: 2,
      OMEGA: 80,
    }),
    3: Object.freeze({
      K: 6,
      L: 5,
      D: Qr,
      GAMMA1: 2 ** 19,
      GAMMA2: Bu,
      TAU: 49,
      ETA: 4,
      OMEGA: 55,
    }),
    5: Object.freeze({
      K: 8,
      L: 7,
      D: Qr,
      GAMMA1: 2 ** 19,
      GAMMA2: Bu,
      TAU: 60,
      ETA: 2,
      OMEGA: 75,
    }),
  }),
  Vt = (t) => new Int32Array(t),
  Le = bg({ N: ze, Q: mr, F: Iv, ROOT_OF_UNITY: Rv, newPoly: Vt, isKyber: !1, brvBits: 8 }),
  Tg = (t) => t,
  Ks = (t, e = Tg, n = Tg) => Le.bitsCoder(t, { encode: (r) => e(n(r)), decode: (r) => n(e(r)) }),
  hr = (t, e) => {
    let n = t, r = e;
    for (let o = 0; o < n.length; o++) n[o] = Le.mod(n[o] + r[o]);
    return n;
  },
  kg = (t, e) => {
    let n = t, r = e;
    for (let o = 0; o < n.length; o++) n[o] = Le.mod(n[o] - r[o]);
    return n;
  },
  Mv = (t) => {
    let e = t;
    for (let n = 0; n < ze; n++) e[n] <<= Qr;
    return e;
  },
  Ws = (t, e) => {
    let n = t;
    for (let r = 0; r < ze; r++) if (Math.abs(Le.smod(n[r])) >= e) return !0;
    return !1;
  },
  pr = (t, e) => {
    let n = t, r = e, o = Vt(ze);
    for (let s = 0; s < n.length; s++) o[s] = Le.mod(n[s] * r[s]);
    return o;
  };
function Pa(t) {
  let e = t, n = Vt(ze);
  for (let r = 0; r < ze;) {
    let o = e();
    if (o.length % 3) throw new Error("RejNTTPoly: unaligned block");
    for (let s = 0; r < ze && s <= o.length - 3; s += 3) {
      let i = (o[s + 0] | o[s + 1] << 8 | o[s + 2] << 16) & 8388607;
      i < mr && (n[r++] = i);
    }
  }
  return n;
}
function Hv(t) {
  let e = t,
    { K: n, L: r, GAMMA1: o, GAMMA2: s, TAU: i, ETA: a, OMEGA: f } = e,
    { CRH_BYTES: d, TR_BYTES: u, C_TILDE_BYTES: l, XOF128: h, XOF256: p, securityLevel: m } = e;
  if (![2, 4].includes(a)) throw new Error("Wrong ETA");
  if (![1 << 17, 1 << 19].includes(o)) throw new Error("Wrong GAMMA1");
  if (![Au, Bu].includes(s)) throw new Error("Wrong GAMMA2");
  let g = i * a,
    w = (E) => {
      let B = Le.mod(E), k = Le.smod(B, 2 * s) | 0;
      return B - k === mr - 1
        ? { r1: 0, r0: k - 1 | 0 }
        : { r1: Math.floor((B - k) / (2 * s)) | 0, r0: k };
    },
    b = (E) => w(E).r1,
    x = (E) => w(E).r0,
    y = (E, B) => E <= s || E > mr - s || E === mr - s && B === 0 ? 0 : 1,
    _ = Math.floor((mr - 1) / (2 * s)),
    v = (E, B) => {
      let { r1: k, r0: N } = w(B);
      return E === 1 ? N > 0 ? Le.mod(k + 1, _) | 0 : Le.mod(k - 1, _) | 0 : k | 0;
    },
    R = (E) => {
      let B = Le.mod(E), k = Le.smod(B, 2 ** Qr) | 0;
      return { r1: Math.floor((B - k) / 2 ** Qr) | 0, r0: k };
    },
    A = {
      bytesLen: f + n,
      encode: (E) => {
        let B = E;
        if (B === !1) throw new Error("hint.encode: hint is false");
        let k = new Uint8Array(f + n);
        for (let N = 0, M = 0; N < n; N++) {
          for (let G = 0; G < ze; G++) B[N][G] !== 0 && (k[M++] = G);
          k[f + N] = M;
        }
        return k;
      },
      decode: (E) => {
        let B = [], k = 0;
        for (let N = 0; N < n; N++) {
          let M = Vt(ze);
          if (E[f + N] < k || E[f + N] > f) return !1;
          for (let G = k; G < E[f + N]; G++) {
            if (G > k && E[G] <= E[G - 1]) return !1;
            M[E[G]] = 1;
          }
          k = E[f + N], B.push(M);
        }
        for (let N = k; N < f; N++) if (E[N] !== 0) return !1;
        return B;
      },
    },
    I = Ks(a === 2 ? 3 : 4, (E) => a - E, (E) => {
      if (!(-a <= E && E <= a)) {
        throw new Error(`malformed key s1/s3 ${E} outside of ETA range [${-a}, ${a}]`);
      }
      return E;
    }),
    z = Ks(13, (E) => (1 << Qr - 1) - E),
    ne = Ks(10),
    ae = Ks(o === 1 << 17 ? 18 : 20, (E) => Le.smod(o - E)),
    le = Ks(s === Au ? 6 : 4),
    Ce = Jr(le, n),
    W = Vs("publicKey", 32, Jr(ne, n)),
    ce = Vs("secretKey", 32, 32, u, Jr(I, r), Jr(I, n), Jr(z, n)),
    fe = Vs("signature", l, Jr(ae, r), A),
    O = a === 2 ? (E) => E < 15 ? 2 - E % 5 : !1 : (E) => E < 9 ? 4 - E : !1;
  function q(E) {
    let B = E, k = Vt(ze);
    for (let N = 0; N < ze;) {
      let M = B();
      for (let G = 0; N < ze && G < M.length; G += 1) {
        let oe = O(M[G] & 15), he = O(M[G] >> 4 & 15);
        oe !== !1 && (k[N++] = oe), N < ze && he !== !1 && (k[N++] = he);
      }
    }
    return k;
  }
  let V = (E) => {
      let B = Vt(ze), k = Ft.create({}).update(E), N = new Uint8Array(Ft.blockLen);
      k.xofInto(N);
      let M = N.slice(0, 8);
      for (let G = ze - i, oe = 8, he = 0, Re = 0; G < ze; G++) {
        let pe = G + 1;
        for (; pe > G;) pe = N[oe++], !(oe < Ft.blockLen) && (k.xofInto(N), oe = 0);
        B[G] = B[pe], B[pe] = 1 - ((M[he] >> Re++ & 1) << 1), Re >= 8 && (he++, Re = 0);
      }
      return B;
    },
    $ = (E) => {
      let B = E, k = Vt(ze), N = Vt(ze);
      for (let M = 0; M < B.length; M++) {
        let { r0: G, r1: oe } = R(B[M]);
        k[M] = G, N[M] = oe;
      }
      return { r0: k, r1: N };
    },
    S = (E, B) => {
      let k = E, N = B;
      for (let M = 0; M < ze; M++) k[M] = v(N[M], k[M]);
      return k;
    },
    L = (E, B) => {
      let k = E, N = B, M = Vt(ze), G = 0;
      for (let oe = 0; oe < ze; oe++) {
        let he = y(k[oe], N[oe]);
        M[oe] = he, G += he;
      }
      return { v: M, cnt: G };
    },
    F = 32,
    P = Vs("seed", 32, 64, 32),
    j = Object.freeze({
      info: Object.freeze({ type: "internal-ml-dsa" }),
      lengths: Object.freeze({
        secretKey: ce.bytesLen,
        publicKey: W.bytesLen,
        seed: 32,
        signature: fe.bytesLen,
        signRand: F,
      }),
      keygen: (E) => {
        let B = new Uint8Array(34), k = E === void 0;
        k && (E = _u(32)), lr(E, 32, "seed"), B.set(E), k && wt(E), B[32] = n, B[33] = r;
        let [N, M, G] = P.decode(Ft(B, { dkLen: P.bytesLen })), oe = p(M), he = [];
        for (let se = 0; se < r; se++) he.push(q(oe.get(se & 255, se >> 8 & 255)));
        let Re = [];
        for (let se = r; se < r + n; se++) Re.push(q(oe.get(se & 255, se >> 8 & 255)));
        let pe = he.map((se) => Le.NTT.encode(se.slice())),
          be = [],
          et = [],
          bt = h(N),
          Je = Vt(ze);
        for (let se = 0; se < n; se++) {
          wt(Je);
          for (let qe = 0; qe < r; qe++) {
            let ot = Pa(bt.get(qe, se));
            hr(Je, pr(ot, pe[qe]));
          }
          Le.NTT.decode(Je);
          let { r0: Ot, r1: Se } = $(hr(Je, Re[se]));
          be.push(Ot), et.push(Se);
        }
        let dt = W.encode([N, et]),
          xt = Ft(dt, { dkLen: u }),
          $t = ce.encode([N, G, xt, he, Re, be]);
        return bt.clean(),
          oe.clean(),
          wt(N, M, G, he, Re, pe, Je, be, et, xt, B),
          { publicKey: dt, secretKey: $t };
      },
      getPublicKey: (E) => {
        let [B, k, N, M, G, oe] = ce.decode(E),
          he = h(B),
          Re = M.map((et) => Le.NTT.encode(et.slice())),
          pe = [],
          be = Vt(ze);
        for (let et = 0; et < n; et++) {
          be.fill(0);
          for (let Je = 0; Je < r; Je++) {
            let dt = Pa(he.get(Je, et));
            hr(be, pr(dt, Re[Je]));
          }
          Le.NTT.decode(be), hr(be, G[et]);
          let { r1: bt } = $(be);
          pe.push(bt);
        }
        return he.clean(), wt(be, Re, oe, M, G), W.encode([B, pe]);
      },
      sign: (E, B, k = {}) => {
        k = $a(k, vg), k = Sg(k, vg);
        let { extraEntropy: N, externalMu: M = !1 } = k;
        M && lr(E, d, "mu");
        let G = N === !1 || N === void 0,
          oe = N === !1 ? new Uint8Array(32) : N === void 0 ? _u(F) : N;
        lr(oe, 32, "extraEntropy");
        let he = (() => {
            try {
              return ce.decode(B);
            } catch (Se) {
              throw G && wt(oe), Se;
            }
          })(),
          [Re, pe, be, et, bt, Je] = he,
          dt = [],
          xt = h(Re);
        for (let Se = 0; Se < n; Se++) {
          let qe = [];
          for (let ot = 0; ot < r; ot++) qe.push(Pa(xt.get(ot, Se)));
          dt.push(qe);
        }
        xt.clean();
        for (let Se = 0; Se < r; Se++) Le.NTT.encode(et[Se]);
        for (let Se = 0; Se < n; Se++) Le.NTT.encode(bt[Se]), Le.NTT.encode(Je[Se]);
        let $t = M ? E : Ft.create({ dkLen: d }).update(be).update(E).digest(),
          se = Ft.create({ dkLen: d }).update(pe).update(oe).update($t).digest();
        G && wt(oe), lr(se, d);
        let Ot = p(se, ae.bytesLen);
        e: for (let Se = 0;;) {
          let qe = [];
          for (let De = 0; De < r; De++, Se++) qe.push(ae.decode(Ot.get(Se & 255, Se >> 8)()));
          let ot = qe.map((De) => Le.NTT.encode(De.slice())), It = [];
          for (let De = 0; De < n; De++) {
            let Tr = Vt(ze);
            for (let ln = 0; ln < r; ln++) hr(Tr, pr(dt[De][ln], ot[ln]));
            Le.NTT.decode(Tr), It.push(Tr);
          }
          let vr = It.map((De) => De.map(b)),
            Sr = Ft.create({ dkLen: l }).update($t).update(Ce.encode(vr)).digest(),
            Kn = Le.NTT.encode(V(Sr)),
            Wn = et.map((De) => pr(De, Kn));
          for (let De = 0; De < r; De++) {
            if (hr(Le.NTT.decode(Wn[De]), qe[De]), Ws(Wn[De], o - g)) {
              wt(Sr, Wn, Kn, vr, It, ot, qe);
              continue e;
            }
          }
          let Fl = 0, so = [];
          for (let De = 0; De < n; De++) {
            let Tr = Le.NTT.decode(pr(bt[De], Kn)), ln = kg(It[De], Tr).map(x);
            if (Ws(ln, s - g)) {
              wt(Sr, Wn, Kn, vr, It, ot, qe, so, Tr, ln);
              continue e;
            }
            let $c = Le.NTT.decode(pr(Je[De], Kn));
            if (Ws($c, s)) {
              wt(Sr, Wn, Kn, vr, It, ot, qe, so, Tr, ln, $c);
              continue e;
            }
            hr(ln, $c);
            let $l = L(ln, vr[De]);
            so.push($l.v), Fl += $l.cnt;
          }
          if (Fl > f) {
            wt(Sr, Wn, Kn, vr, It, ot, qe, so);
            continue;
          }
          Ot.clean();
          let ax = fe.encode([Sr, Wn, so]);
          return wt(Sr, Wn, so, Kn, vr, It, ot, qe, se, et, bt, Je, ...dt), M || wt($t), ax;
        }
        throw new Error("Unreachable code path reached, report this error");
      },
      verify: (E, B, k, N = {}) => {
        N = Sg(N, Cv);
        let { externalMu: M = !1 } = N;
        M && lr(B, d, "mu");
        let [G, oe] = W.decode(k), he = Ft(k, { dkLen: u });
        if (E.length !== fe.bytesLen) return !1;
        let [Re, pe, be] = fe.decode(E);
        if (be === !1) return !1;
        for (let se = 0; se < r; se++) if (Ws(pe[se], o - g)) return !1;
        let et = M ? B : Ft.create({ dkLen: d }).update(he).update(B).digest(),
          bt = Le.NTT.encode(V(Re)),
          Je = pe.map((se) => se.slice());
        for (let se = 0; se < r; se++) Le.NTT.encode(Je[se]);
        let dt = [], xt = h(G);
        for (let se = 0; se < n; se++) {
          let Ot = pr(Le.NTT.encode(Mv(oe[se])), bt), Se = Vt(ze);
          for (let ot = 0; ot < r; ot++) {
            let It = Pa(xt.get(ot, se));
            hr(Se, pr(It, Je[ot]));
          }
          let qe = Le.NTT.decode(kg(Se, Ot));
          dt.push(S(qe, be[se]));
        }
        xt.clean();
        let $t = Ft.create({ dkLen: l }).update(et).update(Ce.encode(dt)).digest();
        for (let se of be) if (!(se.reduce((Se, qe) => Se + qe, 0) <= f)) return !1;
        for (let se of pe) if (Ws(se, o - g)) return !1;
        return Eu(Re, $t);
      },
    });
  return Object.freeze({
    info: Object.freeze({ type: "ml-dsa" }),
    internal: j,
    securityLevel: m,
    keygen: j.keygen,
    lengths: j.lengths,
    getPublicKey: j.getPublicKey,
    sign: (E, B, k = {}) => {
      k = $a(k);
      let N = Tu(E, k.context), M = j.sign(N, B, { extraEntropy: k.extraEntropy, externalMu: !1 });
      return wt(N), M;
    },
    verify: (
      E,
      B,
      k,
      N = {},
    ) => (N = vu(N),
      lr(E, void 0, "signature"),
      j.verify(E, Tu(B, N.context), k, { externalMu: !1 })),
    prehash: (E) => {
      ku(E, m);
      let B = E;
      return Object.freeze({
        info: Object.freeze({ type: "hashml-dsa" }),
        securityLevel: m,
        lengths: j.lengths,
        keygen: j.keygen,
        getPublicKey: j.getPublicKey,
        sign: (k, N, M = {}) => {
          M = $a(M);
          let G = Ou(B, k, M.context),
            oe = j.sign(G, N, { extraEntropy: M.extraEntropy, externalMu: !1 });
          return wt(G), oe;
        },
        verify: (
          k,
          N,
          M,
          G = {},
        ) => (G = vu(G),
          lr(k, void 0, "signature"),
          j.verify(k, Ou(B, N, G.context), M, { externalMu: !1 })),
      });
    },
  });
}
var Og = Hv({
  ...Lv[2],
  CRH_BYTES: 64,
  TR_BYTES: 64,
  C_TILDE_BYTES: 32,
  XOF128: _g,
  XOF256: Eg,
  securityLevel: 128,
});
var Ng = "ML-DSA-44", Ag = new sn(256);
async function Cg(t, e, n) {
  if (t.length !== 1312 || n.length !== 2420) return !1;
  let [r, o, s] = [t.slice(), e.slice(), n.slice()], i = await $v(r);
  return i === void 0 ? Fv(r, o, s) : await crypto.subtle.verify(Ng, i, s, o);
}
function Fv(t, e, n) {
  return t.length === 1312 && n.length === 2420 && Og.verify(n, e, t);
}
async function $v(t) {
  let e = Ag.get(t);
  if (e !== void 0) return e;
  try {
    let r = await crypto.subtle.importKey("raw-public", t, Ng, !1, ["verify"]);
    return Ag.set(t, r), r;
  } catch {
    return;
  }
}
function Rg(t, e) {
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
function Ig(t) {
  let e = t.witnesses.toSorted((r, o) => r.id < o.id ? -1 : 1),
    n = e.map(({ id: r, pubkey: o }) =>
      `${r} ${o}
`
    ).join("");
  return { name: t.id, type: Ye.private, identifier: Yp, publicKey: an(ee(n)), witnesses: e };
}
function Lg(t, e) {
  let n = Ji(e);
  if (n === void 0) return;
  let r = n.signature.length - pt.bls,
    o = n.signature.subarray(0, Math.max(0, r)),
    s = Rg(o, t.witnesses.length);
  if (!(r < 0 || s === void 0)) {
    return { timestamp: n.timestamp, signers: s, signature: n.signature.slice(r) };
  }
}
var Ys = Ge("malformed_text", "Cannot read checkpoint");
function Mg(t) {
  let [e = "", n = "", r = "", ...o] = t.split(`
`),
    s = Et(n),
    i = mn(r),
    a = o.slice(0, -1);
  if (e === "") throw Ys("it has no origin");
  if (s === void 0) throw Ys("the tree size is not an integer in [0, 2^53)");
  if (i?.length !== T) throw Ys("the root hash is not 32 bytes");
  if (o.at(-1) !== "") throw Ys("it does not end in a newline");
  if (a.includes("")) throw Ys("it has an empty extension line");
  return { origin: e, size: s, root: i, extensions: a };
}
var Fg = 255, ja = Ge("malformed_text", "Cannot write subtree cosignature");
function Pv(t) {
  let { length: e } = ee(t);
  return e >= 1 && e <= Fg;
}
function $g(t) {
  let { cosigner: e, timestamp: n, origin: r, start: o, end: s, root: i } = t;
  if (![n, o, s].every(_e)) throw ja("the time, start and end are not integers in [0, 2^53)");
  if (o > s || o > 0 && n > 0) {
    throw ja("start is above end, or a time is given with a start above 0");
  }
  if (i.length !== T) throw ja("the root hash is not 32 bytes");
  return me(ee(Up), Hg(e), wo(n), Hg(r), wo(o), wo(s), i);
}
function Hg(t) {
  let e = ee(t);
  if (!Pv(t)) throw ja(`a name is not 1 to ${Fg} bytes`);
  return me(Uint8Array.of(e.length), e);
}
async function jv(t, e, n) {
  let r = e.map((i) => ({ key: i, id: Cs(i) })), o = [], s = 0;
  for (let [i, a] of n.signatures.entries()) {
    let f = r.find(({ key: u, id: l }) => u.name === a.name && Fe(l, a.keyId));
    if (f === void 0) {
      s++;
      continue;
    }
    let d = await Dv(t, f.key, n.text, a);
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
async function Dv(t, e, n, r) {
  if ("witnesses" in e) return zv(t, e, n, r);
  if (e.type === Ye.ed25519) {
    return await t.ed25519(e.publicKey, ee(n), r.payload) ? { key: e } : void 0;
  }
  let o = Ji(r.payload);
  if (o === void 0) return;
  let { timestamp: s, signature: i } = o;
  if (e.type === Ye.mlDsaCosignature) {
    let f = Uv(e.name, s, n);
    return f && await Cg(e.publicKey, f, i) ? { key: e, timestamp: s } : void 0;
  }
  if (e.type !== Ye.cosignature) return;
  let a = ee(Xi(s, n));
  return await t.ed25519(e.publicKey, a, i) ? { key: e, timestamp: s } : void 0;
}
function Uv(t, e, n) {
  return lt(() => {
    let { origin: r, size: o, root: s } = Mg(n);
    return $g({ cosigner: t, timestamp: e, origin: r, start: 0, end: o, root: s });
  });
}
function zv(t, e, n, r) {
  let o = Lg(e, r.payload);
  if (o === void 0) return;
  let { timestamp: s, signature: i } = o,
    a = o.signers.map((u) => e.witnesses[u]),
    f = a.map(({ pubkey: u }) => Oe(u)),
    d = ee(Xi(s, n));
  return t.bls.fastAggregateVerify(f, d, i, gs)
    ? { key: e, timestamp: s, signers: a.map(({ id: u }) => u) }
    : void 0;
}
async function Nu(t, e, n) {
  let r = Bo(n),
    o = Yi(r.text),
    s = { head: o, verified: 0, required: e.threshold, signers: [], cosigners: [] },
    i = Un(e, o.tree_size);
  if (i === void 0) return { valid: !1, reason: "log_ended", field: "tree_size", ...s };
  let a = qv(i, o);
  if (a !== void 0) return { valid: !1, ...a, ...s };
  let f = await jv(t, Gv(i), r);
  if (!f.valid) {
    let { valid: h, reason: p, field: m } = f;
    return { valid: h, ...s, ...p && { reason: p }, ...m && { field: m } };
  }
  let d = Kv(f.lines).filter(({ id: h }) => !i.distrusted?.includes(h)),
    u = {
      head: o,
      verified: d.length,
      required: i.threshold,
      ...i.epoch && { epoch: i.epoch },
      signers: d.map(({ id: h }) => h),
      cosigners: d,
      ...Vv(i, f.lines),
    };
  if (!f.lines.some(({ key: h }) => h.type === Ye.ed25519)) {
    return { valid: !1, reason: "log_signature_missing", ...u };
  }
  if (d.length < i.threshold) return { valid: !1, reason: "threshold_not_met", ...u };
  let l = Ra(e, o);
  return { valid: l === void 0, ...l, ...u };
}
function qv(t, e) {
  return e.network_id !== t.id
    ? { reason: "network_mismatch", field: "origin" }
    : t.log_vkey === void 0
    ? { reason: "log_key_missing" }
    : void 0;
}
function Gv(t) {
  let e = [Ad(t), ...t.witnesses.map(Bd)].filter((o) => o !== void 0),
    n = t.signature_scheme === "bls" ? [Ig(t)] : t.witnesses.map(({ id: o, pubkey: s }) => ({
      name: o,
      type: Ye.cosignature,
      publicKey: Oe(s),
    }));
  return [...t.log_vkey === void 0 ? [] : [at(t.log_vkey)], ...n, ...e];
}
function Vv({ id: t }, e) {
  let n = new Set(
    e.filter(({ key: o }) => o.type === Ye.mlDsaCosignature).map(({ key: o }) => o.name),
  );
  return n.size === 0 ? {} : { mlDsa: { log: n.delete(t), witnesses: [...n].sort() } };
}
function Kv(t) {
  let e = new Map();
  for (let { key: n, timestamp: r, signers: o = [n.name] } of t) {
    if (!(r === void 0 || n.type === Ye.mlDsaCosignature)) {
      for (let s of o) e.set(s, Math.max(r, e.get(s) ?? 0));
    }
  }
  return [...e].map(([n, r]) => ({ id: n, timestamp: r })).sort((n, r) => n.id < r.id ? -1 : 1);
}
async function Pg(t, e, { checkpoint: n, inclusion_path: r }, o) {
  if (o.hash === void 0) return { status: "not_checked", reason: "lower_layer_unverified" };
  let s = await Nu(t, e, n),
    { head: { tree_size: i, root_hash: a }, verified: f, required: d, signers: u } = s,
    l = { verified: f, required: d, signers: u, unknown: [] },
    h = (b, x) => ({ status: "failed", reason: b, field: `witnessed.${x}`, signatures: l });
  if (!s.valid) return h(s.reason, "checkpoint");
  let { sequence: p, hash: m } = o;
  if (p >= i) return h("leaf_beyond_tree", "checkpoint");
  let g = r.map((b) => Oe(b)), w = Us(t.kernels, { leafHash: m, index: p, size: i, path: g });
  return w === void 0 || !Fe(w, Oe(a))
    ? h("inclusion_invalid", "inclusion_path")
    : { status: "verified", tree_size: i, signatures: l };
}
async function zn(t, e, n, r = {}) {
  let o = n.succession ?? [],
    { network: s, failure: i } = await Na(t, e.network, o),
    a = { ...e, network: s },
    f = i === void 0 ? await Wv(t, s, n, r.hash) : An(s, i),
    d = await Yv(t, a, n, f),
    u = d.status === "verified" ? n.batch_inclusion?.sth.tree_head : void 0,
    { layers: l, summary: h } = await rg(t, a, n.cross_anchors, u),
    p = {
      attestation: jg(f),
      batch: d,
      cross_anchors: l,
      federation: h,
      external_anchors: og(t.kernels, n.external_anchors, u),
      ...n.witnessed !== void 0 &&
        {
          witnessed: await Pg(t, s, n.witnessed, {
            sequence: n.signed_attestation.attestation.sequence,
            hash: u && Oe(n.batch_inclusion.merkle_proof.leaf_hash),
          }),
        },
    };
  return {
    valid: f.valid,
    level: Xv(p),
    layers: p,
    signers: f.valid ? f.signers : [],
    time: Zv(a.beacons ?? ig(t.bls), n, { attested: f, layers: p }),
    unauthenticated: Jv(s, n, p),
    notProven: Xr,
    ...s !== e.network && { followed: s },
  };
}
async function Wv(t, e, n, r) {
  let o = n.signed_attestation, s = await Ha(t, e, o);
  return s.valid
    ? (r ?? o.attestation.hash) === o.attestation.hash
      ? s
      : St(s, { reason: "hash_mismatch", field: "signed_attestation.attestation.hash" })
    : St(s, vt("signed_attestation", s));
}
async function Yv(t, e, n, r) {
  if (n.batch_inclusion === null) return { status: "absent" };
  if (!(r.valid || r.reason === "threshold_not_met") || r.leafHash === void 0) {
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  let s = { attestation: n.signed_attestation.attestation, leafHash: r.leafHash };
  return jg(await tg(t, e.network, n.batch_inclusion, s));
}
function jg(t) {
  let { valid: e, reason: n, field: r, witness: o, leafHash: s, ...i } = t;
  return {
    status: e ? "verified" : "failed",
    ...n !== void 0 && { reason: n },
    ...r !== void 0 && { field: r },
    ...o !== void 0 && { witness: o },
    signatures: i,
  };
}
function Zv(
  t,
  { signed_attestation: e, batch_inclusion: n, cross_anchors: r },
  { attested: o, layers: s },
) {
  let i = ag(t, e, o);
  if (n === null || s.batch.status !== "verified") return i;
  let a = ({ signatures: f }) => f?.verified ?? 0;
  return yu(i, {
    not_after: [
      cg(n.sth.tree_head, a(s.batch)),
      ...s.cross_anchors.flatMap((f, d) => f.status === "verified" ? fg(r[d], a(f)) : []),
    ],
  });
}
function Xv(t) {
  return t.attestation.status !== "verified"
    ? "invalid"
    : t.batch.status !== "verified"
    ? "basic"
    : t.federation.reason === void 0
    ? "federated"
    : "batched";
}
function Jv(t, e, n) {
  let r = Cu("signed_attestation", n.attestation, e.signed_attestation);
  if (e.batch_inclusion !== null) {
    let o = e.batch_inclusion.sth;
    if (
      r.push(...Cu("batch_inclusion", n.batch, o, ".sth")),
        n.batch.status === "verified" &&
        (r.push(...eg), Un(t, o.tree_head.tree_size)?.log_vkey === void 0)
    ) {
      let s = ["log_signature", "receipt_signature"].filter((i) => o[i] !== void 0);
      r.push(...s.map((i) => `batch_inclusion.sth.${i}`));
    }
  }
  for (let [o, s] of n.cross_anchors.entries()) {
    r.push(...Cu(`cross_anchors[${o}]`, s, e.cross_anchors[o]));
  }
  n.witnessed !== void 0 && n.witnessed.status !== "verified" && r.push("witnessed");
  for (let [o, { bound: s, service: i }] of n.external_anchors.anchors.entries()) {
    let a = `external_anchors[${o}]`, f = [...Qv, ...i === void 0 ? [] : ["service"]];
    s ? r.push(...f.map((d) => `${a}.${d}`)) : r.push(a);
  }
  return r;
}
var Qv = ["provider", "status", "timestamp", "tree_head.timestamp", "proof"];
function Cu(t, e, n, r = "") {
  if (e.status !== "verified") return [t];
  if (!jn(n)) return [];
  let o = new Set(e.signatures?.unknown);
  return n.signatures.flatMap(({ witness_id: s }, i) =>
    o.has(s) ? [`${t}${r}.signatures[${i}]`] : []
  );
}
var eo = "trust", Da = "malformed_configuration", Dg = ["text", "source", "name", "pinned_at"];
function zg(t, e, n) {
  return { network: Ls(t, n), text: t, ...e };
}
function qg(t, e) {
  let n = t.read(eo);
  if (n === void 0) return;
  let r = new Xt(mt(n, Da), { where: "pinned trust", code: Da }, ["home", "peers"]);
  return {
    home: Ug(r.object("home", Dg), e),
    peers: r.list("peers").map((o, s) => Ug(r.within(o, `peers[${s}]`, Dg), e)),
  };
}
var eS = 4 * 1024 * 1024;
async function Ua({ crypto: t, clock: e }, n) {
  let { name: r, size: o } = n;
  if (o > eS) throw new C(Da, `Cannot read ${r}: ${o} bytes is too large`);
  let s = await n.text().catch((a) => {
      throw new C("file_failed", `Cannot read ${r}`, { cause: a });
    }),
    i = { source: "file", name: r, pinnedAt: ht(e) };
  return zg(s, i, await t.blsFor(s));
}
function Ug(t, e) {
  let n = t.text("source");
  if (n !== "file" && n !== "gateway") throw new C(Da, "Cannot read the pin: unknown source");
  let r = { source: n, name: t.text("name"), pinnedAt: t.integer("pinned_at") };
  return zg(t.text("text"), r, e);
}
function Gg(t, e) {
  let n = ({ text: o, source: s, name: i, pinnedAt: a }) => ({
      text: o,
      source: s,
      name: i,
      pinned_at: a,
    }),
    r = { home: n(e.home), peers: e.peers.map(n) };
  return t.write(eo, JSON.stringify(r));
}
function Vg(t, e) {
  if (e.network.id === t.home.network.id) {
    throw new C(
      "invalid_configuration",
      "Cannot pin a peer: this is the configuration of the pinned network itself",
    );
  }
  return { ...t, peers: [...Ru(t, e.network.id).peers, e] };
}
function Ru(t, e) {
  return { ...t, peers: t.peers.filter(({ network: n }) => n.id !== e) };
}
function Ko({ home: t, peers: e }) {
  return { network: t.network, peers: e.map(({ network: n }) => n) };
}
function Iu(t) {
  let { network: e, peers: n } = Ko(t);
  return { network: e, fingerprint: Rt(e), isPinned: !0, peers: n, pins: t };
}
async function qn({ api: t, trust: e }, n) {
  let r = await tS(e, n);
  if (r.state === "broken") throw r.error;
  if (r.state === "pinned") return Iu(r.trust);
  let { value: o } = await t.network(n);
  return { network: o, fingerprint: Rt(o), isPinned: !1, peers: [] };
}
function tS(t, e) {
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
function Qt(t) {
  return t.state === "pinned"
    ? [t.trust.home, ...t.trust.peers].map((e) => e.text).join(`
`)
    : t.state;
}
async function gr(t, e, n) {
  let [r, { value: o }, s] = await Promise.all([qn(t, n), t.api.sth(e, n), t.crypto.crypto()]),
    { tree_size: i } = o.tree_head;
  if (e !== void 0 && i !== e) {
    throw new C(
      "malformed_bundle",
      `The gateway answered a tree head of size ${i} instead of ${e}`,
    );
  }
  let a = await Tt(s, r.network, o);
  if (a.valid) return { sth: o, outcome: a, trust: r };
  let f = await La(s, t.api, r.network, n);
  if (f === void 0) return { sth: o, outcome: a, trust: r };
  let d = { ...r, network: f };
  return { sth: o, outcome: await Tt(s, f, o), trust: d };
}
async function Zs(t, e, n) {
  let r = await t.bundle(e, n);
  if (r.value.signed_attestation.attestation.hash === e) return r;
  throw new C("malformed_bundle", "The gateway answered the proof of another hash");
}
async function za(t, e, n) {
  let [r, { text: o, value: s }, i] = await Promise.all([
    qn(t, n),
    Zs(t.api, e, n),
    t.crypto.crypto(),
  ]);
  return { text: o, bundle: s, verdict: await zn(i, r, s, { hash: e }), trust: r };
}
async function Kg(t, e) {
  let [{ value: n }, { network: r, fingerprint: o, isPinned: s }] = await Promise.all([
    t.api.network(e),
    qn(t, e),
  ]);
  return { shown: n, fingerprint: Rt(n), ...s && { pinned: { id: r.id, fingerprint: o } } };
}
function wr(t, e) {
  return t instanceof Ne ? t.reason === e : Lt(t, e);
}
function Q({ title: t, aside: e, children: n }) {
  let r = Ar();
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
var Wg = 2;
function Yg(t, e, n) {
  let r = nS(e);
  if (r?.length === n) return { leaves: rS(t, r), attestations: r.map(oS) };
}
function nS(t) {
  let e = [], n = new DataView(t.buffer, t.byteOffset, t.length), r = 0;
  for (; r + Wg <= t.length;) {
    let o = r + Wg;
    if (r = o + n.getUint16(r), r > t.length) return;
    e.push(t.subarray(o, r));
  }
  return r === t.length ? e : void 0;
}
function rS(t, e) {
  let n = 0, r = Uint32Array.from(e, (o) => n += o.length);
  return t.leafHashes(me(...e), r);
}
function oS(t) {
  return lt(() => bm(Bt(t)));
}
function Lu(t) {
  let e = t.at(-1);
  if (e === void 0) return [];
  let n = t.map(({ period_end: r, tree_size: o }) => ({ x: r, y: o }));
  return e.period_start > 0 && n.push({ x: e.period_start, y: e.first_index }), n.toReversed();
}
function Zg(t) {
  let e = Lu(t), [n, r] = [e[0], e.at(-1)];
  if (!(n === void 0 || r === void 0 || r.x <= n.x)) return (r.y - n.y) / (r.x - n.x);
}
function Xg(t, e) {
  return { batch: t, seconds: Math.max(0, t.period_end - e) };
}
function Jg(t) {
  return t.map(({ batch: e, seconds: n }) => ({ x: e.period_end, y: n })).toSorted((e, n) =>
    e.x - n.x
  );
}
function Mu(t, e) {
  let n = t.toSorted((r, o) => r - o);
  return n[Math.min(n.length - 1, Math.max(0, Math.ceil(e * n.length) - 1))];
}
async function to(t, { start: e, end: n, size: r, networkId: o }, s) {
  let i = [];
  for (let a of iS(e, n, r)) i.push(await sS(t, a, o, s));
  return i.flat();
}
async function sS({ api: t, crypto: e }, { index: n, width: r, base: o, start: s, end: i }, a, f) {
  let d = await t.tile("entries", n, r, f),
    { kernels: u } = await e.crypto(),
    l = Yg(u, d, r)?.attestations ?? [];
  return Array.from({ length: i - s }, (h, p) => {
    let m = l[s - o + p];
    if (m?.sequence === s + p && m.network_id === a) return m;
    throw Qg(`entry ${s + p} is not the attestation with this sequence`);
  });
}
function iS(t, e, n) {
  let r = [];
  for (let o = t; o < e;) {
    let s = Math.floor(o / Ze),
      i = s * Ze,
      a = Math.min(e, i + Ze),
      f = Math.min(a - i, Mo(0, s, n));
    if (i + f < a) throw Qg("the log has fewer entries");
    r.push({ index: s, width: f, base: i, start: o, end: a }), o = a;
  }
  return r;
}
function Qg(t) {
  return new C("malformed_bundle", `Cannot read entries: ${t}`);
}
async function ew(t, e, n) {
  let { first_index: r, tree_size: o, network_id: s } = e,
    [i] = await to(t, { start: r, end: r + 1, size: o, networkId: s }, n);
  return Xg(e, i.timestamp);
}
var aS = 2e3;
function Bn({ text: t, what: e, named: n = !1 }) {
  let [r, o] = K(void 0);
  Te(() => {
    if (r === void 0) return;
    let i = setTimeout(() => o(void 0), aS);
    return () => clearTimeout(i);
  }, [r]);
  let s = `Copy ${e}`;
  return c("button", {
    type: "button",
    class: n ? "button" : "icon-button",
    "aria-label": n ? void 0 : s,
    title: n ? void 0 : s,
    onClick: () => cS(t).then((i) => o(i ? "copied" : "failed")),
    children: [
      c(Xe, { name: r === "copied" ? "check" : r === "failed" ? "cross" : "copy" }),
      n && c("span", { children: s }),
      c("span", {
        class: "visually-hidden",
        role: "status",
        children: r === "copied" ? "Copied" : r === "failed" ? "Cannot copy" : "",
      }),
    ],
  });
}
async function cS(t) {
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
var tw = 8;
function we({ text: t, what: e, href: n }) {
  let r = c(H, {
    children: [
      c("span", { class: "hash-start", children: t.slice(0, -tw) }),
      c("span", { class: "hash-end", children: t.slice(-tw) }),
    ],
  });
  return c("span", {
    class: "hash-line",
    children: [
      n === void 0
        ? c("span", { class: "hash", title: t, children: r })
        : c("a", { class: "hash", title: t, href: n, children: r }),
      e !== void 0 && c(Bn, { text: t, what: e }),
    ],
  });
}
function yr({ text: t, what: e }) {
  return c("span", {
    class: "whole-hash",
    children: [
      c("code", { children: t.match(/.{1,8}/g)?.map((n, r) => c("span", { children: n }, r)) }),
      c(Bn, { text: t, what: e }),
    ],
  });
}
function st({ items: t }) {
  let e = Object.entries(t).filter(([, n]) => n !== void 0);
  return e.length === 0 ? null : c("dl", {
    class: "key-values",
    children: e.map(([n, r]) =>
      c("div", { children: [c("dt", { children: n }), c("dd", { children: r })] }, n)
    ),
  });
}
function br({ label: t, names: e, onBack: n, onNext: r, children: o }) {
  if (n === void 0 && r === void 0) return null;
  let [s, i] = e ?? ["Newer", "Older"];
  return c("nav", {
    class: "pager",
    "aria-label": t,
    children: [
      c(de, { disabled: n === void 0, onClick: () => n?.(), children: s }),
      c("span", { class: "muted small", children: o }),
      c(de, { disabled: r === void 0, onClick: () => r?.(), children: i }),
    ],
  });
}
function ye(t) {
  let e = new Date(t * 1e3);
  return Number.isNaN(e.getTime())
    ? `${t} s`
    : `${e.toISOString().slice(0, -5).replace("T", " ")} UTC`;
}
function kt(t) {
  let e = Math.max(0, Math.floor(t));
  return e < 60
    ? `${e} s`
    : e < 3600
    ? `${Math.floor(e / 60)} min`
    : e < 2 * 86400
    ? `${Math.floor(e / 3600)} h`
    : `${Math.floor(e / 86400)} d`;
}
function Hu(t, e) {
  let n = e - t;
  return Math.abs(n) < 2 ? "just now" : n > 0 ? `${kt(n)} ago` : `in ${kt(-n)}`;
}
function U(t) {
  return String(t).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
function X(t, e, n = `${e}s`) {
  return `${U(t)} ${t === 1 ? e : n}`;
}
var nw = ["kB", "MB", "GB", "TB", "PB"];
function Gn(t) {
  if (t < 1e3) return `${t} B`;
  let [e, n] = [t / 1e3, 0];
  for (; e >= 999.5 && n < nw.length - 1;) [e, n] = [e / 1e3, n + 1];
  return `${e < 9.95 ? e.toFixed(1) : Math.round(e)} ${nw[n]}`;
}
function Wo(t, e) {
  return t.startsWith(`${e}/`) ? t.slice(e.length + 1) : t;
}
function qa(t, e) {
  return e === void 0 ? t : `${t} (${e})`;
}
function xr({ time: t }) {
  let e = cu(), n = ye(t);
  return c("time", {
    dateTime: n.replace(" UTC", "Z").replace(" ", "T"),
    title: n,
    children: Hu(t, e),
  });
}
function un({ time: t }) {
  let e = cu();
  return c("span", {
    class: "full-time",
    children: [
      c("span", { class: "nowrap", children: ye(t) }),
      " ",
      c("span", { class: "muted nowrap", children: ["(", Hu(t, e), ")"] }),
    ],
  });
}
function yt({ caption: t, columns: e, rows: n, keyOf: r }) {
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
var fS = {
  invalid: "not valid",
  basic: "signed",
  batched: "in the log",
  federated: "in the log, which peers cosigned",
};
function Xs({ valid: t, level: e, layers: n }) {
  let r = n.batch.status === "failed" ||
    e === "batched" && n.cross_anchors.some(({ status: o }) => o === "failed");
  return { name: fS[e], tone: t ? r ? "warn" : "good" : "bad" };
}
function Ga(t, e) {
  return t === "good" && e?.home.source !== "file" ? "info" : t;
}
function Va(t) {
  let { verdict: e, fileName: n = "the file", isOtherFile: r } = t,
    o = `${n} has another hash than the attested file.`;
  if (!e.valid) {
    let f = lS(t);
    return r ? { ...f, notes: [...f.notes, o] } : f;
  }
  if (r) {
    return {
      tone: "bad",
      sentence: "The proof is genuine but belongs to another file.",
      notes: [o],
    };
  }
  let s = hS(e), i = e.time.contradictions.length > 0;
  i && s.push("Two times in the proof contradict each other: see the details.");
  let { tone: a } = Xs(e);
  return { tone: i ? "warn" : a, sentence: dS(t), notes: s };
}
function dS({ bundle: t, verdict: e, network: n, fileName: r }) {
  let { layers: { attestation: o, batch: s, federation: i }, level: a, time: f } = e,
    d = f.not_after[0]?.time ?? t.signed_attestation.attestation.timestamp,
    u = o.signatures?.verified ?? 0,
    { followed: l = n } = e,
    { sequence: h } = t.signed_attestation.attestation,
    p = Ca(l, h) ?? n,
    m = X(p.witnesses.length, "witness", "witnesses"),
    g = `${r ?? "The file with this hash"} existed by ${ye(d)}; ${u} of ${m} of ${n.id}${
      uS(l, p)
    } signed it`;
  if (a === "federated") {
    let w = X(i.counted.length, "peer network");
    return `${g}, it is in their log, and ${w} cosigned that log.`;
  }
  return a === "batched"
    ? `${g}, and it is in their log.`
    : s.status === "failed"
    ? `${g}, but the proof that it is in their log does not verify.`
    : `${g}. The proof does not show yet that it is in their log.`;
}
function uS({ epoch: t = 0, epochs: e }, { epoch: n = 0 }) {
  if (e === void 0) return "";
  let r = n === t ? "that of" : "followed from", o = n === t ? "" : `, of epoch ${t}`;
  return ` (epoch ${n}, ${r} the configuration in use${o})`;
}
function rw({ bundle: t, verdict: e }) {
  return e.layers.batch.status === "verified" ? t.batch_inclusion?.sth.tree_head : void 0;
}
function lS({ bundle: t, verdict: e, network: n }) {
  let { attestation: r } = e.layers;
  if (r.reason !== "network_mismatch") {
    return {
      tone: "bad",
      sentence: `The proof does not verify with the keys of ${n.id}.`,
      notes: [Nn(r)],
    };
  }
  let o = t.signed_attestation.attestation.network_id;
  return {
    tone: "warn",
    sentence: `The proof is from ${o}, and the configuration in use is for ${n.id}.`,
    notes: [`Choose the configuration of ${o} to verify it.`],
  };
}
function hS({ layers: t }) {
  let e = t.cross_anchors.filter(({ status: n }) => n === "failed").length;
  return e === 0 ? [] : [`${X(e, "cross-anchor")} ${e === 1 ? "does" : "do"} not verify.`];
}
var Ka = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};
function Nn({ reason: t, field: e, witness: n }) {
  if (t === void 0) return "";
  let r = [e, n].filter((o) => o !== void 0).join(", ");
  return r === "" ? Jt[t] : `${Jt[t]} (${r})`;
}
function Wa({ outcome: t, isPinned: e }) {
  let { valid: n, verified: r, required: o } = t;
  return c("span", {
    class: "signed-by",
    children: [
      n
        ? c(ie, { tone: e ? "good" : "info", children: `${r} valid signatures, ${o} required` })
        : c(ie, { tone: "bad", children: "Not verified" }),
      n ? null : c("span", { children: Nn(t) }),
    ],
  });
}
function Yo({ isPinned: t }) {
  return c("p", {
    class: "muted small",
    children: t
      ? "Signatures are verified in this browser, under your pinned configuration."
      : c(H, {
        children: [
          "No configuration is pinned. Signatures are verified with the keys that this gateway names, so they prove no more than its word.",
          " ",
          c("a", { href: ue({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
  });
}
function _r({ id: t }) {
  return c("a", { href: ue({ page: "batch", id: t }), children: U(t) });
}
var ow = 25;
function sw({ batch: t, head: e }) {
  let { sth: n, outcome: r, trust: o } = e,
    { tree_size: s, root_hash: i, timestamp: a, network_id: f } = n.tree_head,
    { first_index: d, attestation_count: u, period_start: l, period_end: h } = t,
    p = t.root_hash === i && t.network_id === f;
  return c(Q, {
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
      c(st, {
        items: {
          "Log size": U(s),
          Root: c(we, { text: i, what: "root hash" }),
          Signed: c(un, { time: a }),
          Witnesses: c(Wa, { outcome: r, isPinned: o.isPinned }),
          Attestations: pS(d, u),
          "Time covered": l === 0 ? "from the beginning of the log" : `${kt(h - l)}, from ${ye(l)}`,
          "Previous batch": d === 0 ? "none, this is the first" : c(_r, { id: d }),
        },
      }),
      c(Yo, { isPinned: o.isPinned }),
    ],
  });
}
function pS(t, e) {
  let n = e === 1 ? `position ${U(t)}` : `positions ${U(t)} to ${U(t + e - 1)}`;
  return `${X(e, "attestation")}, ${n}`;
}
function iw({ head: { sth: t, outcome: e, trust: n } }) {
  let r = new Set(n.network.witnesses.map(({ id: s }) => s)),
    o = (s) =>
      e.signers.includes(s)
        ? c(ie, { tone: "good", children: "Valid" })
        : r.has(s)
        ? c(ie, { tone: "bad", children: "Not valid" })
        : c(ie, { tone: "neutral", children: "Not a configured witness" });
  return c(Q, {
    title: "Signatures",
    children: jn(t)
      ? c(yt, {
        caption: "Signatures of the tree head",
        rows: t.signatures,
        columns: [["Witness", ({ witness_id: s }) => c("span", { class: "mono", children: s })], [
          "State",
          ({ witness_id: s }) => o(s),
        ], ["Signature", ({ witness_id: s, signature: i }) =>
          c(we, { text: i, what: `signature of ${s}` })]],
      })
      : c(st, {
        items: {
          Aggregate: c(we, { text: t.signature, what: "aggregate signature" }),
          Signers: c("span", {
            class: "lines mono",
            children: t.signers.map((s) => c("span", { children: s }, s)),
          }),
        },
      }),
  });
}
function aw({ batch: t }) {
  let e = Y(),
    [n, r] = K(0),
    { first_index: o, tree_size: s, network_id: i, attestation_count: a } = t,
    f = o + n * ow,
    d = Math.min(s, f + ow),
    [u, l] = Ie((h) => to(e, { start: f, end: d, size: s, networkId: i }, h), [t.id, n]);
  return c(Q, {
    title: "Attestations",
    aside: c("span", { class: "muted", children: U(a) }),
    children: [
      c(Pe, {
        loaded: u,
        what: "the attestations",
        retry: l,
        render: (h) =>
          h.length === 0 ? c(ct, { title: "This batch is empty" }) : c(yt, {
            caption: "Attestations in the order of the log",
            rows: h,
            keyOf: ({ sequence: p }) => p,
            columns: [["Position", ({ sequence: p }) => U(p)], [
              "Hash",
              ({ hash: p }) => c(we, { text: p, href: ue({ page: "proof", hash: p }) }),
            ], ["Signed", ({ timestamp: p }) => c("span", { class: "nowrap", children: ye(p) })]],
          }),
      }),
      c(br, {
        label: "Pages of attestations",
        names: ["Previous", "Next"],
        onBack: n === 0 ? void 0 : () => r(n - 1),
        onNext: d >= s ? void 0 : () => r(n + 1),
        children: `${U(f)} to ${U(d - 1)}`,
      }),
    ],
  });
}
function cw({ bundle: t, verdict: e, isPinned: n }) {
  let { attestation: r, batch: o } = e.layers;
  return c("ul", {
    class: "layers",
    children: [
      c(Fu, {
        name: "Attestation",
        layer: r,
        isPinned: n,
        children: r.status === "verified" &&
          "The witnesses signed this hash, its time and its position.",
      }),
      c(Fu, {
        name: "Batch",
        layer: o,
        isPinned: n,
        children: o.status === "verified"
          ? "It is in the log whose tree head the witnesses signed."
          : o.status === "absent" &&
            "The proof was saved before the hash entered the log. A newer proof has this layer.",
      }),
      c($u, { bundle: t, verdict: e, isPinned: n }),
    ],
  });
}
function $u({ bundle: t, verdict: { layers: e }, isPinned: n }) {
  let { cross_anchors: r, federation: o } = e;
  return c(H, {
    children: [
      r.length === 0
        ? c(Ya, {
          name: "Cross-anchors",
          badge: ["neutral", Ka.absent.name],
          children: "No peer network.",
        })
        : r.map((s, i) =>
          c(Fu, {
            name: `Cross-anchor of ${s.network}`,
            layer: s,
            isPinned: n,
            children: [
              s.status === "verified" && !s.counted && "It does not count. ",
              mS(t.cross_anchors[i].tree_head),
            ],
          }, i)
        ),
      (r.length > 0 || o.reason !== "federation_disabled") &&
      c(Ya, {
        name: "Federation",
        badge: o.reason === void 0 ? [n ? "good" : "info", "Verified"] : ["neutral", "Not met"],
        children: [
          o.counted.length,
          " of ",
          X(o.required, "required peer"),
          " count.",
          " ",
          o.reason === void 0 ? "" : Jt[o.reason],
        ],
      }),
      c(gS, { bundle: t, external: e.external_anchors }),
    ],
  });
}
function mS({ tree_size: t, timestamp: e }) {
  return `Tree head of size ${U(t)}, dated ${ye(e)}.`;
}
function gS({ bundle: t, external: e }) {
  let { present: n, unbound: r, anchors: o } = e,
    s = t.external_anchors.filter((i, a) => o[a]?.bound);
  return c(Ya, {
    name: "External anchors",
    badge: n > 0 ? ["info", "Present"] : ["neutral", Ka.absent.name],
    children: [
      n > 0 &&
      "Present, not independently verified. The command line verifies them with --anchors.",
      n === 0 && r === 0 && "No external service.",
      s.map(({ provider: i, service: a, status: f, tree_head: d, timestamp: u }, l) =>
        c("span", {
          class: "lines",
          children: [qa(i, a), ": ", f, ", size", " ", U(d.tree_size), ", requested ", ye(u)],
        }, l)
      ),
      r > 0 && ` ${X(r, "anchor")} not bound to this attestation, ignored.`,
    ],
  });
}
function Fu({ name: t, layer: e, isPinned: n, children: r }) {
  let { name: o, tone: s } = Ka[e.status], { signatures: i } = e;
  return c(Ya, {
    name: t,
    badge: [s === "good" && !n ? "info" : s, o],
    children: [
      e.status === "verified" && i !== void 0
        ? `${X(i.verified, "signature")} of ${i.required} required. `
        : "",
      Nn(e),
      " ",
      r,
    ],
  });
}
function Ya({ name: t, badge: [e, n], children: r }) {
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
function fw({ id: t }) {
  let e = Y(),
    n = Qt(Ae(e.trust)),
    [r, o] = Ie(async (s) => {
      let [{ value: i }, a] = await Promise.all([e.api.batch(t, s), gr(e, t, s)]);
      return { batch: i, head: a };
    }, [t, n]);
  return c(H, {
    children: [
      c(ft, {
        title: `Batch ${U(t)}`,
        isBelowExplore: !0,
        children:
          "The growth of the log between two tree heads. Its number is the size of the log at its end.",
      }),
      c(Pe, {
        loaded: r,
        what: "the batch",
        retry: o,
        render: ({ batch: s, head: i }) =>
          c(H, {
            children: [
              c(sw, { batch: s, head: i }),
              c(iw, { head: i }),
              s.attestation_count === 0 ? null : c(wS, { batch: s, trustKey: n }),
              c(aw, { batch: s }),
            ],
          }),
      }),
    ],
  });
}
function wS({ batch: t, trustKey: e }) {
  let n = Y(),
    [r, o] = Ie(async (s) => {
      let { first_index: i, tree_size: a, network_id: f } = t,
        d = { start: i, end: i + 1, size: a, networkId: f },
        [u] = await to(n, d, s);
      return await za(n, u.hash, s);
    }, [t.id, e]);
  return c(Pe, {
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
                Nn(i.layers.attestation),
                " ",
                Nn(i.layers.batch),
                " ",
                "Therefore the anchors below were not checked.",
              ],
            }),
          }),
          c(Q, {
            title: "Anchors",
            children: c("ul", {
              class: "layers",
              children: c($u, { bundle: s, verdict: i, isPinned: a.isPinned }),
            }),
          }),
        ],
      }),
  });
}
var yS = (() => {
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
  bS = ["low", "medium", "quartile", "high"],
  xS = {
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
  _S = {
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
  ES = { low: 1, medium: 0, quartile: 3, high: 2 },
  Ja = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
function vS(t) {
  if (t = gw(t), t === 1) return [];
  let e = 21 + 4 * (t - 1) - 7, n = Math.ceil((e - 6) / 28), r = Math.floor((e - 6) / n);
  r % 2 ? r += 1 : (e - 6) % n * 2 >= n && (r += 2);
  let o = [6];
  for (let s = 1; s < n; s++) o.push(e - (n - s) * r);
  return o.push(e), o;
}
function SS(t, e) {
  let n = ES[t] << 3 | e, r = n;
  for (let o = 0; o < 10; o++) r = r << 1 ^ (r >> 9) * 1335;
  return (n << 10 | r) ^ 21522;
}
function TS(t) {
  let e = t;
  for (let n = 0; n < 12; n++) e = e << 1 ^ (e >> 11) * 7973;
  return t << 12 | e;
}
var kS = { numeric: 1, alphanumeric: 2, byte: 4 },
  Js = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] },
  ju = (() => {
    let t = new Uint8Array(510), e = new Uint8Array(256);
    for (let n = 0, r = 1; n < 255; n++) {
      t[n] = t[n + 255] = r, e[r] = n, r <<= 1, r & 256 && (r ^= 285);
    }
    return { exp: t, log: e };
  })();
function OS(t) {
  let { exp: e, log: n } = ju, r = new Uint8Array(t);
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
var dw = [];
function AS(t) {
  let e = dw[t];
  if (e !== void 0) return e;
  let n = OS(t), { exp: r, log: o } = ju, s = new Uint8Array(256 * t);
  for (let i = 1; i < 256; i++) {
    let a = o[i], f = i * t;
    for (let d = 0; d < t; d++) {
      let u = n[d];
      u && (s[f + d] = r[o[u] + a]);
    }
  }
  return dw[t] = { gen: n, mul: s };
}
function BS(t, e, n) {
  let { exp: r, log: o } = ju, s = e.length, i = new Uint8Array(s);
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
function Qa(t, e) {
  let n = yS[t - 1], r = xS[e][t - 1], o = _S[e][t - 1], s = Math.floor(n / o) - r, i = o - n % o;
  return { words: r, numBlocks: o, shortBlocks: i, blockLen: s, capacity: (n - r * o) * 8 };
}
var Rn = (t) => {
  throw new Error(t);
};
function gw(t) {
  if (typeof t != "number") throw new TypeError(`"ver" expected number, got type=${typeof t}`);
  if (!Number.isSafeInteger(t)) throw new RangeError(`"ver" expected safe integer, got ${t}`);
  if (t < 1 || t > 40) throw new RangeError(`Invalid version=${t}. Expected number [1..40]`);
  return t;
}
function NS(t) {
  let e = "numeric";
  for (let n = 0; n < t.length; n++) {
    let r = Xa[t.charCodeAt(n)];
    if (!(r >= 0)) return "byte";
    r > 9 && (e = "alphanumeric");
  }
  return e;
}
var Xa = (() => {
  let t = new Int8Array(128).fill(-1);
  for (let e = 0; e < Ja.length; e++) t[Ja.charCodeAt(e)] = e;
  return t;
})();
function CS(t, e, n, r, o) {
  let s = Qa(t, e), i = Js[r][Math.floor((t + 7) / 17)], a = r === "byte" ? o.length : n.length;
  a >= 1 << i && Rn("Capacity overflow");
  let f = new Uint8Array(s.capacity >>> 3),
    d = 0,
    u = 0,
    l = 0,
    h = (A, I) => {
      for (d = d << I | A, u += I; u >= 8;) f[l++] = d >>> (u -= 8) & 255;
    };
  if (h(kS[r], 4), h(a, i), r === "numeric") {
    for (let A = 0; A < a; A += 3) {
      let I = Math.min(3, a - A);
      h(Number(n.slice(A, A + I)), [0, 4, 7, 10][I]);
    }
  } else if (r === "alphanumeric") {
    for (let A = 0; A + 1 < a; A += 2) h(Xa[n.charCodeAt(A)] * 45 + Xa[n.charCodeAt(A + 1)], 11);
    a & 1 && h(Xa[n.charCodeAt(a - 1)], 6);
  } else for (let A = 0; A < o.length; A++) h(o[A], 8);
  let p = l * 8 + u;
  p > s.capacity && Rn("Capacity overflow"),
    u && (f[l] = d << 8 - u & 255),
    p += Math.min(4, s.capacity - p),
    p & 7 && (p += 8 - (p & 7));
  for (let A = p >>> 3, I = 0; A < f.length; A++, I ^= 1) f[A] = I ? 17 : 236;
  let { words: m, numBlocks: g, shortBlocks: w, blockLen: b } = s, x = AS(m), y = [], _ = [];
  for (let A = 0, I = 0; A < g; A++) {
    let z = b + (A < w ? 0 : 1);
    y.push(f.subarray(I, I + z)), _.push(BS(y[A], x.gen, x.mul)), I += z;
  }
  let v = new Uint8Array(f.length + m * g), R = 0;
  for (let A = 0; A <= b; A++) for (let I of y) A < I.length && (v[R++] = I[A]);
  for (let A = 0; A < m; A++) for (let I of _) v[R++] = I[A];
  return v;
}
function RS(t, e) {
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
var uw = (() => {
    let t = new Uint8Array(65536);
    for (let e = 1; e < t.length; e++) t[e] = t[e >>> 1] + (e & 1);
    return t;
  })(),
  Zo = (t) => uw[t & 65535] + uw[t >>> 16],
  IS = new Uint32Array(32);
function LS(t) {
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
var no = (t) => {
    let e = t + 31 >>> 5;
    return { size: t, words: e, v: new Uint32Array(e * t) };
  },
  ww = (t, e, n) => t.v[n * t.words + (e >>> 5)] >>> (e & 31) & 1,
  Cn = (t, e, n, r) => {
    let o = n * t.words + (e >>> 5), s = 1 << (e & 31);
    t.v[o] = r ? t.v[o] | s : t.v[o] & ~s;
  };
function yw(t, e) {
  let { size: n, words: r, v: o } = t, s = IS;
  for (let i = 0; i < n; i += 32) {
    for (let a = 0; a < r; a++) {
      let f = Math.min(32, n - i);
      for (let d = 0; d < f; d++) s[d] = o[(i + d) * r + a];
      s.fill(0, f), LS(s);
      for (let d = 0, u = a * 32; d < 32 && u < n; d++, u++) e.v[u * e.words + (i >>> 5)] = s[d];
    }
  }
}
function lw(t) {
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
      b && (s += Zo(b >>> 0) + 2 * Zo((b & d) >>> 0)), d = u, u = l, l = h, h = w, f = g;
    }
  }
  return s;
}
function hw(t) {
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
        R = a & ~(u | l | h | p) & m & ~g & w & b & x & ~y & _;
      s += Zo(v >>> 0) + Zo(R >>> 0);
    }
  }
  return s;
}
function MS(t, e, n = 1 / 0) {
  let { size: r, words: o, v: s } = t, i = lw(t) + lw(e);
  if (i >= n) return i;
  let a = (1 << r - 32 * (o - 1) - 1) - 1 >>> 0, f = 0, d = 0;
  for (let p = 0; p < r; p++) {
    for (let m = 0; m < o; m++) {
      let g = s[p * o + m];
      if (d += Zo(g >>> 0), p === r - 1) continue;
      let w = s[(p + 1) * o + m],
        b = m + 1 < o ? s[p * o + m + 1] : 0,
        x = m + 1 < o ? s[(p + 1) * o + m + 1] : 0,
        y = ~(g ^ w),
        _ = ~(g ^ (g >>> 1 | b << 31)),
        v = ~(w ^ (w >>> 1 | x << 31)),
        R = y & _ & v;
      m === o - 1 && (R &= a), f += Zo(R >>> 0);
    }
  }
  let u = r * r,
    l = Math.ceil(Math.max(0, Math.abs(d * 100 - u * 50) - u * 5) / (u * 5)),
    h = i + 3 * f + 10 * l;
  return h >= n ? h : h + 40 * (hw(t) + hw(e));
}
function HS(t, e, n, r) {
  let o = t.size, s = SS(n, r);
  for (let i = 0; i < 15; i++) {
    let a = s >> i & 1;
    i < 6
      ? Cn(t, 8, i, a)
      : i < 8
      ? Cn(t, 8, i + 1, a)
      : i === 8
      ? Cn(t, 7, 8, a)
      : Cn(t, 14 - i, 8, a), i < 8 ? Cn(t, o - 1 - i, 8, a) : Cn(t, 8, o - 15 + i, a);
  }
  if (Cn(t, 8, o - 8, 1), e >= 7) {
    let i = TS(e);
    for (let a = 0; a < 18; a++) {
      let f = i >> a & 1, d = o - 11 + a % 3, u = a / 3 | 0;
      Cn(t, d, u, f), Cn(t, u, d, f);
    }
  }
}
var Za;
function FS(t) {
  let e = 21 + 4 * (t - 1),
    n = no(e),
    r = new Uint8Array(e * e),
    o = (u, l, h) => {
      Cn(n, u, l, h), r[l * e + u] = 1;
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
  let s = vS(t);
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
  for (let u = 0; u < 8; u++) i.push(no(e));
  let a = new Uint16Array(e * e), f = 0;
  for (let u = e - 1, l = -1, h = e - 1; u > 0; u -= 2, l = -l) {
    for (u === 6 && (u = 5);; h += l) {
      for (let p = 0; p < 2; p++) {
        let m = u - p;
        if (r[h * e + m]) continue;
        let g = h * n.words + (m >>> 5);
        a[f++] = g << 5 | m & 31;
        for (let w = 0, b = RS(m, h); b; w++, b >>= 1) b & 1 && (i[w].v[g] |= 1 << (m & 31));
      }
      if (h + l < 0 || h + l >= e) break;
    }
  }
  let d = i.map((u) => {
    let l = no(e);
    return yw(u, l), l.v;
  });
  return {
    ver: t,
    tpl: n.v,
    pos: a.slice(0, f),
    planes: i.map((u) => u.v),
    planesT: d,
    work: [no(e), no(e), no(e), no(e)],
  };
}
function $S(t, e, n, r, o = !1) {
  (Za === void 0 || Za.ver !== t) && (Za = FS(t));
  let { tpl: s, pos: i, planes: a, planesT: f, work: d } = Za, [u, l, h, p] = d;
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
    yw(u, l);
    let b = 1 / 0;
    for (let x = 0; x < 8; x++) {
      let y = a[x], _ = f[x];
      for (let R = 0; R < h.v.length; R++) h.v[R] = u.v[R] ^ y[R], p.v[R] = l.v[R] ^ _[R];
      let v = MS(h, p, b);
      v < b && (b = v, g = x);
    }
  }
  let w = a[g];
  for (let b = 0; b < u.v.length; b++) u.v[b] ^= w[b];
  return o || HS(u, t, e, g), u;
}
var Pu = (t, e) => {
    if (typeof t != "number") throw new TypeError(`"${e}" expected number, got type=${typeof t}`);
    if (!Number.isSafeInteger(t)) throw new RangeError(`"${e}" expected safe integer, got ${t}`);
    return t;
  },
  pw = (t, e) => {
    if (typeof t != "string") throw new TypeError(`"${e}" expected string, got type=${typeof t}`);
    return t;
  };
function PS(t) {
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
function jS(t, e) {
  let n = Js.byte[Math.floor((t + 7) / 17)];
  return Math.min((1 << n) - 1, Math.floor((Qa(t, e).capacity - 4 - n) / 8));
}
function DS(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var Qs = (t, e, n) => t.map[e] >= 0 && t.map[n] >= 0 && ww(t.m, t.map[e], t.map[n]) === 1,
  bw = [10, 27],
  xw = String.fromCharCode(bw[0]);
function US(t) {
  let e = t.W, n = new Array(e);
  for (let r = 0; r < e; r++) {
    let o = new Array(e);
    for (let s = 0; s < e; s++) o[s] = Qs(t, s, r);
    n[r] = o;
  }
  return n;
}
function zS(t) {
  let e = t.W, n = "";
  for (let r = 0; r < e; r += 2) {
    for (let o = 0; o < e; o++) {
      let s = Qs(t, o, r), i = r + 1 >= e ? !0 : Qs(t, o, r + 1);
      n += !s && !i ? "\u2588" : !s && i ? "\u2580" : s && !i ? "\u2584" : " ";
    }
    n += xw;
  }
  return n;
}
function qS(t) {
  let e = t.W, n = String.fromCharCode(bw[1]), r = n + "[0m", o = "";
  for (let s = 0; s < e; s++) {
    for (let i = 0; i < e; i++) o += Qs(t, i, s) ? `${n}[40m  ${r}` : `${n}[1;47m  ${r}`;
    o += xw;
  }
  return o;
}
function GS(t, e) {
  let n = t.W, r = `<svg viewBox="0 0 ${n} ${n}" xmlns="http://www.w3.org/2000/svg">`, o = "", s;
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < n; a++) {
      if (!Qs(t, a, i)) continue;
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
function mw(t) {
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
      for (let w = 0; w < e; w++) u[w] >= 0 && (l[w] = ww(d, u[w], g));
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
function VS(t) {
  let e = t, n;
  if (typeof e.toBase64 == "function") n = e.toBase64();
  else {
    let r = "";
    for (let o = 0; o < e.length; o += 8192) r += String.fromCharCode(...e.subarray(o, o + 8192));
    n = btoa(r);
  }
  return "data:image/gif;base64," + n;
}
function KS(t, e = "raw", n = {}) {
  if (pw(t, "text"), pw(e, "output"), typeof n != "object" || n === null || Array.isArray(n)) {
    throw new TypeError(`"opts" expected object, got type=${typeof n}`);
  }
  let r = n.version;
  r !== void 0 && (r = gw(r));
  let o = n.ecc !== void 0 ? n.ecc : "medium";
  bS.includes(o) || Rn(`invalid ecc=${o}`);
  let s = n.encoding !== void 0 ? n.encoding : NS(t);
  if (Js[s] || Rn(`invalid encoding=${s}`), s !== "byte") {
    let x = s === "numeric" ? Ja.slice(0, 10) : Ja;
    for (let y of t) x.includes(y) || Rn(`Unknown letter: "${y}". Allowed: ${x}`);
  }
  n.mask !== void 0 && (Pu(n.mask, "opts.mask") < 0 || n.mask > 7) && Rn(`invalid mask=${n.mask}`);
  let i = n.textEncoder;
  if (s === "byte" && i === void 0) {
    let x = jS(r === void 0 ? 40 : r, o);
    (t.length > x || PS(t) > x) && Rn("Capacity overflow");
  }
  let a = s === "byte" ? (i !== void 0 ? i : (x) => new TextEncoder().encode(x))(t) : void 0;
  if (a !== void 0 && !DS(a)) {
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
      let x = Js[s][Math.floor((r + 7) / 17)];
      if (f < 1 << x && 4 + x + d <= Qa(r, o).capacity) break;
    }
    r > 40 && Rn("Capacity overflow");
  } else {
    let x = Js[s][Math.floor((r + 7) / 17)];
    (f >= 1 << x || 4 + x + d > Qa(r, o).capacity) && Rn("Capacity overflow");
  }
  let u = CS(r, o, t, s, a),
    l = $S(r, o, u, n.mask),
    h = n.border === void 0 ? 2 : Pu(n.border, "opts.border");
  if (h <= 0) throw new RangeError(`invalid border=${h}`);
  let p = n.scale === void 0 ? 1 : Pu(n.scale, "opts.scale");
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
    ? US(b)
    : e === "ascii"
    ? zS(b)
    : e === "term"
    ? qS(b)
    : e === "svg"
    ? GS(b, n.optimize === void 0 ? !0 : n.optimize)
    : e === "gif"
    ? mw(b)
    : e === "data-url"
    ? VS(mw(b))
    : Rn(`Unknown output: ${e}`);
}
var _w = KS;
var WS = 4;
function Ew({ text: t, label: e }) {
  let n = _w(t, "raw", { border: WS }),
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
function vw({ hash: t }) {
  let e = Y(), n = Qt(Ae(e.trust)), [r, o] = Ie((s) => za(e, t, s), [t, n]);
  return c(H, {
    children: [
      c("nav", {
        class: "back-link no-print",
        "aria-label": "Breadcrumb",
        children: c("a", { href: ue({ page: "proof", hash: t }), children: "Back to the proof" }),
      }),
      c(ft, { title: "Certificate of existence" }),
      c(Pe, { loaded: r, what: "the proof", retry: o, render: (s) => c(YS, { hash: t, ...s }) }),
    ],
  });
}
function YS({ hash: t, bundle: e, verdict: n, trust: r }) {
  let { network: o, fingerprint: s, pins: i } = r,
    { tone: a, sentence: f, notes: d } = Va({ bundle: e, verdict: n, network: o, isOtherFile: !1 });
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
    l = rw({ bundle: e, verdict: n }),
    h = i?.home.source === "file",
    [p] = n.time.not_before,
    m = va({ page: "proof", hash: t }),
    g = n.signers.map((w) => Wo(w, o.id)).join(", ");
  return c(H, {
    children: [
      c(ZS, {}),
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
              c(st, {
                items: {
                  "SHA-256 of the file": c(yr, { text: t, what: "hash" }),
                  "Signed at": ye(u.timestamp),
                  "Not before": p && `${ye(p.time)}, by ${p.source}`,
                  "Signed by": `${g}, of ${o.witnesses.length} witnesses of ${o.id}`,
                  "In the log": l &&
                    `at position ${U(u.sequence)}, under the tree head of batch ${U(l.tree_size)}`,
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
                          c(yr, { text: s, what: "fingerprint" }),
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
              c(Ew, { text: m, label: "QR code of the address of the proof" }),
            ],
          }),
          c("p", {
            class: "small",
            children: [
              "Only the proof file proves anything, not this page. The proof does not show",
              " ",
              Xr.slice(0, 2).join(", nor "),
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
function ZS() {
  let [t, e] = K("");
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
          c(de, {
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
var ei = 10;
function Sw({ list: t }) {
  let [e, n] = K(0),
    { batches: r, isLoading: o, isWhole: s, error: i, older: a, refresh: f } = t,
    d = Math.min(e, Math.max(0, Math.ceil(r.length / ei) - 1)),
    u = r.slice(d * ei, (d + 1) * ei),
    l = (d + 1) * ei < r.length || !s,
    h = () => {
      (d + 2) * ei >= r.length && !s && a(), n(d + 1);
    };
  return c(Q, {
    title: "Batches",
    children: [
      i !== void 0 && c(je, { error: i, title: "Cannot show the batches", retry: f }),
      u.length > 0
        ? c(H, {
          children: [
            c(yt, {
              caption: "Batches, latest first",
              rows: u,
              keyOf: ({ id: p }) => p,
              columns: [["Batch", ({ id: p }) => c(_r, { id: p })], [
                "Attestations",
                (p) => U(p.attestation_count),
                "numeric",
              ], [
                "Closed",
                (p) => c("span", { class: "nowrap", children: c(xr, { time: p.period_end }) }),
              ], [
                "Interval",
                ({ period_start: p, period_end: m }) => p === 0 ? "first" : kt(m - p),
                "numeric",
              ], ["Root", (p) => c(we, { text: p.root_hash })]],
            }),
            c(br, {
              label: "Pages of batches",
              onBack: d === 0 ? void 0 : () => n(d - 1),
              onNext: l ? h : void 0,
              children: `${U(u.at(-1).id)} to ${U(u[0].id)}`,
            }),
          ],
        })
        : o
        ? c(dn, { label: "Loading the batches" })
        : i === void 0
        ? c(ct, {
          title: "No batch yet",
          children: "The first one closes soon after the first attestation.",
        })
        : null,
    ],
  });
}
function Tw(t, e, n) {
  return Ow(t) ? [e, ...n] : [...n];
}
function kw(t, e, n) {
  let r = t >= 1 && t < e, [o, ...s] = n;
  return r && Ow(t) && o !== void 0 && s.length === Ds(t, e).length
    ? { shownRoot: o, path: s }
    : { path: n };
}
function Ow(t) {
  let e = 1;
  for (; e < t;) e *= 2;
  return e === t;
}
async function Du(t, e, { sth: n, logSignature: r }) {
  let { links: o, ...s } = e, i = await Tt(t, s, n);
  if (!i.valid) return St(i, vt("sth", i));
  let a = Un(e, n.tree_head.tree_size)?.log_vkey;
  if (a === void 0) return St(i, { reason: "log_key_missing" });
  let f = ee(On(n.tree_head));
  return await t.ed25519(at(a).publicKey, f, r)
    ? i
    : St(i, { reason: "log_signature_invalid", field: "log_signature" });
}
function Uu(t, e, n, r) {
  let o = Ue(e.root_hash, T), s = Ue(n.root_hash, T);
  if (o === void 0 || s === void 0) return "unproven";
  if (e.tree_size === n.tree_size && r.length === 0) return Fe(o, s) ? "extends" : "contradicts";
  if (e.tree_size === 0 && r.length === 0) return "extends";
  let i = { first: e.tree_size, second: n.tree_size },
    a = kw(i.first, i.second, r),
    f = hu(t, { ...i, firstRoot: a.shownRoot ?? o, path: a.path });
  return f === void 0 || !Fe(f.second, s) ? "unproven" : Fe(f.first, o) ? "extends" : "contradicts";
}
async function ec(t, e, n) {
  let r = await Du(t, e, n.first),
    o = await Du(t, e, n.second),
    s = XS(e, n) ?? vt("first", r) ?? vt("second", o) ?? JS(t.kernels, n);
  return { valid: s === void 0, ...s, first: r, second: o };
}
function XS({ id: t }, { origin: e }) {
  return e === t ? void 0 : { reason: "network_mismatch", field: "origin" };
}
function JS(t, { first: e, second: n, path: r }) {
  if (Uu(t, e.sth.tree_head, n.sth.tree_head, r) !== "contradicts") {
    return { reason: "contradiction_unproven", field: "consistency_path" };
  }
}
function tc(t, e) {
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
async function Aw(t, e, { known: n, seen: r }, o) {
  let s = await Tt(t, e, r);
  if (!s.valid) return s;
  let i = tc(n, r.tree_head);
  if (i === "fork") return { ...St(s, { reason: "head_forked", field: "tree_head" }), relation: i };
  if (i === "other_network") {
    return { ...St(s, { reason: "network_mismatch", field: "tree_head.network_id" }), relation: i };
  }
  let [a, f] = i === "older" ? [r.tree_head, n] : [n, r.tree_head];
  return (a.tree_size === 0 ? o.length === 0 : Kr(t.kernels, a, f, o))
    ? { ...s, relation: i }
    : { ...St(s, { reason: "consistency_invalid", field: "consistency_path" }), relation: i };
}
async function Bw(t, e, n) {
  let { crypto: r, network: o } = t, { known: s, seen: i } = e, a = await Tt(r, o, s);
  if (!a.valid) return { finding: "other_keys", outcome: a };
  let f = tc(s.tree_head, i.tree_head);
  if (f === "same" || f === "fork") return { finding: f };
  let [d, u] = Nw(e).map(({ tree_head: m }) => m.tree_size), l;
  try {
    d > 0 && (l = await n(d, u));
  } catch (m) {
    if (!(m instanceof Ne) || m.status !== 404) throw m;
    return { finding: "denied", refusal: m };
  }
  let h = { known: s.tree_head, seen: i },
    { valid: p } = await Aw(r, o, h, l?.consistency_path ?? []);
  return p
    ? { finding: f === "larger" ? "extends" : "outdated", ...l && { proof: l } }
    : l === void 0
    ? { finding: "unproven" }
    : { finding: await QS(t, e, l) ? "fork" : "unproven", proof: l };
}
async function QS({ crypto: t, network: e }, n, r) {
  for (let a of [r.first_sth, r.second_sth]) {
    let { valid: f } = await Tt(t, e, a);
    if (f) {
      for (let { tree_head: d } of [n.known, n.seen]) {
        if (tc(d, a.tree_head) === "fork") return !0;
      }
    }
  }
  let [o, s] = Nw(n), i = zu(r);
  return i !== void 0 && Uu(t.kernels, o.tree_head, s.tree_head, i) === "contradicts";
}
function zu({ first: t, first_sth: e, consistency_path: n }) {
  let r = Oa(n), o = Ue(e.tree_head.root_hash, T);
  return r && o && t > 0 ? Tw(t, o, r) : void 0;
}
function Nw({ known: t, seen: e }) {
  return [t, e].toSorted((n, r) => n.tree_head.tree_size - r.tree_head.tree_size);
}
async function Cw(t, { known: e, seen: n }, r) {
  let o = await eT(t, [e, n], r),
    s = {
      found: "two histories of one log",
      network_id: t.network.id,
      fingerprint: t.fingerprint,
      found_at: t.now(),
      known_seen_at: e.seenAt,
      known: e.sth,
      seen: n.sth,
      ...r && { consistency_proof: r },
      ...o && { contradiction: $s(o) },
    };
  return {
    evidence: `${JSON.stringify(s, void 0, 2)}
`,
    ...o && { contradiction: Dd(o) },
  };
}
function Rw(t) {
  let e = "malformed_text";
  return lt(() => {
    let n = new Xt(mt(t, e), { where: "evidence", code: e }, ["contradiction"], {
      ignoreUnknown: !0,
    });
    return Dd(c0(JSON.stringify(n.value("contradiction")), e));
  });
}
async function eT({ crypto: t, network: e, now: n }, r, o) {
  let [s, i] = r.toSorted((u, l) => u.sth.tree_head.tree_size - l.sth.tree_head.tree_size).map(tT),
    a = o === void 0 ? [] : zu(o);
  if (s === void 0 || i === void 0 || a === void 0) return;
  let f = { origin: e.id, foundAt: n(), first: s, second: i, path: a },
    { valid: d } = await ec(t, e, f);
  return d ? f : void 0;
}
function tT({ sth: t, logSignature: e }) {
  return e && { sth: t, logSignature: e };
}
function nc({ caption: t, heads: e }) {
  return c(yt, {
    caption: t,
    rows: e,
    columns: [
      ["Tree head", ([n]) => c("span", { class: "nowrap", children: n })],
      ["Size", ([, n]) => U(n.tree_head.tree_size), "numeric"],
      ["Root", ([n, r]) => c(we, { text: r.tree_head.root_hash, what: `root of ${n}` })],
      ["Signed", ([, n]) => c("span", { class: "nowrap", children: ye(n.tree_head.timestamp) })],
      ["By", ([, n]) =>
        c("span", {
          class: "lines mono small",
          children: fr(n).map((r) => c("span", { class: "nowrap", children: r }, r)),
        })],
    ],
  });
}
function qu({ evidence: t, contradiction: e, networkId: n }) {
  let r = ti(n), o = `${r}.contradiction.json`;
  return c("div", {
    class: "lines",
    children: [
      c("div", {
        class: "row",
        children: [
          c(fn, {
            fileName: `${r}.fork.json`,
            text: t,
            primary: !0,
            children: "Download the evidence",
          }),
          e !== void 0 &&
          c(fn, { fileName: o, text: e, children: "Download for the command line" }),
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
function ti(t) {
  return t.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}
function Iw({ evidence: t, networkId: e }) {
  return c(Q, {
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
        c(qu, { evidence: t, contradiction: Rw(t), networkId: e }),
      ],
    }),
  });
}
function Lw({ count: t, trustKey: e }) {
  let n = Y(), [r, o] = Ie((s) => t === 0 ? Promise.resolve([]) : sT(n, s), [t, e]);
  return t === 0 ? null : c(Q, {
    title: "Peers that contradict themselves",
    aside: c(ie, { tone: "bad", children: X(t, "contradiction") }),
    children: c(Pe, {
      loaded: r,
      what: "the evidence",
      retry: o,
      render: (s) => s.map((i, a) => c(nT, { number: a + 1, ...i }, a)),
    }),
  });
}
function nT({ contradiction: t, result: e, number: n }) {
  let { origin: r, foundAt: o, first: s, second: i } = t,
    a = `${JSON.stringify($s(t), void 0, 2)}
`;
  return c(H, {
    children: [
      c(re, {
        tone: e?.valid ? "bad" : "warn",
        title: rT(r, e),
        children: [
          c("p", { children: oT(e) }),
          c("p", {
            class: "muted small",
            children: ["Found ", ye(o), ", according to this gateway."],
          }),
          c(fn, {
            fileName: `${ti(r)}.contradiction.json`,
            text: a,
            children: "Download the evidence",
          }),
        ],
      }),
      c(nc, {
        caption: `Tree heads of contradiction ${n}`,
        heads: [["First", s.sth], ["Second", i.sth]],
      }),
    ],
  });
}
function rT(t, e) {
  return e === void 0
    ? `${t}: not verified`
    : e.valid
    ? `${t} signed two histories`
    : `${t}: this proves nothing`;
}
function oT(t) {
  return t === void 0
    ? "No configuration of this peer is pinned in this browser. Pin it on the Verify page to check the evidence here."
    : t.valid
    ? "Its witnesses and its log key signed both tree heads, and one log cannot have both."
    : t.reason === void 0
    ? ""
    : Jt[t.reason];
}
async function sT(t, e) {
  let [{ value: n }, r, o] = await Promise.all([
    t.api.contradictions(e),
    qn(t, e),
    t.crypto.crypto(),
  ]);
  return await Promise.all(n.map(async (s) => {
    let i = r.peers.find(({ id: a }) => a === s.origin);
    return i === void 0 ? { contradiction: s } : { contradiction: s, result: await ec(o, i, s) };
  }));
}
var Vu = "gateway_refused", iT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
function Mw(t) {
  let e = { ignoreUnknown: !0 },
    n = mt(t, Vu),
    r = new Xt(n, { where: "event", code: Vu }, ["type"], e),
    o = r.text("type");
  switch (o) {
    case "hello":
      return {
        kind: "hello",
        networkId: r.text("network_id"),
        cursor: Gu(r, "cursor"),
        heartbeatSeconds: r.integer("heartbeat_seconds"),
      };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", cursor: Gu(r, "cursor") };
    default:
      return {
        kind: "event",
        id: Gu(r, "id"),
        type: o,
        at: r.integer("at"),
        data: r.value("data") ?? null,
        text: t,
      };
  }
}
function Gu(t, e) {
  let n = t.text(e);
  if (iT.test(n)) return n;
  throw new C(Vu, `Cannot read ${t.where}: ${e} is not a cursor (1 to 200 of A-Za-z0-9._-)`);
}
function ro(t, e) {
  if (!(typeof t != "object" || t === null || Array.isArray(t))) {
    return Object.hasOwn(t, e) ? t[e] : void 0;
  }
}
var Hw = 1024 * 1024, aT = 65536, Ku = "event stream";
async function Fw(t, e, { fetch: n = fetch, apiKey: r } = {}) {
  let o = { Accept: "text/event-stream", ...await ha(r) }, s;
  try {
    s = await n(t, { headers: o, credentials: "omit", redirect: "manual", signal: e });
  } catch (f) {
    throw new C("gateway_unreachable", `Cannot get ${Ku}: no answer from ${t.origin}`, {
      cause: f,
    });
  }
  let i = Zd(s.headers) === "text/event-stream";
  if (s.status === 200 && i) return cT(s);
  let a = await Yd(s, aT);
  throw Io(Ku, s, a ?? new Uint8Array());
}
async function* cT(t) {
  let e = "", n = "";
  try {
    for await (let r of la(t.body.pipeThrough(new TextDecoderStream()))) {
      let [o = "", ...s] = r.split(`
`);
      e += o;
      for (let i of s) {
        let a = e.endsWith("\r") ? e.slice(0, -1) : e;
        e = i, a === "" ? (yield n, n = "") : a.startsWith("data:") && (n = a.slice(5).trimStart());
      }
      if (e.length > Hw) throw fT();
    }
  } catch (r) {
    if (r instanceof C) throw r;
  }
}
function fT() {
  return new C("gateway_refused", `Cannot read ${Ku}: a frame exceeds ${Hw} characters`);
}
var Wu = ["batch.closed", "sth.published", "cross_anchor.added", "external_anchor.added"],
  $w = ["attestation.accepted", "attestation.confirmed"];
function Pw({ id: t, type: e, at: n, data: r }) {
  return { id: t, type: e, at: n, ...dT(e, r) };
}
function dT(t, e) {
  let n = ro(e, "hash");
  switch (t) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      let r = t === "attestation.accepted" ? "accepted" : "signed";
      return typeof n == "string" && He(n, T)
        ? { text: `${n.slice(0, 16)}... ${r}`, route: { page: "proof", hash: n } }
        : { text: `A hash ${r}` };
    }
    case "batch.closed":
      return uT(e);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return lT(t, e);
    default:
      return { text: "An event of an unknown type" };
  }
}
function uT(t) {
  let [e, n] = [ro(t, "id"), ro(t, "attestation_count")];
  if (!_e(e)) return { text: "A batch closed" };
  let r = _e(n) ? ` with ${X(n, "attestation")}` : "";
  return { text: `Batch ${U(e)} closed${r}`, route: { page: "batch", id: e } };
}
function lT(t, e) {
  let n = ro(e, "tree_head"),
    r = ro(n ?? e, "tree_size"),
    o = ro(e, t === "cross_anchor.added" ? "witnessing_network" : "provider"),
    s = typeof o == "string" ? ` by ${o}` : "",
    i = _e(r) ? `Tree head of size ${U(r)}` : "A tree head",
    a = {
      "sth.published": "published",
      "cross_anchor.added": `cosigned${s}`,
      "external_anchor.added": `anchored${s}`,
    }[t],
    f = _e(r) ? { page: "batch", id: r } : void 0;
  return { text: `${i} ${a}`, ...f && { route: f } };
}
var Dw = { latest: [], shown: [] };
function Uw({ latest: t, shown: e }, n, r) {
  return { latest: hT(t, n, r), shown: e };
}
function Yu(t, e) {
  return t.shown === t.latest || e && t.shown.length > 0
    ? t
    : { latest: t.latest, shown: t.latest };
}
function zw({ latest: t, shown: e }) {
  return t.filter((n) => !e.includes(n)).length;
}
function hT(t, e, n) {
  let r = new Set(t.flatMap(jw));
  return [
    ...e.filter((s) => {
      let i = jw(s);
      if (i.some((a) => r.has(a))) return !1;
      for (let a of i) r.add(a);
      return !0;
    }).toReversed(),
    ...t,
  ].slice(0, n);
}
function jw({ id: t, type: e, at: n, text: r }) {
  return [t, `${e} ${n} ${r}`];
}
var Xo = class {
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
var pT = { firstMs: 500, longestMs: 3e4 }, mT = 3, gT = 30;
async function* rc(t, e) {
  let { clock: n, changed: r } = t,
    o = new Xo(pT, t.random),
    s = Xd(t),
    i = { cursor: t.after, networkId: void 0 };
  for (let a = 0; !e.aborted; a++) {
    let f = s[a % s.length], d = new AbortController(), u = new Zu(n, d);
    try {
      let l = co(e, d.signal), h = await Fw(yT(f, t, i), l, t);
      for await (let p of bT(h, u)) o.reset(), p.kind === "event" && (yield p), xT(t, i, p);
    } catch (l) {
      if (e.aborted) return;
      if (a < s.length - 1 && ga(l)) continue;
      if (!wT(l, i)) throw l;
    } finally {
      u.stop(), d.abort();
    }
    if (e.aborted) return;
    r("lost"), await n.sleep(o.afterFailure(), e);
  }
}
function wT(t, { networkId: e }) {
  return Fo(t)
    ? !0
    : t instanceof Ne
    ? e !== void 0 && t.status >= 500
    : e !== void 0 && Lt(t, "gateway_unreachable");
}
function yT(t, { types: e, hash: n }, { cursor: r }) {
  let o = new URL("v1/events", t);
  return e.length > 0 && o.searchParams.set("types", e.join(",")),
    n !== void 0 && o.searchParams.set("hash", n),
    r !== void 0 && o.searchParams.set("after", r),
    o;
}
async function* bT(t, e) {
  for await (let n of t) {
    if (e.restart(), n === "") continue;
    let r = Mw(n);
    r.kind === "hello" && (e.seconds = mT * r.heartbeatSeconds), yield r;
  }
}
var Zu = class {
  #e;
  #t;
  seconds = gT;
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
function xT({ changed: t, reached: e }, n, r) {
  switch (r.kind) {
    case "hello":
      if (n.networkId !== void 0 && n.networkId !== r.networkId) {
        throw new C(
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
var _T = 6;
function qw(t, e, n) {
  let r = new AbortController();
  return ET(t, e, n, r.signal), () => r.abort();
}
async function ET(t, e, n, r) {
  let o;
  for (; !r.aborted;) {
    n.state("connecting");
    let s = rc({
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
      if (!(i instanceof C)) throw i;
      i instanceof Ne || Lt(i, "gateway_unreachable") || n.fault(i);
    }
    for (let i = 0; i < _T && !r.aborted; i++) await vT(t, n, r), await t.clock.sleep(t.pollMs, r);
  }
}
async function vT({ poll: t }, e, n) {
  try {
    let r = await t(n);
    if (n.aborted) return;
    e.state("polling"), r !== void 0 && e.event(r);
  } catch (r) {
    if (n.aborted) return;
    if (!(r instanceof C)) throw r;
    e.state("silent");
  }
}
var oc = 12, ST = 1e4, TT = 400;
function Gw({ grown: t }) {
  let e = Y(),
    [n, r] = K(!1),
    o = Pt(null),
    s = Pt(null),
    i = () => o.current?.matches(":hover, :focus-within") ?? !1,
    { lines: a, state: f, fault: d, showLatest: u } = OT(e, {
      withAttestations: n,
      grown: t,
      isHeld: i,
    }),
    [l, h] = kT[f],
    p = zw(a);
  return c(Q, {
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
              children: p === 0 ? null : c(de, {
                onClick: () => {
                  u(), s.current?.focus();
                },
                children: `${p}${p < oc ? "" : " or more"} new`,
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
                        : c("a", { href: ue(m.route), children: m.text }),
                    }),
                    c("span", { class: "muted small nowrap", children: c(xr, { time: m.at }) }),
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
var kT = {
  connecting: ["info", "Connecting"],
  live: ["good", "Live"],
  polling: ["neutral", "Polling every 10 s"],
  silent: ["warn", "No answer"],
};
function OT(t, { withAttestations: e, grown: n, isHeld: r }) {
  let [o, s] = K({ lines: Dw, state: "connecting" });
  return Te(() => {
    let a = [],
      f = (h) => {
        a.push(h), a.length > oc && a.splice(0, a.length - oc);
      },
      d = setInterval(() => {
        let h = a.splice(0);
        s((p) => {
          let m = h.length === 0 ? p.lines : Uw(p.lines, h, oc), g = Yu(m, r());
          return g === p.lines ? p : { ...p, lines: g };
        }), h.some(({ type: p }) => p === "sth.published") && n();
      }, TT),
      u = e ? [...Wu, ...$w] : Wu,
      l = AT(() =>
        qw(NT(t), u, {
          event: (h) => f(Pw(h)),
          state: (h) => s((p) => ({ ...p, state: h })),
          gap: () => f(BT(ht(t.clock))),
          fault: (h) => s((p) => ({ ...p, fault: h })),
        })
      );
    return () => {
      l(), clearInterval(d);
    };
  }, [e]),
    { ...o, showLatest: () => s((a) => ({ ...a, lines: Yu(a.lines, !1) })) };
}
function AT(t) {
  let e,
    n = () => {
      document.visibilityState === "visible" ? e ??= t() : (e?.(), e = void 0);
    };
  return n(), document.addEventListener("visibilitychange", n), () => {
    document.removeEventListener("visibilitychange", n), e?.();
  };
}
function BT(t) {
  return { id: `gap ${t}`, type: "gap", at: t, text: "Some events before this are missing" };
}
function NT({ api: t, apiKey: e, clock: n }) {
  return {
    url: t.url,
    clock: n,
    random: Math.random,
    pollMs: ST,
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
var CT = [
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
function Vw(t, e, n) {
  let o = Math.max(e - t, 1) / n,
    s = 10 ** Math.floor(Math.log10(o)),
    i = Math.max(1, [1, 2, 5, 10].map((d) => d * s).find((d) => d >= o)),
    a = Math.floor(t / i) * i,
    f = Math.max(Math.ceil(e / i) * i, a + i);
  return { min: a, max: f, ticks: Ww(i, a, f) };
}
function Kw(t, e, n) {
  let r = Math.max(e, t + 1),
    o = (r - t) / n,
    s = CT.find((i) => i >= o) ?? Math.ceil(o / (364 * 86400)) * 364 * 86400;
  return { min: t, max: r, ticks: Ww(s, t, r) };
}
function Ww(t, e, n) {
  let r = [];
  for (let o = Math.ceil(e / t) * t; o <= n; o += t) r.push(o);
  return r;
}
function Xu(t, e, [n, r]) {
  let o = (e - t.min) / (t.max - t.min);
  return Math.round((n + o * (r - n)) * 10) / 10;
}
function Yw(t) {
  return t.map(({ x: e, y: n }, r) => r === 0 ? `M${e} ${n}` : `H${e}V${n}`).join("");
}
function Zw(t) {
  let [e, n] =
    [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([r]) =>
      t >= 10 * r || t >= r && t % (r / 10) === 0
    ) ?? [1, ""];
  return `${Math.round(t / e * 10) / 10}${n}`;
}
function Xw(t, e) {
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
var Jw = 460,
  Qu = 190,
  oo = { left: 44, right: Jw - 14, top: 10, bottom: Qu - 24 },
  RT = 36,
  IT = 60,
  Ju = 100;
function el(t) {
  let { title: e, summary: n, points: r, valueName: o, valueText: s } = t, [i, a] = K(!1);
  return c("figure", {
    class: "plot",
    children: [
      c("figcaption", {
        children: [
          c("span", { class: "plot-title", children: e }),
          c("span", { class: "muted small", children: n }),
        ],
      }),
      c(LT, { ...t }),
      c("details", {
        class: "plot-table",
        onToggle: (f) => a(f.target.open),
        children: [
          c("summary", { children: "Show as a table" }),
          i &&
          c(yt, {
            caption: e,
            rows: r.toReversed().slice(0, Ju),
            columns: [["Time", ({ x: f }) => ye(f)], [o, ({ y: f }) => s(f), "numeric"]],
          }),
          i && r.length > Ju &&
          c("p", { class: "muted small", children: `The latest ${Ju} of ${r.length}.` }),
        ],
      }),
    ],
  });
}
function LT({ title: t, summary: e, points: n, shape: r, fromZero: o = !1, valueText: s }) {
  let i = Ar(),
    a = n.map(({ x: m }) => m),
    f = n.map(({ y: m }) => m),
    d = o || r === "stems" ? 0 : Math.min(...f),
    u = Kw(Math.min(...a), Math.max(...a), 4),
    l = Vw(d, Math.max(...f), 4),
    h = n.map(({ x: m, y: g }) => ({ x: Qw(u, m), y: sc(l, g) })),
    p = Yw(h);
  return c("svg", {
    class: "plot-drawing",
    viewBox: `0 0 ${Jw} ${Qu}`,
    role: "img",
    "aria-labelledby": `${i}-title ${i}-summary`,
    children: [
      c("title", { id: `${i}-title`, children: t }),
      c("desc", { id: `${i}-summary`, children: e }),
      c(MT, { timeline: u, axis: l }),
      r === "steps"
        ? c(H, {
          children: [
            c("path", { class: "plot-area", d: `${p}V${oo.bottom}H${h[0]?.x ?? 0}Z` }),
            c("path", { class: "plot-line", d: p }),
          ],
        })
        : c("path", {
          class: "plot-stems",
          d: h.map(({ x: m, y: g }) => `M${m} ${oo.bottom}V${g}`).join(""),
        }),
      h.length > IT ? null : h.map(({ x: m, y: g }, w) =>
        c("circle", {
          class: "plot-mark",
          cx: m,
          cy: g,
          r: 2.5,
          children: c("title", { children: `${ye(n[w].x)}: ${s(n[w].y)}` }),
        }, w)
      ),
    ],
  });
}
function Qw(t, e) {
  return Xu(t, e, [oo.left, oo.right]);
}
function sc(t, e) {
  return Xu(t, e, [oo.bottom, oo.top]);
}
function MT({ timeline: t, axis: e }) {
  let { left: n, right: r } = oo;
  return c("g", {
    class: "plot-grid",
    children: [
      e.ticks.map((o) =>
        c("g", {
          children: [
            c("line", { x1: n, x2: r, y1: sc(e, o), y2: sc(e, o) }),
            c("text", { class: "plot-value", x: n - 6, y: sc(e, o) + 4, children: Zw(o) }),
          ],
        }, o)
      ),
      t.ticks.map((o) => {
        let s = Qw(t, o), i = s > r - RT;
        return c("text", {
          class: i ? "plot-time plot-time-last" : "plot-time",
          x: i ? r : s,
          y: Qu - 6,
          children: Xw(o, t.max - t.min),
        }, o);
      }),
    ],
  });
}
var HT = 30;
function ey({ list: t }) {
  let { batches: e, isLoading: n, isWhole: r, error: o, older: s } = t;
  return c(Q, {
    title: "Growth",
    aside: e.length === 0 || r
      ? void 0
      : c(de, { disabled: n, onClick: s, children: n ? "Loading" : "Show older batches" }),
    children: e.length > 0
      ? c(H, {
        children: [
          c("div", { class: "plots", children: [c(FT, { batches: e }), c(PT, { batches: e })] }),
          c("p", {
            class: "muted small",
            children: "As the gateway lists it: no proof covers the times of batches.",
          }),
        ],
      })
      : n
      ? c(dn, { label: "Loading the batches" })
      : o === void 0
      ? c(ct, { title: "Nothing to plot yet", children: "The plots start with the second batch." })
      : c(ct, { title: "Nothing to plot", children: "The batches cannot be loaded." }),
  });
}
function FT({ batches: t }) {
  let e = Lu(t), [n, r] = [e[0], e.at(-1)];
  if (n === void 0 || r === void 0 || e.length < 2) {
    return c(ct, { title: "One batch so far", children: "The plot starts with the second one." });
  }
  let o = Zg(t),
    s = o === void 0 ? "" : `, ${$T(o)} on average`,
    i = ({ x: a, y: f }) => `${U(f)} at ${ye(a)}`;
  return c(el, {
    title: "Tree size",
    summary: `From ${i(n)} to ${i(r)}, in ${X(t.length, "batch", "batches")}${s}.`,
    valueName: "Attestations",
    points: e,
    shape: "steps",
    fromZero: n.y < r.y / 2,
    valueText: U,
  });
}
function $T(t) {
  let e = [["a second", 1], ["a minute", 60], ["an hour", 3600], ["a day", 86400]],
    [n, r] = e.find(([, s]) => t * s >= 1) ?? e[3],
    o = t * r;
  return `${o >= 10 ? U(Math.round(o)) : o.toFixed(1)} ${n}`;
}
function PT({ batches: t }) {
  let e = Y(),
    n = t.slice(0, HT),
    [r, o] = Ie(async (s) => {
      let i = [];
      for (let a of n) i.push(await ew(e, a, s));
      return i;
    }, [n[0]?.id]);
  return c(Pe, {
    loaded: r,
    what: "the waits",
    retry: o,
    render: (s) => {
      let i = s.map((d) => d.seconds), [a, f] = [Mu(i, .5) ?? 0, Mu(i, 1) ?? 0];
      return c(el, {
        title: "Wait for the tree head",
        summary: `First attestation of each of the last ${
          X(s.length, "batch", "batches")
        }: median ${kt(a)}, longest ${kt(f)}.`,
        valueName: "Seconds",
        points: Jg(s),
        shape: "stems",
        valueText: (d) => `${U(d)} s`,
      });
    },
  });
}
function ty(t) {
  return Array.from(t ?? [], (e) => ({ name: e.webkitRelativePath || e.name, file: e }));
}
async function ny(t) {
  let n = Array.from(t?.items ?? []).filter(({ kind: o }) => o === "file").map((o) => ({
      entry: o.webkitGetAsEntry(),
      file: o.getAsFile(),
    })
    ),
    r = { files: [], errors: [] };
  for (let { entry: o, file: s } of n) {
    o?.isDirectory ? await ry(o, r) : s !== null && r.files.push({ name: s.name, file: s });
  }
  return r;
}
async function ry(t, e) {
  let n = t.createReader();
  for (;;) {
    let r = await new Promise((s, i) => n.readEntries(s, i)).catch((s) => (e.errors.push(s), []));
    if (r.length === 0) return;
    let o = r.filter((s) => s.isFile);
    for (let s of await Promise.allSettled(o.map(jT))) {
      s.status === "fulfilled" ? e.files.push(s.value) : e.errors.push(s.reason);
    }
    for (let s of r) s.isDirectory && await ry(s, e);
  }
}
async function jT(t) {
  let e = await new Promise((n, r) => t.file(n, r));
  return { name: t.fullPath.replace(/^\//, ""), file: e };
}
var DT = "webkitdirectory" in HTMLInputElement.prototype;
function In({ onFiles: t, multiple: e = !1, ...n }) {
  return c(sy, {
    ...n,
    multiple: e,
    onTaken: (o) => {
      let s = e ? o : o.slice(0, 1);
      s.length > 0 && t(s.map(({ file: i }) => i));
    },
    onFailed: () => {},
  });
}
function oy({ label: t, children: e, onFiles: n, onFailed: r }) {
  let o = Pt(null),
    s = (i) => {
      i.length > 0 && n(i);
    };
  return Te(() => {
    o.current !== null && (o.current.webkitdirectory = !0);
  }, []),
    c("div", {
      class: "folder-zone",
      children: [
        c(sy, { label: t, multiple: !0, onTaken: s, onFailed: r, children: e }),
        DT && c(H, {
          children: [
            c("input", {
              ref: o,
              type: "file",
              hidden: !0,
              onChange: () => s(iy(o.current)),
            }),
            c(de, {
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
function sy(
  { label: t, icon: e = "upload", multiple: n, compact: r, onTaken: o, onFailed: s, children: i },
) {
  let [a, f] = K(!1), d = Pt(null);
  return Te(UT, []),
    c("label", {
      class: `drop-zone${a ? " drop-zone-over" : ""}${r ? " drop-zone-compact" : ""}`,
      onDragOver: (l) => {
        l.preventDefault(), f(!0);
      },
      onDragLeave: () => f(!1),
      onDrop: (l) => {
        l.preventDefault(),
          f(!1),
          ny(l.dataTransfer).then(({ files: h, errors: [p] }) => {
            o(h), p !== void 0 && s(p);
          });
      },
      children: [
        c("input", {
          ref: d,
          class: "visually-hidden",
          type: "file",
          multiple: n,
          onChange: () => o(iy(d.current)),
        }),
        c(Xe, { name: e }),
        c("span", {
          class: "drop-zone-text",
          children: [c("span", { class: "drop-zone-label", children: t }), i],
        }),
      ],
    });
}
function iy(t) {
  let e = ty(t?.files);
  return t !== null && (t.value = ""), e;
}
function UT() {
  let t = (e) => e.preventDefault();
  return addEventListener("dragover", t), addEventListener("drop", t), () => {
    removeEventListener("dragover", t), removeEventListener("drop", t);
  };
}
function Jo({ hashing: t }) {
  let [e, n] = K({ state: "none" }), r = Pt(new AbortController());
  return Te(() => () => r.current?.abort(), []), [e, (s) => {
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
function ic({ content: t, choose: e }) {
  return c(H, {
    children: [
      c(In, {
        label: t.state === "none" ? "Compare with the file itself" : "Compare with another file",
        icon: "file",
        compact: !0,
        onFiles: ([n]) => e(n),
        children: c("span", {
          class: "muted small",
          children: "Optional. The file stays on this device.",
        }),
      }),
      c(tl, { content: t, onRemove: () => e(void 0) }),
    ],
  });
}
function tl({ content: t, onRemove: e }) {
  if (t.state === "none") return null;
  let n = t.state === "hashing" ? "Cancel" : "Remove";
  return c("div", {
    class: "supplied",
    children: [
      c("span", {
        class: "row",
        children: [
          c("span", { children: t.name }),
          c(de, { kind: "quiet", label: `${n} ${t.name}`, isRemoved: !0, onClick: e, children: n }),
        ],
      }),
      t.state === "hashing" &&
      c(ur, { label: `Hashing, ${Gn(t.done)} of ${Gn(t.size)}`, value: t.done, max: t.size }),
      t.state === "hashed" && c(we, { text: t.hash, what: "hash of the file" }),
      t.state === "failed" && c(je, { error: t.error }),
    ],
  });
}
var zT = 4 * 1024 * 1024;
async function ac(t) {
  if (t.size > zT) return { kind: "other" };
  let e = new Uint8Array(
    await t.arrayBuffer().catch((n) => {
      throw new C("file_failed", "Cannot read the file", { cause: n });
    }),
  );
  return lt(() => qT(Bt(e))) ?? { kind: "other" };
}
function qT(t) {
  let e = GT(t);
  if (e.has("witnesses") && e.has("threshold")) return { kind: "configuration", text: t };
  if (!e.has("signed_attestation") && !e.has("batch_inclusion")) {
    let n = lt(() => fa(t)) ?? [];
    return n.length > 0 ? { kind: "chain", text: t, links: n } : { kind: "other" };
  }
  try {
    return { kind: "bundle", text: t, bundle: Hs(t) };
  } catch (n) {
    return { kind: "damaged_bundle", error: Cr(n) };
  }
}
function GT(t) {
  try {
    let e = mt(t, "malformed_bundle");
    return new Set(typeof e == "object" && e !== null ? Object.keys(e) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(t) ? ["signed_attestation"] : []);
  }
}
function ay(t, e) {
  return e.length > (t.succession?.length ?? 0) ? { ...t, succession: [...e] } : t;
}
function cy(t) {
  return t === "configuration"
    ? "It is a network's configuration. Choose it under What you trust."
    : "A proof is a file such as NAME.countersign.json, saved on the Stamp page. If this is the stamped file itself, compare it with its proof below.";
}
function cc(t) {
  let e = t.trim(),
    [, n] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(e) ?? [],
    [, r] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(e) ?? [],
    o = (n ?? r ?? e).toLowerCase();
  return He(o, T)
    ? { hash: o }
    : o === ""
    ? { fault: "Paste a SHA-256 hash: 64 hexadecimal digits" }
    : /^[0-9a-f]+$/.test(o)
    ? { fault: `A SHA-256 hash has 64 digits, this one has ${o.length}` }
    : { fault: "A SHA-256 hash contains only the digits 0 to 9 and a to f" };
}
var VT = /^(?:(batch|position)\s*)?(\d[\d,]*)$/i;
function fy(t, { hasBatches: e = !0 } = {}) {
  let n = t.trim(), [, r] = /^https?:\/\/[^#\s]*(#\S*)$/.exec(n) ?? [];
  if (r !== void 0) return KT(r);
  let [, o, s = ""] = VT.exec(n) ?? [];
  if (s !== "" && s.length < T * 2) return WT(o ?? (e ? void 0 : "position"), s);
  let i = cc(n);
  return "hash" in i
    ? { routes: [{ page: "proof", hash: i.hash }] }
    : n === ""
    ? { fault: "Enter a hash, a batch or a position" }
    : i;
}
function KT(t) {
  let e = js(t);
  return e.page === "unknown" ? { fault: "This is not the address of a proof" } : { routes: [e] };
}
function WT(t, e) {
  let n = Et(e.replaceAll(",", ""));
  if (n === void 0) return { fault: "A batch or a position is a number such as 1234" };
  let r = { page: "batch", id: n }, o = { page: "position", index: n };
  return t === void 0 ? { routes: [r, o] } : { routes: [t.toLowerCase() === "batch" ? r : o] };
}
function dy() {
  let [t, e] = K(""),
    [n, r] = K({ routes: [] }),
    { copy: o } = Y(),
    s = (a) => {
      a.preventDefault();
      let f = fy(t, { hasBatches: o === void 0 });
      if ("routes" in f && f.routes.length === 1) return nl(f.routes[0]);
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
          c(Uo, {
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
              c("a", { class: "button", href: ue(a), children: YT(a) }, a.page)
            ),
          }),
        ],
      }),
      c(ZT, {}),
    ],
  });
}
function YT(t) {
  return t.page === "batch"
    ? `Batch ${U(t.id)}`
    : t.page === "position"
    ? `Position ${U(t.index)}`
    : t.page;
}
function nl(t) {
  location.hash = ue(t);
}
function ZT() {
  let t = Y(), [e, n] = Jo(t), [r, o] = K(void 0), s = e.state === "hashed" ? e.hash : void 0;
  Te(() => {
    s !== void 0 && nl({ page: "proof", hash: s });
  }, [s]);
  let i = async (a) => {
    o(void 0);
    try {
      let f = await ac(a);
      if (f.kind !== "bundle") return n(a);
      let { hash: d } = f.bundle.signed_attestation.attestation;
      nl({ page: "proof", hash: d });
    } catch (f) {
      o(f);
    }
  };
  return c("div", {
    class: "stack-small",
    children: [
      c(In, {
        compact: !0,
        icon: "file",
        label: "Or choose a file",
        onFiles: ([a]) => void i(a),
        children: c("span", {
          class: "muted small",
          children: "It is hashed here and stays on this device.",
        }),
      }),
      r !== void 0 && c(je, { error: r }),
      c(tl, { content: e, onRemove: () => n(void 0) }),
    ],
  });
}
function uy({ head: t, retry: e }) {
  return c(Q, {
    title: "Latest tree head",
    children: rl(t)
      ? c(ct, {
        title: "The log is empty",
        children: "The first batch publishes its first tree head.",
      })
      : c(Pe, { loaded: t, what: "the tree head", retry: e, render: (n) => c(XT, { ...n }) }),
  });
}
function rl(t) {
  return t.state === "failed" && wr(t.error, "no_tree_head");
}
function XT({ sth: t, outcome: e, trust: n }) {
  let { copy: r } = Y(), { tree_size: o, root_hash: s, timestamp: i } = t.tree_head;
  return c(H, {
    children: [
      c("p", {
        class: "figure-line",
        children: [
          c("span", { class: "figure", children: U(o) }),
          c("span", { class: "muted", children: "attestations in the log" }),
        ],
      }),
      c(st, {
        items: {
          Root: c(we, { text: s, what: "root hash" }),
          Signed: c(un, { time: i }),
          Witnesses: c(Wa, { outcome: e, isPinned: n.isPinned }),
          Batch: r === void 0 ? c(_r, { id: o }) : void 0,
        },
      }),
      c(Yo, { isPinned: n.isPinned }),
    ],
  });
}
function ly({ network: t, retry: e }) {
  return c(Q, {
    title: "Network",
    children: c(Pe, { loaded: t, what: "the network", retry: e, render: (n) => c(JT, { ...n }) }),
  });
}
function JT(t) {
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
      c(st, {
        items: {
          Network: c("span", { class: "mono", children: o }),
          Threshold: `${i} of ${X(a.length, "witness", "witnesses")}`,
          Scheme: s === "bls" ? "BLS12-381, aggregated" : "Ed25519",
          Fingerprint: c(we, { text: n, what: "fingerprint" }),
          Pin: c(ek, { ...t }),
          "Log key": f && c(we, { text: f, what: "log key" }),
          "In the log within": d === void 0 ? void 0 : kt(d),
          Federation: c(tk, { ...e.federation }),
        },
      }),
      r === void 0 || r.fingerprint === n ? null : c(QT, { shown: o, pinned: r.id }),
    ],
  });
}
function QT({ shown: t, pinned: e }) {
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
function ek({ shown: t, fingerprint: e, pinned: n }) {
  return n === void 0
    ? c("span", {
      class: "row",
      children: [
        c(ie, { tone: "warn", children: "Not pinned" }),
        c("a", { href: ue({ page: "verify" }), children: "Pin a configuration" }),
      ],
    })
    : n.fingerprint === e
    ? c(ie, { tone: "good", children: "Pinned in this browser" })
    : n.id === t.id
    ? c(ie, { tone: "bad", children: "Differs from your pin" })
    : c(ie, { tone: "warn", children: "Your pin is for another network" });
}
function tk({ enabled: t, peer_networks: e, cross_anchor_threshold: n }) {
  return e.length === 0 ? c("span", { children: "No peer networks" }) : c("span", {
    class: "lines",
    children: [
      c("span", {
        children: t
          ? `${n} of ${X(e.length, "peer")} must cosign`
          : "Cosignatures of peers are not required",
      }),
      e.map((r) =>
        c("span", {
          class: "muted small",
          children: [
            c("span", { class: "mono", children: r.id }),
            r.min_witnesses === void 0
              ? ""
              : `, at least ${X(r.min_witnesses, "witness", "witnesses")}`,
            r.gateway_url === void 0 ? "" : `, ${r.gateway_url}`,
          ],
        }, r.id)
      ),
    ],
  });
}
function hy({ status: t, network: e, retry: n }) {
  let r = new Map(e?.witnesses.map(({ id: f, pubkey: d }) => [f, d])),
    o = t.value?.witnesses ?? [],
    s = o.filter(({ id: f, healthy: d }) => d && r.has(f)).length,
    i = [...r.keys()].filter((f) => !o.some((d) => d.id === f)),
    a = [...o.map((f) => ({ id: f.id, health: f })), ...i.map((f) => ({ id: f }))];
  return c(Q, {
    title: "Witnesses",
    aside: t.value === void 0 || e === void 0 ? void 0 : c(ie, {
      tone: s >= e.threshold ? "good" : "bad",
      children: `${s} of ${r.size} answer, ${e.threshold} required`,
    }),
    children: c(Pe, {
      loaded: t,
      what: "the status",
      retry: n,
      render: (f) =>
        c(H, {
          children: [
            c(yt, {
              caption: "Witnesses and their health",
              rows: a,
              keyOf: ({ id: d }) => d,
              columns: [
                ["Witness", ({ id: d }) => c("span", { class: "mono witness-id", children: d })],
                ["Health", ({ health: d }) => c(nk, { health: d })],
                ["Last good answer", ({ health: d }) => c(rk, { health: d })],
                ["Public key", ({ id: d }) =>
                  r.has(d)
                    ? c(we, { text: r.get(d), what: `public key of ${d}` })
                    : e === void 0
                    ? ""
                    : c(ie, { tone: "warn", children: "Not in the configuration" })],
              ],
            }),
            c(ok, { status: f }),
          ],
        }),
    }),
  });
}
function nk({ health: t }) {
  return t === void 0
    ? c(ie, { tone: "warn", children: "Not reported" })
    : t.healthy
    ? c(ie, { tone: "good", children: "Answers" })
    : c(ie, { tone: "bad", children: t.last_error ?? "Does not answer" });
}
function rk({ health: t }) {
  return t?.last_seen_at === void 0
    ? c("span", { class: "muted", children: "none yet" })
    : c("span", { class: "nowrap", children: c(xr, { time: t.last_seen_at }) });
}
function ok({ status: t }) {
  let { pending_count: e, oldest_pending_age: n, status: r } = t,
    o = e === 0
      ? "No attestation waits for signatures"
      : `${X(e, "attestation")} not signed yet` + (n === void 0 ? "" : `, the oldest for ${kt(n)}`);
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
function py({ status: t }) {
  let { peers: e, anchors: n, beacon: r } = t;
  if (e.length === 0 && n.length === 0 && r === void 0) return null;
  let o = {
    "drand beacon": r === null
      ? c(ie, { tone: "warn", children: "None recent" })
      : r && `round ${U(r.round)}, ${kt(r.age)} old`,
  };
  for (let s of n) o[qa(s.provider, s.service)] = c(sk, { ...s });
  return c(Q, {
    title: "Peers and anchors",
    children: [
      e.length === 0 ? null : c(yt, {
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
          ({ last_cross_anchor: s }) => s === void 0 ? "none yet" : U(s.tree_size),
          "numeric",
        ], [
          "Age",
          ({ last_cross_anchor: s }) => s === void 0 ? "" : kt(s.age),
          "numeric",
        ]],
      }),
      c(st, { items: o }),
    ],
  });
}
function sk({ last: t }) {
  return t === void 0 ? c(ie, { tone: "neutral", children: "Nothing anchored yet" }) : c("span", {
    class: "row",
    children: [
      c(ie, { tone: t.status === "confirmed" ? "good" : "info", children: t.status }),
      c("span", { children: `size ${U(t.tree_size)}, ${kt(t.age)} ago` }),
    ],
  });
}
var ol = 100;
function my({ api: t, line: e }) {
  let [n, r] = K({ batches: [], isLoading: !0, isWhole: !1 }), [o, s] = K({});
  Te(() => {
    let f = new AbortController(), { before: d } = o;
    r(({ error: l, ...h }) => ({ ...h, isLoading: !0 }));
    let u = { limit: ol, ...d !== void 0 && { before: d } };
    return e.ask(() => t.batches(u, f.signal), f.signal).then(({ value: l }) => {
      f.signal.aborted || r((h) => d === void 0 ? ik(h, l) : ak(h, l));
    }, (l) => {
      f.signal.aborted || r((h) => ({ ...h, isLoading: !1, error: l }));
    }),
      () => f.abort();
  }, [o, t]);
  let i = pn(() => s({}), []), a = n.batches.at(-1)?.id;
  return {
    ...n,
    refresh: i,
    older: () => {
      a !== void 0 && s({ before: a });
    },
  };
}
function ik(t, e) {
  let n = fk(t.batches, e);
  return {
    batches: n ?? e,
    isLoading: !1,
    isWhole: n !== void 0 && t.batches.length > 0 ? t.isWhole : e.length < ol,
  };
}
function ak(t, e) {
  return { batches: ck(t.batches, e), isLoading: !1, isWhole: e.length < ol };
}
function ck(t, e) {
  let n = t.at(-1)?.id ?? 1 / 0;
  return [...t, ...e.filter((r) => r.id < n)];
}
function fk(t, e) {
  let n = t[0]?.id ?? 0, r = e.filter((s) => s.id > n), o = r.at(-1);
  if (!(o !== void 0 && t.length > 0 && o.first_index !== n)) return [...r, ...t];
}
var dk = 1e4;
function gy() {
  let t = Y(),
    { api: e, trust: n } = t,
    r = Qt(Ae(n)),
    [o, s] = Ie((h) => Kg(t, h), [r]),
    [i, a] = Ie((h) => gr(t, void 0, h), [r]),
    [f, d] = Ie(async (h) => (await e.status(h)).value, []),
    u = my(t);
  Te(() => {
    let h = setInterval(() => {
      document.visibilityState === "visible" && d();
    }, dk);
    return () => clearInterval(h);
  }, []);
  let l = () => {
    a(), u.refresh();
  };
  return c(H, {
    children: [
      c(ft, {
        title: "Explore",
        children:
          "The network behind this gateway, and the public log of everything that it signed.",
      }),
      c(dy, {}),
      c(Lw, { count: f.value?.contradictions ?? 0, trustKey: r }),
      c("div", {
        class: "grid",
        children: [c(uy, { head: i, retry: a }), c(ly, { network: o, retry: s })],
      }),
      c(hy, { status: f, network: o.value?.shown, retry: d }),
      c(ey, { list: u }),
      c("div", { class: "grid grid-wide", children: [c(Sw, { list: u }), c(Gw, { grown: l })] }),
      f.value !== void 0 && c(py, { status: f.value }),
      c("p", {
        children: [
          c("a", { href: ue({ page: "tiles" }), children: "Tiles of the log" }),
          c("span", { class: "muted", children: ", for mirrors and monitors (C2SP tlog-tiles)" }),
        ],
      }),
    ],
  });
}
function Er({ title: t, children: e, accept: n, onAccept: r, cancel: o, onCancel: s }) {
  return c(re, {
    tone: "warn",
    live: !0,
    title: t,
    children: [
      e,
      c("div", {
        class: "row",
        children: [
          c(de, { isRemoved: !0, onClick: r, children: n }),
          c(de, { kind: "quiet", isRemoved: !0, onClick: s, children: o }),
        ],
      }),
    ],
  });
}
function wy({ stored: t, fingerprint: e, forget: n }) {
  return c(Q, {
    title: "What this browser remembers",
    children: [
      c(uk, { stored: t, fingerprint: e }),
      (t.kind === "head" || t.kind === "damaged") && c(lk, { forget: n }),
    ],
  });
}
function uk({ stored: t, fingerprint: e }) {
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
      return c(st, {
        items: {
          Size: U(s),
          Root: c(we, { text: i, what: "remembered root" }),
          Signed: c(un, { time: a }),
          "Seen here": c(un, { time: r }),
          "Verified under": t.head.fingerprint === e
            ? "the configuration in use"
            : c(we, { text: t.head.fingerprint, what: "fingerprint" }),
          "Log key's signature": o === void 0 ? "not shown by the gateway" : "stored",
        },
      });
    }
  }
}
function lk({ forget: t }) {
  let [e, n] = K(!1);
  return e
    ? c(Er, {
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
    : c("div", { children: c(de, { onClick: () => n(!0), children: "Forget this log" }) });
}
var sl = [
    "Download the evidence, and do not clear what this page remembers.",
    "Do not rely on new attestations of this network until its operator has explained it in public.",
  ],
  hk = {
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
        ...sl,
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
        ...sl,
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
        ...sl,
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
  pk = {
    tone: "warn",
    badge: "Not compared",
    title: "There is nothing to compare this tree head with",
    meaning:
      "Its signatures verify, but this browser cannot remember it. At the next visit it cannot notice a log that changed.",
    steps: ["See below why this browser cannot remember it."],
  };
function ni({ finding: t, memory: e }) {
  return t === "first" && e !== "kept" ? pk : hk[t];
}
var mk = {
  kept: void 0,
  unchanged: void 0,
  full: "This browser has no storage left for the page, so it does not remember this tree head.",
  blocked: "This browser does not let the page store anything: each visit is the first one.",
  damaged: "The tree head stored for this network cannot be read. Clear it to start over.",
};
function yy({ memory: t }) {
  return mk[t];
}
var by = "malformed_text", il = 1;
function xy(t) {
  let { sth: e, fingerprint: n, seenAt: r, logSignature: o } = t;
  return JSON.stringify({
    version: il,
    fingerprint: n,
    seen_at: r,
    sth: e,
    ...o && { log_signature: J(o) },
  });
}
var gk = D({ version: Pn, fingerprint: nt, seen_at: Pn, sth: kn, log_signature: As.optional() });
function _y(t, e) {
  let { version: n, fingerprint: r, seen_at: o, sth: s, log_signature: i } = gk.parseText(t, {
    where: "remembered head",
    code: by,
  });
  if (n !== il || s.tree_head.network_id !== e) {
    throw new C(by, `Cannot read remembered head: expected version ${il} of network ${e}`);
  }
  return { sth: s, fingerprint: r, seenAt: o, ...i !== void 0 && { logSignature: Oe(i) } };
}
async function Ey(t, e, n, r) {
  if (e.log_vkey === void 0) return;
  let o = On(n), { publicKey: s } = at(e.log_vkey);
  for (let { name: i, payload: a } of wk(o, r)) {
    if (i !== e.id || a.length !== pt.ed25519) continue;
    let f = Uint8Array.from(a);
    if (await t.ed25519(s, ee(o), f)) return f;
  }
}
function wk(t, e) {
  let n = lt(() => Bo(e));
  return n?.text === t ? n.signatures : [];
}
var yk = 4;
async function vy(t, e) {
  let { store: n, network: r, now: o } = t;
  for (let s = 1;; s++) {
    let i = n.read(r.id),
      a = i.kind === "head" ? i.head : void 0,
      { keep: f, ...d } = await bk(t, a, e);
    e.throwIfAborted(), d.fork !== void 0 && n.keepEvidence(r.id, d.fork.evidence);
    let u = { ...d, checkedAt: o() };
    if (i.kind === "damaged" || i.kind === "blocked") return { ...u, memory: i.kind };
    if (f === void 0) return { ...u, memory: "unchanged" };
    let l = n.replace(i.kind === "head" ? i.text : void 0, f);
    if (l !== "changed") return { ...u, memory: l };
    if (s === yk) return { ...u, memory: "unchanged" };
  }
}
async function bk(t, e, n) {
  let r = e === void 0 ? {} : { known: e }, o;
  try {
    o = (await t.gateway.sth(void 0, n)).value;
  } catch (s) {
    return s instanceof Ne && s.reason === "no_tree_head"
      ? e === void 0 ? { finding: "empty" } : { finding: "denied", known: e, ...cl(s) }
      : { ...al(s, n), ...r };
  }
  return await Sy(t, e, o, n);
}
async function Sy(t, e, n, r) {
  let o = e === void 0 ? {} : { known: e },
    { crypto: s, network: i, gateway: a } = t,
    f = await Tt(s, i, n);
  if (!f.valid) {
    let d = await La(s, a, i, r);
    return d !== void 0 ? await Sy({ ...t, network: d }, e, n, r) : {
      finding: e === void 0 && n.tree_head.network_id !== i.id ? "other_network" : "unverified",
      ...o,
      seen: n,
      outcome: f,
    };
  }
  return e === void 0
    ? { finding: "first", seen: n, outcome: f, keep: await fc(t, n, r) }
    : { outcome: f, ...await xk(t, { known: e, seen: n }, r) };
}
async function xk(t, { known: e, seen: n }, r) {
  let o = { known: e, seen: n }, s;
  try {
    s = await Bw(
      t,
      { known: e.sth, seen: n },
      async (d, u) => (await t.gateway.consistency(d, u, r)).value,
    );
  } catch (d) {
    return { ...al(d, r), ...o };
  }
  let { refusal: i, ...a } = s;
  if (i !== void 0 && i.reason !== "tree_size_not_published") return { ...al(i, r), ...o };
  let f = { ...a, ...o, ...i && cl(i) };
  switch (f.finding) {
    case "same": {
      let d = e.logSignature ? void 0 : await fc(t, n, r);
      return { ...f, ...d?.logSignature && { keep: d } };
    }
    case "extends":
      return { ...f, keep: await fc(t, n, r) };
    case "fork": {
      let d = await _k(t, o, f.proof, r);
      return { ...f, fork: d };
    }
    default:
      return f;
  }
}
async function _k(t, { known: e, seen: n }, r, o) {
  let s = await fc(t, n, o);
  return await Cw(t, { known: e, seen: s }, r);
}
async function fc({ crypto: t, network: e, fingerprint: n, gateway: r, now: o }, s, i) {
  let a = { sth: s, fingerprint: n, seenAt: o() };
  try {
    let f = await r.checkpoint(i), d = await Ey(t, e, s.tree_head, f);
    return { ...a, ...d && { logSignature: d } };
  } catch (f) {
    if (i.throwIfAborted(), !(f instanceof C)) throw f;
    return a;
  }
}
function al(t, e) {
  return e.throwIfAborted(),
    { finding: Lt(t, "gateway_unreachable") ? "unreachable" : "refused", ...cl(t) };
}
function cl(t) {
  if (!(t instanceof C)) throw t;
  return { fault: { code: t.code, message: t.message } };
}
function uc({ check: t, fault: e }) {
  return Ho(e) || t?.finding === "unreachable" || t?.finding === "refused";
}
var dc = class {
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
        s = await this.#e.exclusively(o, () => vy(r, e)),
        i = s.fork?.evidence ?? r.store.evidence(o);
      return { trust: n, check: s, ...i !== void 0 && { evidence: i } };
    } catch (n) {
      if (e.aborted) return {};
      if (!(n instanceof C)) throw n;
      let { trust: r, evidence: o } = this.#n;
      return { ...r && { trust: r }, ...o !== void 0 && { evidence: o }, fault: n };
    }
  }
  #s(e) {
    this.#n = e;
    for (let n of this.#t) n();
  }
};
function Ty({ state: t, recheck: e }) {
  let { check: n, fault: r, isChecking: o, trust: s } = t,
    i = Sa() !== void 0 && uc(t),
    a = n === void 0 ? void 0 : ni(n),
    f = a?.tone === "good" && !s?.isPinned ? "info" : a?.tone;
  return c(Q, {
    title: "Last check",
    aside: c(H, {
      children: [
        n !== void 0 &&
        c(H, {
          children: [
            c(ie, { tone: f, children: a.badge }),
            c("span", {
              class: "muted small",
              children: ["Checked ", c(xr, { time: n.checkedAt })],
            }),
          ],
        }),
        c(de, { disabled: o, onClick: e, children: o ? "Checking" : "Check again" }),
      ],
    }),
    children: [
      i
        ? c("p", { class: "muted", children: "The log is checked when the gateway answers again." })
        : r === void 0 || o
        ? null
        : c(je, { error: r, title: "Cannot check the log" }),
      n === void 0 || i
        ? o && !i ? c(dn, { label: "Checking the log" }) : null
        : c(Ek, { check: n, networkId: s?.network.id ?? "", tone: f }),
    ],
  });
}
function Ek({ check: t, networkId: e, tone: n }) {
  let r = ni(t), o = yy(t), s = vk(t);
  return c(H, {
    children: [
      c(re, {
        tone: n,
        live: !0,
        title: r.title,
        children: [
          c("p", { children: r.meaning }),
          c(Sk, { check: t }),
          r.steps.length === 0 ? null : c("ol", {
            class: "next-steps",
            children: r.steps.map((i) => c("li", { children: i }, i)),
          }),
          t.fork !== void 0 ? c(qu, { ...t.fork, networkId: e }) : r.tone === "bad"
            ? c(fn, {
              fileName: `${ti(e)}.${t.finding}.json`,
              text: Tk(t, e),
              children: "Download what was seen",
            })
            : null,
        ],
      }),
      o !== void 0 && c(re, { tone: "warn", title: o }),
      s.length === 0 ? null : c(nc, { caption: "Remembered and shown tree heads", heads: s }),
    ],
  });
}
function vk({ known: t, seen: e, finding: n }) {
  let r = [];
  return t !== void 0 && !(n === "first" || n === "same") && r.push(["Remembered", t.sth]),
    e !== void 0 && r.push(["Shown now", e]),
    r;
}
function Sk({ check: { outcome: t, fault: e } }) {
  let n = t === void 0 || t.valid || t.reason === void 0;
  return e === void 0 && n ? null : c("p", {
    class: "failure-code",
    children: [c("code", { children: e?.code ?? t?.reason }), " ", e?.message ?? Nn(t)],
  });
}
function Tk(t, e) {
  let { finding: n, checkedAt: r, known: o, seen: s, proof: i } = t,
    a = { finding: n, network_id: e, checked_at: r, known: o?.sth, seen: s, consistency_proof: i };
  return `${JSON.stringify(a, void 0, 2)}
`;
}
var ky = "countersign log sth --verify";
function Oy({ trust: t }) {
  return c(Q, {
    title: "What you trust",
    aside: t === void 0
      ? void 0
      : t.isPinned
      ? c(ie, { tone: "good", children: "Pinned" })
      : c(ie, { tone: "warn", children: "Not pinned" }),
    children: [
      t !== void 0 &&
      c(st, {
        items: {
          Network: c("span", { class: "mono", children: t.network.id }),
          Fingerprint: c(we, { text: t.fingerprint, what: "fingerprint" }),
        },
      }),
      t?.isPinned === !1 && c("p", {
        children: [
          "You have not pinned a configuration, so this page uses the witness keys that the gateway names. It still notices if the log changes from now on. It cannot notice a gateway that showed a false network on your first visit.",
          " ",
          c("a", { href: ue({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
      c("p", {
        children:
          "This page comes from the gateway that it checks. To check without trusting the gateway's page, run the command line, which remembers the log in the same way:",
      }),
      c("p", {
        class: "row",
        children: [c("code", { children: ky }), c(Bn, { text: ky, what: "command" })],
      }),
    ],
  });
}
function Ay() {
  let { watch: t } = Y(),
    e = Ae(t),
    { trust: n, check: r, evidence: o } = e,
    s = t.stored(),
    i = r === void 0 && e.isChecking;
  return c(H, {
    children: [
      c(ft, {
        title: "Check the log",
        children:
          "A transparency log may only grow. This browser remembers the last tree head that it saw. At every visit, on every page, the gateway must prove that its log grew from there.",
      }),
      c(Ty, { state: e, recheck: () => void t.check() }),
      o === void 0 || r?.fork !== void 0
        ? null
        : c(Iw, { evidence: o, networkId: n?.network.id ?? "" }),
      i ? null : c("div", {
        class: "grid",
        children: [
          s === void 0 || n === void 0 ? null : c(wy, {
            stored: s,
            fingerprint: n.fingerprint,
            forget: () => void t.forget(),
          }),
          c(Oy, { trust: n }),
        ],
      }),
    ],
  });
}
function By({ index: t }) {
  let e = Y(), [n, r] = Ie((o) => kk(e, t, o), [t]);
  return c(H, {
    children: [
      c(ft, {
        title: `Position ${U(t)}`,
        isBelowExplore: !0,
        children: "The attestation at this place in the log; the first one is at position 0.",
      }),
      c(Pe, {
        loaded: n,
        what: "the position",
        retry: r,
        render: ({ size: o }) =>
          o === void 0 ? c("p", { role: "status", children: "Opening its proof" }) : c(Q, {
            title: "Not in the log",
            children: c(ct, {
              title: "The log has no such position yet",
              children: c("p", { children: ["It has ", X(o, "attestation"), "."] }),
            }),
          }),
      }),
    ],
  });
}
async function kk(t, e, n) {
  let r = await gr(t, void 0, n).catch((f) => {
      if (!wr(f, "no_tree_head")) throw f;
    }),
    { tree_size: o = 0, network_id: s = "" } = r?.sth.tree_head ?? {};
  if (e >= o) return { size: o };
  let i = { start: e, end: e + 1, size: o, networkId: s }, [a] = await to(t, i, n);
  return location.replace(ue({ page: "proof", hash: a.hash })), {};
}
var Ok = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};
function fl({ job: t }) {
  let [e, n] = t.progress === "batched" ? ["good", "In the log"] : Ok[t.status];
  return c(Q, {
    title: "At the gateway",
    aside: c(ie, { tone: e, children: n }),
    children: [
      c(st, {
        items: {
          Hash: c(we, { text: t.hash, what: "hash" }),
          Accepted: c(un, { time: t.created_at }),
          "Last change": c(un, { time: t.updated_at }),
          Attempts: U(t.attempts),
          "Next attempt": t.next_attempt_at && c(un, { time: t.next_attempt_at }),
          Batch: t.batch_id && c(_r, { id: t.batch_id }),
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
var ul = 360,
  Ln = { width: 104, height: 26 },
  lc = ul / 2,
  Cy = { left: Ln.width / 2 + 2, right: ul - Ln.width / 2 - 2 },
  Ny = 50,
  Ak = 8;
function Ry(t) {
  let { tree: e, leafHash: n, index: r, size: o, steps: s, isVerified: i } = t,
    a = s.length * Ny + Ln.height + 4,
    f = (u) => a - 2 - Ln.height / 2 - u * Ny,
    d = `Leaf ${U(r)} of the ${e} of ${X(o, "leaf", "leaves")}: ${
      X(s.length, "step")
    } up to the root, which is ${i ? "" : "not "}verified`;
  return c("figure", {
    class: "path",
    children: [
      c("figcaption", { children: [d, "."] }),
      c("svg", {
        class: `path-picture ${i ? "path-verified" : "path-unverified"}`,
        viewBox: `0 0 ${ul} ${a}`,
        role: "img",
        "aria-label": d,
        children: [
          s.map((u, l) => c(Bk, { side: u.side, from: f(l), to: f(l + 1) }, l)),
          s.map((u, l) =>
            c(dl, { x: Cy[u.side], y: f(l), hash: u.sibling, style: "path-sibling" }, l)
          ),
          s.map((u, l) =>
            c(dl, {
              x: lc,
              y: f(l + 1),
              hash: u.node,
              style: l === s.length - 1 ? "path-root" : "path-node",
            }, l)
          ),
          c(dl, { x: lc, y: f(0), hash: n, style: s.length === 0 ? "path-root" : "path-leaf" }),
        ],
      }),
      c("details", {
        children: [
          c("summary", { children: "The path as text" }),
          c(Nk, { leafHash: n, steps: s }),
        ],
      }),
    ],
  });
}
function Bk({ side: t, from: e, to: n }) {
  let [r, o] = [n + Ln.height / 2, e - Ln.height / 2];
  return c("g", {
    class: "path-edges",
    children: [
      c("path", { d: `M${lc} ${o}V${r}` }),
      c("path", { class: "path-edge-side", d: `M${Cy[t]} ${o}V${(r + o) / 2}H${lc}` }),
    ],
  });
}
function dl({ x: t, y: e, hash: n, style: r }) {
  return c("g", {
    class: r,
    children: [
      c("rect", {
        x: t - Ln.width / 2,
        y: e - Ln.height / 2,
        width: Ln.width,
        height: Ln.height,
        rx: 4,
      }),
      c("text", { x: t, y: e + 4, "text-anchor": "middle", children: `${n.slice(0, Ak)}\u2026` }),
    ],
  });
}
function Nk({ leafHash: t, steps: e }) {
  return c("ol", {
    class: "path-list",
    children: [
      c("li", { children: ["The leaf: ", c(we, { text: t, what: "leaf hash" })] }),
      e.map(({ side: n, sibling: r, node: o }, s) =>
        c("li", {
          children: [
            "With ",
            c(we, { text: r }),
            " on the ",
            n,
            s === e.length - 1 ? ", the root:" : ":",
            " ",
            c(we, { text: o }),
          ],
        }, s)
      ),
    ],
  });
}
function My({ bundle: t, found: e, trust: n, fileName: r }) {
  let { verdict: o, isOtherFile: s } = e,
    { network: i, pins: a, isPinned: f } = n,
    { tone: d, sentence: u, notes: l } = Va({
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
        tone: Ga(d, a),
        icon: h ? "seal" : d === "warn" ? "warning" : "cross",
        live: !0,
        title: u,
        children: [
          l.map((p) => c("p", { children: p }, p)),
          h && r === void 0 &&
          c("p", {
            children: "No file was compared. Choose the file to check that it has this hash.",
          }),
          !f && c(Yo, { isPinned: !1 }),
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
function hc({ bundle: t, found: e, trust: n, children: r }) {
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
              c(Q, {
                title: "What was attested",
                children: c(st, {
                  items: {
                    "SHA-256": c(we, { text: f.hash, what: "hash" }),
                    Network: f.network_id,
                    Time: ye(f.timestamp),
                    "Position in the log": U(f.sequence),
                    "Signed with": d.size === 1
                      ? "no other attestation"
                      : `${X(d.size - 1, "other")} in one round`,
                  },
                }),
              }),
              c(Q, { title: "When it was signed", children: c(Ck, { time: o.time }) }),
            ],
          }),
          c(Q, { title: "Layers", children: c(cw, { bundle: t, verdict: o, isPinned: l }) }),
          c(Q, {
            title: `Witnesses of ${u.id}`,
            children: c(yt, {
              caption: "Witnesses and what they signed",
              rows: s,
              keyOf: ({ id: h }) => h,
              columns: [
                [
                  "Witness",
                  ({ id: h }) => c("span", { class: "witness-id", children: Wo(h, u.id) }),
                ],
                ["Attestation", ({ attestation: h }) => c(Ly, { state: h })],
                [
                  "Tree head",
                  ({ head: h }) =>
                    h === void 0
                      ? c("span", { class: "muted", children: "none" })
                      : c(Ly, { state: h }),
                ],
              ],
            }),
          }),
          a.length === 0 ? null : c(Q, {
            title: "Path to the root",
            children: c("div", {
              class: "paths",
              children: a.map((h) => c(Ry, { leafHash: i, ...h }, h.tree)),
            }),
          }),
          c(Q, {
            title: "What this does not prove",
            children: c(Ik, { trust: n, unauthenticated: o.unauthenticated }),
          }),
          r,
        ],
      }),
    ],
  });
}
function Ck({ time: t }) {
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
              c("b", { children: ye(n.time) }),
              ". Only clocks vouch for this time: no random beacon proves when it was signed at the earliest.",
            ],
          })
          : c("p", {
            children: [
              "Between ",
              c("b", { children: ye(e.time) }),
              " and ",
              c("b", { children: ye(n.time) }),
              ".",
            ],
          }),
        c("ul", {
          class: "bounds",
          children: [
            t.not_before.map((r) => c(Iy, { name: "Not before", ...r }, r.source)),
            t.not_after.map((r) => c(Iy, { name: "Not after", ...r }, `${r.source} ${r.word}`)),
          ],
        }),
        t.failed.map(({ source: r, reason: o }) =>
          c(re, {
            tone: "warn",
            title: `${r} does not verify`,
            children: c("p", { children: Jt[o] }),
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
                ye(o.time),
                " precedes ",
                r.source,
                " of",
                " ",
                ye(r.time),
                ": one of them is wrong.",
              ],
            }),
          }, s)
        ),
      ],
    });
}
function Iy({ name: t, source: e, time: n, word: r }) {
  return c("li", { children: [t, " ", ye(n), ": ", e, ", vouched for by ", r] });
}
var Rk = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Not configured"],
};
function Ly({ state: t }) {
  let [e, n] = Rk[t];
  return c(ie, { tone: e, children: n });
}
function Ik({ trust: t, unauthenticated: e }) {
  let { network: n, pins: r } = t,
    o = r === void 0
      ? "This gateway"
      : r.home.source === "file"
      ? `Your file ${r.home.name}`
      : `This gateway, ${r.home.name}`;
  return c(H, {
    children: [
      c("ul", { children: Xr.map((s) => c("li", { children: s }, s)) }),
      e.length === 0 ? null : c("details", {
        children: [
          c("summary", { children: [X(e.length, "field"), " without a signature"] }),
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
function ll(t, { leafHash: e, index: n, size: r, path: o }) {
  let s = [], [i, a, f] = [e, n, r - 1];
  for (let d of o) {
    if (f <= 0) break;
    for (; a === f && a % 2 === 0 && f > 0;) [a, f] = [a / 2, f / 2];
    let u = Ue(d, T) ?? new Uint8Array(T), l = a % 2 === 1 ? "left" : "right";
    i = l === "left" ? t.nodeHash(u, i) : t.nodeHash(i, u),
      s.push({ side: l, sibling: d, node: J(i) }),
      [a, f] = [Math.floor(a / 2), Math.floor(f / 2)];
  }
  return s;
}
function Fy(t, e, { layers: n }) {
  let r = e.batch_inclusion?.sth, o = new Set(t.witnesses.map(({ id: i }) => i));
  return [...new Set([...o, ...fr(e.signed_attestation), ...r === void 0 ? [] : fr(r)])].map(
    (i) => {
      let a = o.has(i);
      return {
        id: i,
        attestation: Hy(i, a, e.signed_attestation, n.attestation),
        head: r && Hy(i, a, r, n.batch),
      };
    },
  );
}
function Hy(t, e, n, { signatures: r, witness: o }) {
  return e
    ? fr(n).includes(t)
      ? r?.signers.includes(t) ? "verified" : o === t ? "wrong" : "not_counted"
      : "missing"
    : "unknown";
}
async function $y(t, e, n, r) {
  let o = await zn(t, e, n, {}), { attestation: s } = n.signed_attestation, i = zo(t.kernels, s);
  return {
    verdict: o,
    isOtherFile: r !== void 0 && r !== s.hash,
    witnesses: Fy(e.network, n, o),
    leafHash: J(i),
    paths: Lk(t, n, { verdict: o, leafHash: i }),
  };
}
function Lk(
  { kernels: t },
  { signed_attestation: e, batch_inclusion: n },
  { verdict: { layers: r }, leafHash: o },
) {
  let s = [];
  if (n !== null) {
    let i = e.attestation.sequence,
      a = n.sth.tree_head.tree_size,
      f = n.merkle_proof.inclusion_path,
      d = ll(t, { leafHash: o, index: i, size: a, path: f }),
      u = r.batch.status === "verified";
    s.push({ tree: "log", index: i, size: a, steps: d, isVerified: u });
  }
  if (e.round.size > 1) {
    let { index: i, size: a, inclusion_path: f } = e.round,
      d = ll(t, { leafHash: o, index: i, size: a, path: f }),
      u = r.attestation.status === "verified";
    s.push({ tree: "round", index: i, size: a, steps: d, isVerified: u });
  }
  return s;
}
function pc(t, { proof: e, trust: n, content: r }) {
  let o = r.state === "hashed" ? r.hash : void 0,
    s = n && [n.fingerprint, ...n.peers.map(Rt)],
    [i, a] = Ie(async () => {
      if (e === void 0 || n === void 0) return;
      let d = await t.crypto.crypto();
      return await $y(d, n, e.bundle, o);
    }, [e?.text, o, s]);
  if (e === void 0 || n === void 0 || r.state === "failed") return { state: "idle" };
  if (r.state === "hashing") return { state: "waiting", label: "Waiting for the hash of the file" };
  if (i.state === "failed") return { state: "failed", error: i.error, retry: a };
  if (i.value === void 0) return { state: "waiting", label: "Verifying in this browser" };
  let f = r.state === "hashed" ? r.name : void 0;
  return { state: "found", view: { bundle: e.bundle, found: i.value, trust: n, fileName: f } };
}
function mc({ verification: t }) {
  switch (t.state) {
    case "idle":
      return null;
    case "waiting":
      return c(dn, { label: t.label });
    case "failed":
      return c(je, { error: t.error, retry: t.retry });
    case "found":
      return c(My, { ...t.view });
  }
}
var Mk = 2e3;
function Py({ hash: t }) {
  let e = Y(),
    [n, r] = Ie(async (s) => (await e.api.job(t, 0, s)).value, [t]),
    o = n.value?.status === "failed" ? "failed" : n.value?.progress;
  return Te(() => {
    if (o === void 0 || o === "batched" || o === "failed") return;
    let s = setInterval(r, Mk);
    return () => clearInterval(s);
  }, [o]),
    c(H, {
      children: [
        c(ft, {
          title: "Proof",
          isBelowExplore: !0,
          children: "Fetched from this gateway and verified in this browser.",
        }),
        n.state === "failed" && wr(n.error, "hash_unknown") ? c(Hk, { hash: t }) : c(Pe, {
          loaded: n,
          what: "the proof",
          retry: r,
          render: (s) => s.status === "confirmed" ? c(Fk, { job: s }) : c(fl, { job: s }),
        }),
      ],
    });
}
function Hk({ hash: t }) {
  return c(Q, {
    title: "Not found",
    children: [
      c(we, { text: t, what: "hash" }),
      c(ct, {
        title: "This gateway does not know the hash",
        children: [
          c("p", { children: "Nobody submitted it here, or it is the hash of other content." }),
          c("p", {
            children: c("a", {
              class: "button",
              href: ue({ page: "stamp" }),
              children: [c(Xe, { name: "seal" }), c("span", { children: "Stamp something" })],
            }),
          }),
        ],
      }),
    ],
  });
}
function Fk({ job: t }) {
  let { hash: e, progress: n } = t,
    r = Y(),
    o = Qt(Ae(r.trust)),
    [s, i] = Ie(async (p) => {
      let { text: m, value: g } = await Zs(r.api, e, p);
      return { text: m, bundle: g };
    }, [e, n]),
    [a, f] = Ie((p) => qn(r, p), [o]),
    [d, u] = Jo(r),
    l = pc(r, { proof: s.value, trust: a.value, content: d }),
    h = va({ page: "proof", hash: e });
  return c(H, {
    children: [
      c(Pe, { loaded: a, what: "the network", retry: f, render: () => c(mc, { verification: l }) }),
      c(Pe, {
        loaded: s,
        what: "the proof",
        retry: i,
        render: ({ text: p }) =>
          c("div", {
            class: "verify-columns",
            children: [
              c(Q, {
                title: "This proof",
                children: [
                  c("p", {
                    class: "stamp-hash",
                    children: [
                      c("span", { class: "muted nowrap", children: "SHA-256" }),
                      " ",
                      c(we, { text: e, what: "hash" }),
                    ],
                  }),
                  c("div", {
                    class: "row",
                    children: [
                      c(fn, {
                        fileName: `${e}.countersign.json`,
                        text: p,
                        primary: !0,
                        children: "Download the proof",
                      }),
                      c(Bn, { text: h, what: "link to this page", named: !0 }),
                      c("a", {
                        class: "button",
                        href: ue({ page: "certificate", hash: e }),
                        children: [
                          c(Xe, { name: "file" }),
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
              c(Q, { title: "Is it about your file?", children: c(ic, { content: d, choose: u }) }),
            ],
          }),
      }),
      l.state === "found" && c(hc, { ...l.view, children: c(fl, { job: t }) }),
    ],
  });
}
function jy({ label: t, action: e, onHash: n }) {
  let [r, o] = K(""), [s, i] = K(void 0);
  return c("form", {
    class: "field",
    onSubmit: (u) => {
      u.preventDefault();
      let l = cc(r);
      if ("fault" in l) return i(l.fault);
      i(void 0), o(""), n(l.hash);
    },
    noValidate: !0,
    children: c(Uo, {
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
function $k(t) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(t) ? t : `'${t.replaceAll("'", "'\\''")}'`;
}
function Dy(t) {
  return $k(t.startsWith("-") ? `./${t}` : t);
}
function Uy(t) {
  return t.slice(t.lastIndexOf("/") + 1);
}
function ri(t) {
  return `${t.name ?? t.hash.slice(0, 16)}.countersign.json`;
}
function zy(t) {
  return t.name !== void 0
    ? `countersign verify ${Dy(t.name)}`
    : `countersign verify-proof --bundle ${Dy(ri(t))} --hash ${t.hash}`;
}
function hl({ bundle: t, hash: e, unverified: n }) {
  let r = Y(),
    o = Ae(r.trust),
    [s] = Ie(async () => {
      let { state: u } = r.trust;
      if (u.state !== "pinned") return;
      let l = await r.crypto.crypto();
      return await zn(l, Ko(u.trust), t.value, { hash: e });
    }, [Qt(o), t.text, e]);
  if (o.state !== "pinned") {
    return n ??
      c("span", {
        class: "muted small",
        children: [
          "Not verified here: no configuration is pinned.",
          " ",
          c("a", { href: ue({ page: "proof", hash: e }), children: "Pin one and verify" }),
        ],
      });
  }
  if (s.state === "failed") {
    return c(ie, { tone: "warn", children: "Cannot be verified in this browser" });
  }
  let i = s.value;
  if (i === void 0) return n ?? c("span", { class: "muted small", children: "Verifying" });
  let { name: a, tone: f } = Xs(i);
  if (i.valid) {
    let u = Ga(f, o.trust);
    return c(ie, { tone: u, icon: "seal", children: ["Verified here: ", a] });
  }
  let { reason: d } = i.layers.attestation;
  return c(re, {
    tone: "bad",
    live: !0,
    title: "The gateway's proof is invalid",
    children: c("p", {
      children: [d === void 0 ? "" : Jt[d], " Do not rely on it. Keep it as evidence."],
    }),
  });
}
var oi = class {
    #e = new Set();
    subscribe(e) {
      return this.#e.add(e), () => this.#e.delete(e);
    }
    notify() {
      for (let e of this.#e) e();
    }
  },
  Mn = class extends oi {
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
var Pk = { firstMs: 1e3, longestMs: 15e3 },
  jk = 864e5,
  Qo = class extends Mn {
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
          if (n?.aborted || !qy(r)) throw r;
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
        let s = new Xo(Pk, this.#e.random);
        for (let i = n;;) {
          this.setState(i), await this.#s(i, s.afterFailure());
          try {
            return await e();
          } catch (a) {
            if (r?.aborted || !qy(a)) throw a;
            i = a;
          }
        }
      } finally {
        this.#t = void 0, o();
      }
    }
    #s(e, n) {
      let o = e instanceof Ne || e instanceof jo ? e.retryAfter : void 0;
      return o === void 0 ? this.#e.wait(n) : this.#e.sleep(Math.min(Math.max(n, o * 1e3), jk));
    }
  };
function qy(t) {
  return Ho(t) || Do(t);
}
function Vn({ phase: t, job: e }) {
  return (t === "anchoring" || t === "settled") && e?.status === "confirmed";
}
function wc({ phase: t, job: e, isSaved: n }) {
  return n !== !0 && t !== "cancelled" && t !== "failed" && e?.status !== "failed";
}
var gc = class extends oi {
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
var Gy = 200,
  Dk = 3,
  Vy = 10,
  Ky = 500,
  Uk = 2e3,
  zk = 5e3,
  qk = 120,
  Gk = 4,
  Vk = { isTransient: () => !1 },
  yc = class {
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
      this.#e = e, this.#t = n, this.submissions = new Qo(e), this.questions = e.questions;
    }
    start() {
      this.#a(this.#h);
    }
    show(e) {
      this.#o = e, this.#c();
    }
    async fetchProof({ id: e, hash: n }) {
      let r = await this.questions.ask(() => Zs(this.#e.gateway, n)), o = this.#t.get(e);
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
        let r = Math.min(Gy, await this.submissions.ask(n)),
          o = () => this.#t.inPhase("sending", r);
        await this.#u("sending", o, (s) =>
          this.submissions.ask(() => {
            let i = s();
            if (i.length === 0) return Promise.resolve([]);
            let a = this.#t.inPhase("sending", r + 1).length <= r;
            return e(i, a ? Dk : 0);
          })),
          this.#a(this.#p),
          this.#a(this.#m);
      }
    }
    async #p() {
      let { gateway: e, wait: n } = this.#e;
      for (;;) {
        let r = () => this.#t.inPhase("signing", Gy);
        if (r().length === 0) return;
        await this.#u("signing", r, (o) =>
          this.questions.ask(async () => {
            let [s, ...i] = o();
            return s === void 0
              ? []
              : i.length > 0
              ? await e.submit(o(), Vy, Vk)
              : [(await e.job(s, Vy)).value];
          })),
          this.#a(this.#m),
          r().length > 0 && await n(Ky);
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
      let s = m0(r) ? r.status === "failed" ? "settled" : "batching" : "signing";
      this.#t.put({ ...o, job: r, phase: s });
    }
    async #m() {
      let { gateway: e, wait: n } = this.#e, r = () => this.#t.inPhase("batching");
      for (; r().length > 0;) {
        this.#c();
        try {
          let o = r().every(Wy) ? 1 / 0 : await this.#d();
          this.anchoring ??= (await this.questions.ask(() => e.status())).value;
          for (let s of r()) {
            !Wy(s) && Kk(s) >= o ||
              this.#t.change(s.id, { phase: this.#f ? "anchoring" : "settled" });
          }
        } catch (o) {
          for (let { id: s } of r()) this.#t.change(s, { phase: "failed", error: o });
        }
        this.#c(), r().length > 0 && await n(Uk);
      }
    }
    async #d() {
      try {
        let { value: e } = await this.questions.ask(() => this.#e.gateway.sth());
        return e.tree_head.tree_size;
      } catch (e) {
        if (e instanceof Ne && e.reason === "no_tree_head") return 0;
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
          await Promise.all(Array.from({ length: Gk }, async () => {
            for (let s of r) await this.#y(s);
          })), n().some((s) => this.#l(s))
        ) {
          await e(Ky);
          continue;
        }
        let o = n().filter(({ phase: s }) => s === "anchoring");
        if (o.length === 0) return;
        await e(zk, this.#s.signal);
        for (let { id: s } of o) this.#r.add(s);
      }
    }
    #l(e) {
      return e.phase === "batching"
        ? e.bundle === void 0
        : Vn(e)
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
          (s > qk || pl(r.value, this.anchoring)) && this.#t.change(n, { phase: "settled" });
      } catch (r) {
        this.#t.change(n, { phase: "failed", error: r });
      }
    }
  };
function Wy({ job: t }) {
  return t?.progress === "batched";
}
function Kk({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? 1 / 0;
}
function pl(t, { peers: e, anchors: n }) {
  let r = new Set(t.cross_anchors.map((s) => s.witnessing_network)),
    o = t.external_anchors.filter(({ status: s }) => s === "confirmed");
  return e.every(({ id: s }) => r.has(s)) && o.length >= n.length;
}
function ml(t, e) {
  return [Wk(t), Yk(t), Zk(t), Xk(t, e)];
}
function Wk({ job: t, phase: e }) {
  let n = "Accepted";
  return t !== void 0
    ? { name: n, state: "done", text: ye(t.created_at) }
    : e === "failed"
    ? { name: n, state: "failed", text: "Not accepted" }
    : { name: n, state: "active", text: "Sending the hash" };
}
function Yk({ job: t }) {
  let e = "Confirmed";
  if (t === void 0) return { name: e, state: "waiting", text: "Signed by the witnesses" };
  if (t.status === "failed") {
    return { name: e, state: "failed", text: t.last_error?.message ?? "Nobody can sign it" };
  }
  if (t.signed_attestation !== void 0) {
    let { attestation: { network_id: o } } = t.signed_attestation,
      s = fr(t.signed_attestation).map((i) => Wo(i, o));
    return { name: e, state: "done", text: `Signed by ${s.join(", ")}` };
  }
  let n = t.attempts > 0 ? `, ${X(t.attempts, "attempt")}` : "",
    r = t.last_error === void 0 ? "" : `: ${t.last_error.code}`;
  return { name: e, state: "active", text: `Waiting for witnesses${n}${r}` };
}
function Zk(t) {
  let { job: e, bundle: n } = t, r = "Batched", o = n?.value.batch_inclusion ?? null;
  if (o !== null) {
    let { batch: s, merkle_proof: { leaf_index: i } } = o;
    return { name: r, state: "done", text: `Position ${U(i)} in the log`, batchId: s.id };
  }
  return Vn(t)
    ? { name: r, state: "done", text: "In the log" }
    : e?.status === "confirmed"
    ? { name: r, state: "active", text: "Waiting for the next batch" }
    : { name: r, state: "waiting", text: "Added to the log" };
}
function Xk({ bundle: t, phase: e }, n) {
  let r = "Anchored";
  if (n === void 0 || t === void 0) {
    return { name: r, state: "waiting", text: "Signed by other networks and services" };
  }
  if (n.peers.length + n.anchors.length === 0) {
    return { name: r, state: "skipped", text: "This network has no peers and no anchors" };
  }
  let o = pl(t.value, n) ? "done" : e === "settled" ? "skipped" : "active";
  return { name: r, state: o, text: Jk(t.value, n) };
}
function Jk({ cross_anchors: t, external_anchors: e }, { peers: n, anchors: r }) {
  let o = new Set(t.map(({ witnessing_network: a }) => a)).size,
    s = e.filter(({ status: a }) => a === "confirmed").length,
    i = e.length - s;
  return [
    ...n.length === 0 ? [] : [`${o} of ${X(n.length, "peer")}`],
    ...r.length === 0 ? [] : [`${s} of ${X(r.length, "external anchor")}`],
    ...i === 0 ? [] : [`${i} pending`],
  ].join(", ");
}
var Qk = {
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
function Yy({ phase: t, job: e, done: n = 0, size: r = 0 }) {
  if (e?.status === "failed") return { tone: "bad", text: "Failed" };
  let [o, s] = Qk[t], i = t === "hashing" && n > 0 ? ` ${Math.floor(100 * n / r)} %` : "";
  return { tone: o, text: s + i };
}
var e5 = [
  [["queued", "hashing"], "to hash"],
  [["sending"], "to send"],
  [["signing"], "waiting for witnesses"],
  [["batching"], "waiting for the next batch"],
  [["failed"], "failed"],
  [["cancelled"], "cancelled"],
];
function gl(t) {
  let e = new Map();
  for (let { phase: o } of t) e.set(o, (e.get(o) ?? 0) + 1);
  let n = (o) => o.reduce((s, i) => s + (e.get(i) ?? 0), 0),
    r = e5.map(([o, s]) => [n(o), s]).filter(([o]) => o > 0);
  return {
    logged: t.filter(Vn).length,
    failed: n(["failed"]),
    unfinished: n(["queued", "hashing", "sending", "signing", "batching"]),
    text: r.map(([o, s]) => `${U(o)} ${s}`).join(", "),
  };
}
function Zy(t) {
  let e = t.name ?? "The hash";
  if (t.phase === "hashing") return `${e}: hashing`;
  if (t.phase === "failed") return `${e}: failed`;
  if (t.phase === "cancelled") return `${e}: cancelled`;
  let n = t.hash === void 0
    ? void 0
    : ml(t, void 0).slice(0, 3).findLast(({ state: r }) => r === "done");
  return n === void 0 ? "" : `${e}: ${n.name.toLowerCase()}`;
}
var t5 = { done: "check", active: "clock", waiting: void 0, failed: "cross", skipped: void 0 },
  n5 = {
    done: "done",
    active: "in progress",
    waiting: "waiting",
    failed: "failed",
    skipped: "skipped",
  };
function bc({ steps: t }) {
  return c("ol", {
    class: "steps",
    children: t.map(({ name: e, state: n, text: r, batchId: o }) => {
      let s = t5[n];
      return c("li", {
        class: `step step-${n}`,
        children: [
          c("span", {
            class: "step-mark",
            "aria-hidden": "true",
            children: s !== void 0 && c(Xe, { name: s }),
          }),
          c("span", {
            class: "step-text",
            children: [
              c("span", {
                class: "step-name",
                children: [e, c("span", { class: "visually-hidden", children: [", ", n5[n]] })],
              }),
              c("span", { class: "step-detail", children: r }),
              o === void 0 ? null : c("a", {
                class: "step-detail",
                href: ue({ page: "batch", id: o }),
                children: ["Batch ", U(o)],
              }),
            ],
          }),
        ],
      }, e);
    }),
  });
}
function Xy({ row: t, isOpen: e, onToggle: n }) {
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
              c(Xe, { name: t.name === void 0 ? "key" : "file" }),
              c("span", { children: s }),
              t.size !== void 0 && c("span", { class: "muted small", children: Gn(t.size) }),
            ],
          }),
          c("div", {
            class: "card-aside",
            children: [
              n !== void 0 && c(r5, { row: t }),
              n !== void 0 &&
              c(de, {
                kind: "quiet",
                label: `${e ? "Hide" : "Show"} details of ${s}`,
                onClick: n,
                children: e ? "Hide" : "Details",
              }),
              c(s5, { row: t, stamps: o, title: s }),
            ],
          }),
        ],
      }),
      e ? c(o5, { row: t, stamps: o, isShort: n !== void 0 }) : t.phase === "failed" &&
        c("div", { class: "card-body", children: c(Jy, { row: t, stamps: o }) }),
    ],
  });
}
function Jy({ row: t, stamps: e }) {
  return c(je, { error: t.error, retry: () => e.retry(t.id) });
}
function r5({ row: t }) {
  let { tone: e, text: n } = Yy(t), r = c(ie, { tone: e, children: n });
  return t.bundle === void 0 || t.hash === void 0
    ? r
    : c(hl, { bundle: t.bundle, hash: t.hash, unverified: r });
}
function o5({ row: t, stamps: e, isShort: n }) {
  return c("div", {
    class: "card-body",
    children: [
      t.hash === void 0 ? c(i5, { row: t }) : c("p", {
        class: "stamp-hash",
        children: [
          c("span", { class: "muted nowrap", children: "SHA-256" }),
          " ",
          c(we, { text: t.hash, what: "hash" }),
        ],
      }),
      t.phase === "failed" && c(Jy, { row: t, stamps: e }),
      t.hash === void 0 || t.phase === "failed" && t.job === void 0
        ? null
        : c(bc, { steps: ml(t, e.follower.anchoring) }),
      t.hash === void 0 || t.bundle === void 0 ? null : c(a5, {
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
function s5({ row: t, stamps: e, title: n }) {
  return t.phase === "queued" || t.phase === "hashing"
    ? c(de, {
      kind: "quiet",
      label: `Cancel ${n}`,
      isRemoved: !0,
      onClick: () => e.cancel(t.id),
      children: "Cancel",
    })
    : c(H, {
      children: [
        t.phase !== "cancelled" ? null : c(de, {
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
          onClick: su(() => e.remove(t.id)),
          children: c(Xe, { name: "cross" }),
        }),
      ],
    });
}
function i5({ row: { phase: t, done: e = 0, size: n = 0 } }) {
  if (t === "cancelled") {
    return c("p", { class: "muted", children: "Cancelled. Nothing was sent." });
  }
  if (t === "queued") {
    return c("p", { class: "muted", children: "Waiting for other files to be hashed." });
  }
  if (t !== "hashing") return null;
  let r = `Hashing in this browser, ${Gn(e)} of ${Gn(n)}`;
  return c(ur, { label: r, value: e, max: n });
}
function a5({ name: t, hash: e, bundle: n, isShort: r, onSaved: o }) {
  let s = { name: t === void 0 ? void 0 : Uy(t), hash: e },
    i = zy(s),
    a = n.value.batch_inclusion !== null;
  return c("div", {
    class: "stamp-outcome",
    children: [
      c(hl, { bundle: n, hash: e }),
      c("div", {
        class: "row",
        children: [
          c(fn, {
            fileName: ri(s),
            text: n.text,
            primary: a,
            onSaved: o,
            children: a ? "Save the proof" : "Save the proof so far",
          }),
          c("a", {
            class: "button",
            href: ue({ page: "proof", hash: e }),
            children: "View the proof",
          }),
          r && c(Bn, { text: i, what: "command line", named: !0 }),
        ],
      }),
      r ? null : c("div", {
        class: "command",
        children: [c("code", { children: i }), c(Bn, { text: i, what: "command line" })],
      }),
    ],
  });
}
var es = class {
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
var si = class {
  width;
  #e;
  #t = !1;
  constructor(e) {
    this.width = qd(e), this.#e = e;
  }
  nodes(e) {
    return this.#e.subarray(0, e * T);
  }
  node(e, n, r) {
    n > 0 && !this.#t && (this.#e = e.treeLevels(this.nodes(this.width)), this.#t = !0);
    let o = r;
    for (let s = 0, i = this.width; s < n; s++) o += i, i = i + 1 >>> 1;
    return this.#e.subarray(o * T, (o + 1) * T);
  }
};
var xc = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  constructor(e, n, r) {
    this.#e = e,
      this.#t = n,
      this.#n = new es(r.tiles),
      this.#o = new es(r.sizes),
      this.#r = new es(r.tiles);
  }
  root(e) {
    if (e === 0) return Vd(this.#e);
    let n = this.#w(e);
    return n instanceof Promise ? n.then(rb) : rb(n);
  }
  inclusionPath(e, n) {
    return ka(e, n),
      this.#s(e, n, (r, o) => this.#a(e, n, { column: r, edge: o, from: 0, to: 1 / 0 }));
  }
  inclusionHex(e, n) {
    ka(e, n);
    let r = this.#c(e, n);
    return r !== void 0 ? r : this.#s(e, n, (o, s) => {
      let i = this.#a(e, n, { column: o, edge: s, from: 0, to: Lo });
      return [...nb(i), ...this.#h(e, n, o, s)];
    });
  }
  consistencyPath(e, n) {
    return this.#i(Ds(e, n), e - 1, n);
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
      l === d ? a.push(tb(o, u)) : l < d && a.push(this.#u(r, u, l)),
        f = Math.floor(f / 2),
        d = Math.floor(d / 2);
    }
    return a;
  }
  #c(e, n) {
    let r = Math.floor(e / Ze);
    if (r === Math.floor((n - 1) / Ze)) return;
    let o = this.#n.get(Qy(0, r)), s = this.#r.get(eb(e, n));
    if (s === void 0 || !(o instanceof si) || o.width < Ze) return;
    let i = [];
    for (let a = 0, f = e % Ze; a < Lo; a++, f >>>= 1) i.push(J(o.node(this.#e, a, f ^ 1)));
    return i.push(...s), i;
  }
  #h(e, n, r, o) {
    let s = eb(e, n), i = this.#r.get(s);
    if (i !== void 0) return i;
    let a = Lo, f = nb(this.#a(e, n, { column: r, edge: o, from: a, to: 1 / 0 }));
    return this.#r.set(s, f), f;
  }
  #p({ start: e, end: n }, r, o, s) {
    let i = 0;
    for (; 2 ** i < n - e;) i++;
    return n === r ? tb(s, i) : this.#u(o, i, e / 2 ** i);
  }
  #u(e, n, r) {
    let o = e[Math.floor(n / Lo)], s = n % Lo;
    return o.node(this.#e, s, r % (Ze >>> s));
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
    let s = me(...o);
    return this.#o.set(n, s), s;
  }
  #d(e, n) {
    let r = [], o = !0, s = e, i = n;
    do {
      s = Math.floor(s / Ze);
      let a = Mo(r.length, s, n), f = a === 0 ? void 0 : this.#f(r.length, s, a);
      f instanceof Promise && (o = !1), r.push(f), i = Math.ceil(i / Ze);
    } while (i > 1);
    return o ? r : Promise.all(r);
  }
  #f(e, n, r) {
    let o = Qy(e, n), s = this.#n.get(o);
    if (s instanceof Promise) return s.then((a) => a.width >= r ? a : this.#f(e, n, r));
    if (s !== void 0 && s.width >= r) return s;
    let i = this.#g(e, n, r);
    return this.#n.set(o, i), i.then((a) => this.#n.set(o, a), () => this.#n.delete(o)), i;
  }
  async #g(e, n, r) {
    let o = await this.#t.nodes(e, n, r);
    if (o.length !== r * T) {
      throw new C(
        "store_corrupt",
        `Cannot read tile ${n} of level ${e}: it has ${o.length} bytes instead of ${r * T}`,
      );
    }
    return new si(Gd(o, 0, r));
  }
};
function Qy(t, e) {
  return e * 64 + t;
}
function eb(t, e) {
  return `${Math.floor(t / Ze)}/${e}`;
}
function tb(t, e) {
  return t.subarray(e * T, (e + 1) * T);
}
function nb(t) {
  return t.map((e) => J(e));
}
function rb(t) {
  return t.subarray(t.length - T);
}
var c5 = { tiles: 1024, sizes: 64 },
  _c = class {
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
        let i = Math.max(s, Mo(r, o, this.#o));
        return (await e.tile(r, o, i)).subarray(0, s * T);
      };
      this.#t = new xc(e.kernels, { nodes: n }, c5);
    }
    async prepare(e) {
      let n = e.toSorted((o, s) => wl(o) - wl(s)), r = n.at(-1);
      return n.length > 1 && r !== void 0 && await this.#a(r).catch(() => {}), n;
    }
    async proof(e) {
      let n = e.job?.signed_attestation;
      if (n === void 0 || n.attestation.hash !== e.hash) return await this.#e.fetchProof(e);
      let { sequence: r } = n.attestation;
      for (;;) {
        if (r >= this.#r) return f5(n);
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
          ? this.#r = Math.min(this.#r, wl(e))
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
        if (!(g instanceof C)) throw g;
        this.#s = !1;
        return;
      }
      let h = zo(i, e.attestation), p = Ue(u, T) ?? new Uint8Array();
      if (!G0(i, { leafHash: h, index: f, size: d, path: l, root: p })) return;
      let m = {
        hash: a,
        leaf_hash: J(h),
        leaf_index: f,
        tree_size: d,
        inclusion_path: l.map((g) => J(g)),
        root_hash: u,
        batch_id: n.id,
      };
      return ob({
        signed_attestation: e,
        batch_inclusion: { batch: n, merkle_proof: m, sth: r },
        cross_anchors: o,
        external_anchors: s,
      });
    }
  };
function wl({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? -1;
}
function f5(t) {
  return ob({
    signed_attestation: t,
    batch_inclusion: null,
    cross_anchors: [],
    external_anchors: [],
  });
}
function ob(t) {
  return { value: t, text: JSON.stringify(t) };
}
var ib = 65534,
  d5 = { signature: 67324752, length: 30 },
  u5 = { signature: 33639248, length: 46 },
  l5 = { signature: 101010256, length: 22 },
  yl = 20,
  h5 = 2048,
  p5 = Uint32Array.from({ length: 256 }, (t, e) => {
    let n = e;
    for (let r = 0; r < 8; r++) n = n & 1 ? 3988292384 ^ n >>> 1 : n >>> 1;
    return n;
  });
function m5(t) {
  let e = 4294967295;
  for (let n of t) e = p5[(e ^ n) & 255] ^ e >>> 8;
  return ~e >>> 0;
}
function g5(t) {
  let e = new Date(t * 1e3),
    n = e.getUTCFullYear() - 1980 << 9 | e.getUTCMonth() + 1 << 5 | e.getUTCDate(),
    r = e.getUTCHours() << 11 | e.getUTCMinutes() << 5 | e.getUTCSeconds() >> 1;
  return (n << 16 | r) >>> 0;
}
function bl({ signature: t, length: e }, n) {
  let r = new Uint8Array(e), o = new DataView(r.buffer);
  o.setUint32(0, t, !0);
  let s = 4;
  for (let i of n) {
    typeof i == "number" ? o.setUint16(s, i, !0) : o.setUint32(s, i[0], !0),
      s += typeof i == "number" ? 2 : 4;
  }
  return r;
}
var Ec = class {
  #e = [];
  #t = [];
  #n = new Set();
  #o;
  #r = 0;
  constructor(e) {
    this.#o = g5(e);
  }
  add(e, n) {
    let r = ee(this.#s(w5(e))),
      o = this.#r,
      [s, i] = [[m5(n)], [n.length]],
      a = [h5, 0, [this.#o], s, i, i, r.length, 0];
    this.#i(bl(d5, [yl, ...a]), r, n), this.#t.push(bl(u5, [yl, yl, ...a, 0, 0, 0, [0], [o]]), r);
  }
  finish() {
    let [e, n] = [this.#r, this.#n.size];
    return this.#i(...this.#t),
      this.#i(bl(l5, [0, 0, n, n, [this.#r - e], [e], 0])),
      new Blob(this.#e, { type: "application/zip" });
  }
  #i(...e) {
    for (let n of e) this.#e.push(n), this.#r += n.length;
  }
  #s(e) {
    let n = e.indexOf(".", e.lastIndexOf("/") + 2),
      [r, o] = n < 0 ? [e, ""] : [e.slice(0, n), e.slice(n)],
      s = e;
    for (let i = 2; this.#n.has(sb(s)); i++) s = `${r} (${i})${o}`;
    return this.#n.add(sb(s)), s;
  }
};
function sb(t) {
  return t.normalize("NFC").toLowerCase();
}
function w5(t) {
  return t.split(/[/\\]+/).filter((e) => e !== "").map((e) => /^\.+$/.test(e) ? "_" : e).join("/");
}
var y5 = 4, b5 = 20;
function xl(t) {
  let e = t.filter((r) => r.phase === "batching" || Vn(r)),
    n = e.filter(({ isSaved: r }) => r !== !0);
  return (n.length > 0 ? n : e).slice(0, ib);
}
async function ab(t, { proofs: e, verify: n, onProgress: r, now: o, signal: s }) {
  let i = new Ec(o),
    a = [],
    f = [],
    d = [],
    u = (await e.prepare(t)).values(),
    [l, h] = [0, 0],
    p = async (g) => {
      try {
        return await e.proof(g);
      } catch (w) {
        if (!(w instanceof C) || (d.push(g), h === 0 && d.length >= Math.min(t.length, b5))) {
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
          ri({ name: g.name, hash: g.hash }),
          ee(`${x.trimEnd()}
`),
        ),
        r(++l, t.length);
    };
  try {
    await Promise.all(Array.from({ length: y5 }, async () => {
      for (let g of u) await m(g);
    }));
  } catch (g) {
    for (let w of u);
    throw g;
  }
  return { zip: i.finish(), count: h, whole: f, invalid: a, refused: d };
}
function cb(t, e) {
  let n = { ...t, ed25519: x5(t.ed25519) };
  return async (r, o) => {
    let s = await zn(n, e, r, { hash: o });
    return Xs(s).tone === "good";
  };
}
function x5(t) {
  let e = new Map();
  return (n, r, o) => {
    let s = [n, r, o].map(J).join(), i = e.get(s);
    return i === void 0 && e.set(s, i = t(n, r, o)), i;
  };
}
var _5 = 100, fb = 5;
function db(t) {
  let [e, n] = K({ state: "idle" }), r = Pt(new AbortController());
  return Te(() => () => r.current?.abort(), []), {
    saving: e,
    start: (i) => {
      r.current?.abort();
      let { signal: a } = r.current = new AbortController(),
        f = 0,
        d = (u) => {
          a.aborted || n(u);
        };
      d({ state: "running", done: 0, of: i.length }),
        E5(t, i, {
          signal: a,
          onProgress: (u, l) => {
            let h = t.clock.nowMs();
            h - f < _5 || (f = h, d({ state: "running", done: u, of: l }));
          },
        }).then(d, (u) => d({ state: "failed", error: u }));
    },
    stop: () => {
      r.current?.abort(), n({ state: "idle" });
    },
  };
}
async function E5({ api: t, line: e, stamps: n, trust: r, crypto: o, clock: s }, i, a) {
  let { state: f } = r,
    d = await o.crypto(),
    u = f.state === "pinned" ? cb(d, Ko(f.trust)) : void 0,
    l = new _c({
      fetchProof: (g) => n.follower.fetchProof(g),
      tile: (...g) => e.ask(() => t.tile(...g), a.signal),
      kernels: d.kernels,
    }),
    h = ht(s),
    p = await ab(i, { ...a, proofs: l, verify: u, now: h });
  a.signal.throwIfAborted();
  let m = new Date(h * 1e3).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  iu(`proofs-${m.replace("T", "-")}.zip`, p.zip);
  for (let g of p.whole) n.rows.change(g, { isSaved: !0 });
  return { state: "saved", archive: p, isVerified: u !== void 0 };
}
function ub({ rows: t, start: e }) {
  let n = xl(t);
  return n.length === 0 ? null : c(de, {
    icon: "download",
    kind: "primary",
    onClick: () => e(n),
    children: ["Save ", X(n.length, "proof")],
  });
}
function lb({ saving: t, start: e, stop: n }) {
  let { stamps: r } = Y();
  if (t.state === "running") {
    let { done: o, of: s } = t, i = `Collecting proofs, ${U(o)} of ${U(s)}`;
    return c("div", {
      class: "stamp-saving",
      children: [
        c(ur, { label: i, value: o, max: s }),
        c(de, { kind: "quiet", isRemoved: !0, onClick: n, children: "Stop collecting" }),
      ],
    });
  }
  if (t.state === "failed") {
    let o = () => e(xl(r.rows.state));
    return c(je, { error: t.error, title: "Cannot save the proofs", retry: o });
  }
  return t.state === "idle" ? null : c(H, {
    children: [
      c(v5, { rows: t.archive.refused }),
      c(S5, { archive: t.archive, isVerified: t.isVerified }),
    ],
  });
}
function v5({ rows: t }) {
  return t.length === 0 ? null : c(re, {
    tone: "warn",
    live: !0,
    title: `${X(t.length, "proof")} could not be saved`,
    children: c("p", {
      children: ["The gateway did not give the proof of ", hb(t), ". Save again later."],
    }),
  });
}
function S5({ archive: { count: t, whole: e, invalid: n }, isVerified: r }) {
  if (n.length > 0) {
    let o = n.length === 1 ? "does" : "do",
      s = `${X(n.length, "proof")} of the archive ${o} not verify`;
    return c(re, {
      tone: "bad",
      live: !0,
      title: s,
      children: c("p", { children: ["Do not rely on them. Keep them as evidence: ", hb(n), "."] }),
    });
  }
  return c(re, {
    tone: r ? "good" : "info",
    live: !0,
    title: `${X(t, "proof")} saved`,
    children: [
      e.length < t &&
      c("p", { children: [X(t - e.length, "proof"), " not in the log yet: save again later."] }),
      c("p", {
        children: r
          ? "Each was verified here. Keep the archive with the files."
          : "None was verified here: no configuration is pinned. Keep the archive with the files.",
      }),
    ],
  });
}
function hb(t) {
  let e = t.slice(0, fb).map(({ name: n, hash: r }) => n ?? r).join(", ");
  return t.length > fb ? `${e} and others` : e;
}
var T5 = 3, _l = 25, pb = 10;
function mb({ rows: t }) {
  let { stamps: e } = Y(),
    [n, r] = K(0),
    [o, s] = K(!1),
    [i, a] = K([]),
    f = gl(t),
    d = o && f.failed > 0,
    u = d ? t.filter(({ phase: b }) => b === "failed") : t,
    l = Math.max(0, Math.ceil(u.length / _l) - 1),
    h = Math.min(n, l) * _l,
    p = u.slice(h, h + _l),
    m = p.map(({ id: b }) => b);
  Te(() => e.follower.show(m), [m.join()]), Te(() => () => e.follower.show([]), []);
  let g = t.length > T5, w = (b) => a((x) => x.includes(b) ? x.filter((y) => y !== b) : [...x, b]);
  return c(H, {
    children: [
      c(A5, {}),
      c("p", {
        class: "visually-hidden",
        role: "status",
        children: g ? k5(f.logged, t.length) : t.map(Zy).filter(Boolean).join(". "),
      }),
      t.length > 1 && c(O5, { rows: t, isFiltered: d, onFilter: () => s(!d) }),
      c("div", {
        class: g ? "stamp-rows" : "stack",
        children: p.map((b) =>
          c(Xy, {
            row: b,
            isOpen: !g || i.includes(b.id),
            onToggle: g ? () => w(b.id) : void 0,
          }, b.id)
        ),
      }),
      c(br, {
        label: "Pages of the list",
        names: ["Back", "Next"],
        onBack: h === 0 ? void 0 : () => r(Math.min(n, l) - 1),
        onNext: n >= l ? void 0 : () => r(n + 1),
        children: [U(h + 1), " to ", U(h + p.length), " of ", U(u.length)],
      }),
    ],
  });
}
function k5(t, e) {
  let n = Math.floor(100 * t / e / pb) * pb;
  return n === 0 ? "" : `${n} percent of ${X(e, "stamp")} are in the log`;
}
function O5({ rows: t, isFiltered: e, onFilter: n }) {
  let r = Y(),
    { stamps: o } = r,
    s = db(r),
    [i, a] = K(!1),
    { failed: f, unfinished: d, logged: u, text: l } = gl(t),
    h = t.filter(wc).length,
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
        ? c(ur, { label: l, value: u, max: t.length })
        : l !== "" && c("p", { class: "muted small", children: l }),
      c("div", {
        class: "row",
        children: [
          s.saving.state !== "running" && c(ub, { rows: t, start: s.start }),
          f > 0 &&
          c(H, {
            children: [
              c(de, { onClick: m, children: ["Try ", X(f, "failed row"), " again"] }),
              c(de, { onClick: n, children: e ? "Show all" : "Show failed only" }),
            ],
          }),
          c(de, { kind: "quiet", onClick: () => h > 0 ? a(!0) : p(), children: "Clear the list" }),
        ],
      }),
      c(lb, { ...s }),
      i && c(Er, {
        title: `${X(h, "proof")} ${h === 1 ? "is" : "are"} not saved`,
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
function A5() {
  return Ae(Y().tokens)
    ? c("p", {
      class: "muted small",
      children:
        "This gateway accepts new hashes only with tokens. This browser earns them by proofs of work, about a second for each hash.",
    })
    : null;
}
function gb() {
  let { network: t } = Ae(Y().watch).trust ?? {};
  return c("div", {
    class: "grid",
    children: [
      c(Q, {
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
      c(Q, {
        title: "Who uses it",
        children: c("p", {
          children:
            "People who keep contracts, reports, measurements or designs, and who publish software: whoever has to show later that a file is as old as they say.",
        }),
      }),
      c(Q, {
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
                  X(t.witnesses.length, "witness", "witnesses"),
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
              href: ue({ page: "explore" }),
              children: "See the witnesses and the log",
            }),
          }),
        ],
      }),
    ],
  });
}
function wb() {
  let { stamps: t } = Y(), e = Ae(t.rows), [n, r] = K(void 0);
  return c(H, {
    children: [
      c(ft, {
        title: "Stamp",
        children:
          "Get a signed proof that a file existed today. The file stays on this device: this page hashes it here and sends only the SHA-256 hash, 32 bytes.",
      }),
      c("div", {
        class: "stamp-inputs",
        children: [
          c(oy, {
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
          n !== void 0 && c(je, { error: n, title: "Cannot read all of the folder" }),
          c(jy, {
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
              : `${X(e.length, "stamp")}, ${U(e.filter(Vn).length)} in the log`,
          }),
          e.length === 0 ? c(N5, {}) : c(mb, { rows: e }),
        ],
      }),
    ],
  });
}
var B5 = [{ name: "Accepted", state: "waiting", text: "The gateway stores the hash." }, {
  name: "Confirmed",
  state: "waiting",
  text: "Independent witnesses sign it with the time.",
}, {
  name: "Batched",
  state: "waiting",
  text: "It enters a public log, in which every change would be noticed.",
}, { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." }];
function N5() {
  return c(H, {
    children: [
      c("div", {
        class: "card",
        children: c("div", {
          class: "card-body",
          children: [
            c(bc, { steps: B5 }),
            c("p", {
              class: "muted",
              children:
                "Save the proof with the file. Anyone can verify it without this gateway, on this page or with the command line.",
            }),
          ],
        }),
      }),
      c(gb, {}),
    ],
  });
}
function bb(t) {
  if (t === 0) return [];
  let e = [yb("entries", t)];
  for (let n = 0; Ze ** n <= t; n++) e.push(yb(n, t));
  return e;
}
function yb(t, e) {
  let n = t === "entries" ? 0 : t;
  return { level: t, full: Kd(n, e), partial: Wd(n, e), span: Ze ** n };
}
function xb({ full: t, partial: e }) {
  return t + (e > 0 ? 1 : 0);
}
function _b(t, e, n) {
  let r = [];
  for (let o = e; o >= 0 && r.length < n; o--) {
    let s = o < t.full ? Ze : t.partial, i = o * Ze * t.span;
    r.push({
      index: o,
      width: s,
      isFull: s === Ze,
      first: i,
      end: i + s * t.span,
      ...t.level !== "entries" && { bytes: s * T },
      path: ua(t.level, o, s),
    });
  }
  return r;
}
var vc = 25;
function Eb() {
  let t = Y(), e = Qt(Ae(t.trust)), [n, r] = Ie((o) => gr(t, void 0, o), [e]);
  return c(H, {
    children: [
      c(ft, {
        title: "Tiles",
        isBelowExplore: !0,
        children:
          "The log as files of 256 hashes or entries each, which never change once they are full. Mirrors and monitors read them without any code of ours.",
      }),
      rl(n)
        ? c(Q, {
          title: "Tiles",
          children: c(ct, {
            title: "The log is empty",
            children: "Tiles appear with the first batch.",
          }),
        })
        : c(Pe, {
          loaded: n,
          what: "the tiles",
          retry: r,
          render: ({ sth: o }) => c(C5, { size: o.tree_head.tree_size }),
        }),
    ],
  });
}
function C5({ size: t }) {
  let e = bb(t), [n, r] = K(0), o = e[n] ?? e[0];
  return c(H, {
    children: [
      c(Q, {
        title: "Levels",
        aside: c("span", { class: "muted", children: X(t, "attestation") }),
        children: c(yt, {
          caption: "Levels of tiles",
          rows: e,
          columns: [
            ["Level", (s, i) =>
              c("button", {
                type: "button",
                class: "link-button",
                "aria-pressed": i === n ? "true" : "false",
                onClick: () => r(i),
                children: El(s),
              })],
            ["Full tiles", ({ full: s }) => U(s), "numeric"],
            ["In the partial tile", ({ partial: s }) => s === 0 ? "none" : U(s), "numeric"],
            [
              "Positions per hash",
              ({ level: s, span: i }) => s === "entries" ? "" : U(i),
              "numeric",
            ],
          ],
        }),
      }),
      o !== void 0 && c(R5, { level: o }, o.level),
    ],
  });
}
function El({ level: t }) {
  return t === "entries" ? "Entries" : `Level ${t}`;
}
function R5({ level: t }) {
  let e = xb(t), [n, r] = K(e - 1);
  return c(Q, {
    title: El(t),
    aside: c("span", { class: "muted", children: X(e, "tile") }),
    children: [
      c(yt, {
        caption: `Tiles of ${El(t)}, latest first`,
        rows: _b(t, n, vc),
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
            c("span", { class: "nowrap", children: `${U(o)} to ${U(s - 1)}` }),
        ], [
          "Size",
          ({ bytes: o }) => o === void 0 ? "varies" : Gn(o),
          "numeric",
        ]],
      }),
      c(br, {
        label: "Pages of tiles",
        onBack: n >= e - 1 ? void 0 : () => r(Math.min(e - 1, n + vc)),
        onNext: n - vc < 0 ? void 0 : () => r(n - vc),
      }),
    ],
  });
}
function vb(t) {
  let [e, n] = K({ state: "none" }),
    [r, o] = K(void 0),
    s = async (a, f) => {
      let { name: d } = a, u = await ac(a);
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
  return [I5(e, r), i, r];
}
function I5(t, e) {
  if (t.state !== "read" || e === void 0) return t;
  let n = ay(t.bundle, e.links);
  return n === t.bundle ? t : {
    ...t,
    bundle: n,
    text: `${t.text}
${e.text}`,
  };
}
function Sb({ proof: t }) {
  switch (t.state) {
    case "none":
      return null;
    case "failed":
      return c(je, { error: t.error, title: `Cannot verify ${t.name}` });
    case "wrong_file":
      return c(re, {
        tone: "bad",
        icon: "warning",
        live: !0,
        title: `${t.name} is not a proof`,
        children: c("p", { children: cy(t.kind) }),
      });
    case "read":
      return c("p", { class: "supplied", children: t.name });
  }
}
function Tb({ onPin: t }) {
  let [e, n] = K(!1);
  return e ? c(L5, { onPin: t, onCancel: () => n(!1) }) : c("div", {
    class: "row",
    children: c(de, {
      kind: "quiet",
      isRemoved: !0,
      onClick: () => n(!0),
      children: "I have none: ask this gateway",
    }),
  });
}
function L5({ onPin: t, onCancel: e }) {
  let { api: n, clock: r } = Y(), [o, s] = Ie((i) => n.network(i), []);
  return c(Pe, {
    loaded: o,
    what: "the gateway's configuration",
    retry: s,
    render: ({ text: i, value: a }) =>
      c(Er, {
        title: "You would trust the gateway for its own keys",
        accept: "Trust the gateway for it",
        onAccept: () =>
          t({ network: a, text: i, source: "gateway", name: n.url.origin, pinnedAt: ht(r) }),
        cancel: "Cancel",
        onCancel: e,
        children: [
          c("p", {
            children:
              "A lying gateway gives you its own keys, and every proof that it forges verifies. Do this only to try things out, or after you compared the fingerprint with one from another source.",
          }),
          c("p", { children: [a.id, ", fingerprint:"] }),
          c(yr, { text: Rt(a), what: "fingerprint" }),
        ],
      }),
  });
}
function kb({ trust: t }) {
  let e = Y(),
    [n, r] = K(void 0),
    { enabled: o, peer_networks: s, cross_anchor_threshold: i } = t.home.network.federation;
  if (!o || s.length === 0) return null;
  let a = async (f) => {
    r(void 0);
    try {
      let d = t;
      for (let u of f) d = Vg(d, await H5(e, t, u));
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
        children: [X(i, "peer"), " must have cosigned the log before the verdict names them."],
      }),
      c("ul", {
        class: "peer-list",
        children: s.map(({ id: f }) => c("li", { children: c(M5, { trust: t, id: f }) }, f)),
      }),
      n !== void 0 && c(je, { error: n }),
      c(In, {
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
function M5({ trust: t, id: e }) {
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
            c(de, {
              kind: "quiet",
              label: `Forget ${e}`,
              isRemoved: !0,
              onClick: () => n.trust.pin(Ru(t, e)),
              children: "Forget",
            }),
          ],
        }),
        c(we, { text: Rt(r.network), what: `fingerprint of ${e}` }),
      ],
    });
}
async function H5(t, e, n) {
  let r = await Ua(t, n), { peer_networks: o } = e.home.network.federation;
  if (o.some(({ id: s }) => s === r.network.id)) return r;
  throw new C(
    "invalid_configuration",
    `Cannot use ${n.name}: ${r.network.id} is not a peer of the pinned network`,
  );
}
function Ab() {
  let t = Y(),
    e = Ae(t.trust),
    [n, r] = K(void 0),
    [o, s] = K(void 0),
    i = async (d) => {
      s(void 0);
      try {
        let u = await Ua(t, d), { state: l } = t.trust;
        l.state === "pinned" && F5(l.trust.home, u) ? r(u) : Ob(t, u);
      } catch (u) {
        s(u);
      }
    },
    a = (d) => {
      r(void 0), Ob(t, d);
    },
    f = e.state === "none" || e.state === "broken";
  return c(Q, {
    title: "What you trust",
    children: [
      e.state === "loading" && c(dn, { label: "Loading the pins" }),
      e.state === "broken" &&
      c(je, { error: e.error, title: "Cannot read the pins of this browser" }),
      e.state === "pinned" && c($5, { ...e }),
      f &&
      c("p", {
        children:
          "A proof is verified with the keys of a network's witnesses. Get them from somebody you trust, not from the gateway that you want to check, and compare their fingerprint.",
      }),
      n === void 0 || e.state !== "pinned"
        ? null
        : c(P5, { last: e.trust.home, next: n, onAccept: () => a(n), onCancel: () => r(void 0) }),
      o !== void 0 && c(je, { error: o }),
      c(In, {
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
      f && c(Tb, { onPin: a }),
    ],
  });
}
function F5(t, e) {
  return Rt(t.network) !== Rt(e.network);
}
function Ob({ trust: t }, e) {
  let { state: n } = t,
    r = n.state === "pinned" && n.trust.home.network.id === e.network.id ? n.trust.peers : [];
  t.pin({ home: e, peers: r });
}
function $5({ trust: t, kept: e }) {
  let n = Y(), { network: r, source: o, name: s, pinnedAt: i } = t.home;
  return c(H, {
    children: [
      c(st, {
        items: {
          Network: r.id,
          Rule: `${r.threshold} of ${
            X(r.witnesses.length, "witness", "witnesses")
          } must have signed (${r.signature_scheme})`,
          Fingerprint: c(yr, { text: Rt(r), what: "fingerprint" }),
          Source: o === "file" ? `Your file ${s}` : `This gateway, ${s}`,
          Pinned: ye(i),
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
      c(kb, { trust: t }),
      c("div", {
        class: "row",
        children: c(de, {
          isRemoved: !0,
          onClick: () => n.trust.forget(),
          children: "Forget all pins",
        }),
      }),
    ],
  });
}
function P5({ last: t, next: e, onAccept: n, onCancel: r }) {
  let o = t.network.id === e.network.id;
  return c(Er, {
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
      c(yr, { text: Rt(e.network), what: "fingerprint" }),
    ],
  });
}
function Bb() {
  let t = Y(),
    e = Ae(t.trust),
    [n, r] = Jo(t),
    [o, s, i] = vb(r),
    a = o.state === "read" ? o : void 0,
    f = e.state === "pinned" ? Iu(e.trust) : void 0,
    d = pc(t, { proof: a, trust: f, content: n });
  return c(H, {
    children: [
      c(ft, {
        title: "Verify",
        children:
          "Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.",
      }),
      c(mc, { verification: d }),
      a !== void 0 && (e.state === "none" || e.state === "broken") &&
      c(j5, { bundle: a.bundle, content: n }),
      c("div", {
        class: "verify-columns",
        children: [
          c(Q, {
            title: "What you check",
            children: [
              c(In, {
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
              c(Sb, { proof: o }),
              i !== void 0 &&
              c("p", {
                class: "supplied",
                children: [i.name, ": ", X(i.links.length, "succession")],
              }),
              c(ic, { content: n, choose: r }),
            ],
          }),
          c(Ab, {}),
        ],
      }),
      d.state === "found" && c(hc, { ...d.view }),
    ],
  });
}
function j5({ bundle: t, content: e }) {
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
var D5 = [[{ page: "stamp" }, "Stamp", "seal"], [{ page: "verify" }, "Verify", "check"], [
    { page: "explore" },
    "Explore",
    "search",
  ], [{ page: "log" }, "Check the log", "chain"]],
  U5 = {
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
function z5(t) {
  switch (t.page) {
    case "stamp":
      return c(wb, {}, "stamp");
    case "verify":
      return c(Bb, {}, "verify");
    case "proof":
      return c(Py, { hash: t.hash }, ue(t));
    case "certificate":
      return c(vw, { hash: t.hash }, ue(t));
    case "explore":
      return c(gy, {}, "explore");
    case "batch":
      return c(fw, { id: t.id }, ue(t));
    case "position":
      return c(By, { index: t.index }, ue(t));
    case "tiles":
      return c(Eb, {}, "tiles");
    case "log":
      return c(Ay, {}, "log");
    case "unknown":
      return c(G5, {}, "unknown");
  }
}
function q5(t) {
  let { page: e } = t;
  return e === "verify" || e === "tiles" || e === "log" ? t : { page: "unknown" };
}
function G5() {
  return c(ft, {
    title: "No such page",
    children: "This address is not a page of the explorer. Choose a page above.",
  });
}
function Nb() {
  let { apiKey: t, copy: e } = Y(),
    { version: n } = Ae(t),
    r = e === void 0 ? "stamp" : "explore",
    [o, s] = K(() => js(location.hash, r));
  return Te(() => {
    let i = () => {
      s(js(location.hash, r)), scrollTo(0, 0);
    };
    return addEventListener("hashchange", i), () => removeEventListener("hashchange", i);
  }, []),
    c(H, {
      children: [
        c("button", {
          type: "button",
          class: "skip-link",
          onClick: V5,
          children: "Skip to content",
        }),
        c("header", {
          class: "site-head",
          children: c("div", {
            class: "site-head-inner",
            children: [
              c("a", {
                class: "brand",
                href: ue({ page: r }),
                children: [c(Xe, { name: "seal" }), c("span", { children: "Countersign" })],
              }),
              c("nav", {
                class: "site-nav",
                "aria-label": "Pages",
                children: D5.filter(([{ page: i }]) => e === void 0 || i !== "stamp").map((
                  [i, a, f],
                ) =>
                  c("a", {
                    href: ue(i),
                    "aria-current": U5[o.page] === i.page ? "page" : void 0,
                    children: [c(Xe, { name: f }), c("span", { children: a })],
                  }, a)
                ),
              }),
              c(j0, {}),
            ],
          }),
        }),
        c("main", {
          id: "content",
          tabindex: -1,
          children: [
            o.page === "log" ? null : c(W5, {}),
            c(K5, {}),
            c(F0, { apiKey: t }),
            c(of, {
              fallbackRender: (i) => c(je, { error: i }),
              children: e?.pageOf(o) ?? z5(e === void 0 ? o : q5(o)),
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
            c($0, { apiKey: t }),
          ],
        }),
      ],
    });
}
function V5() {
  document.getElementById("content")?.focus();
}
function K5() {
  let t = Sa();
  if (t === void 0) return null;
  let { title: e, code: n } = Ea(t);
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
function W5() {
  let { check: t, evidence: e } = Ae(Y().watch),
    n = t === void 0 ? void 0 : ni(t),
    r = n?.tone === "bad";
  return !r && e === void 0 ? null : c(re, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: r ? n.title : "This browser has seen two histories of this log",
    children: c("p", {
      children: c("a", { href: ue({ page: "log" }), children: "See the finding and what to do" }),
    }),
  });
}
var ts = 48, vl = 96, Y5 = 256, Z5 = 16;
function Tl(t) {
  return new Sl(t);
}
var Sl = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  #i;
  #s;
  #a;
  #c;
  #h = new sn(1024);
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
    return $i(e);
  }
  skToPk(e) {
    if (this.#l(e), this.#e.skToPk() === 0) throw So();
    return this.#t.slice(this.#a, this.#a + vl);
  }
  sign(e, n, r) {
    if (this.#g(n, r), this.#l(e), this.#e.sign() === 0) throw So();
    return this.#b();
  }
  keyValidate(e) {
    return this.#p(e) !== void 0;
  }
  signatureValidate(e) {
    return e.length !== ts
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
    if (e.every((n) => n.length === ts)) {
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
      return this.#t.set(n, this.#c), this.#e.encodeKey(), this.#t.slice(this.#a, this.#a + vl);
    }
  }
  fastAggregateVerify(e, n, r, o) {
    let s = this.#u(e);
    return s === void 0 || r.length !== ts
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
    if (e.length !== vl) return;
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
      let s = r.publicKeys.map(J).join();
      if (!n.has(s)) {
        let f = this.#u(r.publicKeys);
        n.set(s, f && { point: f });
      }
      let i = n.get(s);
      return i !== void 0 && r.signature.length === ts ? { index: o, check: r, group: i } : [];
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
        crypto.getRandomValues(this.#t.subarray(n, n + o.length * Z5)),
        this.#t.set(r, this.#c),
        this.#e.addGroup(o.length);
    }
    return this.#e.combinationHolds() !== 0;
  }
  #g(e, n) {
    let r = ee(n), o = this.#e.tagBytes();
    if (r.length > o) {
      throw new C(
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
    if (e.length !== vo) throw So();
    this.#t.set(e, this.#i);
  }
  #y(e, n) {
    return this.#t.set(e, this.#s), n === void 0 ? 1 : (this.#t.set(n, this.#s + ts), 2);
  }
  #b() {
    return this.#t.slice(this.#s, this.#s + ts);
  }
  #x() {
    return this.#t.slice(this.#c, this.#c + Y5);
  }
};
var X5 = Uint8Array.of(0), J5 = new Uint8Array();
function Cb(t) {
  return new kl(t);
}
var kl = class {
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
    return this.#h(J5, e);
  }
  leafHashes(e, n) {
    let r = new Uint8Array(n.length * T);
    for (let o = 0; o < n.length;) {
      let s = o === 0 ? 0 : n[o - 1], i = this.#c(n, o, s);
      if (i === o) {
        let a = e.subarray(s, n[o]);
        r.set(this.#h(X5, a), o * T), o++;
        continue;
      }
      if (this.#t.set(e.subarray(s, n[i - 1]), this.#o), s === 0) this.#n.set(n.subarray(o, i));
      else for (let a = o; a < i; a++) this.#n[a - o] = n[a] - s;
      this.#e.leafHashes(i - o), r.set(this.#d(i - o), o * T), o = i;
    }
    return r;
  }
  numberedLeafHashes(e) {
    let { before: n, digests: r, between: o, first: s, after: i } = e, a = this.#e.pieceLimit();
    if (Math.max(n.length, o.length, i.length) > a) {
      let { entries: f, ends: d } = td(e);
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
      this.#t.set(n, this.#i + T),
      this.#e.treeLevel(2, 1),
      this.#f(1);
  }
  treeLevel(e, n = 1) {
    let r = Math.min(n, Math.log2(this.#s)),
      o = this.#u(e, this.#i, (i) => this.#e.treeLevel(i, r));
    return r === n || o.length <= T ? o : this.treeLevel(o, n - r);
  }
  treeLevels(e) {
    let n = e.length / T;
    return n > this.#s ? this.#w(e) : (this.#t.set(e, this.#i), this.#f(this.#e.treeLevels(n)));
  }
  inclusionPaths(e, n) {
    if (n > this.#e.roundLimit()) return Di(e, n);
    this.#t.set(e, this.#i);
    let r = this.#a + this.#e.inclusionPaths(n) * T;
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
    let o = e.length / T;
    if (o <= this.#s) return this.#t.set(e, n), this.#f(r(o, 0));
    let s = new Uint8Array(e.length), i = 0;
    for (let a = 0; a < o; a += this.#s) {
      let f = Math.min(a + this.#s, o);
      this.#t.set(e.subarray(a * T, f * T), n);
      let d = this.#d(r(f - a, a));
      s.set(d, i), i += d.length;
    }
    return i === s.length ? s : s.slice(0, i);
  }
  #w(e) {
    let n = e.length / T,
      r = Ur(n),
      o = Math.log2(this.#s),
      s = new Uint8Array(r.reduce((a, f) => a + f) * T),
      i = new Uint8Array(r[o] * T);
    for (let a = 0; a < n; a += this.#s) {
      let f = Math.min(a + this.#s, n),
        d = this.treeLevels(e.subarray(a * T, f * T)),
        u = Ur(f - a),
        l = 0,
        h = 0;
      for (let p = 0; p < o; p++) {
        let m = u[p] ?? 1;
        p > 0 && p < u.length && (l += u[p - 1]);
        let g = d.subarray(l * T, (l + m) * T);
        s.set(g, (h + a / 2 ** p) * T), h += r[p];
      }
      i.set(d.subarray(-T), a / this.#s * T);
    }
    return s.set(this.treeLevels(i), s.length - this.#m(i)), s;
  }
  #m(e) {
    return Ur(e.length / T).reduce((r, o) => r + o, 0) * T;
  }
  #d(e) {
    return this.#t.subarray(this.#i, this.#i + e * T);
  }
  #f(e) {
    return this.#t.slice(this.#i, this.#i + e * T);
  }
};
async function Ol(t) {
  for (let e of t) {
    if (e.isSupported()) {
      try {
        let n = await e.load();
        if (e.passes?.(n) ?? !0) return { name: e.name, exports: n };
      } catch {}
    }
  }
}
function Al(t, e) {
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
var Q5 = [65, 0, 253, 15, 253, 98, 26],
  e3 = [65, 0, 253, 15, 65, 0, 253, 15].concat([65, 0, 253, 15, 253, 135, 2, 26]);
function t3(t) {
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
function Bl(t) {
  return typeof WebAssembly == "object" && WebAssembly.validate(t3(t));
}
function Nl() {
  return Bl([]);
}
function Rb() {
  return Bl(Q5);
}
function Ib() {
  return Bl(e3);
}
var Sc = [{
  name: "hashing.simd",
  isSupported: Rb,
  load: () => import("../../wasm/build/hashing.simd.wasm"),
}, {
  name: "hashing.scalar",
  isSupported: Nl,
  load: () => import("../../wasm/build/hashing.scalar.wasm"),
}];
async function n3(t = Sc) {
  let e = await Ol(t);
  return e && Cb(e.exports);
}
function Mb(t) {
  return n3(Al(Sc, t));
}
var r3 = "QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_",
  o3 =
    "852926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1";
function Lb(t) {
  return J(Tl(t).hashToG1(ee(""), r3)) === o3;
}
var Hb = [{
  name: "bls.fma",
  isSupported: Ib,
  load: () => import("../../wasm/build/bls.fma.wasm"),
  passes: Lb,
}, {
  name: "bls.scalar",
  isSupported: Nl,
  load: () => import("../../wasm/build/bls.scalar.wasm"),
  passes: Lb,
}];
async function s3(t = Hb) {
  let e = await Ol(t);
  return e && Tl(e.exports);
}
function Fb(t) {
  return s3(Al(Hb, t));
}
function $b(t, e) {
  let n = new Map(
    t.split(" ").filter((r) => r.includes("=")).map((r) => {
      let [o, s] = r.split("=");
      return [o, s];
    }),
  );
  return (r) => new URL(n.get(r) ?? `assets/${r}`, e);
}
function Pb(t) {
  let e = (i) => fetch(t(i)), n, r;
  function o() {
    return n ??= Fb(e).then((i) => i ?? xs);
  }
  async function s() {
    let [i, a] = await Promise.all([Mb(e), Ed()]);
    return { kernels: i ?? _s, ed25519: a, bls: await o() };
  }
  return { blsFor: (i) => i.includes("bls") ? o() : Promise.resolve(xs), crypto: () => r ??= s() };
}
var Tc = "countersign.head.",
  ii = "countersign.fork.",
  kc = class {
    #e;
    constructor(e) {
      this.#e = e;
    }
    read(e) {
      let n = this.#t(Tc + e);
      if (n === void 0) return { kind: "blocked" };
      if (n === null) return { kind: "none" };
      try {
        return { kind: "head", text: n, head: _y(n, e) };
      } catch (r) {
        if (!(r instanceof C)) throw r;
        return { kind: "damaged", text: n };
      }
    }
    replace(e, n) {
      let r = Tc + n.sth.tree_head.network_id, o = this.#t(r);
      return o === void 0 ? "blocked" : o !== (e ?? null) ? "changed" : this.#n(r, xy(n));
    }
    evidence(e) {
      return this.#t(ii + e) ?? void 0;
    }
    keepEvidence(e, n) {
      let r = this.#t(ii + e);
      return r === void 0 ? "blocked" : r === null ? this.#n(ii + e, n) : "kept";
    }
    forget(e) {
      try {
        let n = this.#e();
        n.removeItem(Tc + e), n.removeItem(ii + e);
      } catch {}
    }
    concerns(e, n) {
      return n === null || n === Tc + e || n === ii + e;
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
function jb(t) {
  let { api: e, crypto: n, trust: r, line: o, stamps: s, clock: i } = t,
    a = new kc(() => localStorage),
    f = new dc({
      trust: (d) => qn(t, d),
      context: async ({ network: d, fingerprint: u }) => ({
        network: d,
        fingerprint: u,
        gateway: e,
        store: a,
        crypto: await n.crypto(),
        now: () => ht(i),
      }),
      exclusively: i3,
    });
  r.subscribe(() => void f.check());
  for (let d of [o, s.follower.submissions]) {
    d.subscribe(() => {
      d.state === void 0 && uc(f.state) && !f.state.isChecking && f.check();
    });
  }
  return addEventListener("storage", ({ key: d }) => void f.storageChanged(d)), f;
}
async function i3(t, e) {
  return "locks" in navigator
    ? await navigator.locks.request(`countersign.log.${t}`, e)
    : await e();
}
var Cl = "api-key",
  Oc = class extends Mn {
    #e;
    constructor(e) {
      super({ key: e.read(Cl), fault: void 0, version: 0 }), this.#e = e;
    }
    use(e) {
      e === "" ? this.#e.remove(Cl) : this.#e.write(Cl, e);
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
var Ac = "countersign.", Bc = Ub(() => localStorage), Db = Ub(() => sessionStorage);
function Ub(t) {
  return {
    read: (e) => Rl(() => t().getItem(Ac + e) ?? void 0),
    write: (e, n) => Rl(() => (t().setItem(Ac + e, n), !0)) ?? !1,
    remove: (e) => Rl(() => t().removeItem(Ac + e)),
  };
}
function Rl(t) {
  try {
    return t();
  } catch {
    return;
  }
}
function zb(t, e) {
  addEventListener("storage", ({ key: n }) => {
    (n === null || n === Ac + t) && e();
  });
}
var Nc = class {
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
                : i(new C("file_failed", `Cannot hash the file: ${qb(u)}`));
          },
        };
      o.addEventListener("abort", a, { once: !0 }), this.#o.add(d), this.#i();
    });
  }
  findWork(e, n) {
    let r = { kind: "work", subject: e, demand: n, modules: this.#n };
    return new Promise((o, s) => {
      let i = (f) => {
          f.kind === "found" ? o(f.proof) : s(new Error(`Cannot search a proof of work: ${qb(f)}`));
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
function qb(t) {
  return t.kind === "failed" ? t.message : "the worker answered something else";
}
var a3 = ["batch.closed", "cross_anchor.added", "external_anchor.added"],
  c3 = 1e4,
  Cc = class {
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
      await this.#e.clock.sleep(e, co(...r, this.#n.signal)), --this.#t === 0 && this.#c();
    }
    wake() {
      this.#n.abort(), this.#n = new AbortController();
    }
    #s() {
      if (this.#o !== void 0 || this.#i) return;
      let e = this.#o = new AbortController();
      this.#a(e.signal).catch((n) => {
        this.#i = Cr(n) instanceof Ne;
      }).finally(() => {
        this.#o === e && (this.#o = void 0);
      });
    }
    async #a(e) {
      let n = a3, r = rc({ ...this.#e, types: n, changed: () => {}, reached: () => {} }, e);
      for await (let o of r) this.wake();
    }
    #c() {
      let e = this.#r = new AbortController();
      this.#e.clock.sleep(c3, e.signal).then(() => {
        e.signal.aborted || (this.#o?.abort(), this.#o = void 0);
      });
    }
  };
function Gb(t) {
  let e = (n) => n.preventDefault();
  t.rows.subscribe(() => {
    t.hasUnsaved ? addEventListener("beforeunload", e) : removeEventListener("beforeunload", e);
  });
}
var f3 = cn + 16;
function Vb(t) {
  let e = crypto.getRandomValues(new Uint8Array(f3));
  return 1n + $o(e) % (t - 1n);
}
function Il(t, e, n) {
  let r = 1n;
  for (let o = e, s = t; o > 0n; o >>= 1n) o & 1n && (r = r * s % n), s = s * s % n;
  return r;
}
function Ll(t, e) {
  let [n, r] = [e, t % e], [o, s] = [0n, 1n];
  for (; r !== 0n;) {
    let i = n / r;
    [n, r] = [r, n - i * r], [o, s] = [s, o - i * s];
  }
  if (n === 1n) return o < 0n ? o + e : o;
}
var Hl = 48, Rc = cn - Hl - 1;
function Ml(...t) {
  return new Uint8Array(zh(me(...t)));
}
function Kb(t, e) {
  let n = [];
  for (let r = 0; r * Hl < e; r++) n.push(Ml(t, Uint8Array.of(0, 0, 0, r)));
  return me(...n).slice(0, e);
}
function Wb(t, e) {
  let n = Ml(new Uint8Array(8), Ml(t), e), r = new Uint8Array(Rc);
  r[r.length - e.length - 1] = 1, r.set(e, r.length - e.length);
  let o = Kb(n, r.length).map((s, i) => s ^ r[i]);
  return o[0] &= 127, me(o, n, Uint8Array.of(188));
}
function d3({ modulus: t }, e, n) {
  let r = ba(Il(n, nu, t)), o = r.subarray(Rc, Rc + Hl), s = Kb(o, Rc).map((i, a) => i ^ r[a]);
  return Fe(r, Wb(e, s.subarray(-tu)));
}
function u3(t) {
  return { salt: crypto.getRandomValues(new Uint8Array(tu)), blind: Vb(t) };
}
function Yb(t, e, n = u3(t.modulus)) {
  let { modulus: r } = t, o = $o(Wb(e, n.salt)), s = Ll(n.blind, r);
  if (s === void 0 || Ll(o, r) === void 0) {
    throw new C("invalid_key", "Cannot blind message: the modulus has small factors");
  }
  let i = o * Il(n.blind, nu, r) % r;
  return { blinded: ba(i), inverse: s };
}
function Zb(t, e, n, r) {
  let o = r.length === cn ? $o(r) : t.modulus, s = o * n % t.modulus;
  if (o >= t.modulus || !d3(t, e, s)) {
    throw new C("issuer_refused", "Cannot unblind signature: it is not by the issuer's key");
  }
  return ba(s);
}
function Xb({ challenge: t, tokenKey: e }) {
  let n = R0(e),
    r = qi(e),
    o = {
      nonce: crypto.getRandomValues(new Uint8Array(nd)),
      challengeDigest: dm(t),
      tokenKeyId: r,
    },
    s = rd(o),
    { blinded: i, inverse: a } = Yb(n, s);
  return {
    request: I0({ truncatedTokenKeyId: r.at(-1), blindedMessage: i }),
    finish: (f) => ({ ...o, authenticator: Zb(n, s, a, L0(f)) }),
  };
}
var l3 = "CountersignWork", h3 = 26;
var p3 = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i;
function Jb(t) {
  let e = Number(p3.exec(t)?.[1]);
  return e >= 1 && e <= h3 ? e : void 0;
}
function Qb({ time: t, counter: e }) {
  return `${l3} time="${t}", counter="${e}"`;
}
function ex(t, e, n) {
  let r = ({ notBefore: o = 0, notAfter: s = 1 / 0 }) => o <= n && n < s;
  for (let { tokenKey: o, notBefore: s = 0 } of t.tokenKeys) {
    if (!(n < s)) {
      for (let i of e) {
        let a = i.keys.find((f) => J(f.tokenKey) === J(o));
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
  throw new C(
    "issuer_refused",
    "Cannot fetch tokens: the gateway accepts none of the issuer's current keys",
  );
}
function tx(t, e) {
  let n = t.find(({ url: o }) => o !== void 0)?.url;
  if (n === void 0) return;
  let r = N0(n, { insecure: !1 });
  if (ya(r.hostname) && !ya(e.hostname)) {
    throw new C(
      "gateway_refused",
      `Cannot fetch tokens: the remote gateway names an issuer on this machine, ${r.origin}`,
    );
  }
  return { url: r, offers: t.filter((o) => o.url === n) };
}
var Ic = class {
  #e;
  #t;
  constructor(e) {
    this.#e = e;
  }
  async fetch() {
    let { key: e } = this.#e, { request: n, finish: r } = Xb(e), o = um(r(await this.#n(n)));
    return e.notAfter === void 0 ? { token: o } : { token: o, notAfter: e.notAfter };
  }
  async #n(e) {
    let { client: n, key: { requestUri: r }, onWork: o } = this.#e,
      s = await n.request(r, e, await this.#o(e));
    if (s.kind === "response") return s.response;
    let i = Jb(s.challenge);
    if (i === void 0) {
      throw new C(
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
    return Qb(await i(f, { time: ht(o), bits: a }));
  }
};
var m3 = 16,
  g3 = 8,
  nx = new Set(["token_invalid", "token_expired", "token_spent"]),
  Lc = class {
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
          if (!(r instanceof Ne)) throw r;
          if (nx.has(r.reason) && e.length > 1) {
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
        isTransient: (o) => Fo(o) && !(this.#s && rx(o)),
      });
    }
    async #h(e, n) {
      if (nx.has(n.reason)) {
        let [r] = e;
        return this.#t.delete(r) ? (this.#a++, this.#a <= g3) : !1;
      }
      if (n.reason === "token_required") {
        if (e.every((r) => this.#p(r))) return !1;
        if (await this.#u(e)) return !0;
        throw await this.#g(e);
      }
      return !rx(n) || !this.#s ? !1 : (this.#s = await this.#u(e), !0);
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
      return await Promise.all(Array.from({ length: m3 }, async () => {
        for (let [o, s] of r) n[o] = await this.#e.gateway.isKnown(s);
      })),
        e.filter((o, s) => !n[s]);
    }
    async #g(e) {
      let { gateway: { url: n }, advice: r } = this.#e, o = await this.#r?.count() ?? 0;
      return new C(
        "tokens_missing",
        `Cannot submit ${e.length} hashes: ${n.href} requires a token for each new hash, and ${o} are stored (${await r(
          this.#i,
          e.length,
        )})`,
      );
    }
  };
function rx(t) {
  return t instanceof Ne && t.reason === "rate_limited";
}
var ox = 4,
  Mc = class extends Mn {
    #e;
    #t;
    #n;
    #o = [];
    #r;
    constructor(e) {
      super(!1), this.#e = e;
      let { api: n } = e;
      this.#t = new Lc({
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
      return this.#n ??= await this.#i(), this.#n ? ox : 1 / 0;
    }
    async submit(e, n) {
      try {
        return await this.#t.submit(e, n);
      } catch (r) {
        throw Lt(r, "tokens_missing") && (this.#n = void 0), r;
      }
    }
    async #i() {
      try {
        return (await this.#e.api.admission()).value.mode === "token_required";
      } catch (e) {
        if (Ho(e)) throw e;
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
      if (!this.#n || e > ox) return [];
      let n = ht(this.#e.clock);
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
            if (Do(r) || (this.#r = void 0, !n)) throw r;
          }
        }
      } finally {
        this.setState(!1);
      }
    }
    async #h() {
      let { api: e, crypto: n, hashing: r, clock: o } = this.#e,
        s = tx((await e.admission()).value.issuers, e.url);
      if (s === void 0) return;
      let i = new xa({ url: s.url }),
        a = ex(await i.directory(), s.offers, ht(o)),
        { kernels: f } = await n.crypto();
      return new Ic({
        client: i,
        key: a,
        kernels: f,
        clock: o,
        findWork: (d, u) => r.findWork(d, u),
      });
    }
  };
var Hc = class {
  rows;
  follower;
  #e;
  #t = new Map();
  #n = new Map();
  #o = 1;
  constructor(e) {
    this.rows = new gc(e.later), this.follower = new yc(e, this.rows), this.#e = e.hashing;
  }
  get hasUnsaved() {
    return this.rows.state.some(wc);
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
var Fc = class extends Mn {
  #e;
  #t;
  #n = 0;
  constructor(e, n) {
    super({ state: "loading" }), this.#e = e, this.#t = n;
  }
  async load() {
    let e = ++this.#n, n;
    try {
      let r = await this.#t.blsFor(this.#e.read(eo) ?? ""), o = qg(this.#e, r);
      n = o === void 0 ? { state: "none" } : { state: "pinned", trust: o, kept: !0 };
    } catch (r) {
      n = { state: "broken", error: r };
    }
    e === this.#n && this.setState(n);
  }
  pin(e) {
    this.#n++, this.setState({ state: "pinned", trust: e, kept: Gg(this.#e, e) });
  }
  forget() {
    this.#n++, this.#e.remove(eo), this.setState({ state: "none" });
  }
};
var sx = 4, w3 = 100;
function ix(t) {
  P0(Bc);
  let e = document.baseURI,
    n = document.querySelector("meta[name=countersign-assets]"),
    r = $b(n?.content ?? "", e),
    o = Pb(r),
    s = new Fc(Bc, o);
  s.load(), zb(eo, () => void s.load());
  let i = new Oc(Db),
    a = { url: new URL(e), blsFor: o.blsFor, fetch: i.fetch },
    f = t?.({ ...a, crypto: o, trust: s }),
    d = {
      api: f?.client ?? new wa(a),
      copy: f,
      apiKey: i,
      assets: r,
      crypto: o,
      storage: Bc,
      trust: s,
      clock: Zn,
      hashing: new Nc(
        () => new Worker(r("hash_worker.js")),
        Math.min(sx, navigator.hardwareConcurrency ?? sx),
        Object.fromEntries(Sc.map(({ name: b }) => {
          let x = `${b}.wasm`;
          return [x, r(x).href];
        })),
      ),
    },
    u = new Cc({ url: d.api.url, clock: Zn, random: Math.random, fetch: i.fetch });
  addEventListener("online", () => u.wake());
  let l = new Mc(d),
    h = { wait: (b, x) => u.wait(b, x), sleep: (b) => Zn.sleep(b), random: Math.random },
    p = new Qo(h),
    m = new Hc({
      ...h,
      questions: p,
      gateway: d.api,
      submitNew: (b, x) => l.submit(b, x),
      maxNew: () => l.maxNew(),
      hashing: d.hashing,
      later: (b) => setTimeout(b, w3),
    });
  Gb(m);
  let g = { ...d, line: p, tokens: l, stamps: m }, w = { ...g, watch: jb(g) };
  i.subscribe(() => {
    i.state.fault === void 0 && w.watch.check();
  }), Qc(c(au.Provider, { value: w, children: c(Nb, {}) }), document.getElementById("app"));
}
ix();
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/*! noble-post-quantum - MIT License (c) 2024 Paul Miller (paulmillr.com) */
/*!
 * Copyright (c) 2023 Paul Miller (paulmillr.com)
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
