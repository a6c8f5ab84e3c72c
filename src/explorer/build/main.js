var ou = Object.defineProperty,
  Ea = (t, e) => {
    let n = {};
    for (var r in t) ou(n, r, { get: t[r], enumerable: !0 });
    return e || ou(n, Symbol.toStringTag, { value: "Module" }), n;
  };
var as = Symbol("RENDERER"),
  Vn = Symbol("ERROR_HANDLER"),
  xe = Symbol("STASH"),
  cs = Symbol("INTERNAL"),
  fs = Symbol("MEMO"),
  su = Symbol("PERMALINK"),
  Cb = Symbol("RENDERED_JSX");
var va = (t) => (t[cs] = !0, t);
var iu = (t) => ({ value: e, children: n }) => {
    if (!n) return;
    let r = {
      children: [{
        tag: va(() => {
          t.push(e);
        }),
        props: {},
      }],
    };
    Array.isArray(n) ? r.children.push(...n.flat()) : r.children.push(n),
      r.children.push({
        tag: va(() => {
          t.pop();
        }),
        props: {},
      });
    let o = { tag: "", props: r, type: "" };
    return o[Vn] = (s) => {
      throw t.pop(), s;
    },
      o;
  },
  Wn = (t) => {
    let e = [t], n = iu(e);
    return n.values = e, n.Provider = n, xr.push(n), n;
  };
var lo = {
    title: [],
    script: ["src"],
    style: ["data-href"],
    link: ["href"],
    meta: ["name", "httpEquiv", "charset", "itemProp"],
  },
  Sa = {},
  ds = "data-precedence",
  Ta = (t) => t.rel === "stylesheet" && "precedence" in t,
  ka = (t, e) => t === "link" ? e : lo[t].length > 0;
var Oa = (t) => Array.isArray(t) ? t : [t];
var Lb = new Map([
    ["className", "class"],
    ["htmlFor", "for"],
    ["crossOrigin", "crossorigin"],
    ["httpEquiv", "http-equiv"],
    ["itemProp", "itemprop"],
    ["fetchPriority", "fetchpriority"],
    ["noModule", "nomodule"],
    ["formAction", "formaction"],
  ]),
  us = (t) => Lb.get(t) || t;
var cu = (t, e, n) => {
  t.size >= e && t.clear(), t.add(n);
};
var Fb = /[\s"'():;\\/\[\]{}\x00-\x1f\x7f-\x9f]/,
  Aa = new Set(),
  fu = 1024,
  Hb = (t) => {
    if (Aa.has(t)) return !0;
    let e = t.length;
    if (e === 0) return !1;
    for (let n = 0; n < e; n++) {
      let r = t.charCodeAt(n);
      if (
        !(r >= 97 && r <= 122 || r >= 65 && r <= 90 || r >= 48 && r <= 57 || r === 45 || r === 95)
      ) return Fb.test(t) ? !1 : (cu(Aa, fu, t), !0);
    }
    return cu(Aa, fu, t), !0;
  },
  $b = /[;"'\\/\[\](){}]/,
  Mb = (t) => {
    if (!$b.test(t)) return !1;
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
  Ba = (t, e) => {
    for (let [n, r] of Object.entries(t)) {
      let o = n[0] === "-" || !/[A-Z]/.test(n)
        ? n
        : n.replace(/[A-Z]/g, (i) => `-${i.toLowerCase()}`);
      if (!Hb(o)) continue;
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
        if (Mb(r)) continue;
        s = r;
      } else continue;
      e(o, s);
    }
  };
var xr = [],
  du = !1,
  Na,
  Pb,
  jb = 0,
  uu = !1,
  Db = () => {
    if (du) return Na;
    du = !0;
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
    return e && (Na = new e()), Na;
  },
  Ub = () => Db()?.getStore() || Pb,
  qb = () => {
    jb > 0 && !uu && (uu = !0,
      console.warn(
        "hono/jsx: AsyncLocalStorage is unavailable in this runtime, so useContext() after an await in an async component falls back to the context default value during server-side rendering. To get provided values across await boundaries, use a runtime with AsyncLocalStorage (Node.js >= 20.16, Deno, Bun, or Cloudflare Workers with the nodejs_compat flag).",
      ));
  };
var zb = (t, e) => {
  if (!t) return qb(), e.values.at(-1);
  let n = t.get(e);
  return n?.length ? n.at(-1) : e.values[0];
};
var Ht = (t) => zb(Ub(), t);
var Gb = 0;
var Vb = 2,
  Wb = 3,
  Kb = 4,
  Ra = new WeakMap(),
  Ca = (t, e) => !t || !e || t.length !== e.length || e.some((n, r) => n !== t[r]);
var Yb;
var lu = [];
var P = (t) => {
  let e = () => typeof t == "function" ? t() : t, n = mn.at(-1);
  if (!n) return [e(), () => {}];
  let [, r] = n, o = r[xe][1][Gb] ||= [], s = r[xe][0]++;
  return o[s] ||= [e(), (i) => {
    let c = Yb, f = o[s];
    if (typeof i == "function" && (i = i(f[0])), !Object.is(i, f[0])) {
      if (f[0] = i, lu.length) {
        let [d, u] = lu.at(-1);
        Promise.all([d === 3 ? r : ho([d, !1, c], r), u]).then(([l]) => {
          if (!l || !(d === 2 || d === 3)) return;
          let h = l.vC;
          requestAnimationFrame(() => {
            setTimeout(() => {
              h === l.vC && ho([d === 3 ? 1 : 0, !1, c], l);
            });
          });
        });
      } else ho([0, !1, c], r);
    }
  }];
};
var Zb = (t, e, n) => {
    let r = mn.at(-1);
    if (!r) return;
    let [, o] = r, s = o[xe][1][1] ||= [], i = o[xe][0]++, [c, , f] = s[i] ||= [];
    if (Ca(c, n)) {
      f && f();
      let d = () => {
          u[t] = void 0, u[2] = e();
        },
        u = [n, void 0, void 0, void 0, void 0];
      u[t] = d, s[i] = u;
    }
  },
  ue = (t, e) => Zb(3, t, e);
var $t = (t, e) => {
  let n = mn.at(-1);
  if (!n) return t;
  let [, r] = n, o = r[xe][1][Vb] ||= [], s = r[xe][0]++, i = o[s];
  return Ca(i?.[1], e) ? o[s] = [t, e] : t = o[s][0], t;
};
function dt(t) {
  let e = mn.at(-1);
  if (!e) return { current: t };
  let [, n] = e, r = n[xe][1][Kb] ||= [], o = n[xe][0]++;
  return r[o] ||= { current: t };
}
var Ia = (t) => {
    let e = Ra.get(t);
    if (e) {
      if (e.length === 2) throw e[1];
      return e[0];
    }
    throw t.then((n) => Ra.set(t, [n]), (n) => Ra.set(t, [void 0, n])), t;
  },
  ls = (t, e) => {
    let n = mn.at(-1);
    if (!n) return t();
    let [, r] = n, o = r[xe][1][Wb] ||= [], s = r[xe][0]++, i = o[s];
    return Ca(i?.[1], e) && (o[s] = [t(), e]), o[s][0];
  },
  Xb = 0,
  Kn = () => ls(() => `:r${(Xb++).toString(32)}:`, []);
var go = "_hp",
  Jb = { Change: "Input", DoubleClick: "DblClick" },
  Qb = { svg: "2000/svg", math: "1998/Math/MathML" },
  mn = [],
  po = new WeakMap(),
  _r,
  xu = () => _r,
  Qe = (t) => "t" in t,
  La = { onClick: ["click", !1] },
  hu = (t) => {
    if (!t.startsWith("on")) return;
    if (La[t]) return La[t];
    let e = t.match(/^on([A-Z][a-zA-Z]+?(?:PointerCapture)?)(Capture)?$/);
    if (e) {
      let [, n, r] = e;
      return La[t] = [(Jb[n] || n).toLowerCase(), !!r];
    }
  },
  pu = (t, e) =>
    _r && t instanceof SVGElement && /[A-Z]/.test(e) &&
      (e in t.style || e.match(/^(?:o|pai|str|u|ve)/))
      ? e.replace(/([A-Z])/g, "-$1").toLowerCase()
      : e,
  _u = (t) => t == null || t === !1 ? null : t,
  ew = (t, e) => {
    "value" in e &&
      (t.value = _u(e.value), !t.multiple && t.selectedIndex === -1 && (t.selectedIndex = 0));
  },
  mu = (t) => t instanceof DOMException && t.name === "InvalidCharacterError",
  tw = (t, e, n) => {
    e ||= {};
    for (let r in e) {
      let o = e[r];
      if (r !== "children" && (!n || n[r] !== o)) {
        r = us(r);
        let s = hu(r);
        if (s) {
          if (n?.[r] !== o && (n && t.removeEventListener(s[0], n[r], s[1]), o != null)) {
            if (typeof o != "function") {
              throw new Error(`Event handler for "${r}" is not a function`);
            }
            t.addEventListener(s[0], o, s[1]);
          }
        } else if (r === "dangerouslySetInnerHTML" && o) t.innerHTML = o.__html;
        else if (r === "ref") {
          po.get(t)?.();
          let i;
          typeof o == "function"
            ? i = o(t) || (() => o(null))
            : o && "current" in o && (o.current = t, i = () => o.current = null), po.set(t, i);
        } else if (r === "style") {
          let i = t.style;
          typeof o == "string"
            ? i.cssText = o
            : (i.cssText = "", o != null && Ba(o, i.setProperty.bind(i)));
        } else {
          if (r === "value") {
            let c = t.nodeName;
            if (c === "SELECT") continue;
            if ((c === "INPUT" || c === "TEXTAREA") && (t.value = _u(o), c === "TEXTAREA")) {
              t.textContent = o;
              continue;
            }
          } else {(r === "checked" && t.nodeName === "INPUT" ||
              r === "selected" && t.nodeName === "OPTION") && (t[r] = o);}
          let i = pu(t, r);
          try {
            o == null || o === !1
              ? t.removeAttribute(i)
              : o === !0
              ? t.setAttribute(i, "")
              : typeof o == "string" || typeof o == "number"
              ? t.setAttribute(i, o)
              : t.setAttribute(i, o.toString());
          } catch (c) {
            if (!mu(c)) throw c;
          }
        }
      }
    }
    if (n) {
      for (let r in n) {
        let o = n[r];
        if (r !== "children" && !(r in e)) {
          r = us(r);
          let s = hu(r);
          if (s) t.removeEventListener(s[0], o, s[1]);
          else if (r === "ref") po.get(t)?.(), po.delete(t);
          else {try {
              t.removeAttribute(pu(t, r));
            } catch (i) {
              if (!mu(i)) throw i;
            }}
        }
      }
    }
  },
  nw = (t, e) => {
    e[xe][0] = 0, mn.push([t, e]);
    let n = e.tag[as] || e.tag, r = n.defaultProps ? { ...n.defaultProps, ...e.props } : e.props;
    try {
      return [n.call(null, r)];
    } finally {
      mn.pop();
    }
  },
  Eu = (t, e, n, r, o) => {
    t.vR?.length && (r.push(...t.vR), delete t.vR),
      typeof t.tag == "function" && t[xe][1][1]?.forEach((s) => o.push(s)),
      t.vC.forEach((s) => {
        if (Qe(s)) n.push(s);
        else if (typeof s.tag == "function" || s.tag === "") {
          s.c = e;
          let i = n.length;
          if (Eu(s, e, n, r, o), s.s) {
            for (let c = i; c < n.length; c++) n[c].s = !0;
            s.s = !1;
          }
        } else n.push(s), s.vR?.length && (r.push(...s.vR), delete s.vR);
      });
  },
  rw = (t) => {
    for (; t && (t.tag === go || !t.e);) t = t.tag === go || !t.vC?.[0] ? t.nN : t.vC[0];
    return t?.e;
  },
  vu = (t) => {
    if (!Qe(t)) {
      let e = t[xe];
      e?.[1][1] && (e[1][1].forEach((n) => n[2]?.()), delete e[1][1]),
        po.get(t.e)?.(),
        t.p === 2 && t.vC?.forEach((n) => n.p = 2),
        t.vC?.forEach(vu);
    }
    t.p || (t.e?.remove(), delete t.e),
      typeof t.tag == "function" && (mo.delete(t), hs.delete(t), delete t[xe][3], t.a = !0);
  },
  Fa = (t, e, n) => {
    t.c = e, Su(t, e, n);
  },
  gu = (t, e) => {
    if (e) { for (let n = 0, r = t.length; n < r; n++) if (t[n] === e) return n; }
  },
  bu = Symbol(),
  Su = (t, e, n) => {
    let r = [], o = [], s = [];
    Eu(t, e, r, o, s), o.forEach(vu);
    let i = n ? void 0 : e.childNodes, c, f = null;
    if (n) c = -1;
    else if (!i.length) c = 0;
    else {
      let d = gu(i, rw(t.nN));
      d !== void 0 ? (f = i[d], c = d) : c = gu(i, r.find((u) => u.tag !== go && u.e)?.e) ?? -1,
        c === -1 && (n = !0);
    }
    for (let d = 0, u = r.length; d < u; d++, c++) {
      let l = r[d], h;
      if (l.s && l.e) h = l.e, l.s = !1;
      else {
        let p = n || !l.e;
        if (Qe(l)) {
          l.e && l.d && (l.e.textContent = l.t), l.d = !1, h = l.e ||= document.createTextNode(l.t);
        } else {
          let m = !l.e;
          h = l.e ||= l.n ? document.createElementNS(l.n, l.tag) : document.createElement(l.tag),
            tw(h, l.props, m ? void 0 : l.pP),
            Su(l, h, p),
            l.tag === "select" && ew(h, l.props);
        }
      }
      l.tag === go ? c-- : n ? h.parentNode || e.appendChild(h) : i[c] !== h && i[c - 1] !== h &&
        (i[c + 1] === h ? e.appendChild(i[c]) : e.insertBefore(h, f || i[c] || null));
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
  ow = (t, e) => !!(t && t.length === e.length && t.every((n, r) => n[1] === e[r][1])),
  sw = (t) => {
    let e = new Map();
    for (let n of t) {
      let r = n.key;
      if (e.has(r)) return;
      e.set(r, n);
    }
    return e;
  },
  hs = new WeakMap(),
  ps = (t, e, n) => {
    let r = !n && e.pC;
    n && (e.pC ||= e.vC);
    let o;
    try {
      n ||= typeof e.tag == "function" ? nw(t, e) : Oa(e.props.children),
        n[0]?.tag === "" && n[0][Vn] && (o = n[0][Vn], t[5].push([t, o, e]));
      let s = r ? [...e.pC] : e.vC ? [...e.vC] : void 0, i = [], c, f = (s?.length || 0) * 2, d;
      for (let u = 0; u < n.length; u++) {
        if (Array.isArray(n[u])) {
          n.splice(u, 1, ...n[u].flat(1 / 0)), u--;
          continue;
        }
        let l = Tu(n[u]);
        if (l) {
          typeof l.tag == "function" && !l.tag[cs] &&
            (xr.length > 0 && (l[xe][2] = xr.map((p) => [p, p.values.at(-1)])),
              t[5]?.length && (l[xe][3] = t[5].at(-1)));
          let h;
          if (d && l.key === void 0 && !Qe(l) && (s = [...d.values()], d = void 0), d) {
            let p = l.key, m = d.get(p);
            m && (Qe(l) ? Qe(m) : m.tag === l.tag && m.key === p) && (h = m, d.delete(p));
          } else if (s && s.length) {
            let p = s[0];
            if (
              Qe(l) ? Qe(p) : !Qe(p) &&
                (l.key !== void 0 ? p.key === l.key && p.tag === l.tag : p.tag === l.tag)
            ) h = s.shift();
            else {
              let m = s.findIndex(
                Qe(l)
                  ? (g) => Qe(g)
                  : l.key !== void 0
                  ? (g) => g.key === l.key && g.tag === l.tag
                  : (g) => g.tag === l.tag,
              );
              f -= m === -1 ? s.length : m,
                m !== -1 && (h = s[m], s.splice(m, 1)),
                f < 0 && (f = 1 / 0, d = sw(s));
            }
          }
          if (h) {
            if (Qe(l)) h.t !== l.t && (h.t = l.t, h.d = !0), l = h;
            else {
              let p = h.pP = h.props;
              if (h.props = l.props, h.f ||= l.f || e.f, typeof l.tag == "function") {
                let m = h[xe][2];
                h[xe][2] = l[xe][2] || [],
                  h[xe][3] = l[xe][3],
                  !h.f && ((h.o || h) === l.o || h.tag[fs]?.(p, h.props)) && ow(m, h[xe][2]) &&
                  (h.s = !0);
              }
              l = h;
            }
          } else if (!Qe(l) && _r) {
            let p = Ht(_r);
            p && (l.n = p);
          }
          if (!Qe(l) && !l.s && (ps(t, l), delete l.f), i.push(l), c && !c.s && !l.s) {
            for (let p = c; p && !Qe(p); p = p.vC?.at(-1)) {
              p.nN = l;
            }
          }
          c = l;
        }
      }
      if (c && !c.s) { for (let u = c; u && !Qe(u); u = u.vC?.at(-1)) u.nN = e.nN; }
      s = d ? [...d.values()] : s,
        e.vR = r ? [...e.vC, ...s || []] : s || [],
        e.vC = i,
        r && delete e.pC;
    } catch (s) {
      if (e.f = !0, s === bu) {
        if (o) return;
        throw s;
      }
      let [i, c, f] = e[xe]?.[3] || [];
      if (c) {
        let d = () => ho([0, !1, t[2]], f), u = hs.get(f) || [];
        u.push(d), hs.set(f, u);
        let l = c(s, () => {
          let h = hs.get(f);
          if (h) {
            let p = h.indexOf(d);
            if (p !== -1) return h.splice(p, 1), d();
          }
        });
        if (l) {
          if (t[0] === 1) t[1] = !0;
          else if (
            ps(t, f, [l]), (c.length === 1 || t !== i) && f.c && !t[5].some(([, , h]) => h === f)
          ) {
            Fa(f, f.c, !1);
            return;
          }
          throw bu;
        }
      }
      throw s;
    } finally {
      o && t[5].pop();
    }
  },
  Tu = (t) => {
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
      ) t[xe] = [0, []];
      else {
        let e = Qb[t.tag];
        e &&
          (_r ||= Wn(""),
            t.props.children = [{
              tag: _r,
              props: { value: t.n = `http://www.w3.org/${e}`, children: t.props.children },
            }]);
      }
      return t;
    }
  },
  ku = (t, e, n) => {
    t.c === e && (t.c = n, t.vC.forEach((r) => ku(r, e, n)));
  },
  wu = (t, e) => {
    e[xe][2]?.forEach(([n, r]) => {
      n.values.push(r);
    });
    try {
      ps(t, e, void 0);
    } catch {
      return;
    }
    if (e.a) {
      delete e.a;
      return;
    }
    e[xe][2]?.forEach(([n]) => {
      n.values.pop();
    }), (t[0] !== 1 || !t[1]) && Fa(e, e.c, !1);
  },
  mo = new WeakMap(),
  yu = [],
  ho = async (t, e) => {
    t[5] ||= [];
    let n = mo.get(e);
    n && n[0](void 0);
    let r, o = new Promise((s) => r = s);
    if (
      mo.set(e, [r, () => {
        t[2]
          ? t[2](t, e, (s) => {
            wu(s, e);
          }).then(() => r(e))
          : (wu(t, e), r(e));
      }]), yu.length
    ) yu.at(-1).add(e);
    else {
      await Promise.resolve();
      let s = mo.get(e);
      s && (mo.delete(e), s[1]());
    }
    return o;
  },
  iw = (t, e) => {
    let n = [];
    n[5] = [], n[4] = !0, ps(n, t, void 0), n[4] = !1;
    let r = document.createDocumentFragment();
    Fa(t, r, !0), ku(t, r, e), e.replaceChildren(r);
  },
  Ha = (t, e) => {
    iw(Tu({ tag: "", props: { children: t } }), e);
  };
var $a = (t, e, n) => ({ tag: go, props: { children: t }, key: n, e, p: 1 });
var Au = Wn({ pending: !1, data: null, method: null, action: null }),
  Ou = new Set(),
  Bu = (t) => {
    Ou.add(t);
    let e = () => {
      Ou.delete(t);
    };
    t.then(e, e);
  };
var ja = Ea({
    button: () => Pu,
    clearCache: () => aw,
    composeRef: () => ms,
    form: () => Hu,
    input: () => Mu,
    link: () => Iu,
    meta: () => Lu,
    script: () => Ru,
    style: () => Cu,
    title: () => Nu,
  }),
  aw = () => {
    Ma = Object.create(null), Pa = Object.create(null);
  },
  ms = (t, e) =>
    ls(() => (n) => {
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
  Ma = Object.create(null),
  Pa = Object.create(null),
  bo = (t, e, n, r, o) => {
    if (e?.itemProp) return { tag: t, props: e, type: t, ref: e.ref };
    let s = document.head,
      { onLoad: i, onError: c, precedence: f, blocking: d, ...u } = e,
      l = null,
      h = !1,
      p = lo[t],
      m = ka(t, r),
      g = (v) =>
        v.getAttribute("rel") === "stylesheet" && v.getAttribute("data-precedence") !== null,
      b;
    if (m) {
      let v = s.querySelectorAll(t);
      e: for (let S of v) {
        if (!(t === "link" && !g(S))) {
          for (let A of p) {
            if (S.getAttribute(A) === e[A]) {
              l = S;
              break e;
            }
          }
        }
      }
      if (!l) {
        let S = p.reduce((A, O) => e[O] === void 0 ? A : `${A}-${O}-${e[O]}`, t);
        h = !Pa[S],
          l = Pa[S] ||= (() => {
            let A = document.createElement(t);
            for (let O of p) e[O] !== void 0 && A.setAttribute(O, e[O]);
            return e.rel && A.setAttribute("rel", e.rel), A;
          })();
      }
    } else b = s.querySelectorAll(t);
    f = r ? f ?? "" : void 0, r && (u[ds] = f);
    let w = $t((v) => {
        if (m) {
          if (t === "link" && f !== void 0) {
            let A = !1;
            for (let O of s.querySelectorAll(t)) {
              let R = O.getAttribute(ds);
              if (R === null) {
                s.insertBefore(v, O);
                return;
              }
              if (A && R !== f) {
                s.insertBefore(v, O);
                return;
              }
              R === f && (A = !0);
            }
            s.appendChild(v);
            return;
          }
          let S = !1;
          for (let A of s.querySelectorAll(t)) {
            if (S && A.getAttribute("data-precedence") !== f) {
              s.insertBefore(v, A);
              return;
            }
            A.getAttribute("data-precedence") === f && (S = !0);
          }
          s.appendChild(v);
        } else if (t === "link") s.contains(v) || s.appendChild(v);
        else if (b) {
          let S = !1;
          for (let A of b) {
            if (A === v) {
              S = !0;
              break;
            }
          }
          S || s.insertBefore(v, s.contains(b[0]) ? b[0] : s.querySelector(t)), b = void 0;
        }
      }, [m, f, t]),
      x = ms(e.ref, (v) => {
        let S = p[0];
        if (n === 2 && (v.innerHTML = ""), (h || b) && w(v), !c && !i || !S) return;
        let A = Ma[v.getAttribute(S)] ||= new Promise((O, R) => {
          v.addEventListener("load", O), v.addEventListener("error", R);
        });
        i && (A = A.then(i)), c && (A = A.catch(c)), A.catch(() => {});
      });
    if (o && d === "render") {
      let v = lo[t][0];
      if (v && e[v]) {
        let S = e[v],
          A = Ma[S] ||= new Promise((O, R) => {
            w(l), l.addEventListener("load", O), l.addEventListener("error", R);
          });
        Ia(A);
      }
    }
    let y = { tag: t, type: t, props: { ...u, ref: x }, ref: x };
    return y.p = n, l && (y.e = l), $a(y, s);
  },
  Nu = (t) => {
    let e = xu();
    return (e && Ht(e))?.endsWith("svg")
      ? { tag: "title", props: t, type: "title", ref: t.ref }
      : bo("title", t, void 0, !1, !1);
  },
  Ru = (t) =>
    !t || ["src", "async"].some((e) => !t[e])
      ? { tag: "script", props: t, type: "script", ref: t.ref }
      : bo("script", t, 1, !1, !0),
  Cu = (t) =>
    !t || !["href", "precedence"].every((e) => e in t)
      ? { tag: "style", props: t, type: "style", ref: t.ref }
      : (t["data-href"] = t.href, delete t.href, bo("style", t, 2, !0, !0)),
  Iu = (t) =>
    !t || ["onLoad", "onError"].some((e) => e in t) ||
      t.rel === "stylesheet" && (!("precedence" in t) || "disabled" in t)
      ? { tag: "link", props: t, type: "link", ref: t.ref }
      : bo("link", t, 1, Ta(t), !0),
  Lu = (t) => bo("meta", t, void 0, !1, !1),
  Fu = Symbol(),
  Hu = (t) => {
    let { action: e, ...n } = t;
    typeof e != "function" && (n.action = e);
    let [r, o] = P([null, !1]),
      s = $t(async (d) => {
        let u = d.isTrusted ? e : d.detail[Fu];
        if (typeof u != "function") return;
        d.preventDefault();
        let l = new FormData(d.target);
        o([l, !0]);
        try {
          let h = u(l);
          h instanceof Promise && (Bu(h), await h);
        } finally {
          o([null, !0]);
        }
      }, []),
      i = ms(t.ref, (d) => (d.addEventListener("submit", s), () => {
        d.removeEventListener("submit", s);
      })),
      [c, f] = r;
    return r[1] = !1, {
      tag: Au,
      props: {
        value: { pending: c !== null, data: c, method: c ? "post" : null, action: c ? e : null },
        children: { tag: "form", props: { ...n, ref: i }, type: "form", ref: i },
      },
      f,
    };
  },
  $u = (t, { formAction: e, ...n }) => {
    if (typeof e == "function") {
      let r = $t((o) => {
        o.preventDefault(),
          o.currentTarget.form.dispatchEvent(new CustomEvent("submit", { detail: { [Fu]: e } }));
      }, []);
      n.ref = ms(n.ref, (o) => (o.addEventListener("click", r), () => {
        o.removeEventListener("click", r);
      }));
    }
    return { tag: t, props: n, type: t, ref: n.ref };
  },
  Mu = (t) => $u("input", t),
  Pu = (t) => $u("button", t);
Object.assign(Sa, {
  title: Nu,
  script: Ru,
  style: Cu,
  link: Iu,
  meta: Lu,
  form: Hu,
  input: Mu,
  button: Pu,
});
var a = (
    t,
    e,
    n,
  ) => (typeof t == "string" && ja[t] && (t = ja[t]),
    { tag: t, type: t, props: e, key: n, ref: e.ref }),
  N = (t) => a("", t, void 0);
var Da = ({ children: t, fallback: e, fallbackRender: n, onError: r }) => {
  let o = N({ children: t });
  return o[Vn] = (s) => {
    if (s instanceof Promise) throw s;
    return r?.(s), n?.(s) || e;
  },
    o;
};
function We(t) {
  return Math.floor(t.nowMs() / 1e3);
}
var gn = {
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
function Er(...t) {
  let e = new AbortController();
  for (let n of t) {
    let r = () => e.abort(n.reason);
    n.aborted ? r() : n.addEventListener("abort", r, { once: !0, signal: e.signal });
  }
  return e.signal;
}
function gs(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var Ua = (t) => t ? `"${t}" ` : "";
function rn(t, e = "") {
  if (typeof t != "number") throw new TypeError(Ua(e) + "expected number, got " + typeof t);
  if (!Number.isSafeInteger(t) || t < 0) {
    throw new RangeError(Ua(e) + "expected integer >= 0, got " + t);
  }
  return t;
}
function rt(t, e, n = "") {
  if (gs(t) && (e === void 0 || t.length === e)) return t;
  e !== void 0 && rn(e, "length");
  let r = gs(t),
    o = e !== void 0 ? ` of length ${e}` : "",
    s = r ? `length=${t.length}` : `type=${typeof t}`,
    i = Ua(n) + "expected Uint8Array" + o + ", got " + s;
  throw r ? new RangeError(i) : new TypeError(i);
}
function wo(t) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError("expected hash wrapped by utils.createHasher");
  }
  if (rn(t.outputLen), rn(t.blockLen), t.outputLen < 1 || t.blockLen < 1) {
    throw new Error("hash blockLen / outputLen must be >= 1");
  }
}
var cw = (t, e) => {
    if (t === null || typeof t != "object" || Array.isArray(t)) {
      throw new TypeError(
        (e === "object" ? "" : `"${e}" `) + "expected object, got type=" + typeof t,
      );
    }
  },
  ju = (t, e) => {
    cw(t, e);
    let n = Object.getPrototypeOf(t);
    if (n !== Object.prototype && n !== null) throw new TypeError(`"${e}" expected plain object`);
    if (Object.hasOwn(t, "__proto__")) throw new TypeError(`"${e}.__proto__" is not allowed`);
  };
function vr(t, e = !0) {
  if (t.destroyed) throw new Error("hash was destroyed");
  if (e && t.finished) throw new Error("digest() was already called");
}
function bs(t, e) {
  rt(t, void 0, "output");
  let n = e.outputLen;
  if (!(t.length >= n)) throw new RangeError('"output" expected length >= ' + n);
}
function gt(...t) {
  for (let e = 0; e < t.length; e++) t[e].fill(0);
}
function ws(t) {
  return new DataView(t.buffer, t.byteOffset, t.byteLength);
}
function kt(t, e) {
  return t << 32 - e | t >>> e;
}
var Uu = typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function",
  fw = Array.from({ length: 256 }, (t, e) => e.toString(16).padStart(2, "0"));
function Sr(t) {
  if (rt(t), Uu) return t.toHex();
  let e = "";
  for (let n = 0; n < t.length; n++) e += fw[t[n]];
  return e;
}
function Du(t) {
  return t >= 48 && t <= 57
    ? t - 48
    : t >= 65 && t <= 70
    ? t - 55
    : t >= 97 && t <= 102
    ? t - 87
    : void 0;
}
function Tr(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  if (Uu) {
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
    let i = Du(t.charCodeAt(s)), c = Du(t.charCodeAt(s + 1));
    if (i === void 0 || c === void 0) {
      let f = t[s] + t[s + 1];
      throw new RangeError('hex string expected, got non-hex character "' + f + '" at index ' + s);
    }
    r[o] = i * 16 + c;
  }
  return r;
}
function qa(...t) {
  let e = 0;
  for (let r = 0; r < t.length; r++) {
    let o = t[r];
    rt(o), e += o.length;
  }
  let n = new Uint8Array(e);
  for (let r = 0, o = 0; r < t.length; r++) {
    let s = t[r];
    n.set(s, o), o += s.length;
  }
  return n;
}
function dw(t, e, n = "opts") {
  return ju(t, "defaults"), e !== void 0 && ju(e, n), Object.assign(Object.create(null), t, e);
}
function ys(t, e = {}) {
  if (typeof t != "function") {
    throw new TypeError('"hashCons" expected function, got type=' + typeof t);
  }
  e = dw({}, e, "info");
  let n = (o, s) => t(s).update(o).digest(), r = t(void 0);
  return n.outputLen = r.outputLen,
    n.blockLen = r.blockLen,
    n.canXOF = r.canXOF,
    n.create = (o) => t(o),
    Object.assign(n, e),
    Object.freeze(n);
}
function qu(t = 32) {
  rn(t, "bytesLength");
  let e = typeof globalThis == "object" ? globalThis.crypto : null;
  if (typeof e?.getRandomValues != "function") {
    throw new Error("crypto.getRandomValues must be defined");
  }
  if (t > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${t}`);
  return e.getRandomValues(new Uint8Array(t));
}
var xs = (t) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, t]) });
var _s = Uint8Array;
function yo(t, e) {
  if (_s.prototype.toBase64) return _s.prototype.toBase64.call(t, { alphabet: e });
  let n = btoa(Array.from(t, (r) => String.fromCharCode(r)).join(""));
  return e === "base64" ? n : n.replaceAll("+", "-").replaceAll("/", "_");
}
function za(t, e) {
  try {
    if (_s.fromBase64) return _s.fromBase64(t, { alphabet: e });
    let n = e === "base64" ? t : t.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(n), (r) => r.charCodeAt(0));
  } catch {
    return;
  }
}
var zu = [
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
    "store_rolled_back",
    "storage_failed",
    "internal",
    "token_required",
    "token_refused",
    "token_invalid",
    "token_expired",
    "token_spent",
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
  k = class extends Error {
    name = "CountersignError";
    code;
    constructor(e, n, r) {
      super(n, r), this.code = e;
    }
  };
function et(t, e) {
  return (n, r) => new k(t, `${e}: ${n}`, r);
}
function bt(t, e) {
  return t instanceof k && t.code === e;
}
function xo(t) {
  if (t instanceof k) return t;
  throw t;
}
function bn(t) {
  try {
    return t();
  } catch (e) {
    xo(e);
    return;
  }
}
var E = 32,
  Gu = 2 ** 53,
  uw = new TextEncoder(),
  lw = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 });
function oe(t) {
  return uw.encode(t);
}
function ot(t, e = "malformed_text") {
  try {
    return lw.decode(t);
  } catch (n) {
    throw new k(e, "Cannot read text: bytes are not UTF-8", { cause: n });
  }
}
function Z(t) {
  return Sr(t);
}
function Re(t) {
  return Tr(t);
}
function Pe(t, e) {
  return t.length === e * 2 && /^[0-9a-f]*$/.test(t);
}
function Ae(t, e) {
  return Pe(t, e) ? Re(t) : void 0;
}
function _o(t) {
  return yo(t, "base64");
}
function Yn(t) {
  let e = za(t, "base64");
  return e !== void 0 && _o(e) === t ? e : void 0;
}
function Vu(t) {
  return yo(t, "base64url").replaceAll("=", "");
}
function kr(t) {
  let e = za(t, "base64url"), n = e && yo(e, "base64url");
  return t === n || t === n?.replaceAll("=", "") ? e : void 0;
}
function we(...t) {
  let e = 0;
  for (let o of t) e += o.length;
  let n = new Uint8Array(e), r = 0;
  for (let o of t) n.set(o, r), r += o.length;
  return n;
}
var hw = 128;
function Be(t, e) {
  if (t.length !== e.length) return !1;
  let n = 0;
  if (t.length >= hw && t.byteOffset % 4 === 0 && e.byteOffset % 4 === 0) {
    let r = t.length >>> 2,
      o = new Int32Array(t.buffer, t.byteOffset, r),
      s = new Int32Array(e.buffer, e.byteOffset, r);
    for (let i = 0; i < r; i++) if (o[i] !== s[i]) return !1;
    n = 4 * r;
  }
  for (let r = n; r < t.length; r++) if (t[r] !== e[r]) return !1;
  return !0;
}
function Wu(t) {
  let e = new Uint8Array(8);
  return new DataView(e.buffer).setBigUint64(0, BigInt(t)), e;
}
function ut(t) {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(t)) return;
  let e = Number(t);
  return Number.isSafeInteger(e) ? e : void 0;
}
function Ne(t) {
  return Number.isSafeInteger(t) && t >= 0;
}
var Es = BigInt(4294967295), Ku = BigInt(32);
function pw(t, e = !1) {
  return e
    ? { h: Number(t & Es), l: Number(t >> Ku & Es) }
    : { h: Number(t >> Ku & Es) | 0, l: Number(t & Es) | 0 };
}
function Yu(t, e = !1) {
  let n = t.length, r = new Uint32Array(n), o = new Uint32Array(n);
  for (let s = 0; s < n; s++) {
    let { h: i, l: c } = pw(t[s], e);
    [r[s], o[s]] = [i, c];
  }
  return [r, o];
}
var mw = (t) => t / 2 ** 32 | 0, gw = (t) => t >>> 0;
function Zu(t, e, n, r) {
  let o = mw(n), s = gw(n);
  t.setUint32(e, r ? s : o, r), t.setUint32(e + 4, r ? o : s, r);
}
var Ga = (t, e, n) => t >>> n,
  Va = (t, e, n) => t << 32 - n | e >>> n,
  Zn = (t, e, n) => t >>> n | e << 32 - n,
  Xn = (t, e, n) => t << 32 - n | e >>> n,
  Eo = (t, e, n) => t << 64 - n | e >>> n - 32,
  vo = (t, e, n) => t >>> n - 32 | e << 64 - n;
function Mt(t, e, n, r) {
  let o = (e >>> 0) + (r >>> 0);
  return { h: t + n + (o / 2 ** 32 | 0) | 0, l: o | 0 };
}
var Xu = (t, e, n) => (t >>> 0) + (e >>> 0) + (n >>> 0),
  Ju = (t, e, n, r) => e + n + r + (t / 2 ** 32 | 0) | 0,
  Qu = (t, e, n, r) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0),
  el = (t, e, n, r, o) => e + n + r + o + (t / 2 ** 32 | 0) | 0,
  tl = (t, e, n, r, o) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0) + (o >>> 0),
  nl = (t, e, n, r, o, s) => e + n + r + o + s + (t / 2 ** 32 | 0) | 0;
function rl(t, e, n) {
  return t & e ^ ~t & n;
}
function ol(t, e, n) {
  return t & e ^ t & n ^ e & n;
}
var So = class {
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
        this.view = ws(this.buffer);
    }
    update(e) {
      vr(this), rt(e);
      let { view: n, buffer: r, blockLen: o } = this, s = e.length, i = !1;
      for (let c = 0; c < s;) {
        let f = Math.min(o - this.pos, s - c);
        if (f === o) {
          let d = ws(e);
          for (; o <= s - c; c += o) this.process(d, c);
          i = !0;
          continue;
        }
        r.set(c === 0 && f === s ? e : e.subarray(c, c + f), this.pos),
          this.pos += f,
          c += f,
          this.pos === o && (this.process(n, 0), this.pos = 0, i = !0);
      }
      return this.length += e.length, i && this.roundClean(), this;
    }
    digestInto(e) {
      vr(this), bs(e, this), this.finished = !0;
      let { buffer: n, view: r, blockLen: o, isLE: s } = this, { pos: i } = this;
      n[i++] = 128,
        n.fill(0, i),
        this.padOffset > o - i && (this.process(r, 0), n.fill(0)),
        Zu(r, o - 8, this.length * 8, s),
        this.process(r, 0),
        this.roundClean();
      let c = e === n ? r : ws(e), f = this.outputLen, d = f / 4, u = this.get();
      if (f % 4 || d > u.length) throw new Error("invalid outputLen");
      for (let l = 0; l < d; l++) c.setUint32(4 * l, u[l], s);
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
  sl = Uint32Array.from([
    1779033703,
    3144134277,
    1013904242,
    2773480762,
    1359893119,
    2600822924,
    528734635,
    1541459225,
  ]);
var il = Uint32Array.from([
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
  al = Uint32Array.from([
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
var ww = Uint32Array.from([
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
  wn = new Uint32Array(64),
  Wa = class extends So {
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
      let { A: e, B: n, C: r, D: o, E: s, F: i, G: c, H: f } = this;
      return [e, n, r, o, s, i, c, f];
    }
    set(e, n, r, o, s, i, c, f) {
      this.A = e | 0,
        this.B = n | 0,
        this.C = r | 0,
        this.D = o | 0,
        this.E = s | 0,
        this.F = i | 0,
        this.G = c | 0,
        this.H = f | 0;
    }
    _cloneInto(e) {
      return (e ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(e);
    }
    process(e, n) {
      for (let l = 0; l < 16; l++, n += 4) wn[l] = e.getUint32(n, !1);
      for (let l = 16; l < 64; l++) {
        let h = wn[l - 15],
          p = wn[l - 2],
          m = kt(h, 7) ^ kt(h, 18) ^ h >>> 3,
          g = kt(p, 17) ^ kt(p, 19) ^ p >>> 10;
        wn[l] = g + wn[l - 7] + m + wn[l - 16] | 0;
      }
      let { A: r, B: o, C: s, D: i, E: c, F: f, G: d, H: u } = this;
      for (let l = 0; l < 64; l++) {
        let h = kt(c, 6) ^ kt(c, 11) ^ kt(c, 25),
          p = u + h + rl(c, f, d) + ww[l] + wn[l] | 0,
          g = (kt(r, 2) ^ kt(r, 13) ^ kt(r, 22)) + ol(r, o, s) | 0;
        u = d, d = f, f = c, c = i + p | 0, i = s, s = o, o = r, r = p + g | 0;
      }
      r = r + this.A | 0,
        o = o + this.B | 0,
        s = s + this.C | 0,
        i = i + this.D | 0,
        c = c + this.E | 0,
        f = f + this.F | 0,
        d = d + this.G | 0,
        u = u + this.H | 0,
        this.set(r, o, s, i, c, f, d, u);
    }
    roundClean() {
      gt(wn);
    }
    destroy() {
      this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), gt(this.buffer);
    }
  },
  Ka = class extends Wa {
    constructor() {
      super(32, sl);
    }
  };
var cl = Yu(
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
  yw = cl[0],
  xw = cl[1],
  yn = new Uint32Array(80),
  xn = new Uint32Array(80),
  vs = class extends So {
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
        Dh: c,
        Dl: f,
        Eh: d,
        El: u,
        Fh: l,
        Fl: h,
        Gh: p,
        Gl: m,
        Hh: g,
        Hl: b,
      } = this;
      return [e, n, r, o, s, i, c, f, d, u, l, h, p, m, g, b];
    }
    set(e, n, r, o, s, i, c, f, d, u, l, h, p, m, g, b) {
      this.Ah = e | 0,
        this.Al = n | 0,
        this.Bh = r | 0,
        this.Bl = o | 0,
        this.Ch = s | 0,
        this.Cl = i | 0,
        this.Dh = c | 0,
        this.Dl = f | 0,
        this.Eh = d | 0,
        this.El = u | 0,
        this.Fh = l | 0,
        this.Fl = h | 0,
        this.Gh = p | 0,
        this.Gl = m | 0,
        this.Hh = g | 0,
        this.Hl = b | 0;
    }
    _cloneInto(e) {
      return (e ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(e);
    }
    process(e, n) {
      for (let y = 0; y < 16; y++, n += 4) yn[y] = e.getUint32(n), xn[y] = e.getUint32(n += 4);
      for (let y = 16; y < 80; y++) {
        let v = yn[y - 15] | 0,
          S = xn[y - 15] | 0,
          A = Zn(v, S, 1) ^ Zn(v, S, 8) ^ Ga(v, S, 7),
          O = Xn(v, S, 1) ^ Xn(v, S, 8) ^ Va(v, S, 7),
          R = yn[y - 2] | 0,
          G = xn[y - 2] | 0,
          ce = Zn(R, G, 19) ^ Eo(R, G, 61) ^ Ga(R, G, 6),
          he = Xn(R, G, 19) ^ vo(R, G, 61) ^ Va(R, G, 6),
          pe = Qu(O, he, xn[y - 7], xn[y - 16]),
          ke = el(pe, A, ce, yn[y - 7], yn[y - 16]);
        yn[y] = ke | 0, xn[y] = pe | 0;
      }
      let {
        Ah: r,
        Al: o,
        Bh: s,
        Bl: i,
        Ch: c,
        Cl: f,
        Dh: d,
        Dl: u,
        Eh: l,
        El: h,
        Fh: p,
        Fl: m,
        Gh: g,
        Gl: b,
        Hh: w,
        Hl: x,
      } = this;
      for (let y = 0; y < 80; y++) {
        let v = Zn(l, h, 14) ^ Zn(l, h, 18) ^ Eo(l, h, 41),
          S = Xn(l, h, 14) ^ Xn(l, h, 18) ^ vo(l, h, 41),
          A = l & p ^ ~l & g,
          O = h & m ^ ~h & b,
          R = tl(x, S, O, xw[y], xn[y]),
          G = nl(R, w, v, A, yw[y], yn[y]),
          ce = R | 0,
          he = Zn(r, o, 28) ^ Eo(r, o, 34) ^ Eo(r, o, 39),
          pe = Xn(r, o, 28) ^ vo(r, o, 34) ^ vo(r, o, 39),
          ke = r & s ^ r & c ^ s & c,
          q = o & i ^ o & f ^ i & f;
        w = g | 0,
          x = b | 0,
          g = p | 0,
          b = m | 0,
          p = l | 0,
          m = h | 0,
          { h: l, l: h } = Mt(d | 0, u | 0, G | 0, ce | 0),
          d = c | 0,
          u = f | 0,
          c = s | 0,
          f = i | 0,
          s = r | 0,
          i = o | 0;
        let ne = Xu(ce, pe, q);
        r = Ju(ne, G, he, ke), o = ne | 0;
      }
      ({ h: r, l: o } = Mt(this.Ah | 0, this.Al | 0, r | 0, o | 0)),
        { h: s, l: i } = Mt(this.Bh | 0, this.Bl | 0, s | 0, i | 0),
        { h: c, l: f } = Mt(this.Ch | 0, this.Cl | 0, c | 0, f | 0),
        { h: d, l: u } = Mt(this.Dh | 0, this.Dl | 0, d | 0, u | 0),
        { h: l, l: h } = Mt(this.Eh | 0, this.El | 0, l | 0, h | 0),
        { h: p, l: m } = Mt(this.Fh | 0, this.Fl | 0, p | 0, m | 0),
        { h: g, l: b } = Mt(this.Gh | 0, this.Gl | 0, g | 0, b | 0),
        { h: w, l: x } = Mt(this.Hh | 0, this.Hl | 0, w | 0, x | 0),
        this.set(r, o, s, i, c, f, d, u, l, h, p, m, g, b, w, x);
    }
    roundClean() {
      gt(yn, xn);
    }
    destroy() {
      this.destroyed = !0,
        gt(this.buffer),
        this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  },
  Ya = class extends vs {
    constructor() {
      super(64, al);
    }
  },
  Za = class extends vs {
    constructor() {
      super(48, il);
    }
  };
var Ot = ys(() => new Ka(), xs(1));
var To = ys(() => new Ya(), xs(3)), fl = ys(() => new Za(), xs(2));
function wt(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
var de = (t, e, n) => rt(t, e, n), Ja = rn;
function _n(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function Jn(t, e) {
  if (typeof t != "function") {
    throw new TypeError(`"${e}" is invalid: expected function, got ${typeof t}`);
  }
  return t;
}
var Qn = Sr,
  qe = (...t) => qa(...t),
  er = (t) => Tr(t),
  Pt = gs,
  on = (t) => qu(t),
  Ss = BigInt(0),
  Xa = BigInt(1),
  _w = (t) => t ? `"${t}" ` : "";
function yt(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(_w(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function Ew(t) {
  if (typeof t == "bigint") {
    if (!En(t)) {
      throw new RangeError("positive bigint expected, got " + t);
    }
  } else Ja(t);
  return t;
}
function Ce(t, e = "") {
  if (typeof t != "number") {
    let n = e && `"${e}" `;
    throw new TypeError(n + "expected number, got type=" + typeof t);
  }
  if (!Number.isSafeInteger(t)) {
    let n = e && `"${e}" `;
    throw new RangeError(n + "expected safe integer, got " + t);
  }
}
function dl(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  return t === "" ? Ss : BigInt("0x" + t);
}
function lt(t) {
  return dl(Sr(t));
}
function jt(t) {
  return dl(Sr(Ut(rt(t)).reverse()));
}
function Dt(t, e) {
  if (rn(e), e === 0) throw new Error("zero output length is invalid");
  t = Ew(t);
  let n = e * 2, r = t.toString(16);
  if (r.length > n) throw new RangeError("number is too large");
  return Tr(r.padStart(n, "0"));
}
function Qa(t, e) {
  return Dt(t, e).reverse();
}
function Ut(t) {
  return Uint8Array.from(de(t));
}
function Ts(t) {
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
function En(t) {
  return typeof t == "bigint" && Ss <= t;
}
function ec(t, e, n) {
  return En(t) && En(e) && En(n) && e <= t && t < n;
}
function tr(t, e, n, r) {
  if (!ec(e, n, r)) {
    throw new RangeError("expected valid " + t + ": " + n + " <= n < " + r + ", got " + e);
  }
}
function xt(t) {
  if (t < Ss) throw new Error("expected non-negative bigint, got " + t);
  return t === Ss ? 0 : t.toString(2).length;
}
function ul(t, e) {
  if (typeof t != "bigint") throw new TypeError('"n" expected bigint, got type=' + typeof t);
  return Ce(e, "pos"), t >> BigInt(e) & Xa;
}
var ks = (t) => (Ce(t, "n"), (Xa << BigInt(t)) - Xa);
function $e(t, e = {}, n = {}, r = "object") {
  _n(t, r), _n(e, "fields"), _n(n, "optFields");
  function o(i, c, f) {
    let d = r === "object" ? `param "${String(i)}"` : `"${r}.${String(i)}"`, u = t[i];
    if (!Object.hasOwn(t, i) && (f ? u !== void 0 : c !== "function")) {
      throw new TypeError(`${d} is invalid: expected own property`);
    }
    if (f && u === void 0) return;
    let l = typeof u;
    if (l !== c || u === null) throw new TypeError(`${d} is invalid: expected ${c}, got ${l}`);
  }
  let s = (i, c) => Object.entries(i).forEach(([f, d]) => o(f, d, c));
  s(e, !1), s(n, !0);
}
var At = () => {
  throw new Error("not implemented");
};
var Me = BigInt(0),
  me = BigInt(1),
  nr = BigInt(2),
  pl = BigInt(3),
  As = BigInt(4),
  ml = BigInt(5),
  vw = BigInt(7),
  gl = BigInt(8),
  Sw = BigInt(9),
  bl = BigInt(15),
  wl = BigInt(16),
  yl = BigInt("0x10000000000000000");
function Fe(t, e) {
  if (e <= Me) throw new Error("mod: expected positive modulus, got " + e);
  let n = t % e;
  return n >= Me ? n : e + n;
}
function Tw(t, e, n) {
  if (n <= me) throw new Error("pow: expected modulus > 1, got " + n);
  if (typeof e != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof e);
  }
  if (e < Me) throw new Error("invalid exponent, negatives unsupported");
  if (e === Me) return me;
  if (e === me) return t;
  let r = t % n;
  if (r < Me && (r += n), e < yl) {
    let c = me;
    for (; e > Me;) e & me && (c = c * r % n), r = r * r % n, e >>= me;
    return c;
  }
  let o = [];
  for (; e > Me;) o.push(Number(e & bl)), e >>= As;
  let s = new Array(16);
  s[0] = me, s[1] = r;
  for (let c = 2; c < 16; c++) s[c] = s[c - 1] * r % n;
  let i = s[o[o.length - 1]];
  for (let c = o.length - 2; c >= 0; c--) {
    i = i * i % n, i = i * i % n, i = i * i % n, i = i * i % n;
    let f = o[c];
    f !== 0 && (i = i * s[f] % n);
  }
  return i;
}
function Bt(t, e, n) {
  if (n <= me) throw new Error("pow2: expected modulus > 1, got " + n);
  if (e < Me) throw new Error("pow2: expected non-negative exponent, got " + e);
  let r = t;
  for (; e-- > Me;) r *= r, r %= n;
  return r;
}
function ll(t, e) {
  if (t === Me) throw new Error("invert: expected non-zero number");
  if (e <= me) throw new Error("invert: expected modulus > 1, got " + e);
  let n = Fe(t, e), r = e, o = Me, s = me;
  for (; n !== Me;) {
    let c = r / n, f = r - n * c, d = o - s * c;
    r = n, n = f, o = s, s = d;
  }
  if (r !== me) throw new Error("invert: does not exist");
  return Fe(o, e);
}
function tc(t, e, n) {
  let r = t;
  if (!r.eql(r.sqr(e), n)) throw new Error("Cannot find square root");
}
function nc(t, e) {
  if ((t & me) === Me) throw new Error(e + ": expected odd modulus, got " + t);
}
function xl(t, e) {
  let n = t, r = (n.ORDER + me) / As, o = n.pow(e, r);
  return tc(n, o, e), o;
}
function kw(t, e) {
  let n = t,
    r = (n.ORDER - ml) / gl,
    o = n.mul(e, nr),
    s = n.pow(o, r),
    i = n.mul(e, s),
    c = n.mul(n.mul(i, nr), s),
    f = n.mul(i, n.sub(c, n.ONE));
  return tc(n, f, e), f;
}
function Ow(t) {
  let e = vn(t),
    n = _l(t),
    r = n(e, e.neg(e.ONE)),
    o = n(e, r),
    s = n(e, e.neg(r)),
    i = (t + vw) / wl;
  return (c, f) => {
    let d = c,
      u = d.pow(f, i),
      l = d.mul(u, r),
      h = d.mul(u, o),
      p = d.mul(u, s),
      m = d.eql(d.sqr(l), f),
      g = d.eql(d.sqr(h), f);
    u = d.cmov(u, l, m), l = d.cmov(p, h, g);
    let b = d.eql(d.sqr(l), f), w = d.cmov(u, l, b);
    return tc(d, w, f), w;
  };
}
function _l(t) {
  if (t < pl) throw new Error("sqrt is not defined for small field");
  nc(t, "tonelliShanks");
  let e = t - me, n = 0;
  for (; e % nr === Me;) e /= nr, n++;
  let r = nr, o = vn(t);
  for (; sn(o, r) === 1;) {
    if (r++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
  }
  if (n === 1) return xl;
  let s = o.pow(r, e), i = (e + me) / nr;
  return function (f, d) {
    let u = f;
    if (u.is0(d)) return d;
    if (sn(u, d) !== 1) throw new Error("Cannot find square root");
    let l = n, h = u.mul(u.ONE, s), p = u.pow(d, e), m = u.pow(d, i);
    for (; !u.eql(p, u.ONE);) {
      if (u.is0(p)) throw new Error("Cannot find square root: probably non-prime P");
      let g = 1, b = u.sqr(p);
      for (; !u.eql(b, u.ONE);) {
        if (g++, b = u.sqr(b), g === l) throw new Error("Cannot find square root");
      }
      let w = me << BigInt(l - g - 1), x = u.pow(h, w);
      l = g, h = u.sqr(x), p = u.mul(p, h), m = u.mul(m, x);
    }
    return m;
  };
}
function Aw(t) {
  return nc(t, "Fp.sqrt"), t % As === pl ? xl : t % gl === ml ? kw : t % wl === Sw ? Ow(t) : _l(t);
}
var El = (t, e) => (Fe(t, e) & me) === me,
  Bw = [
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
function at(t) {
  if (_n(t, "field"), typeof t.ORDER != "bigint") {
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof t.ORDER);
  }
  Ce(t.BYTES, "BYTES"), Ce(t.BITS, "BITS");
  for (let e of Bw) Jn(t[e], "field." + e);
  if (t.BYTES < 1 || t.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
  if (t.ORDER <= me) throw new Error("invalid field: expected ORDER > 1, got " + t.ORDER);
  return t;
}
function Bs(t, e, n) {
  at(t);
  let r = t;
  if (typeof n != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof n);
  }
  if (n < Me) throw new Error("invalid exponent, negatives unsupported");
  if (n === Me) return r.ONE;
  if (n === me) return e;
  if (n < yl) {
    let c = r.ONE, f = e;
    for (; n > Me;) n & me && (c = r.mul(c, f)), f = r.sqr(f), n >>= me;
    return c;
  }
  let o = [];
  for (; n > Me;) o.push(Number(n & bl)), n >>= As;
  let s = new Array(16);
  s[0] = r.ONE, s[1] = e;
  for (let c = 2; c < 16; c++) s[c] = r.mul(s[c - 1], e);
  let i = s[o[o.length - 1]];
  for (let c = o.length - 2; c >= 0; c--) {
    i = r.sqr(r.sqr(r.sqr(r.sqr(i))));
    let f = o[c];
    f !== 0 && (i = r.mul(i, s[f]));
  }
  return i;
}
function Nt(t, e, n = !1) {
  at(t), wt(e, "nums"), yt(n, "passZero");
  let r = t,
    o = new Array(e.length).fill(n ? r.ZERO : void 0),
    s = e.reduce((c, f, d) => r.is0(f) ? c : (o[d] = c, r.mul(c, f)), r.ONE),
    i = r.inv(s);
  return e.reduceRight((c, f, d) => r.is0(f) ? c : (o[d] = r.mul(c, o[d]), r.mul(c, f)), i), o;
}
function sn(t, e) {
  at(t);
  let n = t;
  nc(n.ORDER, "FpLegendre");
  let r = (n.ORDER - me) / nr,
    o = n.pow(e, r),
    s = n.eql(o, n.ONE),
    i = n.eql(o, n.ZERO),
    c = n.eql(o, n.neg(n.ONE));
  if (!s && !i && !c) throw new Error("invalid Legendre symbol result");
  return s ? 1 : i ? 0 : -1;
}
function rc(t, e) {
  return sn(t, e) !== -1;
}
function Nw(t, e) {
  if (e !== void 0 && Ja(e), t <= Me) {
    throw new Error("invalid n length: expected positive n, got " + t);
  }
  if (e !== void 0 && e < 1) {
    throw new Error("invalid n length: expected positive bit length, got " + e);
  }
  let n = xt(t);
  if (e !== void 0 && e < n) {
    throw new Error(`invalid n length: expected nBitLength (${e}) >= bitLen(n) (${n})`);
  }
  let r = e !== void 0 ? e : n, o = Math.ceil(r / 8);
  return { nBitLength: r, nByteLength: o };
}
var hl = new WeakMap(),
  Os = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO = Me;
    ONE = me;
    _lengths;
    _mod;
    constructor(e, n = {}) {
      if (e <= me) throw new Error("invalid field: expected ORDER > 1, got " + e);
      let r;
      this.isLE = !1,
        n != null && typeof n == "object" &&
        (typeof n.BITS == "number" && (r = n.BITS),
          typeof n.sqrt == "function" &&
          Object.defineProperty(this, "sqrt", { value: n.sqrt, enumerable: !0 }),
          typeof n.isLE == "boolean" && (this.isLE = n.isLE),
          n.allowedLengths && (this._lengths = Object.freeze(n.allowedLengths.slice())),
          typeof n.modFromBytes == "boolean" && (this._mod = n.modFromBytes));
      let { nBitLength: o, nByteLength: s } = Nw(e, r);
      if (s > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
      this.ORDER = e, this.BITS = o, this.BYTES = s, Object.freeze(this);
    }
    create(e) {
      return Fe(e, this.ORDER);
    }
    isValid(e) {
      if (typeof e != "bigint") {
        throw new TypeError("invalid field element: expected bigint, got " + typeof e);
      }
      return Me <= e && e < this.ORDER;
    }
    is0(e) {
      return e === Me;
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    isOdd(e) {
      return (e & me) === me;
    }
    neg(e) {
      return Fe(-e, this.ORDER);
    }
    eql(e, n) {
      return e === n;
    }
    sqr(e) {
      return Fe(e * e, this.ORDER);
    }
    add(e, n) {
      return Fe(e + n, this.ORDER);
    }
    sub(e, n) {
      return Fe(e - n, this.ORDER);
    }
    mul(e, n) {
      return Fe(e * n, this.ORDER);
    }
    pow(e, n) {
      return Tw(e, n, this.ORDER);
    }
    div(e, n) {
      return Fe(e * ll(n, this.ORDER), this.ORDER);
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
      return ll(e, this.ORDER);
    }
    sqrt(e) {
      let n = hl.get(this);
      return n || hl.set(this, n = Aw(this.ORDER)), n(this, e);
    }
    toBytes(e) {
      return this.isLE ? Qa(e, this.BYTES) : Dt(e, this.BYTES);
    }
    fromBytes(e, n = !1) {
      de(e);
      let { _lengths: r, BYTES: o, isLE: s, ORDER: i, _mod: c } = this;
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
      let f = s ? jt(e) : lt(e);
      if (c && (f = Fe(f, i)), !n && !this.isValid(f)) {
        throw new Error("invalid field element: outside of range 0..ORDER");
      }
      return f;
    }
    invertBatch(e) {
      return Nt(this, e, !0);
    }
    cmov(e, n, r) {
      return yt(r, "condition"), r ? n : e;
    }
  };
function vn(t, e = {}) {
  return Object.freeze(Os.prototype), new Os(t, e);
}
function vl(t) {
  if (typeof t != "bigint") throw new Error("field order must be bigint");
  if (t <= me) throw new Error("field order must be greater than 1");
  let e = xt(t - me);
  return Math.ceil(e / 8);
}
function oc(t) {
  let e = vl(t);
  return e + Math.ceil(e / 2);
}
function Sl(t, e, n = !1) {
  de(t);
  let r = t.length, o = vl(e), s = Math.max(oc(e), 16);
  if (r < s || r > 1024) throw new Error("expected " + s + "-1024 bytes of input, got " + r);
  let i = n ? jt(t) : lt(t), c = Fe(i, e - me) + me;
  return n ? Qa(c, o) : Dt(c, o);
}
var ac = BigInt(0), ko = BigInt(1), Cw = BigInt(4), sc = 16, Tl = 128, Iw = 5, kl = 2 ** 31;
function Sn(t) {
  let e = t;
  if (typeof e != "function") {
    throw new TypeError('"Point" expected constructor, got type=' + typeof t);
  }
  Jn(e.fromAffine, "Point.fromAffine"),
    Jn(e.fromBytes, "Point.fromBytes"),
    Jn(e.fromHex, "Point.fromHex"),
    _n(e.BASE, "Point.BASE"),
    _n(e.ZERO, "Point.ZERO"),
    at(e.Fp),
    at(e.Fn);
}
function Ns(t, e) {
  Sn(t), Bl(e, t);
  let n = Nt(t.Fp, e.map((r) => r.Z));
  return e.map((r, o) => t.fromAffine(r.toAffine(n[o])));
}
function Lw(t, e, n = 1) {
  if (!Number.isSafeInteger(t) || t < n || t > e) {
    throw new Error("invalid window size, expected [" + n + ".." + e + "], got W=" + t);
  }
}
function Fw(t, e) {
  let n = t * (4 * e + 128);
  if (n > kl) {
    throw new Error(
      "invalid window size: table would need ~" + Math.ceil(n / 2 ** 20) + " MiB, max " +
        kl / 2 ** 20 + " MiB",
    );
  }
}
function Al(t, e) {
  if (t !== void 0) {
    Jn(t, "randomBytes");
    try {
      let n = t(e);
      if (!Pt(n) || n.length !== e) return;
    } catch {
      return;
    }
    return t;
  }
}
function Bl(t, e) {
  wt(t, "points"),
    t.forEach((n, r) => {
      if (!(n instanceof e)) throw new Error("invalid point at index " + r);
    });
}
function Hw(t, e, n) {
  if (!Array.isArray(t)) throw new Error("array of scalars expected");
  t.forEach((r, o) => {
    if (!(n === void 0 ? e.isValid(r) : En(r) && r < n)) {
      throw new Error("invalid scalar at index " + o);
    }
  });
}
var Nl = new WeakMap();
function ic(t) {
  return Nl.get(t) || 1;
}
function $w(t, e) {
  let n = t.double(), r = [t];
  for (let o = 1; o < e; o++) r.push(r[o - 1].add(n));
  return r;
}
function Mw(t, e) {
  let n = 2 ** e, r = n / 2, o = BigInt(n - 1), s = [];
  for (; t > ac;) {
    let i = 0;
    t & ko && (i = Number(t & o), i >= r && (i -= n), t -= BigInt(i)), s.push(i), t >>= ko;
  }
  return s;
}
function Pw(t, e, n) {
  let r = 2 ** e, o = r / 2, s = BigInt(r - 1), i = BigInt(e), c = [];
  for (let f = 0; f < n; f++) {
    let d = Number(t & s);
    t >>= i, d > o && (d -= r, t += ko), c.push(d);
  }
  if (t !== ac) throw new Error("invalid wnaf");
  return c;
}
function jw(t, e, n) {
  let r = 0;
  for (let s of n) r = Math.max(r, s.length);
  let o = t;
  for (let s = r - 1; s >= 0; s--) {
    s !== r - 1 && (o = o.double());
    for (let i = 0; i < n.length; i++) {
      let c = n[i][s];
      if (c) {
        let f = e[i][Math.abs(c) - 1 >> 1];
        o = o.add(c < 0 ? f.negate() : f);
      }
    }
  }
  return o;
}
var Or = class {
  Point;
  BASE;
  ZERO;
  randomBytes;
  wnafPrecomputes = new WeakMap();
  baseCanBeBlinded;
  bits;
  constructor(e, n) {
    Sn(e),
      this.randomBytes = Al(n, sc),
      this.Point = e,
      this.BASE = e.BASE,
      this.ZERO = e.ZERO,
      this.bits = e.Fn.BITS;
  }
  buildWnafTable(e, n, r) {
    let o = Math.ceil(r / n) + 1, s = 2 ** (n - 1), i = [], c = e;
    for (let f = 0; f < o; f++) {
      let d = c;
      for (let u = 0; u < s; u++) i.push(d), d = d.add(c);
      c = i[i.length - 1].double();
    }
    return { W: n, bits: r, windows: o, comp: i };
  }
  wnafCachedCT(e, n) {
    let { W: r, windows: o, comp: s } = e,
      i = 2 ** (r - 1),
      c = Pw(n, r, o),
      f = this.ZERO,
      d = this.BASE;
    for (let u = 0; u < o; u++) {
      let l = c[u], h = u * i, p = Math.abs(l) - 1, m = s[h];
      for (let b = 1; b < i; b++) m = b === p ? s[h + b] : m;
      let g = m.negate();
      l === 0 ? d = d.add(s[h]) : f = f.add(l < 0 ? g : m);
    }
    return { p: f, f: d };
  }
  getWnafPrecomputes(e, n, r, o) {
    let s = this.wnafPrecomputes.get(n), i = s?.find((c) => c.W === e && c.bits === r);
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
    if (this.assertPoint(e), !ec(n, ko, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
  }
  runCT(e, n, r, o) {
    let s = ic(e);
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
    let o = this.Point.Fn.BITS + Tl, s = this.randomBytes(sc);
    if (!Pt(s) || s.length !== sc) throw new Error("randomBytes returned invalid byte array");
    s[0] = s[0] & 63 | 128;
    let i = n + lt(s) * this.Point.Fn.ORDER;
    return this.runCT(e, i, o, r);
  }
  fixedWindowCT(e, n, r) {
    let o = Iw, s = 1 << o, i = ks(o), c = new Array(s);
    c[0] = this.ZERO;
    for (let u = 1; u < s; u++) c[u] = c[u - 1].add(e);
    let f = Math.ceil(r / o), d = this.ZERO;
    for (let u = f - 1; u >= 0; u--) {
      if (u !== f - 1) { for (let p = 0; p < o; p++) d = d.double(); }
      let l = Number(n >> BigInt(u * o) & i), h = c[0];
      for (let p = 1; p < s; p++) h = p === l ? c[p] : h;
      d = d.add(h);
    }
    return { p: d, f: d };
  }
  shouldBlind(e, n) {
    return this.randomBytes === void 0
      ? !1
      : n === ko
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
    if (this.assertPoint(e), !En(n)) throw new Error("invalid scalar");
    let o = ic(e);
    if (o === 1 || n >= this.Point.Fn.ORDER) return Rs(this.Point, [e], [n], !0);
    let s = this.getWnafPrecomputes(o, e, this.bits, r);
    return this.wnafCachedCT(s, n).p;
  }
  setWindowSize(e, n) {
    this.assertPoint(e), Lw(n, this.bits);
    let r = Math.ceil((this.bits + Tl) / n) + 1;
    Fw(r * 2 ** (n - 1), this.Point.Fp.BYTES), Nl.set(e, n), this.wnafPrecomputes.delete(e);
  }
  hasWindowSize(e) {
    return ic(e) !== 1;
  }
};
function Rs(t, e, n, r = !1) {
  if (
    Sn(t),
      Bl(e, t),
      yt(r, "allowOversized"),
      Hw(n, t.Fn, r ? t.Fn.ORDER ** Cw : void 0),
      e.length !== n.length
  ) throw new Error("arrays of points and scalars must have equal length");
  let o = e.map((i) => $w(i, 4)), s = n.map((i) => Mw(i, 4));
  return jw(t.ZERO, o, s);
}
function Ol(t, e, n) {
  if (e) {
    if (e.ORDER !== t) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
    return at(e), e;
  } else return vn(t, { isLE: n });
}
function Cs(t, e, n = {}, r) {
  if (t !== "weierstrass" && t !== "edwards") {
    throw new Error('expected curve type "weierstrass" or "edwards"');
  }
  if (r === void 0 && (r = t === "edwards"), !e || typeof e != "object") {
    throw new Error(`expected valid ${t} CURVE object`);
  }
  $e(n);
  for (let f of ["p", "n", "h"]) {
    let d = e[f];
    if (!(En(d) && d !== ac)) throw new Error(`CURVE.${f} must be positive bigint`);
  }
  let o = Ol(e.p, n.Fp, r),
    s = Ol(e.n, n.Fn, r),
    c = ["Gx", "Gy", "a", t === "weierstrass" ? "b" : "d"];
  for (let f of c) {
    if (!o.isValid(e[f])) throw new Error(`CURVE.${f} must be valid field element of CURVE.Fp`);
  }
  return e = Object.freeze(Object.assign({}, e)), { CURVE: e, Fp: o, Fn: s };
}
function cc(t, e) {
  return function (r) {
    let o = t(r);
    return { secretKey: o, publicKey: e(o) };
  };
}
var Rl = BigInt(0), qt = BigInt(1), Tn = BigInt(2), Cl = BigInt(3), Il = BigInt(4), Dw = lt;
function rr(t, e) {
  if (Ce(t), Ce(e), e < 0 || e > 4) throw new Error("invalid I2OSP length: " + e);
  if (t < 0 || t > 2 ** (8 * e) - 1) throw new Error("invalid I2OSP input: " + t);
  let n = Array.from({ length: e }).fill(0);
  for (let r = e - 1; r >= 0; r--) n[r] = t & 255, t >>>= 8;
  return new Uint8Array(n);
}
function Uw(t, e) {
  let n = new Uint8Array(t.length);
  for (let r = 0; r < t.length; r++) n[r] = t[r] ^ e[r];
  return n;
}
function Ll(t) {
  if (!Pt(t) && typeof t != "string") throw new Error("DST must be Uint8Array or ascii string");
  let e = typeof t == "string" ? Ts(t) : t;
  if (e.length === 0) throw new Error("DST must be non-empty");
  return e;
}
function qw(t, e, n, r) {
  if (de(t), Ce(n), typeof r != "function") {
    throw new Error("expand_message_xmd: expected hash function");
  }
  Ce(r.outputLen, "hash.outputLen"),
    Ce(r.blockLen, "hash.blockLen"),
    e = Ll(e),
    e.length > 255 && (e = r(qe(Ts("H2C-OVERSIZE-DST-"), e)));
  let { outputLen: o, blockLen: s } = r, i = Math.ceil(n / o);
  if (n > 65535 || i > 255) throw new Error("expand_message_xmd: invalid lenInBytes");
  let c = qe(e, rr(e.length, 1)),
    f = new Uint8Array(s),
    d = rr(n, 2),
    u = new Array(i),
    l = r(qe(f, t, d, rr(0, 1), c));
  u[0] = r(qe(l, rr(1, 1), c));
  for (let p = 1; p < i; p++) {
    let m = [Uw(l, u[p - 1]), rr(p + 1, 1), c];
    u[p] = r(qe(...m));
  }
  return qe(...u).slice(0, n);
}
function zw(t, e, n, r, o) {
  if (de(t), Ce(n), Ce(r, "k"), r < 0) throw new Error("expand_message_xof: invalid k");
  if (typeof o != "function") throw new Error("expand_message_xof: expected XOF function");
  if (typeof o.create != "function") throw new Error("expand_message_xof: expected XOF create");
  if (e = Ll(e), n < 0 || n > 65535) throw new Error("expand_message_xof: invalid lenInBytes");
  if (e.length > 255) {
    let s = Math.ceil(2 * r / 8);
    e = o.create({ dkLen: s }).update(Ts("H2C-OVERSIZE-DST-")).update(e).digest();
  }
  if (e.length > 255) throw new Error("expand_message_xof: invalid DST");
  return o.create({ dkLen: n }).update(t).update(rr(n, 2)).update(e).update(rr(e.length, 1))
    .digest();
}
function fc(t, e, n) {
  $e(n, { p: "bigint", m: "number", k: "number", hash: "function" });
  let { p: r, k: o, m: s, hash: i, expand: c, DST: f } = n;
  if (Ce(i.outputLen, "valid hash"), de(t), Ce(e), Ce(s, "m"), Ce(o, "k"), r <= BigInt(1)) {
    throw new Error("hash_to_field: expected valid field characteristic");
  }
  if (e < 1) throw new Error("hash_to_field: expected count >= 1");
  if (s < 1) throw new Error("hash_to_field: expected m >= 1");
  if (o < 0) throw new Error("hash_to_field: invalid k");
  let d = r.toString(2).length, u = Math.ceil((d + o) / 8), l = e * s * u, h;
  if (c === "xmd") h = qw(t, f, l, i);
  else if (c === "xof") h = zw(t, f, l, o, i);
  else if (c === "_internal_pass") h = t;
  else throw new Error('expand must be "xmd" or "xof"');
  let p = new Array(e);
  for (let m = 0; m < e; m++) {
    let g = new Array(s);
    for (let b = 0; b < s; b++) {
      let w = u * (b + m * s), x = h.subarray(w, w + u);
      g[b] = Fe(Dw(x), r);
    }
    p[m] = g;
  }
  return p;
}
function dc(t, e) {
  at(t), wt(e, "map");
  let n = e.map((r, o) => {
    if (wt(r, "map[" + o + "]"), r.length < 1) {
      throw new Error("isogenyMap: expected non-empty coefficients");
    }
    return Array.from(r).reverse();
  });
  return (r, o) => {
    let [s, i, c, f] = n.map((h) => h.reduce((p, m) => t.add(t.mul(p, r), m))),
      d = t.is0(i) || t.is0(f),
      [u, l] = Nt(t, [i, f], !0);
    return r = t.mul(s, u),
      o = t.mul(o, t.mul(c, l)),
      d ? { x: t.ZERO, y: t.ZERO } : { x: r, y: o };
  };
}
var Gw = "HashToScalar-";
function uc(t, e, n) {
  if (typeof e != "function") throw new Error("mapToCurve() must be defined");
  $e(n);
  let r = (f) =>
      Object.freeze({
        ...f,
        DST: Pt(f.DST) ? Ut(f.DST) : f.DST,
        ...f.encodeDST === void 0
          ? {}
          : { encodeDST: Pt(f.encodeDST) ? Ut(f.encodeDST) : f.encodeDST },
      }),
    o = r(n),
    s = (f) => f && f.DST !== void 0 ? { DST: f.DST } : void 0;
  function i(f) {
    return t.fromAffine(e(f));
  }
  function c(f) {
    let d = f.clearCofactor();
    return d.equals(t.ZERO) ? t.ZERO : (d.assertValidity(), d);
  }
  return Object.freeze({
    get defaults() {
      return r(o);
    },
    Point: t,
    hashToCurve(f, d) {
      let u = Object.assign({}, o, s(d)), l = fc(f, 2, u), h = i(l[0]), p = i(l[1]);
      return c(h.add(p));
    },
    encodeToCurve(f, d) {
      let u = o.encodeDST === void 0 ? {} : { DST: o.encodeDST },
        l = Object.assign({}, o, u, s(d)),
        h = fc(f, 1, l),
        p = i(h[0]);
      return c(p);
    },
    mapToCurve(f) {
      if (o.m === 1) {
        if (typeof f != "bigint") throw new Error("expected bigint (m=1)");
        return c(i([f]));
      }
      if (!Array.isArray(f)) throw new Error("expected array of bigints");
      if (f.length !== o.m) throw new Error(`expected array of ${o.m} bigints`);
      for (let d of f) if (typeof d != "bigint") throw new Error("expected array of bigints");
      return c(i(f));
    },
    hashToScalar(f, d) {
      let u = t.Fn.ORDER, l = Object.assign({}, o, { DST: Gw }, s(d), { p: u, m: 1 });
      return fc(f, 1, l)[0][0];
    },
  });
}
function Vw(t, e) {
  let n = at(t), r = n.ORDER, o = Rl;
  for (let g = r - qt; g % Tn === Rl; g /= Tn) o += qt;
  let s = o,
    i = Tn << s - qt - qt,
    c = i * Tn,
    f = (r - qt) / c,
    d = (f - qt) / Tn,
    u = c - qt,
    l = i,
    h = n.pow(e, f),
    p = n.pow(e, (f + qt) / Tn),
    m = (g, b) => {
      let w = h, x = n.pow(b, u), y = n.sqr(x);
      y = n.mul(y, b);
      let v = n.mul(g, y);
      v = n.pow(v, d), v = n.mul(v, x), x = n.mul(v, b), y = n.mul(v, g);
      let S = n.mul(y, x);
      v = n.pow(S, l);
      let A = n.eql(v, n.ONE);
      x = n.mul(y, p), v = n.mul(S, w), y = n.cmov(x, y, A), S = n.cmov(v, S, A);
      for (let O = s; O > qt; O--) {
        let R = O - Tn;
        R = Tn << R - qt;
        let G = n.pow(S, R), ce = n.eql(G, n.ONE);
        x = n.mul(y, w),
          w = n.mul(w, w),
          G = n.mul(S, w),
          y = n.cmov(x, y, ce),
          S = n.cmov(G, S, ce);
      }
      return { isValid: !n.is0(b) && (A || n.is0(g)), value: y };
    };
  if (n.ORDER % Il === Cl) {
    let g = (n.ORDER - Cl) / Il, b = n.sqrt(n.neg(e));
    m = (w, x) => {
      let y = n.sqr(x), v = n.mul(w, x);
      y = n.mul(y, v);
      let S = n.pow(y, g);
      S = n.mul(S, v);
      let A = n.mul(S, b), O = n.mul(n.sqr(S), x), R = n.eql(O, w), G = n.cmov(A, S, R);
      return { isValid: !n.is0(x) && R, value: G };
    };
  }
  return m;
}
function lc(t, e) {
  let n = at(t);
  $e(e, {}, {}, "opts");
  let { A: r, B: o, Z: s } = e;
  if (!n.isValidNot0(r) || !n.isValidNot0(o) || !n.isValid(s)) {
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  }
  if (n.eql(s, n.neg(n.ONE)) || rc(n, s)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let i = n.mul(o, n.inv(n.mul(s, r))), c = n.add(n.add(n.mul(n.sqr(i), i), n.mul(r, i)), o);
  if (!rc(n, c)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let f = Vw(n, s);
  if (!n.isOdd) throw new Error("Field does not have .isOdd()");
  return (d) => {
    let u, l, h, p, m, g, b, w;
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
      b = n.mul(u, h);
    let { isValid: x, value: y } = f(l, g);
    w = n.mul(u, d), w = n.mul(w, y), b = n.cmov(b, h, x), w = n.cmov(w, y, x);
    let v = n.isOdd(d) === n.isOdd(w);
    w = n.cmov(n.neg(w), w, v);
    let S = Nt(n, [p], !0)[0];
    return b = n.mul(b, S), { x: b, y: w };
  };
}
var Is = class {
    oHash;
    iHash;
    blockLen;
    outputLen;
    canXOF = !1;
    finished = !1;
    destroyed = !1;
    constructor(e, n) {
      if (
        wo(e), rt(n, void 0, "key"), this.iHash = e.create(), typeof this.iHash.update != "function"
      ) throw new Error("expected Hash instance");
      this.blockLen = this.iHash.blockLen, this.outputLen = this.iHash.outputLen;
      let r = this.blockLen, o = new Uint8Array(r);
      o.set(n.length > r ? e.create().update(n).digest() : n);
      for (let s = 0; s < o.length; s++) o[s] ^= 54;
      this.iHash.update(o), this.oHash = e.create();
      for (let s = 0; s < o.length; s++) o[s] ^= 106;
      this.oHash.update(o), gt(o);
    }
    update(e) {
      return vr(this), this.iHash.update(e), this;
    }
    digestInto(e) {
      vr(this), bs(e, this), this.finished = !0;
      let n = e.subarray(0, this.outputLen);
      this.iHash.digestInto(n), this.oHash.update(n), this.oHash.digestInto(n), this.destroy();
    }
    digest() {
      let e = new Uint8Array(this.oHash.outputLen);
      return this.digestInto(e), e;
    }
    _cloneInto(e) {
      e ||= Object.create(Object.getPrototypeOf(this), {});
      let { oHash: n, iHash: r, finished: o, destroyed: s, blockLen: i, outputLen: c, canXOF: f } =
        this;
      return e = e,
        e.finished = o,
        e.destroyed = s,
        e.blockLen = i,
        e.outputLen = c,
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
  hc = (() => {
    let t = (e, n, r) => new Is(e, n).update(r).digest();
    return t.create = (e, n) => new Is(e, n), t;
  })();
var Fl = (t, e) => (t + (t >= 0 ? e : -e) / Kw) / e;
function Ww(t, e, n) {
  tr("scalar", t, Ar, n);
  let [[r, o], [s, i]] = e,
    c = Fl(i * t, n),
    f = Fl(-o * t, n),
    d = t - c * r - f * s,
    u = -c * o - f * i,
    l = d < Ar,
    h = u < Ar;
  l && (d = -d), h && (u = -u);
  let p = ks(Math.ceil(xt(n) / 2)) + Oo;
  if (d < Ar || d >= p || u < Ar || u >= p) {
    throw new Error("splitScalar (endomorphism): failed for k");
  }
  return { k1neg: l, k1: d, k2neg: h, k2: u };
}
var Ar = BigInt(0), Oo = BigInt(1), Kw = BigInt(2), pc = BigInt(3), Yw = BigInt(4);
function mc(t, e = {}) {
  let n = Cs("weierstrass", t, e), r = n.Fp, o = n.Fn, s = n.CURVE, { h: i, n: c } = s;
  $e(e, {}, {
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
    m = e.randomBytes === void 0 ? on : e.randomBytes;
  if (f && (!r.is0(s.a) || typeof f.beta != "bigint" || !Array.isArray(f.basises))) {
    throw new Error('invalid endo: expected "beta": bigint and "basises": array');
  }
  let g = f ? { beta: f.beta, basises: f.basises.map((I) => [...I]) } : void 0, b = Xw(r, o);
  function w() {
    if (!r.isOdd) throw new Error("compression is not supported: Field does not have .isOdd()");
  }
  function x(I, _, B) {
    if (_.is0()) {
      if (!d) throw new Error("bad point: ZERO");
      return Uint8Array.of(0);
    }
    let { x: C, y: L } = _.toAffine(), j = r.toBytes(C);
    if (yt(B, "isCompressed"), B) {
      w();
      let M = !r.isOdd(L);
      return qe(Zw(M), j);
    } else return qe(Uint8Array.of(4), j, r.toBytes(L));
  }
  function y(I) {
    de(I, void 0, "Point");
    let { publicKey: _, publicKeyUncompressed: B } = b, C = I.length, L = I[0], j = I.subarray(1);
    if (d && C === 1 && L === 0) return { x: r.ZERO, y: r.ZERO };
    if (C === _ && (L === 2 || L === 3)) {
      let M = r.fromBytes(j);
      if (!r.isValid(M)) throw new Error("bad point: is not on curve, wrong x");
      let Y = R(M), K;
      try {
        K = r.sqrt(Y);
      } catch (Oe) {
        let Ue = Oe instanceof Error ? ": " + Oe.message : "";
        throw new Error("bad point: is not on curve, sqrt error" + Ue);
      }
      w();
      let re = r.isOdd(K);
      return (L & 1) === 1 !== re && (K = r.neg(K)), { x: M, y: K };
    } else if (C === B && L === 4) {
      let M = r.BYTES, Y = r.fromBytes(j.subarray(0, M)), K = r.fromBytes(j.subarray(M, M * 2));
      if (!G(Y, K)) throw new Error("bad point: is not on curve");
      return { x: Y, y: K };
    } else {throw new Error(
        `bad point: got length ${C}, expected compressed=${_} or uncompressed=${B}`,
      );}
  }
  let v = p === void 0 ? x : p,
    S = h === void 0 ? y : h,
    A = r.mul(s.b, pc),
    O = r.is0(s.a) ? (I) => r.ZERO : (I) => r.mul(s.a, I);
  function R(I) {
    let _ = r.sqr(I), B = r.mul(_, I);
    return r.add(r.add(B, r.mul(I, s.a)), s.b);
  }
  function G(I, _) {
    let B = r.sqr(_), C = R(I);
    return r.eql(B, C);
  }
  if (!G(s.Gx, s.Gy)) throw new Error("bad curve params: generator point");
  let ce = r.mul(r.pow(s.a, pc), Yw), he = r.mul(r.sqr(s.b), BigInt(27));
  if (r.is0(r.add(ce, he))) throw new Error("bad curve params: a or b");
  function pe(I, _, B = !1) {
    if (!r.isValid(_) || B && r.is0(_)) throw new Error(`bad point coordinate ${I}`);
    return typeof _ == "object" && _ !== null ? r.create(_) : _;
  }
  function ke(I) {
    if (!(I instanceof T)) throw new Error("Weierstrass Point expected");
  }
  function q(I) {
    if (!g || !g.basises) throw new Error("no endo");
    return Ww(I, g.basises, o.ORDER);
  }
  function ne(I, _, B, C) {
    if (!o.isValid(C)) throw new RangeError("invalid scalar: out of range");
    if (g) {
      let { k1neg: L, k1: j, k2neg: M, k2: Y } = q(C), K = new T(r.mul(B.X, g.beta), B.Y, B.Z);
      I.push(L ? B.negate() : B, M ? K.negate() : K), _.push(j, Y);
    } else I.push(B), _.push(C);
  }
  let ae = new WeakSet();
  class T {
    static BASE = new T(s.Gx, s.Gy, r.ONE);
    static ZERO = new T(r.ZERO, r.ONE, r.ZERO);
    static Fp = r;
    static Fn = o;
    X;
    Y;
    Z;
    constructor(_, B, C) {
      this.X = pe("x", _), this.Y = pe("y", B, !0), this.Z = pe("z", C), Object.freeze(this);
    }
    static CURVE() {
      return s;
    }
    static fromAffine(_) {
      let { x: B, y: C } = _ || {};
      if (!_ || !r.isValid(B) || !r.isValid(C)) throw new Error("invalid affine point");
      if (_ instanceof T) throw new Error("projective point not allowed");
      return r.is0(B) && r.is0(C) ? T.ZERO : new T(B, C, r.ONE);
    }
    static fromBytes(_) {
      let B = T.fromAffine(S(de(_, void 0, "point")));
      return B.assertValidity(), B;
    }
    static fromHex(_) {
      return T.fromBytes(er(_));
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(_ = 6, B = !0) {
      return $.setWindowSize(this, _), B || this.multiply(pc), this;
    }
    assertValidity() {
      let _ = this;
      if (_.is0()) {
        if (d && r.is0(_.X) && r.eql(_.Y, r.ONE) && r.is0(_.Z)) return;
        throw new Error("bad point: ZERO");
      }
      if (ae.has(_)) return;
      let { x: B, y: C } = _.toAffine();
      if (!r.isValid(B) || !r.isValid(C)) throw new Error("bad point: x or y not field elements");
      if (!G(B, C)) throw new Error("bad point: equation left != right");
      if (!_.isTorsionFree()) throw new Error("bad point: not in prime-order subgroup");
      ae.add(_);
    }
    hasEvenY() {
      let { y: _ } = this.toAffine();
      if (!r.isOdd) throw new Error("Field doesn't support isOdd");
      return !r.isOdd(_);
    }
    equals(_) {
      ke(_);
      let { X: B, Y: C, Z: L } = this,
        { X: j, Y: M, Z: Y } = _,
        K = r.eql(r.mul(B, Y), r.mul(j, L)),
        re = r.eql(r.mul(C, Y), r.mul(M, L));
      return K && re;
    }
    negate() {
      return new T(this.X, r.neg(this.Y), this.Z);
    }
    double() {
      let { X: _, Y: B, Z: C } = this,
        L = r.ZERO,
        j = r.ZERO,
        M = r.ZERO,
        Y = r.mul(_, _),
        K = r.mul(B, B),
        re = r.mul(C, C),
        se = r.mul(_, B);
      return se = r.add(se, se),
        M = r.mul(_, C),
        M = r.add(M, M),
        L = O(M),
        j = r.mul(A, re),
        j = r.add(L, j),
        L = r.sub(K, j),
        j = r.add(K, j),
        j = r.mul(L, j),
        L = r.mul(se, L),
        M = r.mul(A, M),
        re = O(re),
        se = r.sub(Y, re),
        se = O(se),
        se = r.add(se, M),
        M = r.add(Y, Y),
        Y = r.add(M, Y),
        Y = r.add(Y, re),
        Y = r.mul(Y, se),
        j = r.add(j, Y),
        re = r.mul(B, C),
        re = r.add(re, re),
        Y = r.mul(re, se),
        L = r.sub(L, Y),
        M = r.mul(re, K),
        M = r.add(M, M),
        M = r.add(M, M),
        new T(L, j, M);
    }
    add(_) {
      ke(_);
      let { X: B, Y: C, Z: L } = this,
        { X: j, Y: M, Z: Y } = _,
        K = r.ZERO,
        re = r.ZERO,
        se = r.ZERO,
        Oe = r.mul(B, j),
        Ue = r.mul(C, M),
        Ve = r.mul(L, Y),
        mt = r.add(B, C),
        He = r.add(j, M);
      mt = r.mul(mt, He), He = r.add(Oe, Ue), mt = r.sub(mt, He), He = r.add(B, L);
      let Ze = r.add(j, Y);
      return He = r.mul(He, Ze),
        Ze = r.add(Oe, Ve),
        He = r.sub(He, Ze),
        Ze = r.add(C, L),
        K = r.add(M, Y),
        Ze = r.mul(Ze, K),
        K = r.add(Ue, Ve),
        Ze = r.sub(Ze, K),
        se = O(He),
        K = r.mul(A, Ve),
        se = r.add(K, se),
        K = r.sub(Ue, se),
        se = r.add(Ue, se),
        re = r.mul(K, se),
        Ue = r.add(Oe, Oe),
        Ue = r.add(Ue, Oe),
        Ve = O(Ve),
        He = r.mul(A, He),
        Ue = r.add(Ue, Ve),
        Ve = r.sub(Oe, Ve),
        Ve = O(Ve),
        He = r.add(He, Ve),
        Oe = r.mul(Ue, He),
        re = r.add(re, Oe),
        Oe = r.mul(Ze, He),
        K = r.mul(mt, K),
        K = r.sub(K, Oe),
        Oe = r.mul(mt, Ue),
        se = r.mul(Ze, se),
        se = r.add(se, Oe),
        new T(K, re, se);
    }
    subtract(_) {
      return ke(_), this.add(_.negate());
    }
    is0() {
      return this.equals(T.ZERO);
    }
    multiply(_) {
      if (!o.isValidNot0(_)) throw new RangeError("invalid scalar: out of range");
      let { p: B, f: C } = $.mulSecret(this, _, i, H);
      return H([B, C])[0];
    }
    multiplyUnsafe(_) {
      let B = this, C = _;
      if (!o.isValid(C)) throw new RangeError("invalid scalar: out of range");
      if (C === Ar || B.is0()) return T.ZERO;
      if (C === Oo) return B;
      if ($.hasWindowSize(this)) return $.mulUnsafe(B, C, H);
      let L = [], j = [];
      return ne(L, j, B, C), Rs(T, L, j);
    }
    mulAddUnsafe(_, B, C) {
      ke(B);
      let L = [], j = [];
      return ne(L, j, this, _), ne(L, j, B, C), Rs(T, L, j);
    }
    toAffine(_) {
      let B = this, C = _;
      if (C != null && !r.isValid(C)) {
        throw new RangeError('"invertedZ" expected valid field element');
      }
      let { X: L, Y: j, Z: M } = B;
      if (r.eql(M, r.ONE)) return { x: L, y: j };
      let Y = B.is0();
      C == null && (C = Y ? r.ONE : r.inv(M));
      let K = r.mul(L, C), re = r.mul(j, C), se = r.mul(M, C);
      if (Y) return { x: r.ZERO, y: r.ZERO };
      if (!r.eql(se, r.ONE)) throw new Error("invZ was invalid");
      return { x: K, y: re };
    }
    isTorsionFree() {
      return i === Oo ? !0 : l ? l(T, this) : $.mulUnsafe(this, c).is0();
    }
    clearCofactor() {
      return i === Oo ? this : u ? u(T, this) : this.multiplyUnsafe(i);
    }
    isSmallOrder() {
      return i === Oo ? this.is0() : this.clearCofactor().is0();
    }
    toBytes(_ = !0) {
      return yt(_, "isCompressed"), this.assertValidity(), v(T, this, _);
    }
    toHex(_ = !0) {
      return Qn(this.toBytes(_));
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let H = (I) => Ns(T, I), $ = new Or(T, m);
  return $.bits >= 6 && T.BASE.precompute(6), Object.freeze(T.prototype), Object.freeze(T), T;
}
function Zw(t) {
  return Uint8Array.of(t ? 2 : 3);
}
function Xw(t, e) {
  return {
    secretKey: e.BYTES,
    publicKey: 1 + t.BYTES,
    publicKeyUncompressed: 1 + 2 * t.BYTES,
    publicKeyHasPrefix: !0,
    signature: 2 * e.BYTES,
  };
}
var Jw = BigInt(0), Ls = BigInt(1), Hl = BigInt(2), Br = BigInt(3);
function Qw(t) {
  let e = [];
  for (; t > Ls; t >>= Ls) {
    (t & Ls) === Jw ? e.unshift(0) : (t & Br) === Br ? (e.unshift(-1), t += Ls) : e.unshift(1);
  }
  return e;
}
function gc(t) {
  if (!Array.isArray(t) || t.length === 0) throw new Error("expected non-empty array");
}
function ey(t, e, n, r) {
  if (
    $e(
      t,
      { Fp: "object", Fr: "object", Fp2: "object", Fp12: "object" },
      { Fp6: "object" },
      "fields",
    ), typeof e != "function"
  ) throw new TypeError('"G1_Point" expected point constructor, got type=' + typeof e);
  if (typeof n != "function") {
    throw new TypeError('"G2_Point" expected point constructor, got type=' + typeof n);
  }
  $e(r, { ateLoopSize: "bigint", xNegative: "boolean", twistType: "string" }, {
    randomBytes: "function",
    postPrecompute: "function",
  }, "params");
  let { Fp: o, Fr: s, Fp2: i, Fp12: c } = t,
    { twistType: f, ateLoopSize: d, xNegative: u, postPrecompute: l } = r,
    h = (T, H) => ({ c0: T, c1: H }),
    p = ({ c0: T, c1: H }) => Object.freeze({ c0: T, c1: H }),
    m = (T, H) => h(o.add(T.c0, H.c0), o.add(T.c1, H.c1)),
    g = (T, H) => h(o.sub(T.c0, H.c0), o.sub(T.c1, H.c1)),
    b = (T, H) => {
      let $ = o.mul(T.c0, H.c0), I = o.mul(T.c1, H.c1);
      return h(o.sub($, I), o.sub(o.mul(o.add(T.c0, T.c1), o.add(H.c0, H.c1)), o.add($, I)));
    },
    w = (T, H) => h(o.mul(T.c0, H), o.mul(T.c1, H)),
    x = (T) => i.mulByNonresidue(T),
    y = ({ c0: T, c1: H }, $, I, _, B, C) => {
      let L = w(I, B),
        j = w(_, C),
        { c0: M, c1: Y, c2: K } = T,
        { c0: re, c1: se, c2: Oe } = H,
        Ue = b(M, $),
        Ve = b(Y, L),
        mt = m(x(g(b(m(Y, K), L), Ve)), Ue),
        He = g(g(b(m($, L), m(M, Y)), Ue), Ve),
        Ze = m(g(b(m(M, K), $), Ue), Ve),
        ao = x(b(Oe, j)),
        co = b(re, j),
        fo = b(se, j),
        Dn = m(M, re),
        Un = m(Y, se),
        uo = m(K, Oe),
        qn = m(L, j),
        zn = b(Dn, $),
        Gn = b(Un, qn),
        ya = m(x(g(b(m(Un, uo), qn), Gn)), zn),
        xa = g(g(b(m($, qn), m(Dn, Un)), zn), Gn),
        _a = m(g(b(m(Dn, uo), $), zn), Gn);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(fo), mt)), c1: p(m(ao, He)), c2: p(m(co, Ze)) }),
        c1: Object.freeze({
          c0: p(g(g(ya, mt), ao)),
          c1: p(g(g(xa, He), co)),
          c2: p(g(g(_a, Ze), fo)),
        }),
      });
    },
    v = ({ c0: T, c1: H }, $, I, _, B, C) => {
      let L = w($, C),
        j = w(I, B),
        { c0: M, c1: Y, c2: K } = T,
        { c0: re, c1: se, c2: Oe } = H,
        Ue = b(M, L),
        Ve = b(Y, L),
        mt = b(K, L),
        He = b(re, j),
        Ze = b(se, _),
        ao = m(x(g(b(m(se, Oe), _), Ze)), He),
        co = g(g(b(m(j, _), m(re, se)), He), Ze),
        fo = m(g(b(m(re, Oe), j), He), Ze),
        Dn = m(M, re),
        Un = m(Y, se),
        uo = m(K, Oe),
        qn = m(L, j),
        zn = b(Dn, qn),
        Gn = b(Un, _),
        ya = m(x(g(b(m(Un, uo), _), Gn)), zn),
        xa = g(g(b(m(qn, _), m(Dn, Un)), zn), Gn),
        _a = m(g(b(m(Dn, uo), qn), zn), Gn);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(fo), Ue)), c1: p(m(ao, Ve)), c2: p(m(co, mt)) }),
        c1: Object.freeze({
          c0: p(g(g(ya, Ue), ao)),
          c1: p(g(g(xa, Ve), co)),
          c2: p(g(g(_a, mt), fo)),
        }),
      });
    },
    S;
  if (f === "multiplicative") S = (T, H, $, I, _, B) => y(I, T, H, $, _, B);
  else if (f === "divisive") S = (T, H, $, I, _, B) => v(I, $, H, T, _, B);
  else throw new Error("bls: unknown twist type");
  let A = i.div(i.ONE, i.mul(i.ONE, Hl));
  function O(T, H, $, I) {
    let _ = i.sqr($),
      B = i.sqr(I),
      C = i.mulByB(i.mul(B, Br)),
      L = i.mul(C, Br),
      j = i.sub(i.sub(i.sqr(i.add($, I)), B), _),
      M = i.sub(C, _),
      Y = i.mul(i.sqr(H), Br),
      K = i.neg(j);
    return T.push([M, Y, K]),
      H = i.mul(i.mul(i.mul(i.sub(_, L), H), $), A),
      $ = i.sub(i.sqr(i.mul(i.add(_, L), A)), i.mul(i.sqr(C), Br)),
      I = i.mul(_, j),
      { Rx: H, Ry: $, Rz: I };
  }
  function R(T, H, $, I, _, B) {
    let C = i.sub($, i.mul(B, I)),
      L = i.sub(H, i.mul(_, I)),
      j = i.sub(i.mul(C, _), i.mul(L, B)),
      M = i.neg(C),
      Y = L;
    T.push([j, M, Y]);
    let K = i.sqr(L),
      re = i.mul(K, L),
      se = i.mul(K, H),
      Oe = i.add(i.sub(re, i.mul(se, Hl)), i.mul(i.sqr(C), I));
    return H = i.mul(L, Oe),
      $ = i.sub(i.mul(i.sub(se, Oe), C), i.mul(re, $)),
      I = i.mul(I, re),
      { Rx: H, Ry: $, Rz: I };
  }
  let G = Qw(d),
    ce = (T) => {
      if (!(T instanceof n)) throw new TypeError('"point" expected G2 point, got type=' + typeof T);
      let H = T,
        { x: $, y: I } = H.toAffine(),
        _ = $,
        B = I,
        C = i.neg(I),
        L = _,
        j = B,
        M = i.ONE,
        Y = [];
      for (let K of G) {
        let re = [];
        ({ Rx: L, Ry: j, Rz: M } = O(re, L, j, M)),
          K && ({ Rx: L, Ry: j, Rz: M } = R(re, L, j, M, _, K === -1 ? C : B)),
          Y.push(re);
      }
      if (l) {
        let K = Y[Y.length - 1];
        l(L, j, M, _, B, R.bind(null, K));
      }
      return Y;
    };
  function he(T, H = !1) {
    wt(T, "pairs", (I, _) => {
      if (wt(I, _), I.length !== 3) throw new TypeError(`"${_}" expected precompute tuple`);
      wt(I[0], _ + "[0]");
    });
    let $ = c.ONE;
    if (T.length) {
      let I = T[0][0].length;
      for (let _ = 0; _ < I; _++) {
        _ !== 0 && ($ = c.sqr($));
        for (let [B, C, L] of T) for (let [j, M, Y] of B[_]) $ = S(j, M, Y, $, C, L);
      }
    }
    return u && ($ = c.conjugate($)), H ? c.finalExponentiate($) : $;
  }
  function pe(T, H = !0) {
    wt(T, "pairs");
    let $ = [];
    for (let I = 0; I < T.length; I++) {
      let _ = T[I];
      $e(_, { g1: "object", g2: "object" }, {}, "pairs[" + I + "]");
      let { g1: B, g2: C } = _;
      if (!(B instanceof e)) {
        throw new TypeError('"pairs[' + I + '].g1" expected G1 point, got type=' + typeof B);
      }
      if (!(C instanceof n)) {
        throw new TypeError('"pairs[' + I + '].g2" expected G2 point, got type=' + typeof C);
      }
      if (B.is0() || C.is0()) throw new Error("pairing is not available for ZERO point");
      B.assertValidity(), C.assertValidity();
      let L = B.toAffine();
      $.push([ce(C), L.x, L.y]);
    }
    return he($, H);
  }
  function ke(T, H, $ = !0) {
    if (!(T instanceof e)) throw new TypeError('"Q" expected G1 point, got type=' + typeof T);
    if (!(H instanceof n)) throw new TypeError('"P" expected G2 point, got type=' + typeof H);
    return pe([{ g1: T, g2: H }], $);
  }
  let q = { seed: oc(s.ORDER) },
    ne = r.randomBytes === void 0 ? on : r.randomBytes,
    ae = (T) => (T = T === void 0 ? ne(q.seed) : T, de(T, q.seed, "seed"), Sl(T, s.ORDER));
  return Object.freeze(q), {
    lengths: q,
    Fr: s,
    Fp12: c,
    millerLoopBatch: he,
    pairing: ke,
    pairingBatch: pe,
    calcPairingPrecomputes: ce,
    randomSecretKey: ae,
  };
}
function $l(t, e, n, r, o, s) {
  let { Fr: i, Fp12: c, pairingBatch: f, randomSecretKey: d, lengths: u } = t;
  s || (s = { fromBytes: At, fromHex: At, toBytes: At, toHex: At });
  let l = Object.freeze({ ...s });
  function h(b) {
    return b instanceof e ? b : e.fromBytes(b);
  }
  function p(b) {
    return b instanceof n ? b : l.fromBytes(b);
  }
  function m(b) {
    if (!(b instanceof n)) {
      throw new Error(`expected valid message hashed to ${r ? "G1" : "G2"} curve`);
    }
    return b;
  }
  let g = r ? (b, w) => ({ g1: w, g2: b }) : (b, w) => ({ g1: b, g2: w });
  return Object.freeze({
    lengths: Object.freeze({ ...u, secretKey: i.BYTES }),
    keygen(b) {
      let w = d(b), x = this.getPublicKey(w);
      return { secretKey: w, publicKey: x };
    },
    getPublicKey(b) {
      let w;
      try {
        w = e.Fn.fromBytes(b);
      } catch (x) {
        throw new Error("invalid private key: " + typeof b, { cause: x });
      }
      return e.BASE.multiply(w);
    },
    sign(b, w, x) {
      if (x != null) throw new Error("sign() expects 2 arguments");
      let y = e.Fn.fromBytes(w);
      return m(b).assertValidity(), b.multiply(y);
    },
    verify(b, w, x, y) {
      if (y != null) throw new Error("verify() expects 3 arguments");
      b = p(b), x = h(x);
      let v = x.negate(), S = e.BASE, A = m(w), O = b;
      try {
        let R = f([g(v, A), g(S, O)]);
        return c.eql(R, c.ONE);
      } catch {
        return !1;
      }
    },
    verifyBatch(b, w) {
      gc(w);
      let x = p(b), y = w.map((R) => m(R.message)), v = w.map((R) => h(R.publicKey)), S = new Map();
      for (let R = 0; R < v.length; R++) {
        let G = v[R], ce = y[R], he = S.get(ce);
        he === void 0 && (he = [], S.set(ce, he)), he.push(G);
      }
      let A = [], O = e.BASE;
      try {
        for (let [R, G] of S) {
          let ce = G.reduce((he, pe) => he.add(pe));
          A.push(g(ce, R));
        }
        return A.push(g(O.negate(), x)), c.eql(f(A), c.ONE);
      } catch {
        return !1;
      }
    },
    aggregatePublicKeys(b) {
      gc(b), b = b.map((x) => h(x));
      let w = b.reduce((x, y) => x.add(y), e.ZERO);
      return w.assertValidity(), w;
    },
    aggregateSignatures(b) {
      gc(b), b = b.map((x) => p(x));
      let w = b.reduce((x, y) => x.add(y), n.ZERO);
      return w.assertValidity(), w;
    },
    hash(b, w) {
      return de(b), o(b, w === void 0 ? void 0 : { DST: w });
    },
    Signature: Object.freeze({ ...l }),
  });
}
function ty(t, e, n, r) {
  let { Fp: o, Fr: s, Fp2: i, Fp6: c, Fp12: f } = t,
    d = { Point: e },
    u = { Point: n },
    l = ey(t, e, n, r),
    {
      millerLoopBatch: h,
      pairing: p,
      pairingBatch: m,
      calcPairingPrecomputes: g,
      randomSecretKey: b,
      lengths: w,
    } = l;
  return d.Point.BASE.precompute(4),
    Object.freeze(d),
    Object.freeze(u),
    Object.freeze({
      lengths: Object.freeze(w),
      millerLoopBatch: h,
      pairing: p,
      pairingBatch: m,
      G1: d,
      G2: u,
      fields: Object.freeze({ Fr: s, Fp: o, Fp2: i, Fp6: c, Fp12: f }),
      params: Object.freeze({
        ateLoopSize: r.ateLoopSize,
        xNegative: r.xNegative,
        twistType: r.twistType,
        postPrecompute: r.postPrecompute,
      }),
      utils: Object.freeze({ randomSecretKey: b, calcPairingPrecomputes: g }),
    });
}
function ny(t, e, n, r, o) {
  let s = ty(t, e, n, r);
  $e(o, { hasherOpts: "object", hasherOptsG1: "object", hasherOptsG2: "object" }, {
    mapToG1: "function",
    mapToG2: "function",
  }, "hasherParams");
  let i = uc(e, o.mapToG1 === void 0 ? At : o.mapToG1, { ...o.hasherOpts, ...o.hasherOptsG1 }),
    c = uc(n, o.mapToG2 === void 0 ? At : o.mapToG2, { ...o.hasherOpts, ...o.hasherOptsG2 });
  return Object.freeze({ ...s, G1: i, G2: c });
}
function Ml(t, e, n, r, o, s) {
  let i = ny(t, e, n, r, o),
    c = {
      ...i,
      Fr: i.fields.Fr,
      Fp12: i.fields.Fp12,
      calcPairingPrecomputes: i.utils.calcPairingPrecomputes,
      randomSecretKey: i.utils.randomSecretKey,
    },
    f = $l(c, e, n, !1, i.G2.hashToCurve, s?.LongSignature),
    d = $l(c, n, e, !0, i.G1.hashToCurve, s?.ShortSignature);
  return Object.freeze({ ...i, longSignatures: f, shortSignatures: d });
}
var bc = BigInt(0),
  kn = BigInt(1),
  st = BigInt(2),
  Pl = BigInt(3),
  ry = BigInt(6),
  oy = BigInt(12),
  or = (t) => !!t && typeof t == "object";
function Dl(t, e, n, r, o = 1, s) {
  Ce(o, "num"), Ce(r, "degree");
  let i = s === void 0 ? r : s;
  Ce(i, "divisor");
  let c = t;
  if (typeof n != "bigint" || n <= kn) {
    throw new Error("calcFrobeniusCoefficients: expected valid modulus, got " + n);
  }
  if (r <= 0) throw new Error("calcFrobeniusCoefficients: expected positive degree, got " + r);
  if (o <= 0) throw new Error("calcFrobeniusCoefficients: expected positive row count, got " + o);
  if (i <= 0) throw new Error("calcFrobeniusCoefficients: expected positive divisor, got " + i);
  let f = BigInt(i), d = n ** BigInt(r), u = [];
  for (let l = 0; l < o; l++) {
    let h = BigInt(l + 1), p = [];
    for (let m = 0, g = kn; m < r; m++) {
      let b = h * g - h;
      if (b % f) throw new Error("calcFrobeniusCoefficients: inexact tower exponent");
      let w = b / f % d;
      p.push(c.pow(e, w)), g *= n;
    }
    u.push(p);
  }
  return u;
}
function Ul(t, e, n) {
  if (
    at(t),
      at(e),
      $e(e, {
        Fp: "object",
        frobeniusMap: "function",
        fromBigTuple: "function",
        mulByB: "function",
        mulByNonresidue: "function",
        reim: "function",
        Fp4Square: "function",
        NONRESIDUE: "object",
      }, {}),
      !or(n) || Array.isArray(n)
  ) throw new TypeError('"base" expected Fp2 element, got type=' + typeof n);
  if (!e.isValid(n)) throw new RangeError('"base" expected valid Fp2 element');
  let r = e.pow(n, (t.ORDER - kn) / Pl), o = e.pow(n, (t.ORDER - kn) / st);
  function s(h, p) {
    let m = e.mul(e.frobeniusMap(h, 1), r), g = e.mul(e.frobeniusMap(p, 1), o);
    return [m, g];
  }
  let i = e.pow(n, (t.ORDER ** st - kn) / Pl), c = e.pow(n, (t.ORDER ** st - kn) / st);
  if (!e.eql(c, e.neg(e.ONE))) throw new Error("psiFrobenius: PSI2_Y!==-1");
  function f(h, p) {
    return [e.mul(h, i), e.neg(p)];
  }
  let d = (h) => (p, m) => {
      if (typeof p != "function") {
        throw new TypeError('"c" expected point constructor, got type=' + typeof p);
      }
      if (Sn(p), !(m instanceof p)) {
        throw new TypeError('"P" expected Point instance, got type=' + typeof m);
      }
      let g = m.toAffine(), b = h(g.x, g.y);
      return p.fromAffine({ x: b[0], y: b[1] });
    },
    u = d(s),
    l = d(f);
  return { psi: s, psi2: f, G2psi: u, G2psi2: l, PSI_X: r, PSI_Y: o, PSI2_X: i, PSI2_Y: c };
}
var wc = class {
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
        c = i * i;
      this.Fp = e,
        this.ORDER = c,
        this.BITS = xt(c),
        this.BYTES = Math.ceil(xt(c) / 8),
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.Fp_NONRESIDUE = e.create(r),
        this.Fp_div2 = e.div(e.ONE, st),
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
      if (!or(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!or(e)) return !1;
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
      return Bs(this, e, n);
    }
    invertBatch(e) {
      return Nt(this, e, !0);
    }
    add(e, n) {
      let { Fp: r } = this, { c0: o, c1: s } = e, { c0: i, c1: c } = n;
      return Object.freeze({ c0: r.add(o, i), c1: r.add(s, c) });
    }
    sub({ c0: e, c1: n }, { c0: r, c1: o }) {
      let { Fp: s } = this;
      return Object.freeze({ c0: s.sub(e, r), c1: s.sub(n, o) });
    }
    mul({ c0: e, c1: n }, r) {
      let { Fp: o } = this;
      if (typeof r == "bigint") return Object.freeze({ c0: o.mul(e, r), c1: o.mul(n, r) });
      let { c0: s, c1: i } = r,
        c = o.mul(e, s),
        f = o.mul(n, i),
        d = o.sub(c, f),
        u = o.sub(o.mul(o.add(e, n), o.add(s, i)), o.add(c, f));
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
        return sn(n, o) === 1
          ? r.create({ c0: n.sqrt(o), c1: n.ZERO })
          : r.create({ c0: n.ZERO, c1: n.sqrt(n.div(o, this.Fp_NONRESIDUE)) });
      }
      let i = n.sqrt(n.sub(n.sqr(o), n.mul(n.sqr(s), this.Fp_NONRESIDUE))),
        c = n.mul(n.add(i, o), this.Fp_div2);
      sn(n, c) === -1 && (c = n.sub(c, i));
      let d = n.sqrt(c), u = r.create({ c0: d, c1: n.div(n.mul(s, this.Fp_div2), d) });
      if (!r.eql(r.sqr(u), e)) throw new Error("Cannot find square root");
      let l = u, h = r.neg(l), { re: p, im: m } = r.reim(l), { re: g, im: b } = r.reim(h);
      return m > b || m === b && p > g ? l : h;
    }
    isOdd(e) {
      let { re: n, im: r } = this.reim(e), o = n % st, s = n === bc, i = r % st;
      return BigInt(o || s && i) == kn;
    }
    fromBytes(e) {
      let { Fp: n } = this;
      if (de(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      return qe(this.Fp.toBytes(e), this.Fp.toBytes(n));
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
  yc = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp2;
    constructor(e) {
      this.Fp2 = e,
        this.ORDER = e.Fp.ORDER ** ry,
        this.BITS = 3 * e.BITS,
        this.BYTES = 3 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO, c2: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO, c2: e.ZERO }),
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS_1() {
      let e = Fs.get(this);
      if (e) return e[0];
      let { Fp2: n } = this,
        { Fp: r } = n,
        o = Dl(n, n.NONRESIDUE, r.ORDER, 6, 2, 3),
        s = [Object.freeze(o[0]), Object.freeze(o[1])];
      return Fs.set(this, s), s[0];
    }
    get FROBENIUS_COEFFICIENTS_2() {
      let e = Fs.get(this);
      return e ? e[1] : (this.FROBENIUS_COEFFICIENTS_1, Fs.get(this)[1]);
    }
    add({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }) {
      let { Fp2: c } = this;
      return Object.freeze({ c0: c.add(e, o), c1: c.add(n, s), c2: c.add(r, i) });
    }
    sub({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }) {
      let { Fp2: c } = this;
      return Object.freeze({ c0: c.sub(e, o), c1: c.sub(n, s), c2: c.sub(r, i) });
    }
    mul({ c0: e, c1: n, c2: r }, o) {
      let { Fp2: s } = this;
      if (typeof o == "bigint") {
        return Object.freeze({ c0: s.mul(e, o), c1: s.mul(n, o), c2: s.mul(r, o) });
      }
      let { c0: i, c1: c, c2: f } = o, d = s.mul(e, i), u = s.mul(n, c), l = s.mul(r, f);
      return Object.freeze({
        c0: s.add(d, s.mulByNonresidue(s.sub(s.mul(s.add(n, r), s.add(c, f)), s.add(u, l)))),
        c1: s.add(s.sub(s.mul(s.add(e, n), s.add(i, c)), s.add(d, u)), s.mulByNonresidue(l)),
        c2: s.sub(s.add(u, s.mul(s.add(e, r), s.add(i, f))), s.add(d, l)),
      });
    }
    sqr({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this,
        s = o.sqr(e),
        i = o.mul(o.mul(e, n), st),
        c = o.mul(o.mul(n, r), st),
        f = o.sqr(r);
      return Object.freeze({
        c0: o.add(o.mulByNonresidue(c), s),
        c1: o.add(o.mulByNonresidue(f), i),
        c2: o.sub(o.sub(o.add(o.add(i, o.sqr(o.add(o.sub(e, n), r))), c), s), f),
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
      if (!or(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r, c2: o } = e, { Fp2: s } = this;
      return s.isValid(n) && s.isValid(r) && s.isValid(o);
    }
    is0(e) {
      if (!or(e)) return !1;
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
      let { Fp2: c } = this;
      return c.eql(e, o) && c.eql(n, s) && c.eql(r, i);
    }
    sqrt(e) {
      return At();
    }
    div(e, n) {
      let { Fp2: r } = this, { Fp: o } = r;
      return this.mul(e, typeof n == "bigint" ? o.inv(o.create(n)) : this.inv(n));
    }
    pow(e, n) {
      return Bs(this, e, n);
    }
    invertBatch(e) {
      return Nt(this, e, !0);
    }
    inv({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this,
        s = o.sub(o.sqr(e), o.mulByNonresidue(o.mul(r, n))),
        i = o.sub(o.mulByNonresidue(o.sqr(r)), o.mul(e, n)),
        c = o.sub(o.sqr(n), o.mul(e, r)),
        f = o.inv(o.add(o.mulByNonresidue(o.add(o.mul(r, i), o.mul(n, c))), o.mul(e, s)));
      return Object.freeze({ c0: o.mul(f, s), c1: o.mul(f, i), c2: o.mul(f, c) });
    }
    fromBytes(e) {
      let { Fp2: n } = this;
      if (de(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      let r = n.BYTES;
      return this.create({
        c0: n.fromBytes(e.subarray(0, r)),
        c1: n.fromBytes(e.subarray(r, r * 2)),
        c2: n.fromBytes(e.subarray(2 * r)),
      });
    }
    toBytes({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return qe(o.toBytes(e), o.toBytes(n), o.toBytes(r));
    }
    cmov({ c0: e, c1: n, c2: r }, { c0: o, c1: s, c2: i }, c) {
      let { Fp2: f } = this;
      return this.create({ c0: f.cmov(e, o, c), c1: f.cmov(n, s, c), c2: f.cmov(r, i, c) });
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
      let { Fp2: i } = this, c = i.mul(e, o), f = i.mul(n, s);
      return Object.freeze({
        c0: i.add(i.mulByNonresidue(i.sub(i.mul(i.add(n, r), s), f)), c),
        c1: i.sub(i.sub(i.mul(i.add(o, s), i.add(e, n)), c), f),
        c2: i.add(i.sub(i.mul(i.add(e, r), o), c), f),
      });
    }
  },
  Fs = new WeakMap(),
  xc = class {
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
        this.ORDER = i.ORDER ** oy,
        this.BITS = 2 * e.BITS,
        this.BYTES = 2 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.X_LEN = r,
        this.finalExponentiate = (c) => {
          let f = ({ c0: l, c1: h }) => Object.freeze({ c0: l, c1: h }),
            d = ({ c0: l, c1: h, c2: p }) => Object.freeze({ c0: f(l), c1: f(h), c2: f(p) }),
            u = o(c);
          return Object.freeze({ c0: d(u.c0), c1: d(u.c1) });
        },
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS() {
      let e = jl.get(this);
      if (e) return e;
      let { Fp2: n } = this.Fp6,
        { Fp: r } = n,
        o = Object.freeze(Dl(n, n.NONRESIDUE, r.ORDER, 12, 1, 6)[0]);
      return jl.set(this, o), o;
    }
    create(e) {
      let { Fp6: n } = this, r = n.create(e.c0), o = n.create(e.c1);
      return Object.freeze({ c0: r, c1: o });
    }
    isValid(e) {
      if (!or(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp6: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!or(e)) return !1;
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
      return At();
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
      return Bs(this, e, n);
    }
    invertBatch(e) {
      return Nt(this, e, !0);
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
      let { c0: s, c1: i } = r, c = o.mul(e, s), f = o.mul(n, i);
      return Object.freeze({
        c0: o.add(c, o.mulByNonresidue(f)),
        c1: o.sub(o.mul(o.add(e, n), o.add(s, i)), o.add(c, f)),
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
      if (de(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      let { Fp6: r } = this;
      return qe(r.toBytes(e), r.toBytes(n));
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
        { c0: i, c1: c, c2: f } = o.frobeniusMap(e.c1, n),
        d = this.FROBENIUS_COEFFICIENTS[r];
      return Object.freeze({
        c0: o.frobeniusMap(e.c0, n),
        c1: Object.freeze({ c0: s.mul(i, d), c1: s.mul(c, d), c2: s.mul(f, d) }),
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
        { c0: s, c1: i, c2: c } = e,
        { c0: f, c1: d, c2: u } = n,
        { first: l, second: h } = o.Fp4Square(s, d),
        { first: p, second: m } = o.Fp4Square(f, c),
        { first: g, second: b } = o.Fp4Square(i, u),
        w = o.mulByNonresidue(b);
      return Object.freeze({
        c0: Object.freeze({
          c0: o.add(o.mul(o.sub(l, s), st), l),
          c1: o.add(o.mul(o.sub(p, i), st), p),
          c2: o.add(o.mul(o.sub(g, c), st), g),
        }),
        c1: Object.freeze({
          c0: o.add(o.mul(o.add(w, f), st), w),
          c1: o.add(o.mul(o.add(h, d), st), h),
          c2: o.add(o.mul(o.add(m, u), st), m),
        }),
      });
    }
    _cyclotomicExp(e, n) {
      if (tr("cyclotomic exponent", n, bc, kn << BigInt(this.X_LEN)), n === bc) return this.ONE;
      let r = e;
      for (let o = xt(n) - 2; o >= 0; o--) {
        r = this._cyclotomicSquare(r), ul(n, o) && (r = this.mul(r, e));
      }
      return r;
    }
  },
  jl = new WeakMap();
function ql(t) {
  if (
    $e(t, {
      ORDER: "bigint",
      X_LEN: "number",
      FP2_NONRESIDUE: "object",
      Fp2mulByB: "function",
      Fp12finalExponentiate: "function",
    }, { NONRESIDUE: "bigint" }),
      Ce(t.X_LEN, "X_LEN"),
      t.X_LEN < 1
  ) throw new Error("invalid X_LEN");
  let e = t.FP2_NONRESIDUE;
  if (!Array.isArray(e) || e.length !== 2) throw new Error("invalid FP2_NONRESIDUE");
  if (typeof e[0] != "bigint" || typeof e[1] != "bigint") throw new Error("invalid FP2_NONRESIDUE");
  let n = vn(t.ORDER), r = new wc(n, t), o = new yc(r), s = new xc(o, t);
  return { Fp: n, Fp2: r, Fp6: o, Fp12: s };
}
var kc = BigInt(0),
  zl = BigInt(1),
  Hs = BigInt(2),
  Nr = BigInt(3),
  Rr = BigInt(4),
  sr = BigInt("0xd201000000010000"),
  sy = xt(sr),
  Ao = {
    p: BigInt(
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ),
    n: BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
    h: BigInt("0x396c8c005555e1568c00aaab0000aaab"),
    a: kc,
    b: Rr,
    Gx: BigInt(
      "0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    ),
    Gy: BigInt(
      "0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    ),
  },
  Oc = vn(Ao.n, { modFromBytes: !0 });
function iy(t, e, { g2: n, g3: r, g4: o, g5: s }) {
  return { c0: { c0: t, c1: o, c2: r }, c1: { c0: n, c1: e, c2: s } };
}
function ay({ c0: t, c1: e }) {
  return { g2: e.c0, g3: t.c2, g4: t.c1, g5: e.c2 };
}
function cy({ g2: t, g3: e, g4: n, g5: r }) {
  let { first: o, second: s } = U.Fp4Square(n, r),
    { first: i, second: c } = U.Fp4Square(t, e),
    f = U.add(t, t),
    d = U.add(e, e),
    u = U.add(n, n),
    l = U.add(r, r);
  return {
    g2: U.add(U.mul(U.mulByNonresidue(s), Nr), f),
    g3: U.sub(U.mul(o, Nr), d),
    g4: U.sub(U.mul(i, Nr), u),
    g5: U.add(U.mul(c, Nr), l),
  };
}
function fy({ g2: t, g3: e, g4: n, g5: r }) {
  return U.is0(t) ? { num: U.mul(U.mul(n, r), Hs), den: e } : {
    num: U.add(U.sub(U.mul(U.sqr(n), Nr), U.mul(e, Hs)), U.mulByNonresidue(U.sqr(r))),
    den: U.mul(t, Rr),
  };
}
function dy(t, { g2: e, g3: n, g4: r, g5: o }) {
  let s = U.mul(n, r), i = U.add(U.sub(U.mul(U.sub(U.sqr(t), s), Hs), s), U.mul(e, o));
  return U.add(U.mulByNonresidue(i), U.ONE);
}
function uy(t, e) {
  let n = [], r = ay(t);
  for (let f of e) {
    for (let d = 0; d < f; d++) r = cy(r);
    n.push(r);
  }
  let o = n.map(({ g2: f, g3: d }) => U.is0(f) && U.is0(d)),
    s = n.map(fy),
    i = U.invertBatch(s.map(({ den: f }) => f)),
    c = n.map((f, d) => {
      if (o[d]) return le.ONE;
      let u = U.mul(s[d].num, i[d]);
      return iy(dy(u, f), u, f);
    });
  return { result: le.mul(le.mul(c[0], c[1]), c[2]), last: c[2] };
}
function ly(t) {
  let { result: e, last: n } = uy(t, [16, 32, 9]), r = e, o = n;
  for (let s = 0; s < 3; s++) o = le._cyclotomicSquare(o);
  r = le.mul(r, o);
  for (let s = 0; s < 2; s++) o = le._cyclotomicSquare(o);
  return r = le.mul(r, o), o = le._cyclotomicSquare(o), le.mul(r, o);
}
var { Fp: Ee, Fp2: U, Fp6: hy, Fp12: le } = ql({
    ORDER: Ao.p,
    X_LEN: sy,
    FP2_NONRESIDUE: [zl, zl],
    Fp2mulByB: ({ c0: t, c1: e }) => {
      let n = Ee.mul(t, Rr), r = Ee.mul(e, Rr);
      return { c0: Ee.sub(n, r), c1: Ee.add(n, r) };
    },
    Fp12finalExponentiate: (t) => {
      let e = (m) => le.conjugate(ly(m)),
        n = le.div(le.frobeniusMap(t, 6), t),
        r = le.mul(le.frobeniusMap(n, 2), n),
        o = e(r),
        s = le.mul(le.conjugate(le._cyclotomicSquare(r)), o),
        i = e(s),
        c = e(i),
        f = le.mul(e(c), le._cyclotomicSquare(o)),
        d = e(f),
        u = le.frobeniusMap(le.mul(o, c), 2),
        l = le.frobeniusMap(le.mul(i, r), 3),
        h = le.frobeniusMap(le.mul(f, le.conjugate(r)), 1),
        p = le.mul(le.mul(d, le.conjugate(s)), r);
      return le.mul(le.mul(le.mul(u, l), h), p);
    },
  }),
  Gl,
  th = () => Gl || (Gl = Ul(Ee, U, U.div(U.ONE, U.NONRESIDUE))),
  Sc = (t, e) => {
    let n = th().G2psi;
    return Sc = n, n(t, e);
  },
  nh = (t, e) => {
    let n = th().G2psi2;
    return nh = n, n(t, e);
  },
  _c = Object.freeze({
    DST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    encodeDST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    p: Ee.ORDER,
    m: 2,
    k: 128,
    expand: "xmd",
    hash: Ot,
  }),
  rh = {
    p: U.ORDER,
    n: Ao.n,
    h: BigInt(
      "0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5",
    ),
    a: U.ZERO,
    b: U.fromBigTuple([Rr, Rr]),
    Gx: U.fromBigTuple([
      BigInt(
        "0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
      ),
      BigInt(
        "0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e",
      ),
    ]),
    Gy: U.fromBigTuple([
      BigInt(
        "0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801",
      ),
      BigInt(
        "0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be",
      ),
    ]),
  },
  Vl = (t, e) => {
    for (let n of t) if (n !== kc) return !!(n * Hs / e);
    return !1;
  },
  Wl = {
    encode({ c0: t, c1: e }) {
      let { BYTES: n } = Ee;
      return qe(Dt(e, n), Dt(t, n));
    },
    decode(t) {
      let { BYTES: e } = Ee;
      return U.create({ c0: Tc(t.subarray(e)), c1: Tc(t.subarray(0, e)) });
    },
  },
  Kl = Ee;
function Tc(t) {
  return Ee.fromBytes(t);
}
var oh = (t, e, n, r, o, s) => {
  let i = e, c = r, f = o, d = i.BYTES;
  return (u) => ({
    encode(l, h = !0) {
      if (!h && !u) throw new Error("invalid signature: expected compressed encoding");
      let p = l.is0(), { x: m, y: g } = l.toAffine(), b = h ? c(m) : qe(c(m), c(g)), w;
      return h && !p && (w = Vl(s(g), Kl.ORDER)), my(b, { compressed: h, infinity: p, sort: w });
    },
    decode(l) {
      let h = u ? de(l, void 0, "point") : de(l, d, "signature"),
        { compressed: p, infinity: m, sort: g, value: b } = py(h);
      if (!u && !p) throw new Error("invalid signature: expected compressed encoding");
      let w = p ? d : 2 * d;
      if (b.length !== w) throw new Error(`invalid ${t} point: expected ${w} bytes`);
      if (m) {
        for (let v of b) if (v) throw new Error(`invalid ${t} point: non-canonical zero`);
        return { x: i.ZERO, y: i.ZERO };
      }
      let x = f(p ? b : b.subarray(0, d)), y;
      if (p) {
        if (y = i.sqrt(i.add(i.pow(x, Nr), n)), !y) {
          throw new Error(`invalid ${t} point: compressed`);
        }
        Vl(s(y), Kl.ORDER) !== g && (y = i.neg(y));
      } else y = f(b.subarray(d));
      if (!p && i.is0(x) && i.is0(y)) throw new Error(`invalid ${t} point: uncompressed`);
      return { x, y };
    },
  });
};
function sh({ compressed: t, infinity: e, sort: n }) {
  if (!t && !e && n || !t && e && n || t && e && n) throw new Error("invalid encoding flag");
}
function py(t) {
  t = Ut(t);
  let e = t[0] & 224, n = !!(e >> 7 & 1), r = !!(e >> 6 & 1), o = !!(e >> 5 & 1);
  return sh({ compressed: n, infinity: r, sort: o }),
    t[0] &= 31,
    { compressed: n, infinity: r, sort: o, value: t };
}
function my(t, e) {
  if (t[0] & 224) throw new Error("setMask: non-empty mask");
  return sh({ compressed: !!e.compressed, infinity: !!e.infinity, sort: !!e.sort }),
    e.compressed && (t[0] |= 128),
    e.infinity && (t[0] |= 64),
    e.sort && (t[0] |= 32),
    t;
}
var Yl = oh("G1", Ee, Ee.create(Ao.b), (t) => Dt(t, Ee.BYTES), Tc, (t) => [t]),
  $s = { point: Yl(!0), sig: Yl(!1) },
  Ec = (t) => (t.assertValidity(), $s.sig.encode(t));
function Zl(t) {
  let n = zt.G1.Point.fromAffine($s.sig.decode(t));
  return n.assertValidity(), n;
}
var Xl = oh("G2", U, rh.b, Wl.encode, Wl.decode, (t) => [t.c1, t.c0]),
  Ms = { point: Xl(!0), sig: Xl(!1) },
  vc = (t) => (t.assertValidity(), Ms.sig.encode(t));
function Jl(t) {
  let n = zt.G2.Point.fromAffine(Ms.sig.decode(t));
  return n.assertValidity(), n;
}
var gy = {
    ShortSignature: {
      fromBytes(t) {
        return Zl(de(t));
      },
      fromHex(t) {
        return Zl(er(t));
      },
      toBytes(t) {
        return Ec(t);
      },
      toRawBytes(t) {
        return Ec(t);
      },
      toHex(t) {
        return Qn(Ec(t));
      },
    },
    LongSignature: {
      fromBytes(t) {
        return Jl(de(t));
      },
      fromHex(t) {
        return Jl(er(t));
      },
      toBytes(t) {
        return vc(t);
      },
      toRawBytes(t) {
        return vc(t);
      },
      toHex(t) {
        return Qn(vc(t));
      },
    },
  },
  by = { Fp: Ee, Fp2: U, Fp6: hy, Fp12: le, Fr: Oc },
  wy = mc(Ao, {
    allowInfinityPoint: !0,
    Fn: Oc,
    fromBytes: $s.point.decode,
    toBytes: (t, e, n) => $s.point.encode(e, n),
    isTorsionFree: (t, e) => {
      let n = BigInt(
          "0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe",
        ),
        r = new t(Ee.mul(e.X, n), e.Y, e.Z);
      return e.multiplyUnsafe(sr).negate().multiplyUnsafe(sr).equals(r);
    },
    clearCofactor: (t, e) => e.multiplyUnsafe(sr).add(e),
  }),
  yy = mc(rh, {
    Fp: U,
    allowInfinityPoint: !0,
    Fn: Oc,
    fromBytes: Ms.point.decode,
    toBytes: (t, e, n) => Ms.point.encode(e, n),
    isTorsionFree: (t, e) => e.multiplyUnsafe(sr).negate().equals(Sc(t, e)),
    clearCofactor: (t, e) => {
      let n = sr, r = e.multiplyUnsafe(n).negate(), o = Sc(t, e), s = e.double();
      return s = nh(t, s),
        s = s.subtract(o),
        o = r.add(o),
        o = o.multiplyUnsafe(n).negate(),
        s = s.add(o),
        s = s.subtract(r),
        s.subtract(e);
    },
  }),
  xy = {
    mapToG1: ky,
    mapToG2: Oy,
    hasherOpts: _c,
    hasherOptsG1: {
      ..._c,
      m: 1,
      DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
      encodeDST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    },
    hasherOptsG2: { ..._c },
  },
  _y = { ateLoopSize: sr, xNegative: !0, twistType: "multiplicative", randomBytes: on },
  zt = Ml(by, wy, yy, _y, xy, gy),
  Ey = dc(
    U,
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
    ], ["0x1", "0x0"]]].map((t) => t.map((e) => U.fromBigTuple(e.map(BigInt)))),
  ),
  vy = dc(
    Ee,
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
  Ql,
  eh,
  Sy = () =>
    Ql || (Ql = lc(Ee, {
      A: Ee.create(
        BigInt(
          "0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d",
        ),
      ),
      B: Ee.create(
        BigInt(
          "0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0",
        ),
      ),
      Z: Ee.create(BigInt(11)),
    })),
  Ty = () =>
    eh ||
    (eh = lc(U, {
      A: U.create({ c0: Ee.create(kc), c1: Ee.create(BigInt(240)) }),
      B: U.create({ c0: Ee.create(BigInt(1012)), c1: Ee.create(BigInt(1012)) }),
      Z: U.create({ c0: Ee.create(BigInt(-2)), c1: Ee.create(BigInt(-1)) }),
    }));
function ky(t) {
  let { x: e, y: n } = Sy()(Ee.create(t[0]));
  return vy(e, n);
}
function Oy(t) {
  let { x: e, y: n } = Ty()(U.fromBigTuple(t));
  return Ey(e, n);
}
var Ac = "countersign/attestation/v1",
  ih = "countersign/round/v1",
  ah = "cosignature/v1",
  ch = ["cosignature/", "countersign/", "subtree/"],
  Bc = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
  Nc = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
var fh = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", dh = "countersign/work-proof/v1";
var Cr = 32;
function uh(t, e, n) {
  return wo(t), n === void 0 && (n = new Uint8Array(t.outputLen)), hc(t, n, e);
}
var Bo = Uint8Array.of(0), Ay = Uint8Array.of();
function lh(t, e, n, r = 32, o) {
  wo(t), rn(r, "length"), rt(e, void 0, "prk");
  let s = t.outputLen;
  if (e.length < s) throw new Error('"prk" must be at least HashLen octets');
  if (r > 255 * s) throw new Error("Length must be <= 255*HashLen");
  let i = Math.ceil(r / s);
  if (n === void 0 ? n = Ay : rt(n, void 0, "info"), !i) return o && gt(e), new Uint8Array();
  let c = o && i === 1 ? e : new Uint8Array(i * s),
    { iHash: f, oHash: d } = hc.create(t, e),
    u = o ? e : new Uint8Array(s),
    l = i > 1 ? o?.iHash || t.create() : void 0;
  for (let p = 0; p < i - 1; p++) {
    Bo[0] = p + 1;
    let m = f._cloneInto(l);
    p && m.update(u),
      m.update(n).update(Bo).digestInto(u),
      d._cloneInto(l).update(u).digestInto(u),
      c.set(u, s * p);
  }
  if (
    Bo[0] = i,
      i > 1 && f.update(u),
      f.update(n).update(Bo).digestInto(u),
      d.update(u).digestInto(u),
      c.set(u, s * (i - 1)),
      f.destroy(),
      d.destroy(),
      l?.destroy(),
      u !== c && gt(u),
      gt(Bo),
      r === c.length
  ) return c;
  let h = c.slice(0, r);
  return gt(c), h;
}
var By = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
  hh = 48,
  Ny = Uint8Array.of(0, hh),
  Ry = oe("BLS-SIG-KEYGEN-SALT-");
function Ps(t) {
  if (t.length < 32) {
    throw new k(
      "invalid_key",
      `Cannot create BLS secret key: ${t.length} secret bytes are fewer than 32`,
    );
  }
  let e = we(t, Uint8Array.of(0));
  for (let n = Ot(Ry);; n = Ot(n)) {
    let r = uh(Ot, e, n), o = lh(Ot, r, Ny, hh), s = lt(o) % By;
    if (r.fill(0), o.fill(0), s !== 0n) return e.fill(0), Dt(s, Cr);
  }
}
function Ir() {
  return new k(
    "invalid_key",
    "Cannot use BLS secret key: it is not 32 bytes big-endian in [1, r-1]",
  );
}
var On = class {
  #e;
  #t = new Map();
  constructor(e) {
    this.#e = e;
  }
  get(e) {
    return this.#t.get(Z(e));
  }
  set(e, n) {
    if (this.#t.size >= this.#e) {
      for (let r of this.#t.keys()) {
        this.#t.delete(r);
        break;
      }
    }
    this.#t.set(Z(e), n);
  }
};
var { G1: { Point: Cy }, G2: { Point: Ic }, fields: { Fp12: Rc } } = zt,
  Iy = 48,
  Ly = 96,
  ph = new On(1024),
  mh;
function gh(t, e, n) {
  if (t.length !== e) return;
  let r;
  try {
    r = n(t), r.assertValidity();
  } catch {
    return;
  }
  return r.is0() || !Be(r.toBytes(!0), t) ? void 0 : r;
}
function No(t) {
  return gh(t, Iy, (e) => Cy.fromBytes(e));
}
function Cc(t) {
  let e = ph.get(t);
  if (e !== void 0) return e;
  let n = gh(t, Ly, (o) => Ic.fromBytes(o));
  if (n === void 0) return;
  let r = { point: n };
  return ph.set(t, r), r;
}
function Lc(t, e) {
  let n = t;
  for (let r of e) {
    if (r === void 0) return;
    n = n.add(r);
  }
  return n.is0() ? void 0 : n;
}
function js(t) {
  if (t.length === 1) return Cc(t[0]);
  let e = Lc(Ic.ZERO, t.map((n) => Cc(n)?.point));
  return e === void 0 ? void 0 : { point: e };
}
function Ro(t, e) {
  return zt.G1.hashToCurve(t, { DST: e });
}
function Fc(t, e) {
  mh ??= zt.utils.calcPairingPrecomputes(Ic.BASE.negate());
  let n = [],
    r = (s, i) => {
      if (s.is0()) return;
      let { x: c, y: f } = s.toAffine();
      n.push([i, c, f]);
    };
  r(t, mh);
  for (let { point: s, key: i } of e) r(s, i.lines ??= zt.utils.calcPairingPrecomputes(i.point));
  let o = Rc.finalExponentiate(zt.millerLoopBatch(n));
  return Rc.eql(o, Rc.ONE);
}
var An = {
  keyValidate: (t) => Cc(t) !== void 0,
  verify(t, e, n, r) {
    return An.fastAggregateVerify([t], e, n, r);
  },
  fastAggregateVerify(t, e, n, r) {
    let o = js(t), s = No(n);
    return o !== void 0 && s !== void 0 && Fc(s, [{ point: Ro(e, r), key: o }]);
  },
};
var { G1: { Point: Ds }, G2: { Point: Fy } } = zt, Hy = Ds.Fn.ORDER, $y = 16;
function bh(t) {
  let e = t.length === Cr ? lt(t) : 0n;
  if (e > 0n && e < Hy) return e;
  throw Ir();
}
function My(t, e, n) {
  let r = js(t.publicKeys), o = No(t.signature);
  if (r === void 0 || o === void 0) return;
  let s = Z(r.point.toBytes(!0));
  return { index: e, key: r, keyId: s, hash: Ro(t.message, n), signature: o };
}
function Py() {
  return lt(crypto.getRandomValues(new Uint8Array($y)));
}
function jy(t) {
  let e = Ds.ZERO, n = new Map();
  for (let { key: r, keyId: o, hash: s, signature: i } of t) {
    let c = t.length === 1 ? 1n : Py();
    e = e.add(i.multiplyUnsafe(c));
    let f = n.get(o) ?? { point: Ds.ZERO, key: r };
    f.point = f.point.add(s.multiplyUnsafe(c)), n.set(o, f);
  }
  return Fc(e, [...n.values()]);
}
function Hc(t, e) {
  if (t.length === 0) return;
  if (jy(t)) return t.forEach(e);
  if (t.length === 1) return;
  let n = Math.ceil(t.length / 2);
  Hc(t.slice(0, n), e), Hc(t.slice(n), e);
}
var Co = {
  ...An,
  keyGen: Ps,
  skToPk: (t) => Fy.BASE.multiply(bh(t)).toBytes(!0),
  sign(t, e, n) {
    let r = bh(t);
    return Ro(e, n).multiply(r).toBytes(!0);
  },
  signatureValidate: (t) => No(t) !== void 0,
  hashToG1: (t, e) => Ro(t, e).toBytes(!0),
  aggregate(t) {
    return Lc(Ds.ZERO, t.map(No))?.toBytes(!0);
  },
  aggregateKeys(t) {
    return js(t)?.point.toBytes(!0);
  },
  batchVerify(t, e) {
    let n = t.map(() => !1), r = t.map((o, s) => My(o, s, e));
    return Hc(r.filter((o) => o !== void 0), ({ index: o }) => {
      n[o] = !0;
    }),
      n;
  },
};
function ir(t) {
  let e = [];
  for (let n = t; n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) e.push(n);
  return e;
}
function wh(t, e) {
  let n = [], r = t;
  for (let o of ir(t.length / E)) n.push(r), r = e(r);
  return n;
}
function Us(t, e) {
  let n = ir(e), r = [];
  for (let s = 0; s < e; s++) {
    let i = 0, c = s;
    for (let f of n) {
      let d = c % 2 === 0 ? c + 1 : c - 1;
      d < f && r.push(i + d), i += f, c = Math.floor(c / 2);
    }
  }
  let o = new Uint8Array(r.length * E);
  for (let [s, i] of r.entries()) o.set(t.subarray(i * E, (i + 1) * E), s * E);
  return o;
}
var yh = 0, _h = 1;
function Eh(t) {
  let e = (n) => Dy(t, n);
  return {
    sha256: (n) => t(n),
    leafHashes: (n, r) => xh(t, n, r),
    numberedLeafHashes(n) {
      let { entries: r, ends: o } = $c(n);
      return xh(t, r, o);
    },
    nodeHash(n, r) {
      let o = new Uint8Array(1 + 2 * E);
      return o[0] = _h, o.set(n, 1), o.set(r, 1 + E), t(o);
    },
    treeLevel(n, r = 1) {
      let o = n;
      for (let s = 0; s < r && o.length > E; s++) o = e(o);
      return o === n ? n.slice() : o;
    },
    treeLevels: (n) => we(...wh(n, e)),
    inclusionPaths: Us,
  };
}
function xh(t, e, n) {
  let r = new Uint8Array(n.length * E), o = new Uint8Array(257);
  o[0] = yh;
  let s = 0;
  for (let i = 0; i < n.length; i++) {
    let c = n[i];
    1 + c - s > o.length && (o = new Uint8Array(1 + c - s), o[0] = yh),
      o.set(e.subarray(s, c), 1),
      r.set(t(o.subarray(0, 1 + c - s)), i * E),
      s = c;
  }
  return r;
}
function Dy(t, e) {
  let n = e.length / E, r = new Uint8Array(Math.ceil(n / 2) * E), o = new Uint8Array(1 + 2 * E);
  o[0] = _h;
  for (let s = 0; s + 1 < n; s += 2) {
    o.set(e.subarray(s * E, (s + 2) * E), 1), r.set(t(o), s / 2 * E);
  }
  return n % 2 === 1 && r.set(e.subarray((n - 1) * E), r.length - E), r;
}
function $c(t) {
  let { before: e, digests: n, between: r, first: o, after: s } = t,
    i = n.length / E,
    c = oe(Z(n)),
    f = new Uint32Array(i),
    d = e.length + 2 * E + r.length + s.length,
    u = new Uint8Array(i * (d + String(o + i).length)),
    l = 0,
    h = (p) => {
      u.set(p, l), l += p.length;
    };
  for (let p = 0; p < i; p++) {
    h(e), h(c.subarray(p * 2 * E, (p + 1) * 2 * E)), h(r);
    let m = String(o + p);
    for (let g = 0; g < m.length; g++) u[l++] = m.charCodeAt(g);
    h(s), f[p] = l;
  }
  return { entries: u.subarray(0, l), ends: f };
}
var ar = Eh(Ot);
var Gt = 2;
var Mc = 32, Q6 = 2 + Mc + 2 * E;
function qs(t) {
  return Uint8Array.of(t >> 8, t & 255);
}
function Uy(t) {
  let { issuerName: e, redemptionContext: n, originInfo: r } = t;
  if (!zs(e) || e === "" || !zs(r)) {
    throw new k(
      "invalid_configuration",
      "Cannot write token challenge: the issuer name or origin info is not printable ASCII",
    );
  }
  return we(qs(Gt), qs(e.length), oe(e), Uint8Array.of(n.length), n, qs(r.length), oe(r));
}
function zs(t) {
  return t.length < 65536 && /^[\x20-\x7e]*$/.test(t);
}
function vh(t) {
  let e = 0,
    n = (u) => t.slice(e, e += u),
    r = (u) => n(u).reduce((l, h) => l << 8 | h, 0),
    o = r(2),
    s = ot(n(r(2))),
    i = n(r(1)),
    c = ot(n(r(2))),
    d = o === Gt && s !== "" && zs(s) && zs(c) && [0, E].includes(i.length) &&
      { issuerName: s, redemptionContext: i, originInfo: c };
  if (!d || !Be(Uy(d), t)) {
    throw new k(
      "malformed_text",
      `Cannot read token challenge: ${t.length} bytes are not a TokenChallenge of type 2`,
    );
  }
  return d;
}
function Sh(t) {
  return ar.sha256(t);
}
function Gs(t) {
  return ar.sha256(t);
}
function Pc(t) {
  return we(qs(Gt), t.nonce, t.challengeDigest, t.tokenKeyId);
}
function qy(t) {
  return we(Pc(t), t.authenticator);
}
function Th(t) {
  return Vu(qy(t));
}
var { rawJSON: zy = (t) => t } = JSON,
  Io = class {
    text;
    constructor(e) {
      this.text = e;
    }
    toJSON() {
      return zy(this.text);
    }
  },
  kh = 32,
  Gy = 40,
  Vy = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  Vs = /[^"\\\u0000-\u001f]*/y,
  Wy = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y,
  Ky = 15,
  jc = 48,
  Yy = 57;
function Xe(t, e, n = 1 / 0, r = "JSON") {
  return new Dc(t, e, n, r).read();
}
function Lo(t) {
  return JSON.stringify(t.slice(0, Gy));
}
var Dc = class {
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
    if (e > kh) throw this.#l(`more than ${kh} levels`);
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
        return this.#b(e);
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
    for (; n < e + Ky; n++) {
      let i = this.#e.charCodeAt(n);
      if (!(i >= jc && i <= Yy)) break;
      r = 10 * r + i - jc;
    }
    let o = "0123456789.eE".includes(this.#e[n] ?? " "),
      s = n > e + 1 && this.#e.charCodeAt(e) === jc;
    if (!(n === e || o || s)) return this.#r = n, r;
  }
  #p() {
    let e = this.#g(Vy);
    if (e === void 0) throw this.#l("not a JSON value");
    return ut(e) ?? new Io(e);
  }
  #u(e) {
    let n = Object.create(null);
    if (this.#r++, this.#d(), this.#f("}")) return n;
    do {
      this.#d();
      let r = this.#m();
      if (Object.hasOwn(n, r)) throw this.#l(`duplicate member ${Lo(r)}`);
      if (this.#d(), !this.#f(":")) throw this.#l('no ":" after a member name');
      n[r] = this.#s(e + 1);
    } while (this.#f(","));
    if (!this.#f("}")) throw this.#l('no "," or "}" after a member');
    return n;
  }
  #b(e) {
    let n = [];
    if (this.#r++, this.#d(), this.#f("]")) return n;
    do n.push(this.#s(e + 1)); while (this.#f(","));
    if (!this.#f("]")) throw this.#l('no "," or "]" after a list item');
    return n;
  }
  #m() {
    let e = this.#r;
    if (!this.#f('"')) throw this.#l("not a member name");
    Vs.lastIndex = this.#r, Vs.test(this.#e);
    let n = Vs.lastIndex;
    if (this.#e[n] === '"') return this.#r = n + 1, this.#e.slice(e + 1, n);
    do this.#g(Vs); while (this.#g(Wy) !== void 0);
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
    return new k(this.#t, `Cannot read ${this.#o}: ${e} at character ${this.#r}`);
  }
};
var ht = class {
    path;
    problem;
    subject;
    constructor(e, n, r = e) {
      this.path = e, this.problem = n, this.subject = r;
    }
  },
  _t = class t {
    read;
    describe;
    constructor(e, n) {
      this.read = e, this.describe = n;
    }
    parse(e, { where: n, code: r }) {
      try {
        return this.read(e, "");
      } catch (o) {
        throw o instanceof ht ? new k(r, `Cannot read ${n}${o.subject}: ${o.problem}`) : o;
      }
    }
    parseText(e, n, r) {
      return this.parse(Xe(e, n.code, r), n);
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
        if (s === void 0) throw new ht(o, `expected ${n}`);
        return s;
      }, this.describe);
    }
    optional() {
      return new Fo(this.read, this.describe);
    }
  },
  Fo = class extends _t {
    isOptional = !0;
  },
  Uc = class extends _t {
    members;
    constructor(e, n) {
      super(
        (r, o) => Zy(e, r, o, n === "refused"),
        (r) => ({
          type: "object",
          properties: Object.fromEntries(Object.entries(e).map(([o, s]) => [o, s.describe(r)])),
          required: Object.keys(e).filter((o) => !(e[o] instanceof Fo)),
          ...n !== "allowed" && { additionalProperties: !1 },
        }),
      ), this.members = e;
    }
  };
function Zy(t, e, n, r) {
  if (!(typeof e == "object" && e !== null && !Array.isArray(e)) || e instanceof Io) {
    throw new ht(n, "expected an object");
  }
  let s = e, i = {};
  for (let [f, d] of Object.entries(t)) {
    if (Object.hasOwn(s, f)) i[f] = d.read(s[f], `${n}.${f}`);
    else if (!(d instanceof Fo)) throw new ht(`${n}.${f}`, `member ${f} is missing`, n);
  }
  let c = Object.keys(s).find((f) => !Object.hasOwn(t, f));
  if (r && c !== void 0) throw new ht(n, `unknown member ${Lo(c)}`);
  return i;
}
function D(t, e = "refused") {
  return new Uc(t, e);
}
function Ws(t, e, n) {
  return new _t((r, o) => {
    if (!t(r)) throw new ht(o, `expected ${e}`);
    return r;
  }, () => n);
}
var Se = Ws((t) => typeof t == "string", "text", { type: "string" }),
  Ho = Ws((t) => typeof t == "boolean", "true or false", { type: "boolean" }),
  Xy = Ws((t) => t === null, "null", { type: "null" }),
  an = Ws(Ne, "an integer from 0 to 2^53 - 1", { type: "integer", minimum: 0, maximum: Gu - 1 }),
  Lr = new _t(
    (t) => t ?? null,
    () => ({ type: ["string", "number", "boolean", "null", "array", "object"] }),
  ).named("JsonValue", { description: "Any JSON value" });
function Vt(t) {
  return Se.with({ description: t });
}
function Oh(t) {
  return Ho.with({ description: t });
}
function Q(t) {
  return an.with({ description: t });
}
function je(t) {
  return an.with({ description: `${t}, Unix seconds`, example: 1766275200 });
}
function Ah(t) {
  return Se.map((e) => t.test(e) ? e : void 0, `text that matches ${t.source}`).with({
    pattern: t.source,
  });
}
function ct(t, e) {
  let n = 2 * t;
  return Se.map((r) => Pe(r, t) ? r : void 0, `${n} lowercase hex digits`).with({
    pattern: `^[0-9a-f]{${n}}$`,
    description: e,
  });
}
var Ke = ct(E, "32 bytes, lowercase hex").named("Hash"),
  Wt = ge(Ke).named("HashPath", {
    description:
      "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
  });
function Kt(t) {
  return Se.map((e) => t.find((n) => n === e), t.join(" or ")).with({ enum: t });
}
function ge(t, e = 0, n = 1 / 0) {
  return new _t(
    (r, o) => {
      if (!Array.isArray(r)) throw new ht(o, "expected a list");
      if (r.length < e || r.length > n) {
        let s = n < 1 / 0 ? `${e} to ${n}` : `${e} or more`;
        throw new ht(o, `expected a list of ${s} items`);
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
function cr(...t) {
  return new _t((e, n) => {
    let r;
    for (let o of t) {
      try {
        return o.read(e, n);
      } catch (s) {
        if (!(s instanceof ht)) throw s;
        (r === void 0 || s.path.length > r.path.length) && (r = s);
      }
    }
    throw r;
  }, (e) => ({ anyOf: t.map((n) => n.describe(e)) }));
}
function Fr(t) {
  return cr(t, Xy);
}
var Jy = ["open", "token_optional", "token_required"],
  Bh = Se.with({ pattern: "^[A-Za-z0-9_-]+$" }),
  Qy = D({
    token_key: Bh.with({
      description: "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
      example: "MIIBUjA9BgkqhkiG9w0BAQo",
    }),
    token_key_id: ct(E, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
    not_before: je("First second in which its tokens are accepted").optional(),
    not_after: je("First second in which its tokens are refused").optional(),
  }, "ignored").named("TokenKey"),
  qc = D({
    name: Vt("`issuer_name` of the challenge").with({ minLength: 1, example: "issuer.example" }),
    url: Vt("URL of the issuer, below which clients find its directory").with({ format: "uri" })
      .optional(),
    token_type: Q("Blind RSA (2048-bit)").with({ enum: [Gt] }),
    challenge: Bh.with({
      description:
        "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's id as origin_info",
      example: "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
    }),
    token_keys: ge(Qy).with({ minItems: 1 }),
  }, "ignored").named("TokenIssuer"),
  u3 = D({
    mode: Vt("Which new hashes need tokens").with({ enum: Jy, example: "token_required" }),
    issuers: ge(qc),
  }, "ignored").named("AdmissionOffer"),
  ex = D({ name: Lr, token_type: an, challenge: Lr, token_keys: Lr }, "ignored"),
  tx = new _t((t, e) => {
    let { token_type: n } = ex.read(t, e);
    return n === Gt ? qc.read(t, e) : void 0;
  }, qc.describe),
  nx = D({ mode: Se, issuers: ge(tx) }, "ignored").map(({ mode: t, issuers: e }) => {
    let n = e.flatMap((r) => r === void 0 ? [] : [rx(r)]);
    return n.includes(void 0) ? void 0 : { mode: t, issuers: n.flatMap((r) => r ?? []) };
  }, "issuers with keys that match their ids, and a challenge that matches their name");
function Nh(t) {
  return nx.parseText(t, { where: "admission", code: "gateway_refused" });
}
function rx(t) {
  let { name: e, url: n } = t, r = kr(t.challenge);
  if (r === void 0) return;
  let o = vh(r), s = t.token_keys.flatMap((c) => ox(c) ?? []);
  return s.length === t.token_keys.length && o.issuerName === e
    ? { ...n !== void 0 && { url: n }, challengeBytes: r, challenge: o, keys: s }
    : void 0;
}
function ox(t) {
  let { not_before: e, not_after: n } = t, r = kr(t.token_key);
  if (!(r === void 0 || Z(Gs(r)) !== t.token_key_id)) {
    return { tokenKey: r, ...e !== void 0 && { notBefore: e }, ...n !== void 0 && { notAfter: n } };
  }
}
var Rh = 48,
  Ch = 80,
  sx = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/,
  Ks = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;
function cn(t) {
  return t.length <= Rh && Ks.test(t) && !ch.some((e) => t.startsWith(e));
}
function Ys(t) {
  return t.length <= Ch && Ks.test(t);
}
var Ye = Se.named("NetworkId", {
    minLength: 1,
    maxLength: Rh,
    pattern: Ks.source,
    description: "The log's C2SP origin",
  }),
  fn = Se.named("WitnessId", {
    minLength: 1,
    maxLength: Ch,
    pattern: Ks.source,
    description: "The witness's C2SP key name",
  }),
  Hr = Ah(sx).with({
    description: "The gateway's name for the service; only where it has several of this provider",
  });
var $r = et("malformed_text", "Cannot read attestation"),
  Ih = D({
    hash: Ke,
    timestamp: je("Timestamp of the round"),
    network_id: Ye,
    sequence: Q("Order of acceptance, from 0; also the index of the leaf in the log"),
  }).named("Attestation");
function zc(t) {
  let { network_id: e, hash: n, timestamp: r, sequence: o } = t;
  if (!cn(e)) throw $r("network_id is not a valid C2SP origin");
  if (!Pe(n, E)) throw $r("hash is not 64 lowercase hex digits");
  if (!Ne(r)) throw $r("timestamp is not an integer in [0, 2^53)");
  if (!Ne(o)) throw $r("sequence is not an integer in [0, 2^53)");
  return `${Ac}
${e}
${n}
${r}
${o}
`;
}
function Lh(t) {
  let [e, n = "", r = "", o = "", s = ""] = t.split(`
`);
  if (e !== Ac) throw $r("the first line is not the domain");
  let i = { hash: r, timestamp: ut(o) ?? NaN, network_id: n, sequence: ut(s) ?? NaN };
  if (zc(i) !== t) throw $r("the text is not canonical");
  return i;
}
var pt = { ed25519: 64, bls: 48 }, Bn = { ed25519: 32, bls: 96 };
function dn(t) {
  return "signatures" in t;
}
function Nn(t) {
  return dn(t) ? t.signatures.map(({ witness_id: e }) => e) : t.signers;
}
var Fh = fn.map((t) => Ys(t) ? t : void 0, "a witness id of 1 to 80 characters"),
  ix = ge(
    D({ witness_id: Fh, signature: ct(pt.ed25519, "Ed25519 signature (RFC 8032)") }).named(
      "WitnessSignature",
    ),
  ).with({ description: "One signature per witness, strictly ascending by witness_id" });
function fr(t, e, n) {
  return cr(
    D({ ...e, signatures: ix }).named(`Ed25519${t}`),
    D({
      ...e,
      signature: ct(pt.bls, "Aggregate BLS12-381 signature in G1, compressed"),
      signers: ge(Fh).with({
        description: "Ids of the witnesses in the aggregate, strictly ascending",
      }),
    }).named(`Bls${t}`),
  ).named(t, n);
}
var Zs = et("malformed_text", "Cannot read tree head"),
  dr = D({
    network_id: Ye,
    tree_size: Q("Number of leaves").with({ example: 2 }),
    timestamp: je("Timestamp of the head"),
    root_hash: Ke,
  }).named("TreeHead"),
  Yt = fr("SignedTreeHead", { tree_head: dr }, {
    description: "Size and root hash of the log at a time, cosigned by the threshold",
  });
function ur(t) {
  if (!cn(t.network_id)) throw Zs("the origin is not a network id");
  if (!Ne(t.tree_size)) throw Zs("the tree size is not an integer in [0, 2^53)");
  if (!Pe(t.root_hash, E)) throw Zs("the root hash is not 32 bytes");
  let e = _o(Re(t.root_hash));
  return `${t.network_id}
${t.tree_size}
${e}
`;
}
function Xs(t) {
  return Hh(t.timestamp, ur(t));
}
function Hh(t, e) {
  if (!Ne(t)) throw Zs("the time is not an integer in [0, 2^53)");
  return `${ah}
time ${t}
${e}`;
}
var Gc = D({
    provider: Vt("Kind of service"),
    service: Hr.optional(),
    status: Vt("State of the proof, as the provider names it"),
    timestamp: je("Time of the anchor, as the service states it"),
    tree_head: dr,
    consistency_path: Wt,
    digest: Ke,
    proof: Lr.with({ description: "Proof in the provider's format" }),
  }).named("ExternalAnchor", {
    description: "Proof of an external service over SHA-256(checkpoint body)",
  }),
  F3 = ge(Gc);
var ax = Uint8Array.of(0), P3 = Uint8Array.of(1);
function $o(t) {
  return Ot(t);
}
function $h(t, e) {
  return t.sha256(we(ax, e));
}
var Js = 48;
var Vc = Object.freeze({
  name: "drand quicknet",
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey: Re(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
  periodSeconds: 3,
  genesisTime: 1692803367,
});
function Wc(t, e) {
  return t.genesisTime + (e - 1) * t.periodSeconds;
}
function cx(t) {
  return $o(Wu(t));
}
function Mh(t, e, n) {
  let r = fx(e, n);
  return r !== void 0 && t.verify(e.publicKey, cx(n.round), r, fh);
}
function fx(t, e) {
  let { chain_hash: n, round: r, signature: o } = e;
  if (!(!Pe(n, E) || n !== t.hash) && !(!(r >= 1) || !Number.isSafeInteger(Wc(t, r)))) {
    return Ae(o, Js);
  }
}
var Mo = et("malformed_text", "Cannot write round message"),
  Mr = 512,
  dx = D({
    chain_hash: Ke,
    round: Q("Round of the beacon"),
    signature: ct(Js, "Signature of the beacon over that round"),
  }).named("Beacon", {
    description: "Public drand randomness: the round was signed after the beacon was published",
  }),
  Ph = D({
    index: Q("Index of the attestation in the round").with({ maximum: Mr - 1 }),
    size: Q("Number of attestations").with({ minimum: 1, maximum: Mr }),
    inclusion_path: Wt,
    beacon: Fr(dx),
  }).named("RoundInclusion", {
    description:
      "Position of the attestation in its round, and its inclusion path to the round's root",
  });
function jh(t) {
  let { network_id: e, timestamp: n, size: r, root: o, beacon: s } = t;
  if (!cn(e)) throw Mo("network_id is not a valid C2SP origin");
  if (!Ne(n)) throw Mo("timestamp is not an integer in [0, 2^53)");
  if (!Ne(r) || r < 1 || r > Mr) throw Mo(`size is not an integer from 1 to ${Mr}`);
  if (!Pe(o, E)) throw Mo("root is not 64 lowercase hex digits");
  return `${ih}
${e}
${n}
${r}
${o}
${ux(s)}
`;
}
function ux(t) {
  if (t === null) return "none";
  if (!Pe(t.chain_hash, E) || !Ne(t.round) || !Pe(t.signature, Js)) throw Mo("malformed beacon");
  return `drand/${t.chain_hash}/${t.round}/${t.signature}`;
}
var Kc = fr("SignedAttestation", { attestation: Ih, round: Ph }, {
    description: "A hash with its timestamp and log index, signed by the threshold",
  }),
  Yc = D({
    id: Q("Size of the closing tree head"),
    network_id: Ye,
    root_hash: Ke,
    tree_size: Q("Size of the closing tree head"),
    first_index: Q("Size of the previous tree head; informative"),
    attestation_count: Q("Number of attestations in the batch; informative"),
    period_start: je("Timestamp of the previous tree head, 0 if there is none; informative"),
    period_end: je("Timestamp of the closing tree head"),
  }).named("Batch", {
    description: "The growth of the log between two consecutive published tree heads",
  }),
  Dh = {
    hash: Ke,
    leaf_hash: Ke,
    leaf_index: Q("Index of the leaf in the log, equal to the sequence of the attestation"),
    tree_size: Q("Size of the tree whose root the path leads to"),
    inclusion_path: Wt,
  },
  Uh = D({ ...Dh, root_hash: Ke, batch_id: Q("Id of the batch that contains the attestation") })
    .named("MerkleProofResponse", {
      description: "Inclusion proof of an attestation in the tree that closed its batch",
    }),
  lx = D({ ...Dh, sth: Yt }).named("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
  }),
  hx = D({
    first: Q("Size of the smaller tree"),
    second: Q("Size of the larger tree"),
    first_sth: Yt,
    second_sth: Yt,
    consistency_path: Wt,
  }).named("ConsistencyProof", {
    description: "RFC 9162 consistency proof between two published tree heads",
  }),
  px = D({ batch: Yc, merkle_proof: Uh, sth: Yt }).named("BatchInclusion"),
  mx = fr("CrossAnchor", { witnessing_network: Ye, tree_head: dr, consistency_path: Wt }, {
    description: "A tree head of this log with the cosignatures of a peer network",
  }),
  gx = D({
    signed_attestation: Kc,
    batch_inclusion: Fr(px),
    cross_anchors: ge(mx),
    external_anchors: ge(Gc),
  }).named("ProofBundle", {
    description:
      "Everything that offline verification needs in addition to the pinned configuration",
  });
function Po(t) {
  return gx.parseText(t, jo("bundle"));
}
function Zc(t) {
  return Yt.parseText(t, jo("sth"));
}
function Xc(t) {
  return Uh.parseText(t, jo("proof"));
}
function Jc(t) {
  return lx.parseText(t, jo("proof"));
}
function Qc(t) {
  return hx.parseText(t, jo("proof"));
}
function jo(t) {
  return { where: t, code: "malformed_bundle" };
}
var bx = 16,
  qh = 54,
  wx = 8192,
  yx = 262144,
  ef = ct(pt.ed25519, "The log key's Ed25519 signature over the checkpoint body"),
  tf = { sth: Yt, log_signature: ef },
  zh = D(tf).named("LoggedTreeHead", {
    description: "A tree head with the signatures of its threshold and of its log key",
  }),
  Vh = Wt.map((t) => t.length <= qh ? t.map((e) => Re(e)) : void 0, `at most ${qh} hashes`),
  lk = D({
    ...tf,
    min_witnesses: Q("Distinct signatures that the peer must obtain"),
    growth: ge(D({ old_size: Q("Size of the older head"), consistency_path: Vh }), 0, bx),
  }).map(({ growth: t, min_witnesses: e, ...n }) => {
    let { tree_size: r } = n.sth.tree_head;
    if (t.every(({ old_size: s }, i) => s > (t[i - 1]?.old_size ?? 0) && s < r)) {
      return {
        ...Qs(n),
        minWitnesses: e,
        growth: t.map((s) => ({ oldSize: s.old_size, path: s.consistency_path })),
      };
    }
  }, "growth from ascending sizes of 1 to below the head's"),
  hk = fr("PeerCosignature", { witnessing_network: Ye, tree_head: dr }, {}),
  pk = D({ origin: Ye, seen_at: je("When this gateway accepted the head"), ...tf }).named(
    "SeenTreeHead",
    { description: "The latest tree head of a peer that this gateway accepted" },
  ).map(
    ({ origin: t, seen_at: e, ...n }) =>
      n.sth.tree_head.network_id === t ? { ...Qs(n), seenAt: e } : void 0,
    "a head of the origin",
  ),
  Wh = D({
    origin: Ye,
    found_at: je("When this gateway found it; not signed"),
    first: zh,
    second: zh,
    consistency_path: Vh,
  }).named("Contradiction", {
    description:
      "Two signed tree heads of one log that no append-only log can have both. At equal sizes the roots differ and the path is empty. At different sizes the path proves that the second root extends a root other than the first's. If the first size is a power of two, the path begins with that other root.",
  }).map(({ origin: t, first: e, second: n, ...r }) => {
    if ([e, n].every(({ sth: s }) => s.tree_head.network_id === t)) {
      return {
        origin: t,
        foundAt: r.found_at,
        first: Qs(e),
        second: Qs(n),
        path: r.consistency_path,
      };
    }
  }, "heads of the origin");
function Do({ origin: t, foundAt: e, first: n, second: r, path: o }) {
  return { origin: t, found_at: e, first: Gh(n), second: Gh(r), consistency_path: o.map(Z) };
}
function Kh(t, e) {
  return Wh.parseText(t, { where: "contradiction", code: e }, wx);
}
function Yh(t, e) {
  return ge(Wh).parseText(t, { where: "contradictions", code: e }, yx);
}
function Gh({ sth: t, logSignature: e }) {
  return { sth: t, log_signature: Z(e) };
}
function Qs(t) {
  let { sth: e, log_signature: n } = t;
  return { sth: e, logSignature: Re(n) };
}
var xx = [
    "ok",
    "signing_stalled",
    "publishing_stalled",
    "witnesses_unavailable",
    "store_rolled_back",
    "storage_failed",
    "shutting_down",
    "standby",
  ],
  _x = D({
    id: fn,
    healthy: Ho,
    last_seen_at: je("When it last answered successfully").optional(),
    last_error: Vt("Error code of the current failure").with({ example: "witness_unreachable" })
      .optional(),
    failing: ge(Se.with({ enum: ["probe", "cosign", "sign"] })).with({
      minItems: 1,
      description:
        "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
    }).optional(),
  }, "ignored").named("WitnessHealth"),
  Ex = D({
    id: Ye,
    last_cross_anchor: D({
      tree_size: Q("Size of the largest tree head of this log that it cosigned"),
      age: Q("Seconds since the timestamp of its cosignature"),
    }, "ignored").optional(),
    failing: Oh("Whether the last request to this peer failed"),
  }, "ignored").named("PeerStatus"),
  vx = D({
    provider: Vt("Kind of service").with({ example: "rfc3161" }),
    service: Hr.optional(),
    last: D({
      tree_size: Q("Size of the largest tree head that it anchored"),
      age: Q("Seconds since the time that the service states"),
      status: Se.with({ enum: ["pending", "confirmed"] }),
    }, "ignored").optional(),
  }, "ignored").named("AnchorStatus"),
  Sx = D({
    status: Se.with({ enum: xx }),
    witnesses: ge(_x),
    pending_count: Q("Number of unconfirmed jobs"),
    oldest_pending_age: Q("Age of the oldest unconfirmed job in seconds").optional(),
    sth: D(
      { tree_size: Q("Size of the latest published tree head"), age: Q("Its age in seconds") },
      "ignored",
    ).optional(),
    beacon: Fr(
      D({ round: Q("Round of the latest drand beacon"), age: Q("Its age in seconds") }, "ignored"),
    ).with({
      description: "Absent if the network uses no beacon; null while no recent round is known",
    }).optional(),
    peers: ge(Ex).optional(),
    anchors: ge(vx).optional(),
    contradictions: Q("Number of contradictions that this gateway holds against peers").optional(),
  }, "ignored").named("Status"),
  Tx = Sx.map((t) => ({ peers: [], anchors: [], contradictions: 0, ...t }), "");
function Zh(t) {
  return Tx.parseText(t, { where: "status", code: "gateway_refused" });
}
var Et = class t {
  where;
  code;
  #e;
  constructor(e, { where: n, code: r }, o, s = {}) {
    if (this.where = n, this.code = r, typeof e != "object" || e === null || !kx(e)) {
      throw this.error("expected an object");
    }
    this.#e = e;
    for (let c of o) if (!this.has(c)) throw this.error(`member ${c} is missing`);
    if (s.ignoreUnknown) return;
    let i = new Set([...o, ...s.optional ?? []]);
    for (let c of Object.keys(e)) if (!i.has(c)) throw this.error(`unknown member ${Lo(c)}`);
  }
  static parse(e, n, r, o = {}) {
    let s = Xe(e, n.code, o.maxValues, `JSON of ${n.where}`);
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
    if (!Ne(n)) throw this.error(`${e} must be an integer from 0 to 2^53 - 1`);
    return n;
  }
  hex(e, n) {
    let r = this.text(e);
    if (!Pe(r, n)) throw this.error(`${e} must be ${2 * n} lowercase hex digits`);
    return r;
  }
  base64(e) {
    let n = Yn(this.text(e));
    if (n === void 0) throw this.error(`${e} must be padded base64`);
    return n;
  }
  base64Url(e) {
    let n = kr(this.text(e));
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
    return new k(this.code, `Cannot read ${this.where}: ${e}`);
  }
};
function kx(t) {
  return Object.getPrototypeOf(t) === null;
}
var Ox = new Set(zu),
  Ax = 300,
  Bx = /^[0-9a-f]{16}$/,
  Nx = new Set([301, 302, 303, 307, 308]),
  Rx = "a redirect, which is not followed",
  be = class extends k {
    status;
    reason;
    retryAfter;
    requestId;
    constructor(e, n) {
      let { status: r, reason: o, detail: s, retryAfter: i, requestId: c } = n;
      super(
        "gateway_refused",
        `Cannot obtain ${e}: the gateway answered ${r}` + (o === void 0 ? "" : ` ${o}`) +
          (s === void 0 ? "" : ` (${s})`),
      ),
        this.status = r,
        this.reason = o,
        this.retryAfter = i,
        this.requestId = c;
    }
  };
function Pr(t, e, n) {
  let { status: r } = e;
  return new be(t, {
    status: r,
    ...Nx.has(r) ? { detail: Rx } : Cx(n),
    retryAfter: ut(e.headers.get("Retry-After") ?? ""),
  });
}
function Cx(t) {
  try {
    let e = Xe(ot(t), "gateway_refused"),
      n = new Et(e, { where: "problem", code: "gateway_refused" }, ["code"], { ignoreUnknown: !0 }),
      r = n.text("code"),
      o = n.has("request_id") ? n.text("request_id") : "";
    return {
      ...Ix(r) && { reason: r },
      ...n.has("detail") && { detail: n.text("detail").slice(0, Ax) },
      ...Bx.test(o) && { requestId: o },
    };
  } catch (e) {
    if (e instanceof k) return {};
    throw e;
  }
}
function Ix(t) {
  return Ox.has(t);
}
var Qh = "malformed_bundle",
  Lx = D({ code: Se.with({ example: "threshold_not_met" }), message: Se }, "ignored").named(
    "LastError",
    { description: "Why the last attempt failed" },
  ),
  nf = {
    hash: Ke,
    attempts: Q("Number of signing attempts").with({ example: 1 }),
    created_at: je("When the hash was accepted"),
    updated_at: je("When the job last changed"),
    last_error: Lx.optional(),
  },
  Xh = { ...nf, status: Kt(["confirmed"]), signed_attestation: Kc },
  Jh = cr(
    D({
      ...nf,
      status: Kt(["pending", "retryable"]),
      progress: Kt(["unconfirmed"]),
      next_attempt_at: je("When the next signing attempt starts"),
    }, "ignored").named("WaitingJob"),
    D({ ...Xh, progress: Kt(["confirmed"]) }, "ignored").named("ConfirmedJob"),
    D({
      ...Xh,
      progress: Kt(["batched"]),
      batch_id: Q("Id of the batch that contains the attestation"),
    }, "ignored").named("BatchedJob"),
    D({ ...nf, status: Kt(["failed"]), progress: Kt(["unconfirmed"]) }, "ignored").named(
      "FailedJob",
    ),
  ).named("JobSnapshot", {
    description: "The current state of a job. `confirmed` and `failed` are terminal",
  }),
  Fx = ["signed_attestation", "batch_id"],
  ep = new _t((t, e) => {
    let n = Jh.read(t, e), r = Fx.find((o) => Object.hasOwn(t, o) && !(o in n));
    if (r !== void 0) throw new ht(`${e}.${r}`, "a job in this state has no such member");
    return n;
  }, Jh.describe);
function tp(t) {
  return t.status === "confirmed" || t.status === "failed";
}
function rf(t) {
  return ep.parseText(t, { where: "job", code: Qh });
}
function np(t) {
  return ge(ep).parseText(t, { where: "jobs", code: Qh });
}
function rp(t, e, n) {
  return t.verify(e, e, n, Nc);
}
var ei = BigInt(0), ti = BigInt(1), ni = BigInt(2), Hx = BigInt(4), op = BigInt(8);
function $x(t, e, n, r) {
  let o = t.sqr(n),
    s = t.sqr(r),
    i = t.add(t.mul(e.a, o), s),
    c = t.add(t.ONE, t.mul(e.d, t.mul(o, s)));
  return t.eql(i, c);
}
function sp(t, e = {}) {
  $e(e, {}, {}, "extraOpts");
  let n = e, r = Cs("edwards", t, n, n.FpFnLE), { Fp: o, Fn: s } = r, i = r.CURVE, { h: c } = i;
  if (sn(o, i.a) !== 1) {
    throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
  }
  if (sn(o, i.d) !== -1) {
    throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
  }
  $e(n, {}, { uvRatio: "function", randomBytes: "function" });
  let f = n.randomBytes === void 0 ? on : n.randomBytes, d = ni << BigInt(o.BYTES * 8) - ti;
  function u(x) {
    if (!o.isOdd) throw new Error("Field does not have .isOdd()");
    return o.isOdd(x);
  }
  let l = n.uvRatio === void 0
    ? (x, y) => {
      try {
        return { isValid: !0, value: o.sqrt(o.div(x, y)) };
      } catch {
        return { isValid: !1, value: ei };
      }
    }
    : n.uvRatio;
  if (!$x(o, i, i.Gx, i.Gy)) throw new Error("bad curve params: generator point");
  let h = o.eql(i.a, o.neg(o.ONE))
    ? (x) => o.neg(x)
    : o.eql(i.a, o.ONE)
    ? (x) => x
    : (x) => o.mul(i.a, x);
  function p(x, y, v = !1) {
    let S = v ? ti : ei;
    return tr("coordinate " + x, y, S, d), y;
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
    constructor(y, v, S, A) {
      this.X = p("x", y),
        this.Y = p("y", v),
        this.Z = p("z", S, !0),
        this.T = p("t", A),
        Object.freeze(this);
    }
    static CURVE() {
      return i;
    }
    static fromAffine(y) {
      if (y instanceof g) throw new Error("extended point not allowed");
      let { x: v, y: S } = y || {};
      return p("x", v), p("y", S), new g(v, S, o.ONE, o.mul(v, S));
    }
    static fromBytes(y, v = !1) {
      let S = o.BYTES, { a: A, d: O } = i;
      y = Ut(de(y, S, "point")), yt(v, "zip215");
      let R = Ut(y), G = y[S - 1];
      R[S - 1] = G & -129;
      let ce = jt(R), he = v ? d : o.ORDER;
      tr("point.y", ce, ei, he);
      let pe = o.sqr(ce),
        ke = o.sub(pe, o.ONE),
        q = o.sub(o.mulN(O, pe), A),
        { isValid: ne, value: ae } = l(ke, q);
      if (!ne) throw new Error("bad point: invalid y coordinate");
      let T = u(ae), H = (G & 128) !== 0;
      if (!v && o.is0(ae) && H) throw new Error("bad point: x=0 and x_0=1");
      return H !== T && (ae = o.neg(ae)), g.fromAffine({ x: ae, y: ce });
    }
    static fromHex(y, v = !1) {
      return g.fromBytes(er(y), v);
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(y = 6, v = !0) {
      return w.setWindowSize(this, y), v || this.multiply(ni), this;
    }
    assertValidity() {
      let y = this, { a: v, d: S } = i;
      if (y.is0()) throw new Error("bad point: ZERO");
      let { X: A, Y: O, Z: R, T: G } = y,
        ce = o.sqr(A),
        he = o.sqr(O),
        pe = o.sqr(R),
        ke = o.sqr(pe),
        q = o.mul(ce, v),
        ne = o.mul(o.add(q, he), pe),
        ae = o.add(ke, o.mul(S, o.mul(ce, he)));
      if (!o.eql(ne, ae)) throw new Error("bad point: equation left != right (1)");
      let T = o.mul(A, O), H = o.mul(R, G);
      if (!o.eql(T, H)) throw new Error("bad point: equation left != right (2)");
    }
    equals(y) {
      m(y);
      let { X: v, Y: S, Z: A } = this,
        { X: O, Y: R, Z: G } = y,
        ce = o.mul(v, G),
        he = o.mul(O, A),
        pe = o.mul(S, G),
        ke = o.mul(R, A);
      return o.eql(ce, he) && o.eql(pe, ke);
    }
    is0() {
      return this.equals(g.ZERO);
    }
    negate() {
      return new g(o.neg(this.X), this.Y, this.Z, o.neg(this.T));
    }
    double() {
      let { X: y, Y: v, Z: S } = this,
        A = o.sqr(y),
        O = o.sqr(v),
        R = o.mul(o.sqr(S), ni),
        G = h(A),
        ce = o.addN(y, v),
        he = o.sub(o.subN(o.sqr(ce), A), O),
        pe = o.addN(G, O),
        ke = o.subN(pe, R),
        q = o.subN(G, O),
        ne = o.mul(he, ke),
        ae = o.mul(pe, q),
        T = o.mul(he, q),
        H = o.mul(ke, pe);
      return new g(ne, ae, H, T);
    }
    add(y) {
      m(y);
      let { d: v } = i,
        { X: S, Y: A, Z: O, T: R } = this,
        { X: G, Y: ce, Z: he, T: pe } = y,
        ke = o.mul(S, G),
        q = o.mul(A, ce),
        ne = o.mul(o.mulN(R, v), pe),
        ae = o.mul(O, he),
        T = o.sub(o.subN(o.mulN(o.addN(S, A), o.addN(G, ce)), ke), q),
        H = o.subN(ae, ne),
        $ = o.addN(ae, ne),
        I = o.sub(q, h(ke)),
        _ = o.mul(T, H),
        B = o.mul($, I),
        C = o.mul(T, I),
        L = o.mul(H, $);
      return new g(_, B, L, C);
    }
    subtract(y) {
      return m(y), this.add(y.negate());
    }
    multiply(y) {
      if (!s.isValidNot0(y)) throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
      let { p: v, f: S } = w.mulSecret(this, y, c, b);
      return b([v, S])[0];
    }
    multiplyUnsafe(y) {
      if (!s.isValid(y)) throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
      return y === ei ? g.ZERO : this.is0() || y === ti ? this : w.mulUnsafe(this, y, b);
    }
    isSmallOrder() {
      return this.clearCofactor().is0();
    }
    isTorsionFree() {
      return w.mulUnsafe(this, i.n).is0();
    }
    toAffine(y) {
      let v = this, S = y;
      if (S != null && typeof S != "bigint") {
        throw new TypeError('"invertedZ" expected bigint, got type=' + typeof S);
      }
      let { X: A, Y: O, Z: R } = v, G = v.is0();
      S == null && (S = G ? o.create(op) : o.inv(R));
      let ce = o.mul(A, S), he = o.mul(O, S), pe = o.mul(R, S);
      if (G) return { x: o.ZERO, y: o.ONE };
      if (!o.eql(pe, o.ONE)) throw new Error("invZ was invalid");
      return { x: ce, y: he };
    }
    clearCofactor() {
      return c === ti
        ? this
        : c === ni
        ? this.double()
        : c === Hx
        ? this.double().double()
        : c === op
        ? this.double().double().double()
        : this.multiplyUnsafe(c);
    }
    toBytes() {
      let { x: y, y: v } = this.toAffine(), S = o.toBytes(v);
      return S[S.length - 1] |= u(y) ? 128 : 0, S;
    }
    toHex() {
      return Qn(this.toBytes());
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let b = (x) => Ns(g, x), w = new Or(g, f);
  return w.bits >= 6 && g.BASE.precompute(6), Object.freeze(g.prototype), Object.freeze(g), g;
}
function ip(t, e, n = {}) {
  if (Sn(t), typeof e != "function") throw new Error('"hash" function param is required');
  let r = e, o = n;
  $e(o, {}, {
    adjustScalarBytes: "function",
    randomBytes: "function",
    domain: "function",
    prehash: "function",
    zip215: "boolean",
    mapToCurve: "function",
    toMontgomery: "function",
    toMontgomerySecret: "function",
  });
  let { prehash: s } = o, { BASE: i, Fp: c, Fn: f } = t, d = r.outputLen, u = 2 * c.BYTES;
  if (d !== void 0 && (Ce(d, "hash.outputLen"), d !== u)) {
    throw new Error(`hash.outputLen must be ${u}, got ${d}`);
  }
  let l = o.randomBytes === void 0 ? on : o.randomBytes,
    h = o.toMontgomery,
    p = o.toMontgomerySecret,
    m = o.adjustScalarBytes === void 0 ? (q) => q : o.adjustScalarBytes,
    g = o.domain === void 0
      ? (q, ne, ae) => {
        if (yt(ae, "phflag"), ne.length || ae) {
          throw new Error("Contexts/pre-hash are not supported");
        }
        return q;
      }
      : o.domain;
  function b(q) {
    return f.create(jt(q));
  }
  function w(q) {
    let ne = G.secretKey;
    de(q, G.secretKey, "secretKey");
    let ae = de(r(q), 2 * ne, "hashedSecretKey"),
      T = m(ae.slice(0, ne)),
      H = ae.slice(ne, 2 * ne),
      $ = b(T);
    return { head: T, prefix: H, scalar: $ };
  }
  function x(q) {
    let { head: ne, prefix: ae, scalar: T } = w(q), H = i.multiply(T), $ = H.toBytes();
    return { head: ne, prefix: ae, scalar: T, point: H, pointBytes: $ };
  }
  function y(q) {
    return x(q).pointBytes;
  }
  function v(q = Uint8Array.of(), ...ne) {
    let ae = qe(...ne);
    return b(r(g(ae, de(q, void 0, "context"), !!s)));
  }
  function S(q, ne, ae = {}) {
    $e(ae, {}, {}, "options"), q = Ut(de(q, void 0, "message")), s && (q = s(q));
    let { prefix: T, scalar: H, pointBytes: $ } = x(ne),
      I = v(ae.context, T, q),
      _ = i.multiply(I).toBytes(),
      B = v(ae.context, _, $, q),
      C = f.create(I + B * H);
    if (!f.isValid(C)) throw new Error("sign failed: invalid s");
    let L = qe(_, f.toBytes(C));
    return de(L, G.signature, "result");
  }
  let A = { zip215: o.zip215 };
  function O(q, ne, ae, T = A) {
    $e(T);
    let { context: H } = T, $ = T.zip215 === void 0 ? !!A.zip215 : T.zip215, I = G.signature;
    q = de(q, I, "signature"),
      ne = de(ne, void 0, "message"),
      ae = de(ae, G.publicKey, "publicKey"),
      $ !== void 0 && yt($, "zip215"),
      s && (ne = s(ne));
    let _ = I / 2, B = q.subarray(0, _), C = jt(q.subarray(_, I)), L, j, M;
    try {
      L = t.fromBytes(ae, $), j = t.fromBytes(B, $), M = i.multiplyUnsafe(C);
    } catch {
      return !1;
    }
    if (!$ && L.isSmallOrder()) return !1;
    let Y = v(H, B, ae, ne);
    return j.add(L.multiplyUnsafe(Y)).subtract(M).clearCofactor().is0();
  }
  let R = c.BYTES, G = { secretKey: R, publicKey: R, signature: 2 * R, seed: R };
  function ce(q) {
    return q = q === void 0 ? l(G.seed) : q, de(q, G.seed, "seed");
  }
  function he(q) {
    return Pt(q) && q.length === G.secretKey;
  }
  function pe(q, ne) {
    try {
      return !!t.fromBytes(q, ne === void 0 ? A.zip215 : ne);
    } catch {
      return !1;
    }
  }
  let ke = {
    getExtendedPublicKey: x,
    randomSecretKey: ce,
    isValidSecretKey: he,
    isValidPublicKey: pe,
    toMontgomery(q) {
      if (h === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return h(t.fromBytes(q));
    },
    toMontgomerySecret(q) {
      if (p === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return p(q);
    },
  };
  return Object.freeze(G),
    Object.freeze(ke),
    Object.freeze({
      keygen: cc(ce, y),
      getPublicKey: y,
      sign: S,
      verify: O,
      utils: ke,
      Point: t,
      lengths: G,
    });
}
var of = BigInt(1), ap = BigInt(2);
var Mx = BigInt(5),
  Px = BigInt(8),
  sf = BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"),
  jx = {
    p: sf,
    n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
    h: Px,
    a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
    d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
    Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
    Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658"),
  };
function Dx(t) {
  let e = BigInt(10),
    n = BigInt(20),
    r = BigInt(40),
    o = BigInt(80),
    s = sf,
    c = t * t % s * t % s,
    f = Bt(c, ap, s) * c % s,
    d = Bt(f, of, s) * t % s,
    u = Bt(d, Mx, s) * d % s,
    l = Bt(u, e, s) * u % s,
    h = Bt(l, n, s) * l % s,
    p = Bt(h, r, s) * h % s,
    m = Bt(p, o, s) * p % s,
    g = Bt(m, o, s) * p % s,
    b = Bt(g, e, s) * u % s;
  return { pow_p_5_8: Bt(b, ap, s) * t % s, b2: c };
}
function dp(t) {
  return t[0] &= 248, t[31] &= 127, t[31] |= 64, t;
}
var cp = BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function Ux(t, e) {
  let n = sf,
    r = Fe(e * e * e, n),
    o = Fe(r * r * e, n),
    s = Dx(t * o).pow_p_5_8,
    i = Fe(t * r * s, n),
    c = Fe(e * i * i, n),
    f = i,
    d = Fe(i * cp, n),
    u = c === t,
    l = c === Fe(-t, n),
    h = c === Fe(-t * cp, n);
  return u && (i = f),
    (l || h) && (i = d),
    El(i, n) && (i = Fe(-i, n)),
    { isValid: u || l, value: i };
}
var af = sp(jx, { uvRatio: Ux }), fp = af.Fp;
function qx(t) {
  let { y: e } = t;
  return fp.toBytes(fp.div(of + e, of - e));
}
function zx(t) {
  let e = af.Fp.BYTES;
  return rt(t, e), dp(To(t.subarray(0, e))).subarray(0, e);
}
function Gx(t) {
  return ip(
    af,
    To,
    Object.assign(
      { adjustScalarBytes: dp, toMontgomery: qx, toMontgomerySecret: zx, zip215: !0 },
      t,
    ),
  );
}
var up = Gx({});
var jr = 32,
  Vx = 64,
  Wx = Re("01".padEnd(64, "0")),
  Kx = [Re("01".padEnd(62, "0") + "80"), Re("ec".padEnd(64, "f"))];
function Yx(t) {
  return !(t[0] >= 237 && t.subarray(1, 31).every((n) => n === 255) && t[31] % 128 === 127) &&
    !Kx.some((n) => Be(n, t));
}
function cf(t, e) {
  return t.length === jr && e.length === Vx && Yx(t) && !Be(e.subarray(0, jr), Wx);
}
var Zx = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  Xx = "72",
  Jx = [{
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
async function lp(t) {
  let e = Re(Zx), n = Re(Xx);
  for (let { valid: r, r: o, s } of Jx) if (await t(e, n, Re(o + s)) !== r) return !1;
  return !0;
}
var ri = et("invalid_key", "Cannot use Ed25519 public key"), { Point: ff } = up, { Fn: hp } = ff;
function gp(t) {
  try {
    return ff.fromBytes(t);
  } catch {
    return;
  }
}
function df(t) {
  if (t.length !== jr) throw ri(`it has ${t.length} bytes instead of 32`);
  let e = gp(t);
  if (e === void 0 || !Be(e.toBytes(), t)) {
    throw ri("it is not the canonical encoding of a curve point");
  }
  if (e.isSmallOrder()) throw ri("the point has small order");
  if (!e.isTorsionFree()) throw ri("the point has mixed order");
}
function Qx(t, e, n) {
  if (!cf(t, n)) return !1;
  let r = n.subarray(0, jr), o = jt(n.subarray(jr));
  if (!hp.isValid(o)) return !1;
  let s = gp(t);
  if (s === void 0) return !1;
  let i = hp.create(jt(To(we(r, t, e)))),
    c = ff.BASE.multiplyUnsafe(o).subtract(s.multiplyUnsafe(i));
  return Be(c.toBytes(), r);
}
var pp = new On(256);
async function e1(t, e) {
  let n = pp.get(e);
  if (n !== void 0) return n;
  try {
    let r = await t.importKey("raw", e, "Ed25519", !1, ["verify"]);
    return pp.set(e, r), r;
  } catch (r) {
    if (r instanceof DOMException) return;
    throw r;
  }
}
async function mp(t, e, n) {
  let r = globalThis.crypto?.subtle;
  if (r === void 0 || !cf(t, n)) return !1;
  let [o, s] = [e.slice(), n.slice()], i = await e1(r, t.slice());
  return i === void 0 ? !1 : await r.verify("Ed25519", i, s, o);
}
async function uf() {
  return await lp(mp) ? mp : Qx;
}
var un = { ed25519: 1, cosignature: 4, private: 255 }, t1 = 32;
function bp(t) {
  let { name: e, type: n, identifier: r = "", publicKey: o } = t;
  return $o(we(
    oe(`${e}
`),
    Uint8Array.of(n),
    oe(r),
    o,
  )).slice(0, 4);
}
function Uo(t) {
  let e = we(Uint8Array.of(t.type), t.publicKey);
  return `${t.name}+${Z(bp(t))}+${_o(e)}`;
}
function Rn(t) {
  let [, e = "", , n = ""] = /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(t) ?? [],
    r = Yn(n) ?? new Uint8Array(),
    o = { name: e, type: r[0] ?? 0, publicKey: r.slice(1) };
  if (
    !((o.type === un.ed25519 || o.type === un.cosignature) && o.publicKey.length === t1) ||
    Uo(o) !== t
  ) {
    throw new k(
      "invalid_key",
      "Cannot read verifier key: not a C2SP note key of type 0x01 or 0x04",
    );
  }
  return o;
}
var oi = Se.with({
    pattern: "^[^+\\s]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*$",
    description: "C2SP verifier key",
    example: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
  }),
  lf = Q("Number of witnesses that must sign").with({ minimum: 1, example: 2 }),
  hf = ct(pt.bls, "Signature of the key over itself"),
  si = {
    ed25519: ct(Bn.ed25519, "Ed25519 public key"),
    bls: ct(Bn.bls, "BLS12-381 public key in G2, compressed"),
  },
  pf = D({
    enabled: Ho,
    peer_networks: ge(
      D({
        id: Ye,
        gateway_url: Se.with({ format: "uri" }).optional(),
        min_witnesses: Q("Number of its witnesses that must cosign").optional(),
      }, "ignored").named("PeerNetwork"),
    ),
    cross_anchor_threshold: Q("Number of peers that must cosign a tree head"),
  }, "ignored").named("FederationPolicy"),
  mf = {
    id: Ye,
    threshold: lf,
    log_vkey: oi.optional(),
    merge_delay_seconds: Q("Seconds within which the log includes a confirmed attestation").with({
      example: 60,
    }).optional(),
  },
  xp = "malformed_configuration",
  Rt = et("invalid_configuration", "Cannot use network configuration"),
  n1 = { enabled: !1, peer_networks: [], cross_anchor_threshold: 0 },
  wp = { where: "network", code: xp },
  r1 = D({ signature_scheme: Se }, "ignored"),
  o1 = { ed25519: yp("ed25519"), bls: yp("bls") };
function yp(t) {
  let e = D(
    { id: fn, pubkey: si[t], vkey: oi.optional(), proof_of_possession: hf.optional() },
    "ignored",
  );
  return D({ ...mf, witnesses: ge(e), federation: pf.optional() }, "ignored");
}
function qo(t, e = An) {
  return s1(Xe(t, xp), e);
}
function s1(t, e = An) {
  let { signature_scheme: n } = r1.parse(t, wp);
  if (n !== "ed25519" && n !== "bls") throw Rt("unknown signature_scheme");
  let r = o1[n].parse(t, wp), o = { federation: n1, ...r, signature_scheme: n };
  return i1(o, e), o;
}
function i1(t, e = An) {
  let { id: n, threshold: r, witnesses: o, signature_scheme: s } = t;
  if (!cn(n)) throw Rt("malformed network id");
  if (r < 1 || r > o.length) throw Rt(`threshold ${r} is not from 1 to ${o.length}`);
  let i = o.map((c) => c.pubkey);
  for (let c of o) {
    if (!Ys(c.id)) throw Rt("malformed witness id");
    s === "bls" ? c1(c, e) : a1(c);
  }
  if (t.log_vkey !== void 0) {
    let c = Rn(t.log_vkey);
    if (c.type !== un.ed25519 || c.name !== n) {
      throw Rt(`log_vkey is not of type 0x01 or not named ${n}`);
    }
    df(c.publicKey), i.push(Z(c.publicKey));
  }
  if (new Set(o.map((c) => c.id)).size !== o.length) throw Rt("duplicate witness id");
  if (new Set(i).size !== i.length) {
    throw Rt("duplicate public key among the witnesses and the log");
  }
  f1(t);
}
function gf(t) {
  let e = new Set(t.witnesses.map((n) => n.pubkey));
  return t.log_vkey !== void 0 && e.add(Z(Rn(t.log_vkey).publicKey)), e;
}
function a1(t) {
  let e = Ae(t.pubkey, Bn.ed25519) ?? new Uint8Array();
  df(e);
  let n = Uo({ name: t.id, type: un.cosignature, publicKey: e });
  if (t.vkey !== void 0 && t.vkey !== n) {
    throw Rt(`vkey of ${t.id} does not match its id and pubkey`);
  }
}
function c1({ id: t, pubkey: e, vkey: n, proof_of_possession: r }, o) {
  if (n !== void 0) throw Rt(`bls witness ${t} has a vkey`);
  let s = Ae(e, Bn.bls) ?? new Uint8Array();
  if (!o.keyValidate(s)) {
    throw new k(
      "invalid_key",
      `Cannot use BLS public key of ${t}: not the encoding of a point of G2 of order r`,
    );
  }
  let i = Ae(r ?? "", pt.bls);
  if (i === void 0 || !rp(o, s, i)) {
    throw Rt(`proof_of_possession of ${t} is ${r === void 0 ? "missing" : "invalid"}`);
  }
}
function f1(t) {
  let { peer_networks: e } = t.federation, n = new Set(e.map((r) => r.id));
  if (n.size !== e.length || n.has(t.id) || !e.every((r) => cn(r.id))) {
    throw Rt("a peer id is malformed, duplicate or the network's own");
  }
}
function bf(t) {
  if (t.length % E !== 0) {
    throw new k("internal", `Cannot count nodes: ${t.length} bytes are not a multiple of ${E}`);
  }
  return t.length / E;
}
function wf(t, e, n) {
  return t.slice(e * E, n * E);
}
function yf(t) {
  return t.sha256(new Uint8Array());
}
var Dr = 8, Ie = 256;
function ii(t, e, n) {
  let r = String(e),
    s = r.padStart(Math.ceil(r.length / 3) * 3, "0").replace(/[0-9]{3}(?=[0-9])/g, "x$&/"),
    i = n === Ie ? "" : `.p/${n}`;
  return `tile/${t}/${s}${i}`;
}
function xf(t, e) {
  return Math.floor(e / Ie ** (t + 1));
}
function _f(t, e) {
  return Math.floor(e / Ie ** t) % Ie;
}
function Ur(t, e, n) {
  let r = xf(t, n);
  return e < r ? Ie : e === r ? _f(t, n) : 0;
}
var Ep = D({
    id: Ye,
    threshold: lf,
    signature_scheme: Se.with({ enum: ["ed25519", "bls"] }),
    witness_count: Q("Number of witnesses").with({ minimum: 1 }),
  }, "ignored").named("GatewayConfig"),
  d1 = D({ id: fn, pubkey: si.ed25519, vkey: oi }).named("Ed25519Witness"),
  u1 = D({ id: fn, pubkey: si.bls, proof_of_possession: hf }).named("BlsWitness"),
  I8 = cr(_p("ed25519", d1).named("Ed25519Network"), _p("bls", u1).named("BlsNetwork")).named(
    "Network",
  );
function _p(t, e) {
  return D({ ...mf, signature_scheme: Kt([t]), witnesses: ge(e, 1), federation: pf });
}
function l1(t) {
  let { federation: e } = t;
  return {
    id: t.id,
    witnesses: t.witnesses.map((n) => m1(t, n)),
    threshold: t.threshold,
    signature_scheme: t.signature_scheme,
    federation: {
      enabled: e.enabled,
      peer_networks: e.peer_networks.map(g1),
      cross_anchor_threshold: e.cross_anchor_threshold,
    },
    ...t.log_vkey !== void 0 && { log_vkey: t.log_vkey },
    ...t.merge_delay_seconds !== void 0 && { merge_delay_seconds: t.merge_delay_seconds },
  };
}
function h1(t) {
  return `${JSON.stringify(l1(t), void 0, 2)}
`;
}
function tt(t) {
  return Z(ar.sha256(oe(h1(t))));
}
function p1({ id: t, pubkey: e }) {
  let n = Re(e);
  return Uo({ name: t, type: un.cosignature, publicKey: n });
}
function m1(t, e) {
  let { id: n, pubkey: r, proof_of_possession: o } = e;
  return t.signature_scheme === "bls"
    ? { id: n, pubkey: r, ...o !== void 0 && { proof_of_possession: o } }
    : { id: n, pubkey: r, vkey: p1(e) };
}
function g1({ id: t, gateway_url: e, min_witnesses: n }) {
  return { id: t, ...e !== void 0 && { gateway_url: e }, ...n !== void 0 && { min_witnesses: n } };
}
var vp = "gateway_refused",
  Sp = "malformed_bundle",
  b1 = ge(D({ provider: Se, service: Hr.optional(), status: Se, timestamp: an }, "ignored")),
  Tp = Yc.map((t) => {
    let { id: e, tree_size: n, first_index: r, attestation_count: o } = t;
    return e === n && o === n - r ? t : void 0;
  }, "an id and a count that match the tree size"),
  w1 = ge(Tp).map(
    (t) => t.every((e, n) => n === 0 || e.id < t[n - 1].id) ? t : void 0,
    "descending ids",
  );
function kp(t) {
  return Ep.parseText(t, { where: "configuration", code: vp });
}
function Op(t) {
  return b1.parseText(t, { where: "anchors", code: vp });
}
function Ap(t) {
  return w1.parseText(t, { where: "batches", code: Sp });
}
function Bp(t) {
  return Tp.parseText(t, { where: "batch", code: Sp });
}
async function* ai(t) {
  let e = t.getReader();
  try {
    for (let n = await e.read(); !n.done; n = await e.read()) yield n.value;
  } finally {
    await e.cancel();
  }
}
async function ci(t, e) {
  let { method: n = "GET", headers: r = {}, body: o, maxBytes: s, timeoutMs: i, clock: c = gn } = e,
    { failure: f, codes: d, signal: u, fetch: l = fetch } = e,
    h = new AbortController(),
    p = () => h.abort(u?.reason);
  u?.aborted && p(), u?.addEventListener("abort", p);
  let m = new AbortController(), g = !1;
  i !== void 0 && c.sleep(i, m.signal).then(() => {
    g = !m.signal.aborted, h.abort();
  });
  let b, w;
  try {
    if (
      b = await l(t, {
        method: n,
        headers: r,
        ...o !== void 0 && { body: o },
        credentials: "omit",
        redirect: "manual",
        signal: h.signal,
      }), d.redirected !== void 0 && b.status >= 300 && b.status < 400
    ) {
      throw await b.body?.cancel(),
        new k(d.redirected, `${f}: ${t.host} answered ${b.status}, and redirects are not followed`);
    }
    if (b.type === "opaqueredirect") throw new Error("redirect");
    e.onHeaders?.(b.headers), w = await Ef(b, s);
  } catch (x) {
    if (x instanceof k) throw x;
    let y = u?.aborted
      ? "the request was cancelled"
      : g
      ? `no answer from ${t.host} within ${i / 1e3} s`
      : `no answer from ${t.host}`;
    throw new k(d.unreachable, `${f}: ${y}`, { cause: x });
  } finally {
    m.abort(), u?.removeEventListener("abort", p);
  }
  if (w === void 0 && d.tooLarge !== void 0) {
    let x = `${f}: the answer of ${t.host} exceeds ${s} bytes`;
    throw new k(d.tooLarge, x);
  }
  return {
    status: b.status,
    ok: b.ok,
    headers: b.headers,
    mediaType: vf(b.headers),
    body: w ?? new Uint8Array(),
  };
}
async function Ef(t, e) {
  let n = [], r = 0;
  for await (let o of t.body === null ? [] : ai(t.body)) {
    if (r += o.length, r > e) return;
    n.push(o);
  }
  return we(...n);
}
function vf(t) {
  let [e = ""] = (t.get("Content-Type") ?? "").split(";");
  return e.trim().toLowerCase();
}
var y1 = 32 * 1024 * 1024,
  x1 = 15e3,
  _1 = 5,
  E1 = 10,
  v1 = 40,
  fi = class {
    url;
    #e;
    #t;
    constructor(e) {
      this.url = e.url, this.#e = e, this.#t = Sf(e);
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
        let c = s.slice(0, v1) || "of no media type";
        throw new k(
          "gateway_refused",
          `Cannot obtain ${o}: the answer is ${c}, not application/json`,
        );
      }
      try {
        let c = ot(i, "gateway_refused");
        return { text: c, value: await n(c) };
      } catch (c) {
        if (!(c instanceof k)) throw c;
        let f = `${c.message}, in the gateway's ${o}`;
        throw new k(c.code, f, { cause: c });
      }
    }
    async withRetries(e, n = {}) {
      let { clock: r = gn } = this.#e, { isTransient: o = qr } = n, s = this.#n(n.signal);
      for (let i = 1;; i++) {
        try {
          return await e();
        } catch (c) {
          if (i === _1 || !o(c)) throw c;
          let f = c instanceof be ? c.retryAfter : void 0, d = Math.min(f ?? 1, E1);
          await r.sleep(d * 1e3, s), s?.throwIfAborted();
        }
      }
    }
    #n(e) {
      let { signal: n } = this.#e;
      return e !== void 0 && n !== void 0 ? Er(e, n) : e ?? n;
    }
    async #o(e, n) {
      let r = this.#n(n), o = this.#t, s;
      for (let [i, c] of o.entries()) {
        try {
          let f = await this.#r(c, e, r);
          return i > 0 && (this.#t = [c, ...o.filter((d) => d !== c)]), f;
        } catch (f) {
          if (!ui(f)) throw f;
          if (f instanceof be && (s ??= f), i === o.length - 1) throw s ?? f;
        }
      }
      throw new TypeError("A connection has at least one URL");
    }
    async #r(e, n, r) {
      let { what: o, path: s, body: i, waitSeconds: c = 0 } = n,
        { timeoutMs: f = x1, fetch: d } = this.#e,
        u = await ci(new URL(s, e), {
          method: i === void 0 ? "GET" : "POST",
          headers: {
            Accept: "application/json",
            ...i !== void 0 && { "Content-Type": "application/json" },
            ...c > 0 && { Prefer: `wait=${c}` },
          },
          ...i !== void 0 && { body: JSON.stringify(i) },
          maxBytes: y1,
          timeoutMs: f + c * 1e3,
          signal: r,
          ...d && { fetch: d },
          failure: `Cannot obtain ${o}`,
          codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
        }).catch((l) => {
          throw r?.throwIfAborted(), l;
        });
      if (!u.ok) throw Pr(o, u, u.body);
      return u;
    }
  };
function Sf({ url: t, others: e = [] }) {
  return [...new Map([t, ...e].map((n) => [n.href, n])).values()];
}
function di(t) {
  return qr(t) || ui(t);
}
function ui(t) {
  return bt(t, "gateway_unreachable") || t instanceof be && [502, 503, 504].includes(t.status);
}
function qr(t) {
  return t instanceof be && (t.status === 429 || t.status === 503);
}
var li = class extends fi {
  #e;
  constructor(e) {
    super(e), this.#e = e.blsFor ?? (() => Co);
  }
  network(e) {
    let n = { what: "network configuration", path: "v1/network" },
      r = async (o) => qo(o, await this.#e(o));
    return this.json(n, r, e);
  }
  config(e) {
    return this.json({ what: "configuration", path: "v1/config" }, kp, e);
  }
  status(e) {
    return this.json({ what: "status", path: "v1/status" }, Zh, e);
  }
  admission(e) {
    return this.json({ what: "admission", path: "v1/admission" }, Nh, e);
  }
  async submit(e, n, { tokens: r, ...o } = {}) {
    let [s] = e,
      i = e.length === 1,
      c = i
        ? { what: "job", path: "v1/attestations", body: { hash: s, issuer_token: r?.[0] } }
        : { what: "jobs", path: "v1/attestations/batch", body: { hashes: e, issuer_tokens: r } },
      f = i ? (u) => [rf(u)] : np,
      { value: d } = await this.withRetries(
        () => this.json({ ...c, waitSeconds: n }, f, o.signal),
        o,
      );
    if (d.length !== e.length || d.some((u, l) => u.hash !== e[l])) {
      throw Np("its jobs are not those of the submitted hashes");
    }
    return d;
  }
  job(e, n, r) {
    return this.json({ what: "job", path: `v1/attestations/${e}`, waitSeconds: n }, (o) => {
      let s = rf(o);
      if (s.hash !== e) throw Np("its job is not that of the hash");
      return s;
    }, r);
  }
  async isKnown(e) {
    try {
      return await this.withRetries(() => this.job(e, 0)), !0;
    } catch (n) {
      if (n instanceof be && n.reason === "hash_unknown") return !1;
      throw n;
    }
  }
  bundle(e, n) {
    return this.json({ what: "bundle", path: `v1/bundle/${e}` }, Po, n);
  }
  merkleProof(e, n) {
    return this.json({ what: "proof", path: `v1/proof/${e}` }, Xc, n);
  }
  anchors(e, n) {
    return this.json({ what: "anchors", path: `v1/anchors/${e}` }, Op, n);
  }
  sth(e, n) {
    let r = e === void 0 ? "v1/log/sth" : `v1/log/sth/${e}`;
    return this.json({ what: "tree head", path: r }, Zc, n);
  }
  consistency(e, n, r) {
    let o = `v1/log/consistency?first=${e}&second=${n}`;
    return this.json({ what: "consistency proof", path: o }, Qc, r);
  }
  inclusion(e, n, r) {
    let o = `v1/log/proof?hash=${e}&tree_size=${n}`;
    return this.json({ what: "inclusion proof", path: o }, Jc, r);
  }
  batches(e = {}, n) {
    let r = new URLSearchParams(Object.entries(e).map(([s, i]) => [s, String(i)])),
      o = r.size === 0 ? "v1/batches" : `v1/batches?${r}`;
    return this.json({ what: "batches", path: o }, Ap, n);
  }
  batch(e, n) {
    return this.json({ what: "batch", path: `v1/batches/${e}` }, Bp, n);
  }
  contradictions(e) {
    let n = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.json(n, (r) => Yh(r, "malformed_bundle"), e);
  }
  async checkpoint(e) {
    return ot(await this.bytes({ what: "checkpoint", path: "checkpoint" }, e));
  }
  tile(e, n, r, o) {
    let s = e === "entries" ? "entries" : "tile";
    return this.bytes({ what: s, path: ii(e, n, r) }, o);
  }
};
function Np(t) {
  return new k("gateway_refused", `Cannot use the gateway's answer: ${t}`);
}
var Cp = "/.well-known/private-token-issuer-directory", Rp = 64, S1 = 1024;
function Ip(t) {
  let e = { where: "issuer directory", code: "issuer_refused" },
    n = Et.parse(t, e, ["issuer-request-uri", "token-keys"], { ignoreUnknown: !0, maxValues: S1 }),
    r = n.objects("token-keys", ["token-type", "token-key"], { ignoreUnknown: !0 });
  if (r.length > Rp) throw n.error(`token-keys has more than ${Rp} keys`);
  let o = r.filter((s) => s.integer("token-type") === Gt).map(T1);
  return { requestUri: n.text("issuer-request-uri"), tokenKeys: o };
}
function T1(t) {
  let e = t.base64Url("token-key");
  return t.has("not-before")
    ? { tokenKey: e, notBefore: t.integer("not-before") }
    : { tokenKey: e };
}
var Tf = et("invalid_configuration", "Cannot use service URL"),
  k1 = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
function Lp(t, e) {
  let n = kf(t);
  if (n === void 0 || n.protocol !== "https:" && n.protocol !== "http:") {
    throw Tf("it is not an http or https URL");
  }
  if (n.username !== "" || n.password !== "" || n.search !== "" || n.hash !== "") {
    throw Tf("it has credentials, a query or a fragment");
  }
  if (n.protocol === "http:" && !e.insecure && !hi(n.hostname)) {
    throw Tf("http is allowed only on loopback; use https");
  }
  return n.pathname.endsWith("/") || (n.pathname += "/"), n;
}
function hi(t) {
  return k1.test(t);
}
function kf(t, e) {
  try {
    return new URL(t, e);
  } catch {
    return;
  }
}
var Fp = et("invalid_key", "Cannot use blind RSA key"),
  Ct = 256,
  Af = 48,
  Bf = 65537n,
  zo = Re(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100",
  ),
  Of = Re("0203010001");
function zr(t) {
  return BigInt(`0x${Z(t)}`);
}
function pi(t) {
  return Re(t.toString(16).padStart(2 * Ct, "0"));
}
function O1(t) {
  if (t.length !== Ct || t[0] < 128 || t.at(-1) % 2 === 0) {
    throw Fp("the modulus is not an odd integer of 2048 bits");
  }
  return { spki: we(zo, t, Of), modulus: zr(t) };
}
function Hp(t) {
  let e = zo.length + Ct;
  if (t.length !== e + Of.length || !Be(t.subarray(0, zo.length), zo) || !Be(t.subarray(e), Of)) {
    throw Fp(
      `${t.length} bytes are not the DER of an RSASSA-PSS key of 2048 bits with SHA-384, a salt of 48 bytes and the exponent 65537`,
    );
  }
  return O1(t.subarray(zo.length, e));
}
var Gr = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
};
function $p(t) {
  let { truncatedTokenKeyId: e, blindedMessage: n } = t;
  return we(Uint8Array.of(0, Gt, e), n);
}
function Mp(t) {
  if (t.length === Ct) return t.slice();
  throw new k("issuer_refused", `Cannot read token response: ${t.length} bytes in place of ${Ct}`);
}
var A1 = 256 * 1024,
  B1 = 15e3,
  Vr = class extends k {
    status;
    retryAfter;
    constructor(e, n) {
      super("issuer_refused", e), this.status = n.status, this.retryAfter = n.retryAfter;
    }
  };
function Wr(t) {
  return bt(t, "issuer_unreachable") || t instanceof Vr && [429, 502, 503, 504].includes(t.status);
}
var mi = class {
  #e;
  #t;
  constructor({ url: e, timeoutMs: n = B1 }) {
    this.#e = e, this.#t = n;
  }
  async directory(e) {
    let n = new URL(Cp, this.#e),
      r = { Accept: Gr.directory },
      o = await this.#n(n, { headers: r, signal: e });
    Pp("issuer directory", o, Gr.directory);
    let s = Ip(ot(o.body, "issuer_refused")), { requestUri: i } = s, c = kf(i, n);
    if (c?.origin === n.origin) return { ...s, requestUri: c.href };
    throw new k(
      "issuer_refused",
      "Cannot use issuer directory: its issuer-request-uri has another origin than the issuer",
    );
  }
  async request(e, n, r) {
    let o = await this.#n(new URL(e), {
      method: "POST",
      headers: {
        Accept: Gr.response,
        "Content-Type": Gr.request,
        ...r !== void 0 && { Authorization: r },
      },
      body: n,
    });
    return o.status === 401 && r === void 0
      ? { kind: "unauthorized", challenge: o.headers.get("WWW-Authenticate") ?? "" }
      : (Pp("token", o, Gr.response), { kind: "response", response: o.body });
  }
  #n(e, n) {
    return ci(e, {
      ...n,
      maxBytes: A1,
      timeoutMs: this.#t,
      failure: "Cannot ask issuer",
      codes: { unreachable: "issuer_unreachable", tooLarge: "issuer_refused" },
    });
  }
};
function Pp(t, e, n) {
  let { status: r } = e;
  if (r === 200 && e.mediaType === n) return;
  let { reason: o, retryAfter: s } = Pr(t, e, e.body),
    i = r === 200
      ? `an answer that is not ${n}`
      : [`status ${r}`, ...o === void 0 ? [] : [o], ...s === void 0 ? [] : [`retry in ${s} s`]]
        .join(", ");
  throw new Vr(`Cannot obtain ${t}: the issuer sent ${i}`, { status: r, retryAfter: s });
}
var Nf = {
    gateway_unreachable: [
      "The gateway does not answer",
      "Your connection or the gateway is down. Nothing that was accepted is lost.",
    ],
    gateway_refused: [
      "The gateway refused",
      "It answered with something else than what was asked for.",
    ],
    overloaded: [
      "The gateway is busy",
      "It has more to do than it can take. Try again in a moment.",
    ],
    shutting_down: ["The gateway is stopping", "It should be back soon. Try again in a moment."],
    standby: [
      "This gateway is a standby",
      "Another one takes the hashes of this log. Use its address, or try again in a moment.",
    ],
    storage_failed: [
      "The gateway cannot store",
      "It accepts nothing until its operator has mended its storage.",
    ],
    store_rolled_back: [
      "The gateway's store is an old copy",
      "Its witnesses remember a longer log. It accepts nothing until its operator has restored it.",
    ],
    witnesses_unavailable: [
      "The witnesses do not answer",
      "Too few of them can be reached. Try again later.",
    ],
    rate_limited: ["The gateway limits how much one client sends", "Wait until it takes more."],
    token_required: [
      "This gateway takes new hashes with tokens only",
      "This page has none. Fetch some with `countersign token`, then use `countersign stamp`.",
    ],
    issuer_unreachable: [
      "The issuer of tokens does not answer",
      "This gateway takes new hashes with its tokens only. Try again in a moment.",
    ],
    issuer_refused: [
      "The issuer gives this page no tokens",
      "This gateway takes new hashes with tokens only. Fetch some with `countersign token` and an API key, then use `countersign stamp`.",
    ],
    tokens_missing: [
      "This gateway takes new hashes with tokens only",
      "It names no issuer that this page could ask. Use `countersign token --issuer URL`, then `countersign stamp`.",
    ],
    hash_unknown: [
      "This hash is not known here",
      "It was never submitted to this gateway, or it is another file's.",
    ],
    not_confirmed: [
      "Not signed yet",
      "The hash is accepted, and its witnesses have not signed it yet.",
    ],
    not_batched: ["Not in the log yet", "It is signed, and waits for the next batch."],
    batch_not_found: [
      "There is no such batch",
      "A batch's number is the size of the log at its end.",
    ],
    tree_size_not_published: [
      "No tree head of this size was published",
      "Only the sizes at which batches ended have one.",
    ],
    no_tree_head: ["The log is empty", "Its first tree head is published with the first batch."],
    malformed_hash: [
      "This is not a SHA-256 hash",
      "Such a hash is 64 digits of 0 to 9 and a to f.",
    ],
    malformed_bundle: [
      "This cannot be read",
      "It is not what a gateway answers, or it was changed on its way.",
    ],
    malformed_configuration: [
      "This is not a network's configuration",
      "Such a file is network.public.json, or the answer of a gateway at /v1/network.",
    ],
    invalid_configuration: [
      "This configuration cannot be used",
      "No set of signatures could ever be counted under it.",
    ],
    invalid_key: [
      "This configuration holds a key that cannot be used",
      "It must not be relied on.",
    ],
    body_too_large: ["The request is too large", "Send fewer hashes at once."],
    internal: ["The gateway failed", "This is a fault of the gateway, not of what you sent."],
    file_failed: ["The file cannot be read", "It was moved or changed while it was read."],
  },
  gi = ["Something failed", "Try again; if it stays so, tell the operator."];
function bi(t) {
  let e = t instanceof Error ? t.message : String(t);
  if (t instanceof be) {
    let n = t.reason ?? "gateway_refused", [r, o] = Nf[n] ?? gi;
    return { title: r, advice: o, code: t.reason ?? `HTTP ${t.status}`, detail: e };
  }
  if (Wr(t)) {
    let [n, r] = Nf.issuer_unreachable;
    return { title: n, advice: r, code: "issuer_unreachable", detail: e };
  }
  if (t instanceof k) {
    let [n, r] = Nf[t.code] ?? gi;
    return { title: n, advice: r, code: t.code, detail: e };
  }
  return { title: gi[0], advice: gi[1], code: "internal", detail: e };
}
var N1 = {
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
function Le({ name: t }) {
  return a("svg", {
    class: "icon",
    viewBox: "0 0 16 16",
    width: "16",
    height: "16",
    "aria-hidden": "true",
    children: a("path", { d: N1[t] }),
  });
}
var Rf = { good: "check", bad: "cross", warn: "warning", info: "info", neutral: "minus" };
function X({ tone: t, icon: e, children: n }) {
  return a("span", {
    class: `badge tone-${t}`,
    children: [a(Le, { name: e ?? Rf[t] }), a("span", { children: n })],
  });
}
function J({ tone: t, title: e, icon: n, live: r = !1, children: o }) {
  let s = r ? t === "bad" ? "alert" : "status" : void 0;
  return a("div", {
    class: `alert tone-${t}`,
    role: s,
    children: [
      a(Le, { name: n ?? Rf[t] }),
      a("div", {
        class: "alert-body",
        children: [a("p", { class: "alert-title", children: e }), o],
      }),
    ],
  });
}
function te({ onClick: t, kind: e, icon: n, disabled: r, label: o, isRemoved: s, children: i }) {
  return a("button", {
    type: "button",
    class: e === void 0 ? "button" : `button button-${e}`,
    disabled: r,
    "aria-label": o,
    onClick: s ? Cf(t) : t,
    children: [n !== void 0 && a(Le, { name: n }), a("span", { children: i })],
  });
}
function Cf(t) {
  return ({ target: e }) => {
    e instanceof Element && e.closest("section")?.querySelector("h2[tabindex]")?.focus(), t();
  };
}
function It({ fileName: t, text: e, primary: n = !1, onSaved: r, children: o }) {
  return a(te, {
    icon: "download",
    kind: n ? "primary" : void 0,
    onClick: () => {
      If(t, new Blob([e], { type: "application/json" })), r?.();
    },
    children: o,
  });
}
function If(t, e) {
  let n = URL.createObjectURL(e), r = document.createElement("a");
  r.href = n, r.download = t, r.click(), setTimeout(() => URL.revokeObjectURL(n), 0);
}
function Lt({ label: t }) {
  return a("p", {
    class: "spinner",
    role: "status",
    children: [
      a("span", { class: "spinner-mark", "aria-hidden": "true" }),
      a("span", { children: t }),
    ],
  });
}
function Cn({ label: t, value: e, max: n }) {
  return a("label", {
    class: "progress",
    children: [
      a("span", { children: t }),
      n > 0 ? a("progress", { value: e, max: n }) : a("progress", {}),
    ],
  });
}
function ze({ title: t, children: e }) {
  return a("div", { class: "empty", children: [a("p", { class: "empty-title", children: t }), e] });
}
function Te({ error: t, title: e, retry: n }) {
  let r = bi(t);
  return a(J, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: e ?? r.title,
    children: [
      e !== void 0 && a("p", { children: [r.title, "."] }),
      a("p", { children: r.advice }),
      a("p", { class: "failure-code", children: [a("code", { children: r.code }), " ", r.detail] }),
      n !== void 0 && a(te, { onClick: n, children: "Try again" }),
    ],
  });
}
function ve({ loaded: t, what: e, retry: n, render: r }) {
  return a(N, {
    children: [
      t.state === "failed" && a(Te, { error: t.error, title: `Cannot show ${e}`, retry: n }),
      t.value !== void 0
        ? r(t.value)
        : t.state === "loading"
        ? a(Lt, { label: `Loading ${e}` })
        : null,
    ],
  });
}
function Go(t) {
  if (t === "" || t === "#" || t === "#/") return { page: "stamp" };
  let [e, ...n] = t.split("/");
  return e !== "#" ? { page: "unknown" } : R1(n) ?? { page: "unknown" };
}
function R1(t) {
  let [e, n, r, ...o] = t;
  if (!(o.length > 0)) {
    return n === void 0
      ? e === "stamp" || e === "verify" || e === "explore" || e === "log" ? { page: e } : void 0
      : e === "explore"
      ? C1(n, r)
      : (e === "proof" || e === "certificate") && r === void 0 && Pe(n, E)
      ? { page: e, hash: n }
      : void 0;
  }
}
function C1(t, e) {
  if (e === void 0) return t === "tiles" ? { page: "tiles" } : void 0;
  let n = ut(e);
  if (n !== void 0) {
    return t === "batch"
      ? { page: "batch", id: n }
      : t === "position"
      ? { page: "position", index: n }
      : void 0;
  }
}
function ee(t) {
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
function wi(t) {
  return `${location.origin}${location.pathname}${ee(t)}`;
}
var jp = !0;
function Ge({ title: t, isBelowExplore: e = !1, children: n }) {
  let r = dt(null);
  return ue(() => {
    document.title = `${t} - Countersign`, jp || r.current?.focus(), jp = !1;
  }, [t]),
    a(N, {
      children: [
        e &&
        a("nav", {
          class: "back-link",
          "aria-label": "Breadcrumb",
          children: a("a", { href: ee({ page: "explore" }), children: "Explore" }),
        }),
        a("header", {
          class: "page-head",
          children: [
            a("h1", { ref: r, tabindex: -1, children: t }),
            n !== void 0 && a("p", { class: "lead", children: n }),
          ],
        }),
      ],
    });
}
var Lf = Wn(void 0);
function z() {
  return Ht(Lf);
}
var Ff = ["system", "light", "dark"],
  I1 = { system: "System theme", light: "Light theme", dark: "Dark theme" },
  Hf = "theme";
function Dp(t) {
  zp(qp(t));
}
function Up() {
  let { storage: t } = z(), [e, n] = P(() => qp(t));
  return ue(() => zp(e), [e]),
    a("select", {
      class: "theme-switch",
      "aria-label": "Theme",
      value: e,
      onChange: (o) => {
        let s = Ff[o.target.selectedIndex] ?? "system";
        s === "system" ? t.remove(Hf) : t.write(Hf, s), n(s);
      },
      children: Ff.map((o) => a("option", { value: o, children: I1[o] }, o)),
    });
}
function qp(t) {
  let e = t.read(Hf);
  return Ff.find((n) => n === e) ?? "system";
}
function zp(t) {
  let e = document.documentElement;
  t === "system" ? e.removeAttribute("data-theme") : e.setAttribute("data-theme", t);
}
function Gp(t, e, n) {
  let r = [], o = t;
  for (let s = e; s < n; s *= 2) {
    o / s % 2 === 1
      ? (r.push({ start: o - s, end: o }), o -= s)
      : o + s < n && r.push({ start: o + s, end: Math.min(o + 2 * s, n) });
  }
  return r;
}
function Vp(t, e) {
  return Ne(t) && Ne(e) && t < e;
}
function $f(t, e) {
  return Ne(t) && Ne(e) && t >= 1 && t <= e;
}
function yi(t) {
  return t.length === E;
}
function xi(t, e) {
  if (!Vp(t, e)) throw new k("internal", `No leaf ${t} in a tree of ${e}`);
}
function L1(t, e) {
  return xi(t, e), Gp(t, 1, e);
}
function Vo(t, e) {
  if (!$f(t, e)) throw new k("internal", `No consistency proof from ${t} to ${e}`);
  if (t === e) return [];
  let n = 1;
  for (; t / n % 2 === 0;) n *= 2;
  let r = t - n, o = Gp(r, n, e);
  return r === 0 ? o : [{ start: r, end: t }, ...o];
}
function Mf(t, e) {
  let { leafHash: n, index: r, size: o, path: s } = e;
  if (!Vp(r, o) || !yi(n) || !s.every(yi)) return;
  let i = L1(r, o);
  if (s.length !== i.length) return;
  let c = n.slice();
  for (let [f, d] of i.entries()) {
    let u = s[f];
    c = d.start < r ? t.nodeHash(u, c) : t.nodeHash(c, u);
  }
  return c;
}
function Wp(t, e) {
  let n = Mf(t, e);
  return n !== void 0 && Be(n, e.root);
}
function Pf(t, { first: e, second: n, firstRoot: r, path: o }) {
  if (!$f(e, n) || !yi(r) || !o.every(yi)) return;
  let s = Vo(e, n);
  if (e === n || o.length !== s.length) return;
  let i = r.slice(), c = i;
  for (let [f, d] of s.entries()) {
    let u = o[f];
    d.start >= e
      ? c = t.nodeHash(c, u)
      : f === 0
      ? (i = u.slice(), c = i)
      : (i = t.nodeHash(u, i), c = t.nodeHash(u, c));
  }
  return { first: i, second: c };
}
function Kp(t, e) {
  let { first: n, second: r, firstRoot: o, secondRoot: s, path: i } = e;
  if (!$f(n, r)) return !1;
  if (n === r) return i.length === 0 && Be(o, s);
  let c = Pf(t, e);
  return c !== void 0 && Be(c.first, o) && Be(c.second, s);
}
function _i(t) {
  let e = [];
  for (let n of t) {
    let r = Ae(n, E);
    if (r === void 0) return;
    e.push(r);
  }
  return e;
}
function jf(t, e, n) {
  let r = _i(n);
  if (r === void 0) return;
  let o = Mf(t, { ...e, path: r });
  return o && Z(o);
}
function lr(t, e, n, r) {
  let o = _i(r), s = Ae(e.root_hash, E), i = Ae(n.root_hash, E);
  return o === void 0 || s === void 0 || i === void 0
    ? !1
    : Kp(t, { first: e.tree_size, second: n.tree_size, firstRoot: s, secondRoot: i, path: o });
}
function Df(t, e, n, r) {
  if (e.index >= r.tree_size) return { reason: "leaf_beyond_tree", field: "leaf_index" };
  if (jf(t, { ...e, size: r.tree_size }, n) !== r.root_hash) {
    return { reason: "inclusion_invalid", field: "inclusion_path" };
  }
}
function Ei({ met: t, ...e }) {
  return { valid: t, ...e };
}
function Kr(t, e) {
  return { valid: !1, ...e, verified: 0, required: t.threshold, signers: [], unknown: [] };
}
function ft(t, e) {
  return e === void 0 ? t : { ...t, valid: !1, ...e };
}
async function Yr(t, e, n, r) {
  let o = dn(r);
  if (o !== (e.signature_scheme === "ed25519")) return Wo(e, [], "scheme_mismatch");
  let s = o ? r.signatures.map((u) => u.witness_id) : r.signers,
    i = new Map(e.witnesses.map((u) => [u.id, u.pubkey])),
    c = s.filter((u) => !i.has(u)),
    f = F1(s);
  if (f !== void 0) return Wo(e, c, ...f);
  if (!o) {
    return c.length > 0
      ? Wo(e, c, "signer_unknown", c[0])
      : s.length > 0 && !$1(t, s.map((u) => i.get(u)), n, r)
      ? Wo(e, c, "signature_invalid")
      : Yp(e, s, c);
  }
  let d = [];
  for (let { witness_id: u, signature: l } of r.signatures) {
    let h = i.get(u);
    if (h !== void 0) {
      if (!await H1(t, h, n, l)) return Wo(e, c, "signature_invalid", u);
      d.push(u);
    }
  }
  return Yp(e, d, c);
}
function F1(t) {
  let e = new Set();
  for (let r of t) {
    if (e.has(r)) return ["signer_duplicate", r];
    e.add(r);
  }
  let n = t.find((r, o) => o > 0 && r < t[o - 1]);
  return n === void 0 ? void 0 : ["signers_unordered", n];
}
async function H1(t, e, n, r) {
  let o = Ae(e, Bn.ed25519), s = Ae(r, pt.ed25519);
  return o !== void 0 && s !== void 0 && await t.ed25519(o, n, s);
}
function $1(t, e, n, r) {
  let o = e.map((i) => Ae(i, Bn.bls)), s = Ae(r.signature, pt.bls);
  return s !== void 0 && o.every((i) => i !== void 0) && t.bls.fastAggregateVerify(o, n, s, Bc);
}
function Yp(t, e, n) {
  let r = e.length >= t.threshold;
  return {
    met: r,
    verified: e.length,
    required: t.threshold,
    signers: e,
    unknown: n,
    ...!r && { reason: "threshold_not_met" },
  };
}
function Wo(t, e, n, r) {
  return {
    met: !1,
    verified: 0,
    required: t.threshold,
    signers: [],
    unknown: e,
    reason: n,
    ...r !== void 0 && { witness: r },
  };
}
function Zr(t, e) {
  return $h(t, oe(zc(e)));
}
async function vi(t, e, n) {
  let r = M1(e, n);
  if (r !== void 0) return Kr(e, r);
  let { attestation: o, round: s } = n,
    i = Zr(t.kernels, o),
    c = jf(t.kernels, { ...s, leafHash: i }, s.inclusion_path);
  if (c === void 0) return Kr(e, { reason: "round_path_invalid", field: "round.inclusion_path" });
  let f = jh({ network_id: e.id, timestamp: o.timestamp, size: s.size, root: c, beacon: s.beacon }),
    d = await Yr(t, e, oe(f), n);
  return { ...Ei(d), ...d.met && { leafHash: i } };
}
function M1(t, { attestation: e, round: n }) {
  if (e.network_id !== t.id) return { reason: "network_mismatch", field: "attestation.network_id" };
  if (n.size < 1 || n.size > Mr) return { reason: "round_size_invalid", field: "round.size" };
  if (n.index >= n.size || n.index > e.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
}
var vt = {
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
  lower_layer_unverified: "Not checked, because the layer below is not verified.",
};
function Uf(t) {
  let e = t.find(([, n, r]) => n !== r);
  return e && { reason: "field_mismatch", field: e[0] };
}
function St(t, e) {
  if (!(e.valid || e.reason === void 0)) {
    return { reason: e.reason, field: e.field ? `${t}.${e.field}` : t };
  }
}
var P1 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
async function it(t, e, n) {
  let r = n.tree_head;
  if (r.network_id !== e.id) {
    return Kr(e, { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  if (r.tree_size === 0 && r.root_hash !== P1) {
    return Kr(e, { reason: "empty_root_wrong", field: "tree_head.root_hash" });
  }
  let o = oe(Xs(r));
  return Ei(await Yr(t, e, o, n));
}
var Zp = [
  "batch_inclusion.batch.first_index",
  "batch_inclusion.batch.attestation_count",
  "batch_inclusion.batch.period_start",
];
async function Xp(t, e, n, r) {
  let o = await it(t, e, n.sth),
    s = r.attestation.sequence,
    i = St("sth", o) ?? j1(e, n, r) ?? D1(n.batch, s) ??
      St("merkle_proof", {
        valid: !1,
        ...Df(
          t.kernels,
          { leafHash: r.leafHash, index: s },
          n.merkle_proof.inclusion_path,
          n.sth.tree_head,
        ),
      });
  return ft(o, St("batch_inclusion", { valid: !1, ...i }));
}
function j1(t, { batch: e, merkle_proof: n, sth: r }, { attestation: o, leafHash: s }) {
  let i = r.tree_head;
  return Uf([
    ["merkle_proof.hash", n.hash, o.hash],
    ["merkle_proof.leaf_hash", n.leaf_hash, Z(s)],
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
function D1(t, e) {
  if (t.attestation_count !== t.tree_size - t.first_index) {
    return { reason: "batch_count_wrong", field: "batch.attestation_count" };
  }
  if (t.first_index > e) return { reason: "batch_range_wrong", field: "batch.first_index" };
}
var U1 = 8;
async function Jp(t, e, n, r) {
  let o = [], s = new Map();
  for (let i of n) {
    let { witnessing_network: c } = i, f = s.get(c) ?? 0;
    s.set(c, f + 1),
      o.push(
        r === void 0
          ? Xr(i, "not_checked", { reason: "lower_layer_unverified" })
          : f >= U1
          ? Xr(i, "not_checked", Ko("peer_anchors_surplus"))
          : await q1(t, e, i, r),
      );
  }
  return G1(e, o);
}
function Xr(t, e, n) {
  return { network: t.witnessing_network, status: e, counted: !1, ...n };
}
async function q1(t, e, n, r) {
  let { network: o } = e,
    s = n.tree_head,
    i = n.witnessing_network,
    c = o.federation.peer_networks.find((g) => g.id === i);
  if (i === o.id) return Xr(n, "failed", Ko("peer_is_home"));
  if (c === void 0) return Xr(n, "failed", Ko("peer_not_pinned"));
  if (s.network_id !== o.id) {
    return Xr(n, "failed", { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  let f = e.peers.find((g) => g.id === i);
  if (f === void 0) return Xr(n, "not_checked", Ko("peer_configuration_missing"));
  let d = oe(Xs(s)),
    { met: u, reason: l, witness: h, ...p } = await Yr(t, f, d, n),
    m = l !== void 0 ? { reason: l } : z1(t, c, n, { head: r, verified: p.verified });
  return {
    network: i,
    status: u && m === void 0 ? "verified" : "failed",
    counted: !1,
    ...m,
    signatures: p,
    ...h !== void 0 && { witness: h },
  };
}
function Ko(t) {
  return { reason: t, field: "witnessing_network" };
}
function z1(t, e, n, { head: r, verified: o }) {
  if (o < (e.min_witnesses ?? 0)) {
    return { reason: "min_witnesses_not_met", field: dn(n) ? "signatures" : "signers" };
  }
  if (n.tree_head.tree_size < r.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!lr(t.kernels, r, n.tree_head, n.consistency_path)) {
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
}
function G1(t, e) {
  let { enabled: n, peer_networks: r, cross_anchor_threshold: o } = t.network.federation,
    s = gf(t.network),
    i = [],
    c = new Map();
  for (let { id: f } of r) {
    let d = e.filter((g) => g.network === f && g.status === "verified"),
      [u] = d,
      l = t.peers.find((g) => g.id === f);
    if (u === void 0 || l === void 0) continue;
    let h = gf(l),
      p = [...h].some((g) => s.has(g)),
      m = Ko(p ? "peer_key_shared" : "peer_already_counted");
    for (let g of d) c.set(g, { ...g, ...m });
    if (!p) {
      for (let g of h) s.add(g);
      i.push(f), c.set(u, { ...u, counted: !0 });
    }
  }
  return {
    layers: e.map((f) => c.get(f) ?? f),
    summary: { counted: i, required: o, ...V1(n, o, i.length) },
  };
}
function V1(t, e, n) {
  return !t || e < 1
    ? { reason: "federation_disabled" }
    : n < e
    ? { reason: "cross_anchors_missing" }
    : void 0;
}
function Qp(t, e, n) {
  let r = e.map((s) => {
      let i = W1(t, s, n), { provider: c, service: f } = s;
      return { provider: c, ...f !== void 0 && { service: f }, bound: i === void 0, ...i };
    }),
    o = r.filter((s) => s.bound).length;
  return { present: o, unbound: r.length - o, anchors: r };
}
function W1(t, e, n) {
  if (n === void 0) return { reason: "lower_layer_unverified" };
  let r = e.tree_head;
  return r.network_id !== n.network_id
    ? { reason: "network_mismatch", field: "tree_head.network_id" }
    : Z(t.sha256(oe(ur(r)))) !== e.digest
    ? { reason: "digest_mismatch", field: "digest" }
    : r.tree_size < n.tree_size
    ? { reason: "anchor_precedes_batch", field: "tree_head.tree_size" }
    : lr(t, n, r, e.consistency_path)
    ? void 0
    : { reason: "consistency_invalid", field: "consistency_path" };
}
var em = Object.freeze({ not_before: [], not_after: [], failed: [], contradictions: [] });
function tm(t) {
  return { chain: Vc, verify: (e) => Mh(t, Vc, e) };
}
function nm(t, { attestation: e, round: n }, r) {
  if (!r.valid) return em;
  let o = { time: e.timestamp, source: "attestation", word: zf(e.network_id, r.verified) };
  return qf({ ...em, ...K1(t, n) }, { not_after: [o] });
}
function rm({ network_id: t, tree_size: e, timestamp: n }, r) {
  return { time: n, source: `tree head of size ${e}`, word: zf(t, r) };
}
function om({ tree_head: t, witnessing_network: e }, n) {
  return { time: t.timestamp, source: `cross-anchor of size ${t.tree_size}`, word: zf(e, n) };
}
function qf(t, e) {
  let n = [...t.not_before, ...e.not_before ?? []].toSorted((i, c) => c.time - i.time),
    r = [...t.not_after, ...e.not_after ?? []].toSorted((i, c) => i.time - c.time),
    [o] = n,
    s = o === void 0
      ? []
      : r.filter(({ time: i }) => i < o.time).map((i) => ({ not_before: o, not_after: i }));
  return { ...t, not_before: n, not_after: r, contradictions: s };
}
function K1(t, { beacon: e }) {
  if (e === null) return { not_before: [], failed: [] };
  let { chain: n } = t;
  if (e.chain_hash !== n.hash) {
    let s = `drand chain ${e.chain_hash} round ${e.round}`;
    return { not_before: [], failed: [{ source: s, reason: "beacon_chain_unknown" }] };
  }
  let r = `${n.name} round ${e.round}`;
  return t.verify(e)
    ? {
      not_before: [{ time: Wc(n, e.round), source: r, word: `the nodes of ${n.name}` }],
      failed: [],
    }
    : { not_before: [], failed: [{ source: r, reason: "beacon_invalid" }] };
}
function zf(t, e) {
  return `${e} ${e === 1 ? "witness" : "witnesses"} of ${t}`;
}
var hr = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
];
async function ln(t, e, n, r = {}) {
  let o = await Y1(t, e, n, r.hash),
    s = await Z1(t, e, n, o),
    i = s.status === "verified" ? n.batch_inclusion?.sth.tree_head : void 0,
    { layers: c, summary: f } = await Jp(t, e, n.cross_anchors, i),
    d = {
      attestation: im(o),
      batch: s,
      cross_anchors: c,
      federation: f,
      external_anchors: Qp(t.kernels, n.external_anchors, i),
    };
  return {
    valid: o.valid,
    level: J1(d),
    layers: d,
    signers: o.valid ? o.signers : [],
    time: X1(e.beacons ?? tm(t.bls), n, { attested: o, layers: d }),
    unauthenticated: Q1(n, d),
    notProven: hr,
  };
}
async function Y1(t, e, n, r) {
  let o = n.signed_attestation, s = await vi(t, e.network, o);
  return s.valid
    ? r !== void 0 && o.attestation.hash !== r
      ? ft(s, { reason: "hash_mismatch", field: "signed_attestation.attestation.hash" })
      : s
    : ft(s, St("signed_attestation", s));
}
async function Z1(t, e, n, r) {
  if (n.batch_inclusion === null) return { status: "absent" };
  if (!r.valid || r.leafHash === void 0) {
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  let o = { attestation: n.signed_attestation.attestation, leafHash: r.leafHash };
  return im(await Xp(t, e.network, n.batch_inclusion, o));
}
function im(t) {
  let {
    valid: e,
    reason: n,
    field: r,
    witness: o,
    verified: s,
    required: i,
    signers: c,
    unknown: f,
  } = t;
  return {
    status: e ? "verified" : "failed",
    ...n !== void 0 && { reason: n },
    ...r !== void 0 && { field: r },
    ...o !== void 0 && { witness: o },
    signatures: { verified: s, required: i, signers: c, unknown: f },
  };
}
function X1(
  t,
  { signed_attestation: e, batch_inclusion: n, cross_anchors: r },
  { attested: o, layers: s },
) {
  let i = nm(t, e, o);
  if (n === null || s.batch.status !== "verified") return i;
  let c = ({ signatures: f }) => f?.verified ?? 0;
  return qf(i, {
    not_after: [
      rm(n.sth.tree_head, c(s.batch)),
      ...s.cross_anchors.flatMap((f, d) => f.status === "verified" ? om(r[d], c(f)) : []),
    ],
  });
}
function J1(t) {
  return t.attestation.status !== "verified"
    ? "invalid"
    : t.batch.status !== "verified"
    ? "basic"
    : t.federation.reason === void 0
    ? "federated"
    : "batched";
}
function Q1(t, e) {
  let n = Gf("signed_attestation", e.attestation, t.signed_attestation);
  if (t.batch_inclusion !== null) {
    let r = t.batch_inclusion.sth;
    n.push(...Gf("batch_inclusion", e.batch, r, ".sth")),
      e.batch.status === "verified" && n.push(...Zp);
  }
  for (let [r, o] of e.cross_anchors.entries()) {
    n.push(...Gf(`cross_anchors[${r}]`, o, t.cross_anchors[r]));
  }
  for (let [r, { bound: o, service: s }] of e.external_anchors.anchors.entries()) {
    let i = `external_anchors[${r}]`, c = s === void 0 ? sm : [...sm, "service"];
    o ? n.push(...c.map((f) => `${i}.${f}`)) : n.push(i);
  }
  return n;
}
var sm = ["provider", "status", "timestamp", "tree_head.timestamp", "proof"];
function Gf(t, e, n, r = "") {
  if (e.status !== "verified") return [t];
  if (!dn(n)) return [];
  let o = new Set(e.signatures?.unknown);
  return n.signatures.flatMap(({ witness_id: s }, i) =>
    o.has(s) ? [`${t}${r}.signatures[${i}]`] : []
  );
}
var pr = "trust", Si = "malformed_configuration", am = ["text", "source", "name", "pinned_at"];
function fm(t, e, n) {
  return { network: qo(t, n), text: t, ...e };
}
function dm(t, e) {
  let n = t.read(pr);
  if (n === void 0) return;
  let r = new Et(Xe(n, Si), { where: "pinned trust", code: Si }, ["home", "peers"]);
  return {
    home: cm(r.object("home", am), e),
    peers: r.list("peers").map((o, s) => cm(r.within(o, `peers[${s}]`, am), e)),
  };
}
var e_ = 4 * 1024 * 1024;
async function Ti({ crypto: t, clock: e }, n) {
  let { name: r, size: o } = n;
  if (o > e_) throw new k(Si, `Cannot read ${r}: ${o} bytes is too large`);
  let s = await n.text().catch((c) => {
      throw new k("file_failed", `Cannot read ${r}`, { cause: c });
    }),
    i = { source: "file", name: r, pinnedAt: We(e) };
  return fm(s, i, await t.blsFor(s));
}
function cm(t, e) {
  let n = t.text("source");
  if (n !== "file" && n !== "gateway") throw new k(Si, "Cannot read the pin: unknown source");
  let r = { source: n, name: t.text("name"), pinnedAt: t.integer("pinned_at") };
  return fm(t.text("text"), r, e);
}
function um(t, e) {
  let n = ({ text: o, source: s, name: i, pinnedAt: c }) => ({
      text: o,
      source: s,
      name: i,
      pinned_at: c,
    }),
    r = { home: n(e.home), peers: e.peers.map(n) };
  return t.write(pr, JSON.stringify(r));
}
function lm(t, e) {
  if (e.network.id === t.home.network.id) {
    throw new k(
      "invalid_configuration",
      "Cannot pin a peer: this is the configuration of the pinned network itself",
    );
  }
  return { ...t, peers: [...Vf(t, e.network.id).peers, e] };
}
function Vf(t, e) {
  return { ...t, peers: t.peers.filter(({ network: n }) => n.id !== e) };
}
function Jr({ home: t, peers: e }) {
  return { network: t.network, peers: e.map(({ network: n }) => n) };
}
function Wf(t) {
  let { network: e, peers: n } = Jr(t);
  return { network: e, fingerprint: tt(e), isPinned: !0, peers: n, pins: t };
}
async function Zt({ api: t, trust: e }, n) {
  let r = await t_(e, n);
  if (r.state === "broken") throw r.error;
  if (r.state === "pinned") return Wf(r.trust);
  let { value: o } = await t.network(n);
  return { network: o, fingerprint: tt(o), isPinned: !1, peers: [] };
}
function t_(t, e) {
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
function Tt(t) {
  return t.state === "pinned"
    ? [t.trust.home, ...t.trust.peers].map((e) => e.text).join(`
`)
    : t.state;
}
async function In(t, e, n) {
  let [r, { value: o }, s] = await Promise.all([Zt(t, n), t.api.sth(e, n), t.crypto.crypto()]),
    { tree_size: i } = o.tree_head;
  if (e !== void 0 && i !== e) {
    throw new k(
      "malformed_bundle",
      `The gateway answered a tree head of size ${i} instead of ${e}`,
    );
  }
  return { sth: o, outcome: await it(s, r.network, o), trust: r };
}
async function Yo(t, e, n) {
  let r = await t.bundle(e, n);
  if (r.value.signed_attestation.attestation.hash === e) return r;
  throw new k("malformed_bundle", "The gateway answered the proof of another hash");
}
async function ki(t, e, n) {
  let [r, { text: o, value: s }, i] = await Promise.all([
    Zt(t, n),
    Yo(t.api, e, n),
    t.crypto.crypto(),
  ]);
  return { text: o, bundle: s, verdict: await ln(i, r, s, { hash: e }), trust: r };
}
function Ln(t, e) {
  return t instanceof be && t.reason === e;
}
function V({ title: t, aside: e, children: n }) {
  let r = Kn();
  return a("section", {
    class: "card",
    "aria-labelledby": r,
    children: [
      a("div", {
        class: "card-head",
        children: [
          a("h2", { id: r, tabindex: -1, children: t }),
          e !== void 0 && a("div", { class: "card-aside", children: e }),
        ],
      }),
      a("div", { class: "card-body", children: n }),
    ],
  });
}
var hm = 2;
function pm(t, e, n) {
  let r = n_(e);
  if (r?.length === n) return { leaves: r_(t, r), attestations: r.map(o_) };
}
function n_(t) {
  let e = [], n = new DataView(t.buffer, t.byteOffset, t.length), r = 0;
  for (; r + hm <= t.length;) {
    let o = r + hm;
    if (r = o + n.getUint16(r), r > t.length) return;
    e.push(t.subarray(o, r));
  }
  return r === t.length ? e : void 0;
}
function r_(t, e) {
  let n = 0, r = Uint32Array.from(e, (o) => n += o.length);
  return t.leafHashes(we(...e), r);
}
function o_(t) {
  return bn(() => Lh(ot(t)));
}
function Kf(t) {
  let e = t.at(-1);
  if (e === void 0) return [];
  let n = t.map(({ period_end: r, tree_size: o }) => ({ x: r, y: o }));
  return e.period_start > 0 && n.push({ x: e.period_start, y: e.first_index }), n.toReversed();
}
function mm(t) {
  let e = Kf(t), [n, r] = [e[0], e.at(-1)];
  if (!(n === void 0 || r === void 0 || r.x <= n.x)) return (r.y - n.y) / (r.x - n.x);
}
function gm(t, e) {
  return { batch: t, seconds: Math.max(0, t.period_end - e) };
}
function bm(t) {
  return t.map(({ batch: e, seconds: n }) => ({ x: e.period_end, y: n })).toSorted((e, n) =>
    e.x - n.x
  );
}
function Yf(t, e) {
  let n = t.toSorted((r, o) => r - o);
  return n[Math.min(n.length - 1, Math.max(0, Math.ceil(e * n.length) - 1))];
}
async function mr(t, { start: e, end: n, size: r, networkId: o }, s) {
  let i = [];
  for (let c of i_(e, n, r)) i.push(await s_(t, c, o, s));
  return i.flat();
}
async function s_({ api: t, crypto: e }, { index: n, width: r, base: o, start: s, end: i }, c, f) {
  let d = await t.tile("entries", n, r, f),
    { kernels: u } = await e.crypto(),
    l = pm(u, d, r)?.attestations ?? [];
  return Array.from({ length: i - s }, (h, p) => {
    let m = l[s - o + p];
    if (m?.sequence === s + p && m.network_id === c) return m;
    throw wm(`entry ${s + p} is not the attestation with this sequence`);
  });
}
function i_(t, e, n) {
  let r = [];
  for (let o = t; o < e;) {
    let s = Math.floor(o / Ie),
      i = s * Ie,
      c = Math.min(e, i + Ie),
      f = Math.min(c - i, Ur(0, s, n));
    if (i + f < c) throw wm("the log has fewer entries");
    r.push({ index: s, width: f, base: i, start: o, end: c }), o = c;
  }
  return r;
}
function wm(t) {
  return new k("malformed_bundle", `Cannot read entries: ${t}`);
}
async function ym(t, e, n) {
  let { first_index: r, tree_size: o, network_id: s } = e,
    [i] = await mr(t, { start: r, end: r + 1, size: o, networkId: s }, n);
  return gm(e, i.timestamp);
}
var a_ = 2e3;
function Xt({ text: t, what: e, named: n = !1 }) {
  let [r, o] = P(void 0);
  ue(() => {
    if (r === void 0) return;
    let i = setTimeout(() => o(void 0), a_);
    return () => clearTimeout(i);
  }, [r]);
  let s = `Copy ${e}`;
  return a("button", {
    type: "button",
    class: n ? "button" : "icon-button",
    "aria-label": n ? void 0 : s,
    title: n ? void 0 : s,
    onClick: () => c_(t).then((i) => o(i ? "copied" : "failed")),
    children: [
      a(Le, { name: r === "copied" ? "check" : r === "failed" ? "cross" : "copy" }),
      n && a("span", { children: s }),
      a("span", {
        class: "visually-hidden",
        role: "status",
        children: r === "copied" ? "Copied" : r === "failed" ? "Cannot copy" : "",
      }),
    ],
  });
}
async function c_(t) {
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
var xm = 8;
function ie({ text: t, what: e, href: n }) {
  let r = a(N, {
    children: [
      a("span", { class: "hash-start", children: t.slice(0, -xm) }),
      a("span", { class: "hash-end", children: t.slice(-xm) }),
    ],
  });
  return a("span", {
    class: "hash-line",
    children: [
      n === void 0
        ? a("span", { class: "hash", title: t, children: r })
        : a("a", { class: "hash", title: t, href: n, children: r }),
      e !== void 0 && a(Xt, { text: t, what: e }),
    ],
  });
}
function Fn({ text: t, what: e }) {
  return a("span", {
    class: "whole-hash",
    children: [
      a("code", { children: t.match(/.{1,8}/g)?.map((n, r) => a("span", { children: n }, r)) }),
      a(Xt, { text: t, what: e }),
    ],
  });
}
function De({ items: t }) {
  let e = Object.entries(t).filter(([, n]) => n !== void 0);
  return e.length === 0 ? null : a("dl", {
    class: "key-values",
    children: e.map(([n, r]) =>
      a("div", { children: [a("dt", { children: n }), a("dd", { children: r })] }, n)
    ),
  });
}
function Hn({ label: t, names: e, onBack: n, onNext: r, children: o }) {
  if (n === void 0 && r === void 0) return null;
  let [s, i] = e ?? ["Newer", "Older"];
  return a("nav", {
    class: "pager",
    "aria-label": t,
    children: [
      a(te, { disabled: n === void 0, onClick: () => n?.(), children: s }),
      a("span", { class: "muted small", children: o }),
      a(te, { disabled: r === void 0, onClick: () => r?.(), children: i }),
    ],
  });
}
function ye(t, e) {
  let { line: n } = z(),
    [r, o] = P(0),
    [s, i] = P({ cause: "", loaded: { state: "loading" } }),
    c = JSON.stringify(e);
  ue(() => {
    let d = new AbortController(),
      u = (l) => {
        d.signal.aborted ||
          i((h) => ({ cause: c, loaded: l(h.cause === c ? h.loaded.value : void 0) }));
      };
    return u((l) => ({ state: "loading", ...l !== void 0 && { value: l } })),
      n.ask(() => t(d.signal), d.signal).then(
        (l) => u(() => ({ state: "ready", value: l })),
        (l) => u((h) => ({ state: "failed", error: l, ...h !== void 0 && { value: h } })),
      ),
      () => d.abort();
  }, [c, r]);
  let f = $t(() => o((d) => d + 1), []);
  return [s.cause === c ? s.loaded : { state: "loading" }, f];
}
function Zf() {
  let { clock: t } = z(), [, e] = P(0);
  return ue(() => {
    let n = setInterval(() => e(We(t)), 1e3);
    return () => clearInterval(n);
  }, [t]),
    We(t);
}
function _e(t) {
  let [e, n] = P(t.state);
  return ue(() => (n(t.state), t.subscribe(() => n(t.state))), [t]), e;
}
function fe(t) {
  let e = new Date(t * 1e3);
  return Number.isNaN(e.getTime())
    ? `${t} s`
    : `${e.toISOString().slice(0, -5).replace("T", " ")} UTC`;
}
function nt(t) {
  let e = Math.max(0, Math.floor(t));
  return e < 60
    ? `${e} s`
    : e < 3600
    ? `${Math.floor(e / 60)} min`
    : e < 2 * 86400
    ? `${Math.floor(e / 3600)} h`
    : `${Math.floor(e / 86400)} d`;
}
function Xf(t, e) {
  let n = e - t;
  return Math.abs(n) < 2 ? "just now" : n > 0 ? `${nt(n)} ago` : `in ${nt(-n)}`;
}
function F(t) {
  return String(t).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
function W(t, e, n = `${e}s`) {
  return `${F(t)} ${t === 1 ? e : n}`;
}
var _m = ["kB", "MB", "GB", "TB", "PB"];
function hn(t) {
  if (t < 1e3) return `${t} B`;
  let [e, n] = [t / 1e3, 0];
  for (; e >= 999.5 && n < _m.length - 1;) [e, n] = [e / 1e3, n + 1];
  return `${e < 9.95 ? e.toFixed(1) : Math.round(e)} ${_m[n]}`;
}
function Qr(t, e) {
  return t.startsWith(`${e}/`) ? t.slice(e.length + 1) : t;
}
function Oi(t, e) {
  return e === void 0 ? t : `${t} (${e})`;
}
function $n({ time: t }) {
  let e = Zf(), n = fe(t);
  return a("time", {
    dateTime: n.replace(" UTC", "Z").replace(" ", "T"),
    title: n,
    children: Xf(t, e),
  });
}
function Ft({ time: t }) {
  let e = Zf();
  return a("span", {
    class: "full-time",
    children: [
      a("span", { class: "nowrap", children: fe(t) }),
      " ",
      a("span", { class: "muted nowrap", children: ["(", Xf(t, e), ")"] }),
    ],
  });
}
function Je({ caption: t, columns: e, rows: n, keyOf: r }) {
  return a("div", {
    class: "table-scroll",
    role: "region",
    "aria-label": t,
    tabindex: 0,
    children: a("table", {
      children: [
        a("caption", { class: "visually-hidden", children: t }),
        a("thead", {
          children: a("tr", {
            children: e.map(([o, , s]) => a("th", { scope: "col", class: s, children: o }, o)),
          }),
        }),
        a("tbody", {
          children: n.map((o, s) =>
            a("tr", {
              children: e.map(([i, c, f], d) =>
                d === 0
                  ? a("th", { scope: "row", class: f, children: c(o, s) }, i)
                  : a("td", { class: f, children: c(o, s) }, i)
              ),
            }, r?.(o) ?? s)
          ),
        }),
      ],
    }),
  });
}
var gr = et("malformed_text", "Cannot read signed note"), Em = 1 << 20, vm = 256, Jf = 4;
var f_ = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
function Qf(t) {
  if (t.length > Em) throw gr(`more than ${Em} characters`);
  if (!t.isWellFormed()) throw gr("invalid Unicode");
  if (/[\u0000-\u0009\u000b-\u001f]/.test(t)) throw gr("control character");
  let e = t.lastIndexOf(`

`);
  if (e < 0) throw gr("no empty line before the signatures");
  let n = t.slice(e + 2).split(`
`);
  if (n.pop() !== "" || n.length === 0) throw gr("no signature line, or no newline at the end");
  if (n.length > vm) throw gr(`more than ${vm} signatures`);
  return { text: t.slice(0, e + 1), signatures: n.map(d_) };
}
function d_(t) {
  let [, e = "", n = ""] = f_.exec(t) ?? [], r = Yn(n);
  if (e === "" || r === void 0 || r.length <= Jf) throw gr("malformed signature line");
  return { name: e, keyId: r.slice(0, Jf), payload: r.slice(Jf) };
}
var l_ = {
  invalid: "not valid",
  basic: "signed",
  batched: "in the log",
  federated: "in the log, which peers cosigned",
};
function Zo({ valid: t, level: e, layers: n }) {
  let r = n.batch.status === "failed" ||
    e === "batched" && n.cross_anchors.some(({ status: o }) => o === "failed");
  return { name: l_[e], tone: t ? r ? "warn" : "good" : "bad" };
}
function Ai(t, e) {
  return t === "good" && e?.home.source !== "file" ? "info" : t;
}
function Bi(t) {
  let { verdict: e, fileName: n = "the file", isOtherFile: r } = t,
    o = `${n} has another hash than the attested file.`;
  if (!e.valid) {
    let f = p_(t);
    return r ? { ...f, notes: [...f.notes, o] } : f;
  }
  if (r) {
    return {
      tone: "bad",
      sentence: "The proof is genuine but belongs to another file.",
      notes: [o],
    };
  }
  let s = m_(e), i = e.time.contradictions.length > 0;
  i && s.push("Two times in the proof contradict each other: see the details.");
  let { tone: c } = Zo(e);
  return { tone: i ? "warn" : c, sentence: h_(t), notes: s };
}
function h_({ bundle: t, verdict: e, network: n, fileName: r }) {
  let { layers: { attestation: o, batch: s, federation: i }, level: c, time: f } = e,
    d = f.not_after[0]?.time ?? t.signed_attestation.attestation.timestamp,
    u = o.signatures?.verified ?? 0,
    l = W(n.witnesses.length, "witness", "witnesses"),
    h = `${r ?? "The file with this hash"} existed by ${fe(d)}; ${u} of ${l} of ${n.id} signed it`;
  if (c === "federated") {
    let p = W(i.counted.length, "peer network");
    return `${h}, it is in their log, and ${p} cosigned that log.`;
  }
  return c === "batched"
    ? `${h}, and it is in their log.`
    : s.status === "failed"
    ? `${h}, but the proof that it is in their log does not verify.`
    : `${h}. The proof does not show yet that it is in their log.`;
}
function Sm({ bundle: t, verdict: e }) {
  return e.layers.batch.status === "verified" ? t.batch_inclusion?.sth.tree_head : void 0;
}
function p_({ bundle: t, verdict: e, network: n }) {
  let { attestation: r } = e.layers;
  if (r.reason !== "network_mismatch") {
    return {
      tone: "bad",
      sentence: `The proof does not verify with the keys of ${n.id}.`,
      notes: [Jt(r)],
    };
  }
  let o = t.signed_attestation.attestation.network_id;
  return {
    tone: "warn",
    sentence: `The proof is from ${o}, and the configuration in use is for ${n.id}.`,
    notes: [`Choose the configuration of ${o} to verify it.`],
  };
}
function m_({ layers: t }) {
  let e = t.cross_anchors.filter(({ status: n }) => n === "failed").length;
  return e === 0 ? [] : [`${W(e, "cross-anchor")} ${e === 1 ? "does" : "do"} not verify.`];
}
var Ni = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};
function Jt({ reason: t, field: e, witness: n }) {
  if (t === void 0) return "";
  let r = [e, n].filter((o) => o !== void 0).join(", ");
  return r === "" ? vt[t] : `${vt[t]} (${r})`;
}
function Ri({ outcome: t, isPinned: e }) {
  let { valid: n, verified: r, required: o } = t;
  return a("span", {
    class: "signed-by",
    children: [
      n
        ? a(X, { tone: e ? "good" : "info", children: `${r} valid signatures, ${o} required` })
        : a(X, { tone: "bad", children: "Not verified" }),
      n ? null : a("span", { children: Jt(t) }),
    ],
  });
}
function eo({ isPinned: t }) {
  return a("p", {
    class: "muted small",
    children: t
      ? "Signatures are verified in this browser, under your pinned configuration."
      : a(N, {
        children: [
          "No configuration is pinned. Signatures are verified with the keys that this gateway names, so they prove no more than its word.",
          " ",
          a("a", { href: ee({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
  });
}
function Mn({ id: t }) {
  return a("a", { href: ee({ page: "batch", id: t }), children: F(t) });
}
var Tm = 25;
function km({ batch: t, head: e }) {
  let { sth: n, outcome: r, trust: o } = e,
    { tree_size: s, root_hash: i, timestamp: c, network_id: f } = n.tree_head,
    { first_index: d, attestation_count: u, period_start: l, period_end: h } = t,
    p = t.root_hash === i && t.network_id === f;
  return a(V, {
    title: "Tree head",
    children: [
      p ? null : a(J, {
        tone: "bad",
        title: "The batch and its tree head have different roots",
        children: a("p", {
          children: [
            "The gateway lists root ",
            a("code", { children: t.root_hash }),
            " ",
            "for this batch; the tree head of its size has another. Only the signed root counts.",
          ],
        }),
      }),
      a(De, {
        items: {
          "Log size": F(s),
          Root: a(ie, { text: i, what: "root hash" }),
          Signed: a(Ft, { time: c }),
          Witnesses: a(Ri, { outcome: r, isPinned: o.isPinned }),
          Attestations: g_(d, u),
          "Time covered": l === 0 ? "from the beginning of the log" : `${nt(h - l)}, from ${fe(l)}`,
          "Previous batch": d === 0 ? "none, this is the first" : a(Mn, { id: d }),
        },
      }),
      a(eo, { isPinned: o.isPinned }),
    ],
  });
}
function g_(t, e) {
  let n = e === 1 ? `position ${F(t)}` : `positions ${F(t)} to ${F(t + e - 1)}`;
  return `${W(e, "attestation")}, ${n}`;
}
function Om({ head: { sth: t, outcome: e, trust: n } }) {
  let r = new Set(n.network.witnesses.map(({ id: s }) => s)),
    o = (s) =>
      e.signers.includes(s)
        ? a(X, { tone: "good", children: "Valid" })
        : r.has(s)
        ? a(X, { tone: "bad", children: "Not valid" })
        : a(X, { tone: "neutral", children: "Not a configured witness" });
  return a(V, {
    title: "Signatures",
    children: dn(t)
      ? a(Je, {
        caption: "Signatures of the tree head",
        rows: t.signatures,
        columns: [["Witness", ({ witness_id: s }) => a("span", { class: "mono", children: s })], [
          "State",
          ({ witness_id: s }) => o(s),
        ], ["Signature", ({ witness_id: s, signature: i }) =>
          a(ie, { text: i, what: `signature of ${s}` })]],
      })
      : a(De, {
        items: {
          Aggregate: a(ie, { text: t.signature, what: "aggregate signature" }),
          Signers: a("span", {
            class: "lines mono",
            children: t.signers.map((s) => a("span", { children: s }, s)),
          }),
        },
      }),
  });
}
function Am({ batch: t }) {
  let e = z(),
    [n, r] = P(0),
    { first_index: o, tree_size: s, network_id: i, attestation_count: c } = t,
    f = o + n * Tm,
    d = Math.min(s, f + Tm),
    [u, l] = ye((h) => mr(e, { start: f, end: d, size: s, networkId: i }, h), [t.id, n]);
  return a(V, {
    title: "Attestations",
    aside: a("span", { class: "muted", children: F(c) }),
    children: [
      a(ve, {
        loaded: u,
        what: "the attestations",
        retry: l,
        render: (h) =>
          h.length === 0 ? a(ze, { title: "This batch is empty" }) : a(Je, {
            caption: "Attestations in the order of the log",
            rows: h,
            keyOf: ({ sequence: p }) => p,
            columns: [["Position", ({ sequence: p }) => F(p)], [
              "Hash",
              ({ hash: p }) => a(ie, { text: p, href: ee({ page: "proof", hash: p }) }),
            ], ["Signed", ({ timestamp: p }) => a("span", { class: "nowrap", children: fe(p) })]],
          }),
      }),
      a(Hn, {
        label: "Pages of attestations",
        names: ["Previous", "Next"],
        onBack: n === 0 ? void 0 : () => r(n - 1),
        onNext: d >= s ? void 0 : () => r(n + 1),
        children: `${F(f)} to ${F(d - 1)}`,
      }),
    ],
  });
}
function Bm({ bundle: t, verdict: e, isPinned: n }) {
  let { attestation: r, batch: o } = e.layers;
  return a("ul", {
    class: "layers",
    children: [
      a(ed, {
        name: "Attestation",
        layer: r,
        isPinned: n,
        children: r.status === "verified" &&
          "The witnesses signed this hash, its time and its position.",
      }),
      a(ed, {
        name: "Batch",
        layer: o,
        isPinned: n,
        children: o.status === "verified"
          ? "It is in the log whose tree head the witnesses signed."
          : o.status === "absent" &&
            "The proof was saved before the hash entered the log. A newer proof has this layer.",
      }),
      a(td, { bundle: t, verdict: e, isPinned: n }),
    ],
  });
}
function td({ bundle: t, verdict: { layers: e }, isPinned: n }) {
  let { cross_anchors: r, federation: o } = e;
  return a(N, {
    children: [
      r.length === 0
        ? a(Ci, {
          name: "Cross-anchors",
          badge: ["neutral", Ni.absent.name],
          children: "No peer network.",
        })
        : r.map((s, i) =>
          a(ed, {
            name: `Cross-anchor of ${s.network}`,
            layer: s,
            isPinned: n,
            children: [
              s.status === "verified" && !s.counted && "It does not count. ",
              b_(t.cross_anchors[i].tree_head),
            ],
          }, i)
        ),
      (r.length > 0 || o.reason !== "federation_disabled") &&
      a(Ci, {
        name: "Federation",
        badge: o.reason === void 0 ? [n ? "good" : "info", "Verified"] : ["neutral", "Not met"],
        children: [
          o.counted.length,
          " of ",
          W(o.required, "required peer"),
          " count.",
          " ",
          o.reason === void 0 ? "" : vt[o.reason],
        ],
      }),
      a(w_, { bundle: t, external: e.external_anchors }),
    ],
  });
}
function b_({ tree_size: t, timestamp: e }) {
  return `Tree head of size ${F(t)}, dated ${fe(e)}.`;
}
function w_({ bundle: t, external: e }) {
  let { present: n, unbound: r, anchors: o } = e,
    s = t.external_anchors.filter((i, c) => o[c]?.bound);
  return a(Ci, {
    name: "External anchors",
    badge: n > 0 ? ["info", "Present"] : ["neutral", Ni.absent.name],
    children: [
      n > 0 &&
      "Present, not independently verified. The command line verifies them with --anchors.",
      n === 0 && r === 0 && "No external service.",
      s.map(({ provider: i, service: c, status: f, tree_head: d, timestamp: u }, l) =>
        a("span", {
          class: "lines",
          children: [Oi(i, c), ": ", f, ", size", " ", F(d.tree_size), ", requested ", fe(u)],
        }, l)
      ),
      r > 0 && ` ${W(r, "anchor")} not bound to this attestation, ignored.`,
    ],
  });
}
function ed({ name: t, layer: e, isPinned: n, children: r }) {
  let { name: o, tone: s } = Ni[e.status], { signatures: i } = e;
  return a(Ci, {
    name: t,
    badge: [s === "good" && !n ? "info" : s, o],
    children: [
      e.status === "verified" && i !== void 0
        ? `${W(i.verified, "signature")} of ${i.required} required. `
        : "",
      Jt(e),
      " ",
      r,
    ],
  });
}
function Ci({ name: t, badge: [e, n], children: r }) {
  return a("li", {
    children: [
      a("span", {
        class: "layer-head",
        children: [a("span", { class: "layer-name", children: t }), a(X, { tone: e, children: n })],
      }),
      a("span", { class: "layer-text", children: r }),
    ],
  });
}
function Nm({ id: t }) {
  let e = z(),
    n = Tt(_e(e.trust)),
    [r, o] = ye(async (s) => {
      let [{ value: i }, c] = await Promise.all([e.api.batch(t, s), In(e, t, s)]);
      return { batch: i, head: c };
    }, [t, n]);
  return a(N, {
    children: [
      a(Ge, {
        title: `Batch ${F(t)}`,
        isBelowExplore: !0,
        children:
          "The growth of the log between two tree heads. Its number is the size of the log at its end.",
      }),
      a(ve, {
        loaded: r,
        what: "the batch",
        retry: o,
        render: ({ batch: s, head: i }) =>
          a(N, {
            children: [
              a(km, { batch: s, head: i }),
              a(Om, { head: i }),
              s.attestation_count === 0 ? null : a(y_, { batch: s, trustKey: n }),
              a(Am, { batch: s }),
            ],
          }),
      }),
    ],
  });
}
function y_({ batch: t, trustKey: e }) {
  let n = z(),
    [r, o] = ye(async (s) => {
      let { first_index: i, tree_size: c, network_id: f } = t,
        d = { start: i, end: i + 1, size: c, networkId: f },
        [u] = await mr(n, d, s);
      return await ki(n, u.hash, s);
    }, [t.id, e]);
  return a(ve, {
    loaded: r,
    what: "the anchors",
    retry: o,
    render: ({ bundle: s, verdict: i, trust: c }) =>
      a(N, {
        children: [
          i.layers.batch.status === "verified" ? null : a(J, {
            tone: "bad",
            title: "The first attestation is not proved to be in this batch",
            children: a("p", {
              children: [
                Jt(i.layers.attestation),
                " ",
                Jt(i.layers.batch),
                " ",
                "Therefore the anchors below were not checked.",
              ],
            }),
          }),
          a(V, {
            title: "Anchors",
            children: a("ul", {
              class: "layers",
              children: a(td, { bundle: s, verdict: i, isPinned: c.isPinned }),
            }),
          }),
        ],
      }),
  });
}
var x_ = (() => {
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
  __ = ["low", "medium", "quartile", "high"],
  E_ = {
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
  v_ = {
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
  S_ = { low: 1, medium: 0, quartile: 3, high: 2 },
  Fi = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
function T_(t) {
  if (t = $m(t), t === 1) return [];
  let e = 21 + 4 * (t - 1) - 7, n = Math.ceil((e - 6) / 28), r = Math.floor((e - 6) / n);
  r % 2 ? r += 1 : (e - 6) % n * 2 >= n && (r += 2);
  let o = [6];
  for (let s = 1; s < n; s++) o.push(e - (n - s) * r);
  return o.push(e), o;
}
function k_(t, e) {
  let n = S_[t] << 3 | e, r = n;
  for (let o = 0; o < 10; o++) r = r << 1 ^ (r >> 9) * 1335;
  return (n << 10 | r) ^ 21522;
}
function O_(t) {
  let e = t;
  for (let n = 0; n < 12; n++) e = e << 1 ^ (e >> 11) * 7973;
  return t << 12 | e;
}
var A_ = { numeric: 1, alphanumeric: 2, byte: 4 },
  Xo = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] },
  rd = (() => {
    let t = new Uint8Array(510), e = new Uint8Array(256);
    for (let n = 0, r = 1; n < 255; n++) {
      t[n] = t[n + 255] = r, e[r] = n, r <<= 1, r & 256 && (r ^= 285);
    }
    return { exp: t, log: e };
  })();
function B_(t) {
  let { exp: e, log: n } = rd, r = new Uint8Array(t);
  r[t - 1] = 1;
  for (let o = 0, s = 1; o < t; o++) {
    for (let i = 0; i < t; i++) {
      let c = r[i];
      r[i] = (c ? e[n[c] + n[s]] : 0) ^ (i + 1 < t ? r[i + 1] : 0);
    }
    s = e[n[s] + 1];
  }
  return r;
}
var Rm = [];
function N_(t) {
  let e = Rm[t];
  if (e !== void 0) return e;
  let n = B_(t), { exp: r, log: o } = rd, s = new Uint8Array(256 * t);
  for (let i = 1; i < 256; i++) {
    let c = o[i], f = i * t;
    for (let d = 0; d < t; d++) {
      let u = n[d];
      u && (s[f + d] = r[o[u] + c]);
    }
  }
  return Rm[t] = { gen: n, mul: s };
}
function R_(t, e, n) {
  let { exp: r, log: o } = rd, s = e.length, i = new Uint8Array(s);
  if (n !== void 0) {
    let c = s - 1;
    for (let f = 0; f < t.length; f++) {
      let d = (t[f] ^ i[0]) * s;
      for (let u = 0; u < c; u++) i[u] = i[u + 1] ^ n[d + u];
      i[c] = n[d + c];
    }
    return i;
  }
  for (let c = 0; c < t.length; c++) {
    let f = t[c] ^ i[0];
    if (i.copyWithin(0, 1), i[s - 1] = 0, f) {
      for (let d = 0; d < s; d++) e[d] && (i[d] ^= r[o[e[d]] + o[f]]);
    }
  }
  return i;
}
function Hi(t, e) {
  let n = x_[t - 1], r = E_[e][t - 1], o = v_[e][t - 1], s = Math.floor(n / o) - r, i = o - n % o;
  return { words: r, numBlocks: o, shortBlocks: i, blockLen: s, capacity: (n - r * o) * 8 };
}
var en = (t) => {
  throw new Error(t);
};
function $m(t) {
  if (typeof t != "number") throw new TypeError(`"ver" expected number, got type=${typeof t}`);
  if (!Number.isSafeInteger(t)) throw new RangeError(`"ver" expected safe integer, got ${t}`);
  if (t < 1 || t > 40) throw new RangeError(`Invalid version=${t}. Expected number [1..40]`);
  return t;
}
function C_(t) {
  let e = "numeric";
  for (let n = 0; n < t.length; n++) {
    let r = Li[t.charCodeAt(n)];
    if (!(r >= 0)) return "byte";
    r > 9 && (e = "alphanumeric");
  }
  return e;
}
var Li = (() => {
  let t = new Int8Array(128).fill(-1);
  for (let e = 0; e < Fi.length; e++) t[Fi.charCodeAt(e)] = e;
  return t;
})();
function I_(t, e, n, r, o) {
  let s = Hi(t, e), i = Xo[r][Math.floor((t + 7) / 17)], c = r === "byte" ? o.length : n.length;
  c >= 1 << i && en("Capacity overflow");
  let f = new Uint8Array(s.capacity >>> 3),
    d = 0,
    u = 0,
    l = 0,
    h = (O, R) => {
      for (d = d << R | O, u += R; u >= 8;) f[l++] = d >>> (u -= 8) & 255;
    };
  if (h(A_[r], 4), h(c, i), r === "numeric") {
    for (let O = 0; O < c; O += 3) {
      let R = Math.min(3, c - O);
      h(Number(n.slice(O, O + R)), [0, 4, 7, 10][R]);
    }
  } else if (r === "alphanumeric") {
    for (let O = 0; O + 1 < c; O += 2) h(Li[n.charCodeAt(O)] * 45 + Li[n.charCodeAt(O + 1)], 11);
    c & 1 && h(Li[n.charCodeAt(c - 1)], 6);
  } else for (let O = 0; O < o.length; O++) h(o[O], 8);
  let p = l * 8 + u;
  p > s.capacity && en("Capacity overflow"),
    u && (f[l] = d << 8 - u & 255),
    p += Math.min(4, s.capacity - p),
    p & 7 && (p += 8 - (p & 7));
  for (let O = p >>> 3, R = 0; O < f.length; O++, R ^= 1) f[O] = R ? 17 : 236;
  let { words: m, numBlocks: g, shortBlocks: b, blockLen: w } = s, x = N_(m), y = [], v = [];
  for (let O = 0, R = 0; O < g; O++) {
    let G = w + (O < b ? 0 : 1);
    y.push(f.subarray(R, R + G)), v.push(R_(y[O], x.gen, x.mul)), R += G;
  }
  let S = new Uint8Array(f.length + m * g), A = 0;
  for (let O = 0; O <= w; O++) for (let R of y) O < R.length && (S[A++] = R[O]);
  for (let O = 0; O < m; O++) for (let R of v) S[A++] = R[O];
  return S;
}
function L_(t, e) {
  let n = t % 2, r = e % 2, o = t % 3, s = o * (e % 3) % 3, i = n & r, c = 0;
  return n === r && (c |= 1),
    r === 0 && (c |= 2),
    o === 0 && (c |= 4),
    (t + e) % 3 === 0 && (c |= 8),
    (Math.floor(e / 2) + Math.floor(t / 3)) % 2 === 0 && (c |= 16),
    i + s === 0 && (c |= 32),
    (i + s) % 2 === 0 && (c |= 64),
    ((n ^ r) + s) % 2 === 0 && (c |= 128),
    c;
}
var Cm = (() => {
    let t = new Uint8Array(65536);
    for (let e = 1; e < t.length; e++) t[e] = t[e >>> 1] + (e & 1);
    return t;
  })(),
  to = (t) => Cm[t & 65535] + Cm[t >>> 16],
  F_ = new Uint32Array(32);
function H_(t) {
  let e = [1431655765, 858993459, 252645135, 16711935, 65535];
  for (let n = 0; n < 5; n++) {
    let r = e[n] >>> 0, o = 1 << n;
    for (let s = 0; s < 32; s += o << 1) {
      for (let i = 0; i < o; i++) {
        let c = t[s + i] >>> 0, f = t[s + i + o] >>> 0, d = (c >>> o ^ f) & r;
        t[s + i] = (c ^ d << o) >>> 0, t[s + i + o] = (f ^ d) >>> 0;
      }
    }
  }
}
var br = (t) => {
    let e = t + 31 >>> 5;
    return { size: t, words: e, v: new Uint32Array(e * t) };
  },
  Mm = (t, e, n) => t.v[n * t.words + (e >>> 5)] >>> (e & 31) & 1,
  Qt = (t, e, n, r) => {
    let o = n * t.words + (e >>> 5), s = 1 << (e & 31);
    t.v[o] = r ? t.v[o] | s : t.v[o] & ~s;
  };
function Pm(t, e) {
  let { size: n, words: r, v: o } = t, s = F_;
  for (let i = 0; i < n; i += 32) {
    for (let c = 0; c < r; c++) {
      let f = Math.min(32, n - i);
      for (let d = 0; d < f; d++) s[d] = o[(i + d) * r + c];
      s.fill(0, f), H_(s);
      for (let d = 0, u = c * 32; d < 32 && u < n; d++, u++) e.v[u * e.words + (i >>> 5)] = s[d];
    }
  }
}
function Im(t) {
  let { size: e, words: n, v: r } = t, o = e & 31 ? (1 << (e & 31)) - 1 >>> 0 : 4294967295, s = 0;
  for (let i = 0; i < n; i++) {
    let c = i === n - 1 ? o : 4294967295,
      f = r[3 * n + i],
      d = 4294967295,
      u = r[i] ^ r[n + i],
      l = r[n + i] ^ r[2 * n + i],
      h = r[2 * n + i] ^ f;
    for (let p = 0, m = 4 * n + i; p <= e - 5; p++, m += n) {
      let g = r[m], b = f ^ g, w = ~(u | l | h | b) & c;
      w && (s += to(w >>> 0) + 2 * to((w & d) >>> 0)), d = u, u = l, l = h, h = b, f = g;
    }
  }
  return s;
}
function Lm(t) {
  let { size: e, words: n, v: r } = t, o = e & 31 ? (1 << (e & 31)) - 1 >>> 0 : 4294967295, s = 0;
  for (let i = 0; i < n; i++) {
    let c = i === n - 1 ? o : 4294967295;
    for (let f = 0; f <= e - 11; f++) {
      let d = f * n + i,
        u = r[d],
        l = r[d += n],
        h = r[d += n],
        p = r[d += n],
        m = r[d += n],
        g = r[d += n],
        b = r[d += n],
        w = r[d += n],
        x = r[d += n],
        y = r[d += n],
        v = r[d + n],
        S = c & u & ~l & h & p & m & ~g & b & ~(w | x | y | v),
        A = c & ~(u | l | h | p) & m & ~g & b & w & x & ~y & v;
      s += to(S >>> 0) + to(A >>> 0);
    }
  }
  return s;
}
function $_(t, e, n = 1 / 0) {
  let { size: r, words: o, v: s } = t, i = Im(t) + Im(e);
  if (i >= n) return i;
  let c = (1 << r - 32 * (o - 1) - 1) - 1 >>> 0, f = 0, d = 0;
  for (let p = 0; p < r; p++) {
    for (let m = 0; m < o; m++) {
      let g = s[p * o + m];
      if (d += to(g >>> 0), p === r - 1) continue;
      let b = s[(p + 1) * o + m],
        w = m + 1 < o ? s[p * o + m + 1] : 0,
        x = m + 1 < o ? s[(p + 1) * o + m + 1] : 0,
        y = ~(g ^ b),
        v = ~(g ^ (g >>> 1 | w << 31)),
        S = ~(b ^ (b >>> 1 | x << 31)),
        A = y & v & S;
      m === o - 1 && (A &= c), f += to(A >>> 0);
    }
  }
  let u = r * r,
    l = Math.ceil(Math.max(0, Math.abs(d * 100 - u * 50) - u * 5) / (u * 5)),
    h = i + 3 * f + 10 * l;
  return h >= n ? h : h + 40 * (Lm(t) + Lm(e));
}
function M_(t, e, n, r) {
  let o = t.size, s = k_(n, r);
  for (let i = 0; i < 15; i++) {
    let c = s >> i & 1;
    i < 6
      ? Qt(t, 8, i, c)
      : i < 8
      ? Qt(t, 8, i + 1, c)
      : i === 8
      ? Qt(t, 7, 8, c)
      : Qt(t, 14 - i, 8, c), i < 8 ? Qt(t, o - 1 - i, 8, c) : Qt(t, 8, o - 15 + i, c);
  }
  if (Qt(t, 8, o - 8, 1), e >= 7) {
    let i = O_(e);
    for (let c = 0; c < 18; c++) {
      let f = i >> c & 1, d = o - 11 + c % 3, u = c / 3 | 0;
      Qt(t, d, u, f), Qt(t, u, d, f);
    }
  }
}
var Ii;
function P_(t) {
  let e = 21 + 4 * (t - 1),
    n = br(e),
    r = new Uint8Array(e * e),
    o = (u, l, h) => {
      Qt(n, u, l, h), r[l * e + u] = 1;
    };
  for (let [u, l] of [[0, 0], [e - 7, 0], [0, e - 7]]) {
    for (let h = -1; h < 8; h++) {
      for (let p = -1; p < 8; p++) {
        let m = u + p, g = l + h;
        if (m < 0 || g < 0 || m >= e || g >= e) continue;
        let b = p >= 0 && p < 7 && h >= 0 && h < 7 &&
          (p === 0 || p === 6 || h === 0 || h === 6 || p > 1 && p < 5 && h > 1 && h < 5);
        o(m, g, b ? 1 : 0);
      }
    }
  }
  let s = T_(t);
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
  for (let u = 0; u < 8; u++) i.push(br(e));
  let c = new Uint16Array(e * e), f = 0;
  for (let u = e - 1, l = -1, h = e - 1; u > 0; u -= 2, l = -l) {
    for (u === 6 && (u = 5);; h += l) {
      for (let p = 0; p < 2; p++) {
        let m = u - p;
        if (r[h * e + m]) continue;
        let g = h * n.words + (m >>> 5);
        c[f++] = g << 5 | m & 31;
        for (let b = 0, w = L_(m, h); w; b++, w >>= 1) w & 1 && (i[b].v[g] |= 1 << (m & 31));
      }
      if (h + l < 0 || h + l >= e) break;
    }
  }
  let d = i.map((u) => {
    let l = br(e);
    return Pm(u, l), l.v;
  });
  return {
    ver: t,
    tpl: n.v,
    pos: c.slice(0, f),
    planes: i.map((u) => u.v),
    planesT: d,
    work: [br(e), br(e), br(e), br(e)],
  };
}
function j_(t, e, n, r, o = !1) {
  (Ii === void 0 || Ii.ver !== t) && (Ii = P_(t));
  let { tpl: s, pos: i, planes: c, planesT: f, work: d } = Ii, [u, l, h, p] = d;
  u.v.set(s);
  let m = Math.min(8 * n.length, i.length);
  for (let w = 0; w < m; w++) {
    if (n[w >>> 3] & 128 >>> (w & 7)) {
      let x = i[w];
      u.v[x >>> 5] |= 1 << (x & 31);
    }
  }
  let g = r;
  if (g === void 0) {
    Pm(u, l);
    let w = 1 / 0;
    for (let x = 0; x < 8; x++) {
      let y = c[x], v = f[x];
      for (let A = 0; A < h.v.length; A++) h.v[A] = u.v[A] ^ y[A], p.v[A] = l.v[A] ^ v[A];
      let S = $_(h, p, w);
      S < w && (w = S, g = x);
    }
  }
  let b = c[g];
  for (let w = 0; w < u.v.length; w++) u.v[w] ^= b[w];
  return o || M_(u, t, e, g), u;
}
var nd = (t, e) => {
    if (typeof t != "number") throw new TypeError(`"${e}" expected number, got type=${typeof t}`);
    if (!Number.isSafeInteger(t)) throw new RangeError(`"${e}" expected safe integer, got ${t}`);
    return t;
  },
  Fm = (t, e) => {
    if (typeof t != "string") throw new TypeError(`"${e}" expected string, got type=${typeof t}`);
    return t;
  };
function D_(t) {
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
function U_(t, e) {
  let n = Xo.byte[Math.floor((t + 7) / 17)];
  return Math.min((1 << n) - 1, Math.floor((Hi(t, e).capacity - 4 - n) / 8));
}
function q_(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var Jo = (t, e, n) => t.map[e] >= 0 && t.map[n] >= 0 && Mm(t.m, t.map[e], t.map[n]) === 1,
  jm = [10, 27],
  Dm = String.fromCharCode(jm[0]);
function z_(t) {
  let e = t.W, n = new Array(e);
  for (let r = 0; r < e; r++) {
    let o = new Array(e);
    for (let s = 0; s < e; s++) o[s] = Jo(t, s, r);
    n[r] = o;
  }
  return n;
}
function G_(t) {
  let e = t.W, n = "";
  for (let r = 0; r < e; r += 2) {
    for (let o = 0; o < e; o++) {
      let s = Jo(t, o, r), i = r + 1 >= e ? !0 : Jo(t, o, r + 1);
      n += !s && !i ? "\u2588" : !s && i ? "\u2580" : s && !i ? "\u2584" : " ";
    }
    n += Dm;
  }
  return n;
}
function V_(t) {
  let e = t.W, n = String.fromCharCode(jm[1]), r = n + "[0m", o = "";
  for (let s = 0; s < e; s++) {
    for (let i = 0; i < e; i++) o += Jo(t, i, s) ? `${n}[40m  ${r}` : `${n}[1;47m  ${r}`;
    o += Dm;
  }
  return o;
}
function W_(t, e) {
  let n = t.W, r = `<svg viewBox="0 0 ${n} ${n}" xmlns="http://www.w3.org/2000/svg">`, o = "", s;
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < n; c++) {
      if (!Jo(t, c, i)) continue;
      if (!e) {
        r += `<rect x="${c}" y="${i}" width="1" height="1" />`;
        continue;
      }
      let f = `M${c} ${i}`;
      if (s) {
        let d = `m${c - s.x} ${i - s.y}`;
        d.length <= f.length && (f = d);
      }
      o += `${f}h1v1${c < 10 ? `H${c}` : "h-1"}Z`, s = { x: c, y: i };
    }
  }
  return e && (r += `<path d="${o}"/>`), r + "</svg>";
}
function Hm(t) {
  let e = t.W,
    n = e * e,
    r = 126,
    o = Math.floor(n / r),
    s = n % r,
    i = new Uint8Array(408 + o * (r + 2) + 2 + s + 4),
    c = 0,
    f = (p) => {
      i[c++] = p & 255, i[c++] = p >>> 8;
    };
  for (let p of [71, 73, 70, 56, 55, 97]) i[c++] = p;
  f(e),
    f(e),
    i[c++] = 246,
    c += 2,
    i[c++] = 255,
    i[c++] = 255,
    i[c++] = 255,
    c += 3 * 127,
    i[c++] = 44,
    c += 4,
    f(e),
    f(e),
    i[c++] = 0,
    i[c++] = 7;
  let { m: d, map: u } = t, l = new Uint8Array(e), h = -2;
  for (let p = 0, m = 0; p < e; p++) {
    let g = u[p];
    if (g !== h && (h = g, l.fill(0), g >= 0)) {
      for (let b = 0; b < e; b++) u[b] >= 0 && (l[b] = Mm(d, u[b], g));
    }
    for (let b = 0; b < e;) {
      if (m % r === 0) {
        let x = n - m;
        i[c++] = (x < r ? x : r) + 1, i[c++] = 128;
      }
      let w = Math.min(r - m % r, e - b);
      i.set(l.subarray(b, b + w), c), c += w, b += w, m += w;
    }
  }
  return s === 0 && (i[c++] = 1, i[c++] = 128),
    i[c++] = 1,
    i[c++] = 129,
    i[c++] = 0,
    i[c++] = 59,
    i;
}
function K_(t) {
  let e = t, n;
  if (typeof e.toBase64 == "function") n = e.toBase64();
  else {
    let r = "";
    for (let o = 0; o < e.length; o += 8192) r += String.fromCharCode(...e.subarray(o, o + 8192));
    n = btoa(r);
  }
  return "data:image/gif;base64," + n;
}
function Y_(t, e = "raw", n = {}) {
  if (Fm(t, "text"), Fm(e, "output"), typeof n != "object" || n === null || Array.isArray(n)) {
    throw new TypeError(`"opts" expected object, got type=${typeof n}`);
  }
  let r = n.version;
  r !== void 0 && (r = $m(r));
  let o = n.ecc !== void 0 ? n.ecc : "medium";
  __.includes(o) || en(`invalid ecc=${o}`);
  let s = n.encoding !== void 0 ? n.encoding : C_(t);
  if (Xo[s] || en(`invalid encoding=${s}`), s !== "byte") {
    let x = s === "numeric" ? Fi.slice(0, 10) : Fi;
    for (let y of t) x.includes(y) || en(`Unknown letter: "${y}". Allowed: ${x}`);
  }
  n.mask !== void 0 && (nd(n.mask, "opts.mask") < 0 || n.mask > 7) && en(`invalid mask=${n.mask}`);
  let i = n.textEncoder;
  if (s === "byte" && i === void 0) {
    let x = U_(r === void 0 ? 40 : r, o);
    (t.length > x || D_(t) > x) && en("Capacity overflow");
  }
  let c = s === "byte" ? (i !== void 0 ? i : (x) => new TextEncoder().encode(x))(t) : void 0;
  if (c !== void 0 && !q_(c)) {
    throw new TypeError(`"opts.textEncoder" expected Uint8Array, got type=${typeof c}`);
  }
  let f = s === "byte" ? c.length : t.length,
    d = s === "numeric"
      ? Math.floor(f / 3) * 10 + [0, 4, 7][f % 3]
      : s === "alphanumeric"
      ? Math.floor(f / 2) * 11 + f % 2 * 6
      : f * 8;
  if (r === void 0) {
    for (r = 1; r <= 40; r++) {
      let x = Xo[s][Math.floor((r + 7) / 17)];
      if (f < 1 << x && 4 + x + d <= Hi(r, o).capacity) break;
    }
    r > 40 && en("Capacity overflow");
  } else {
    let x = Xo[s][Math.floor((r + 7) / 17)];
    (f >= 1 << x || 4 + x + d > Hi(r, o).capacity) && en("Capacity overflow");
  }
  let u = I_(r, o, t, s, c),
    l = j_(r, o, u, n.mask),
    h = n.border === void 0 ? 2 : nd(n.border, "opts.border");
  if (h <= 0) throw new RangeError(`invalid border=${h}`);
  let p = n.scale === void 0 ? 1 : nd(n.scale, "opts.scale");
  if (p <= 0 || p > 1024) throw new RangeError(`invalid scale factor: ${p}`);
  let m = (l.size + 2 * h) * p, g = e === "ascii" || e === "gif" || e === "data-url" ? 4096 : 1024;
  if (m > g) {
    throw new RangeError(`invalid opts: output is ${m}x${m} (max ${g}), reduce border/scale`);
  }
  let b = new Int32Array(m);
  for (let x = 0; x < m; x++) {
    let y = Math.floor(x / p) - h;
    b[x] = y >= 0 && y < l.size ? y : -1;
  }
  let w = { m: l, W: m, map: b };
  return e === "raw"
    ? z_(w)
    : e === "ascii"
    ? G_(w)
    : e === "term"
    ? V_(w)
    : e === "svg"
    ? W_(w, n.optimize === void 0 ? !0 : n.optimize)
    : e === "gif"
    ? Hm(w)
    : e === "data-url"
    ? K_(Hm(w))
    : en(`Unknown output: ${e}`);
}
var Um = Y_;
var Z_ = 4;
function qm({ text: t, label: e }) {
  let n = Um(t, "raw", { border: Z_ }),
    r = n.flatMap((o, s) => o.flatMap((i, c) => i ? `M${c} ${s}h1v1h-1z` : [])).join("");
  return a("svg", {
    class: "qr-code",
    viewBox: `0 0 ${n.length} ${n.length}`,
    role: "img",
    "aria-label": e,
    "shape-rendering": "crispEdges",
    children: [
      a("rect", { fill: "#fff", width: n.length, height: n.length }),
      a("path", { fill: "#000", d: r }),
    ],
  });
}
function zm({ hash: t }) {
  let e = z(), n = Tt(_e(e.trust)), [r, o] = ye((s) => ki(e, t, s), [t, n]);
  return a(N, {
    children: [
      a("nav", {
        class: "back-link no-print",
        "aria-label": "Breadcrumb",
        children: a("a", { href: ee({ page: "proof", hash: t }), children: "Back to the proof" }),
      }),
      a(Ge, { title: "Certificate of existence" }),
      a(ve, { loaded: r, what: "the proof", retry: o, render: (s) => a(X_, { hash: t, ...s }) }),
    ],
  });
}
function X_({ hash: t, bundle: e, verdict: n, trust: r }) {
  let { network: o, fingerprint: s, pins: i } = r,
    { tone: c, sentence: f, notes: d } = Bi({ bundle: e, verdict: n, network: o, isOtherFile: !1 });
  if (!n.valid) {
    return a(J, {
      tone: c,
      live: !0,
      title: f,
      children: [
        d.map((b) => a("p", { children: b }, b)),
        a("p", { children: "There is no certificate of a proof that does not verify." }),
      ],
    });
  }
  let { attestation: u } = e.signed_attestation,
    l = Sm({ bundle: e, verdict: n }),
    h = i?.home.source === "file",
    [p] = n.time.not_before,
    m = wi({ page: "proof", hash: t }),
    g = n.signers.map((b) => Qr(b, o.id)).join(", ");
  return a(N, {
    children: [
      a(J_, {}),
      a("div", {
        class: "certificate",
        children: [
          a("p", { class: "certificate-sentence", children: f }),
          d.map((b) => a("p", { children: b }, b)),
          !h &&
          a(J, {
            tone: "warn",
            title: "The gateway named these keys itself",
            children: a("p", {
              children:
                "This is right only if it did not lie: compare the fingerprint below with one from another source.",
            }),
          }),
          a("section", {
            class: "stack-small",
            "aria-labelledby": "certificate-what",
            children: [
              a("h2", { id: "certificate-what", children: "What was attested" }),
              a(De, {
                items: {
                  "SHA-256 of the file": a(Fn, { text: t, what: "hash" }),
                  "Signed at": fe(u.timestamp),
                  "Not before": p && `${fe(p.time)}, by ${p.source}`,
                  "Signed by": `${g}, of ${o.witnesses.length} witnesses of ${o.id}`,
                  "In the log": l &&
                    `at position ${F(u.sequence)}, under the tree head of batch ${F(l.tree_size)}`,
                },
              }),
            ],
          }),
          a("div", {
            class: "certificate-columns",
            children: [
              a("section", {
                class: "stack-small",
                "aria-labelledby": "certificate-check",
                children: [
                  a("h2", { id: "certificate-check", children: "How to check it" }),
                  a("ol", {
                    class: "next-steps",
                    children: [
                      a("li", {
                        children: [
                          "Compute the file's SHA-256, for example with",
                          " ",
                          a("code", { children: "sha256sum FILE" }),
                          ". It must be the one above.",
                        ],
                      }),
                      a("li", {
                        children: [
                          "Online: scan the code, or open",
                          " ",
                          a("a", { class: "certificate-link", href: m, children: m }),
                        ],
                      }),
                      a("li", {
                        children: [
                          "Without us: keep the proof,",
                          " ",
                          a("code", { children: "NAME.countersign.json" }),
                          ", and the network's configuration, with this fingerprint:",
                          a(Fn, { text: s, what: "fingerprint" }),
                          "Then ",
                          a("code", { children: "countersign verify FILE" }),
                          " ",
                          "checks them offline. The document verify_by_hand.md does it with openssl.",
                        ],
                      }),
                    ],
                  }),
                ],
              }),
              a(qm, { text: m, label: "QR code of the address of the proof" }),
            ],
          }),
          a("p", {
            class: "small",
            children: [
              "Only the proof file proves anything, not this page. The proof does not show",
              " ",
              hr.slice(0, 2).join(", nor "),
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
function J_() {
  let [t, e] = P("");
  return a(N, {
    children: [
      a("div", {
        class: "row no-print",
        children: [
          a("label", {
            class: "certificate-name",
            children: [
              a("span", { children: "Note, such as the file's name (optional)" }),
              a("input", {
                class: "input",
                type: "text",
                value: t,
                autocomplete: "off",
                onInput: (n) => e(n.target.value),
              }),
            ],
          }),
          a(te, {
            kind: "primary",
            icon: "file",
            onClick: () => print(),
            children: "Print or save as PDF",
          }),
        ],
      }),
      t !== "" &&
      a("p", {
        class: "certificate-note",
        children: [
          a("b", { children: t }),
          " ",
          a("span", { class: "muted small", children: "(note of the person who printed this)" }),
        ],
      }),
    ],
  });
}
var Qo = 10;
function Gm({ list: t }) {
  let [e, n] = P(0),
    { batches: r, isLoading: o, isWhole: s, error: i, older: c, refresh: f } = t,
    d = Math.min(e, Math.max(0, Math.ceil(r.length / Qo) - 1)),
    u = r.slice(d * Qo, (d + 1) * Qo),
    l = (d + 1) * Qo < r.length || !s,
    h = () => {
      (d + 2) * Qo >= r.length && !s && c(), n(d + 1);
    };
  return a(V, {
    title: "Batches",
    children: [
      i !== void 0 && a(Te, { error: i, title: "Cannot show the batches", retry: f }),
      u.length > 0
        ? a(N, {
          children: [
            a(Je, {
              caption: "Batches, latest first",
              rows: u,
              keyOf: ({ id: p }) => p,
              columns: [["Batch", ({ id: p }) => a(Mn, { id: p })], [
                "Attestations",
                (p) => F(p.attestation_count),
                "numeric",
              ], [
                "Closed",
                (p) => a("span", { class: "nowrap", children: a($n, { time: p.period_end }) }),
              ], [
                "Interval",
                ({ period_start: p, period_end: m }) => p === 0 ? "first" : nt(m - p),
                "numeric",
              ], ["Root", (p) => a(ie, { text: p.root_hash })]],
            }),
            a(Hn, {
              label: "Pages of batches",
              onBack: d === 0 ? void 0 : () => n(d - 1),
              onNext: l ? h : void 0,
              children: `${F(u.at(-1).id)} to ${F(u[0].id)}`,
            }),
          ],
        })
        : o
        ? a(Lt, { label: "Loading the batches" })
        : i === void 0
        ? a(ze, {
          title: "No batch yet",
          children: "The first one closes soon after the first attestation.",
        })
        : null,
    ],
  });
}
function Vm(t, e, n) {
  return Km(t) ? [e, ...n] : [...n];
}
function Wm(t, e, n) {
  let r = t >= 1 && t < e, [o, ...s] = n;
  return r && Km(t) && o !== void 0 && s.length === Vo(t, e).length
    ? { shownRoot: o, path: s }
    : { path: n };
}
function Km(t) {
  let e = 1;
  for (; e < t;) e *= 2;
  return e === t;
}
async function od(t, e, { sth: n, logSignature: r }) {
  let o = await it(t, e, n);
  if (!o.valid) return ft(o, St("sth", o));
  if (e.log_vkey === void 0) return ft(o, { reason: "log_key_missing" });
  let { publicKey: s } = Rn(e.log_vkey), i = oe(ur(n.tree_head));
  return await t.ed25519(s, i, r)
    ? o
    : ft(o, { reason: "log_signature_invalid", field: "log_signature" });
}
function sd(t, e, n, r) {
  let o = Ae(e.root_hash, E), s = Ae(n.root_hash, E);
  if (o === void 0 || s === void 0) return "unproven";
  if (e.tree_size === n.tree_size && r.length === 0) return Be(o, s) ? "extends" : "contradicts";
  if (e.tree_size === 0 && r.length === 0) return "extends";
  let i = { first: e.tree_size, second: n.tree_size },
    c = Wm(i.first, i.second, r),
    f = Pf(t, { ...i, firstRoot: c.shownRoot ?? o, path: c.path });
  return f === void 0 || !Be(f.second, s) ? "unproven" : Be(f.first, o) ? "extends" : "contradicts";
}
async function $i(t, e, n) {
  let r = await od(t, e, n.first),
    o = await od(t, e, n.second),
    s = Q_(e, n) ?? St("first", r) ?? St("second", o) ?? e2(t.kernels, n);
  return { valid: s === void 0, ...s, first: r, second: o };
}
function Q_({ id: t }, { origin: e }) {
  return e === t ? void 0 : { reason: "network_mismatch", field: "origin" };
}
function e2(t, { first: e, second: n, path: r }) {
  if (sd(t, e.sth.tree_head, n.sth.tree_head, r) !== "contradicts") {
    return { reason: "contradiction_unproven", field: "consistency_path" };
  }
}
function Mi(t, e) {
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
async function Ym(t, e, { known: n, seen: r }, o) {
  let s = await it(t, e, r);
  if (!s.valid) return s;
  let i = Mi(n, r.tree_head);
  if (i === "fork") return { ...ft(s, { reason: "head_forked", field: "tree_head" }), relation: i };
  if (i === "other_network") {
    return { ...ft(s, { reason: "network_mismatch", field: "tree_head.network_id" }), relation: i };
  }
  let [c, f] = i === "older" ? [r.tree_head, n] : [n, r.tree_head];
  return (c.tree_size === 0 ? o.length === 0 : lr(t.kernels, c, f, o))
    ? { ...s, relation: i }
    : { ...ft(s, { reason: "consistency_invalid", field: "consistency_path" }), relation: i };
}
async function Zm(t, e, n) {
  let { crypto: r, network: o } = t, { known: s, seen: i } = e, c = await it(r, o, s);
  if (!c.valid) return { finding: "other_keys", outcome: c };
  let f = Mi(s.tree_head, i.tree_head);
  if (f === "same" || f === "fork") return { finding: f };
  let [d, u] = Xm(e).map(({ tree_head: m }) => m.tree_size), l;
  try {
    d > 0 && (l = await n(d, u));
  } catch (m) {
    if (!(m instanceof be) || m.status !== 404) throw m;
    return { finding: "denied", refusal: m };
  }
  let h = { known: s.tree_head, seen: i },
    { valid: p } = await Ym(r, o, h, l?.consistency_path ?? []);
  return p
    ? { finding: f === "larger" ? "extends" : "outdated", ...l && { proof: l } }
    : l === void 0
    ? { finding: "unproven" }
    : { finding: await t2(t, e, l) ? "fork" : "unproven", proof: l };
}
async function t2({ crypto: t, network: e }, n, r) {
  for (let c of [r.first_sth, r.second_sth]) {
    let { valid: f } = await it(t, e, c);
    if (f) {
      for (let { tree_head: d } of [n.known, n.seen]) {
        if (Mi(d, c.tree_head) === "fork") return !0;
      }
    }
  }
  let [o, s] = Xm(n), i = id(r);
  return i !== void 0 && sd(t.kernels, o.tree_head, s.tree_head, i) === "contradicts";
}
function id({ first: t, first_sth: e, consistency_path: n }) {
  let r = _i(n), o = Ae(e.tree_head.root_hash, E);
  return r && o && t > 0 ? Vm(t, o, r) : void 0;
}
function Xm({ known: t, seen: e }) {
  return [t, e].toSorted((n, r) => n.tree_head.tree_size - r.tree_head.tree_size);
}
async function Jm(t, { known: e, seen: n }, r) {
  let o = await n2(t, [e, n], r);
  return {
    evidence: t0({
      found: "two histories of one log",
      network_id: t.network.id,
      fingerprint: t.fingerprint,
      found_at: t.now(),
      known_seen_at: e.seenAt,
      known: e.sth,
      seen: n.sth,
      ...r && { consistency_proof: r },
      ...o && { contradiction: Do(o) },
    }),
    ...o && { contradiction: e0(o) },
  };
}
function Qm(t) {
  let e = "malformed_text";
  return bn(() => {
    let n = new Et(Xe(t, e), { where: "evidence", code: e }, ["contradiction"], {
      ignoreUnknown: !0,
    });
    return e0(Kh(JSON.stringify(n.value("contradiction")), e));
  });
}
async function n2({ crypto: t, network: e, now: n }, r, o) {
  let [s, i] = r.toSorted((u, l) => u.sth.tree_head.tree_size - l.sth.tree_head.tree_size).map(r2),
    c = o === void 0 ? [] : id(o);
  if (s === void 0 || i === void 0 || c === void 0) return;
  let f = { origin: e.id, foundAt: n(), first: s, second: i, path: c },
    { valid: d } = await $i(t, e, f);
  return d ? f : void 0;
}
function e0(t) {
  return t0(Do(t));
}
function r2({ sth: t, logSignature: e }) {
  return e && { sth: t, logSignature: e };
}
function t0(t) {
  return `${JSON.stringify(t, void 0, 2)}
`;
}
function Pi({ caption: t, heads: e }) {
  return a(Je, {
    caption: t,
    rows: e,
    columns: [
      ["Tree head", ([n]) => a("span", { class: "nowrap", children: n })],
      ["Size", ([, n]) => F(n.tree_head.tree_size), "numeric"],
      ["Root", ([n, r]) => a(ie, { text: r.tree_head.root_hash, what: `root of ${n}` })],
      ["Signed", ([, n]) => a("span", { class: "nowrap", children: fe(n.tree_head.timestamp) })],
      ["By", ([, n]) =>
        a("span", {
          class: "lines mono small",
          children: Nn(n).map((r) => a("span", { class: "nowrap", children: r }, r)),
        })],
    ],
  });
}
function ad({ evidence: t, contradiction: e, networkId: n }) {
  let r = es(n), o = `${r}.contradiction.json`;
  return a("div", {
    class: "lines",
    children: [
      a("div", {
        class: "row",
        children: [
          a(It, {
            fileName: `${r}.fork.json`,
            text: t,
            primary: !0,
            children: "Download the evidence",
          }),
          e !== void 0 &&
          a(It, { fileName: o, text: e, children: "Download for the command line" }),
        ],
      }),
      a("p", {
        class: "small",
        children: e === void 0
          ? "The command line cannot verify it: the gateway did not show the log key's signature of both heads."
          : a(N, {
            children: [
              "Anyone who has the network's configuration can verify it offline:",
              " ",
              a("code", {
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
function es(t) {
  return t.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}
function n0({ evidence: t, networkId: e }) {
  return a(V, {
    title: "Stored evidence",
    aside: a(X, { tone: "bad", children: "Fork" }),
    children: a(J, {
      tone: "bad",
      title: "This browser has seen two histories of this log",
      children: [
        a("p", {
          children:
            "The gateway shows one of them again, which does not undo the other. This browser keeps the evidence until you clear it.",
        }),
        a(ad, { evidence: t, contradiction: Qm(t), networkId: e }),
      ],
    }),
  });
}
function r0({ count: t, trustKey: e }) {
  let n = z(), [r, o] = ye((s) => t === 0 ? Promise.resolve([]) : a2(n, s), [t, e]);
  return t === 0 ? null : a(V, {
    title: "Peers that contradict themselves",
    aside: a(X, { tone: "bad", children: W(t, "contradiction") }),
    children: a(ve, {
      loaded: r,
      what: "the evidence",
      retry: o,
      render: (s) => s.map((i, c) => a(o2, { number: c + 1, ...i }, c)),
    }),
  });
}
function o2({ contradiction: t, result: e, number: n }) {
  let { origin: r, foundAt: o, first: s, second: i } = t,
    c = `${JSON.stringify(Do(t), void 0, 2)}
`;
  return a(N, {
    children: [
      a(J, {
        tone: e?.valid ? "bad" : "warn",
        title: s2(r, e),
        children: [
          a("p", { children: i2(e) }),
          a("p", {
            class: "muted small",
            children: ["Found ", fe(o), ", according to this gateway."],
          }),
          a(It, {
            fileName: `${es(r)}.contradiction.json`,
            text: c,
            children: "Download the evidence",
          }),
        ],
      }),
      a(Pi, {
        caption: `Tree heads of contradiction ${n}`,
        heads: [["First", s.sth], ["Second", i.sth]],
      }),
    ],
  });
}
function s2(t, e) {
  return e === void 0
    ? `${t}: not verified`
    : e.valid
    ? `${t} signed two histories`
    : `${t}: this proves nothing`;
}
function i2(t) {
  return t === void 0
    ? "No configuration of this peer is pinned in this browser. Pin it on the Verify page to check the evidence here."
    : t.valid
    ? "Its witnesses and its log key signed both tree heads, and one log cannot have both."
    : t.reason === void 0
    ? ""
    : vt[t.reason];
}
async function a2(t, e) {
  let [{ value: n }, r, o] = await Promise.all([
    t.api.contradictions(e),
    Zt(t, e),
    t.crypto.crypto(),
  ]);
  return await Promise.all(n.map(async (s) => {
    let i = r.peers.find(({ id: c }) => c === s.origin);
    return i === void 0 ? { contradiction: s } : { contradiction: s, result: await $i(o, i, s) };
  }));
}
var fd = "gateway_refused", c2 = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
function o0(t) {
  let e = { ignoreUnknown: !0 },
    n = Xe(t, fd),
    r = new Et(n, { where: "event", code: fd }, ["type"], e),
    o = r.text("type");
  switch (o) {
    case "hello":
      return {
        kind: "hello",
        networkId: r.text("network_id"),
        cursor: cd(r, "cursor"),
        heartbeatSeconds: r.integer("heartbeat_seconds"),
      };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", cursor: cd(r, "cursor") };
    default:
      return {
        kind: "event",
        id: cd(r, "id"),
        type: o,
        at: r.integer("at"),
        data: r.value("data") ?? null,
        text: t,
      };
  }
}
function cd(t, e) {
  let n = t.text(e);
  if (c2.test(n)) return n;
  throw new k(fd, `Cannot read ${t.where}: ${e} is not a cursor (1 to 200 of A-Za-z0-9._-)`);
}
function wr(t, e) {
  if (!(typeof t != "object" || t === null || Array.isArray(t))) {
    return Object.hasOwn(t, e) ? t[e] : void 0;
  }
}
var s0 = 1024 * 1024, f2 = 65536, dd = "event stream";
async function i0(t, e, n = fetch) {
  let r;
  try {
    r = await n(t, {
      headers: { Accept: "text/event-stream" },
      credentials: "omit",
      redirect: "manual",
      signal: e,
    });
  } catch (i) {
    throw new k("gateway_unreachable", `Cannot obtain ${dd}: no answer from ${t.origin}`, {
      cause: i,
    });
  }
  let o = vf(r.headers) === "text/event-stream";
  if (r.status === 200 && o) return d2(r);
  let s = await Ef(r, f2);
  throw Pr(dd, r, s ?? new Uint8Array());
}
async function* d2(t) {
  let e = "", n = "";
  try {
    for await (let r of ai(t.body.pipeThrough(new TextDecoderStream()))) {
      let [o = "", ...s] = r.split(`
`);
      e += o;
      for (let i of s) {
        let c = e.endsWith("\r") ? e.slice(0, -1) : e;
        e = i, c === "" ? (yield n, n = "") : c.startsWith("data:") && (n = c.slice(5).trimStart());
      }
      if (e.length > s0) throw u2();
    }
  } catch (r) {
    if (r instanceof k) throw r;
  }
}
function u2() {
  return new k("gateway_refused", `Cannot read ${dd}: a frame exceeds ${s0} characters`);
}
var ud = ["batch.closed", "sth.published", "cross_anchor.added", "external_anchor.added"],
  a0 = ["attestation.accepted", "attestation.confirmed"];
function c0({ id: t, type: e, at: n, data: r }) {
  return { id: t, type: e, at: n, ...l2(e, r) };
}
function l2(t, e) {
  let n = wr(e, "hash");
  switch (t) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      let r = t === "attestation.accepted" ? "accepted" : "signed";
      return typeof n == "string" && Pe(n, E)
        ? { text: `${n.slice(0, 16)}... ${r}`, route: { page: "proof", hash: n } }
        : { text: `A hash ${r}` };
    }
    case "batch.closed":
      return h2(e);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return p2(t, e);
    default:
      return { text: "An event of an unknown type" };
  }
}
function h2(t) {
  let [e, n] = [wr(t, "id"), wr(t, "attestation_count")];
  if (!Ne(e)) return { text: "A batch closed" };
  let r = Ne(n) ? ` with ${W(n, "attestation")}` : "";
  return { text: `Batch ${F(e)} closed${r}`, route: { page: "batch", id: e } };
}
function p2(t, e) {
  let n = wr(e, "tree_head"),
    r = wr(n ?? e, "tree_size"),
    o = wr(e, t === "cross_anchor.added" ? "witnessing_network" : "provider"),
    s = typeof o == "string" ? ` by ${o}` : "",
    i = Ne(r) ? `Tree head of size ${F(r)}` : "A tree head",
    c = {
      "sth.published": "published",
      "cross_anchor.added": `cosigned${s}`,
      "external_anchor.added": `anchored${s}`,
    }[t],
    f = Ne(r) ? { page: "batch", id: r } : void 0;
  return { text: `${i} ${c}`, ...f && { route: f } };
}
var d0 = { latest: [], shown: [] };
function u0({ latest: t, shown: e }, n, r) {
  return { latest: m2(t, n, r), shown: e };
}
function ld(t, e) {
  return t.shown === t.latest || e && t.shown.length > 0
    ? t
    : { latest: t.latest, shown: t.latest };
}
function l0({ latest: t, shown: e }) {
  return t.filter((n) => !e.includes(n)).length;
}
function m2(t, e, n) {
  let r = new Set(t.flatMap(f0));
  return [
    ...e.filter((s) => {
      let i = f0(s);
      if (i.some((c) => r.has(c))) return !1;
      for (let c of i) r.add(c);
      return !0;
    }).toReversed(),
    ...t,
  ].slice(0, n);
}
function f0({ id: t, type: e, at: n, text: r }) {
  return [t, `${e} ${n} ${r}`];
}
var no = class {
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
var g2 = { firstMs: 500, longestMs: 3e4 }, b2 = 3, w2 = 30;
async function* ji(t, e) {
  let { clock: n, changed: r } = t,
    o = new no(g2, t.random),
    s = Sf(t),
    i = { cursor: t.after, networkId: void 0 };
  for (let c = 0; !e.aborted; c++) {
    let f = s[c % s.length], d = new AbortController(), u = new hd(n, d);
    try {
      let l = Er(e, d.signal), h = await i0(x2(f, t, i), l, t.fetch);
      for await (let p of _2(h, u)) o.reset(), p.kind === "event" && (yield p), E2(t, i, p);
    } catch (l) {
      if (e.aborted) return;
      if (c < s.length - 1 && ui(l)) continue;
      if (!y2(l, i)) throw l;
    } finally {
      u.stop(), d.abort();
    }
    if (e.aborted) return;
    r("lost"), await n.sleep(o.afterFailure(), e);
  }
}
function y2(t, { networkId: e }) {
  return qr(t)
    ? !0
    : t instanceof be
    ? e !== void 0 && t.status >= 500
    : e !== void 0 && bt(t, "gateway_unreachable");
}
function x2(t, { types: e, hash: n }, { cursor: r }) {
  let o = new URL("v1/events", t);
  return e.length > 0 && o.searchParams.set("types", e.join(",")),
    n !== void 0 && o.searchParams.set("hash", n),
    r !== void 0 && o.searchParams.set("after", r),
    o;
}
async function* _2(t, e) {
  for await (let n of t) {
    if (e.restart(), n === "") continue;
    let r = o0(n);
    r.kind === "hello" && (e.seconds = b2 * r.heartbeatSeconds), yield r;
  }
}
var hd = class {
  #e;
  #t;
  seconds = w2;
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
function E2({ changed: t, reached: e }, n, r) {
  switch (r.kind) {
    case "hello":
      if (n.networkId !== void 0 && n.networkId !== r.networkId) {
        throw new k(
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
var v2 = 6;
function h0(t, e, n) {
  let r = new AbortController();
  return S2(t, e, n, r.signal), () => r.abort();
}
async function S2(t, e, n, r) {
  let o;
  for (; !r.aborted;) {
    n.state("connecting");
    let s = ji({
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
      if (!(i instanceof k)) throw i;
      i instanceof be || bt(i, "gateway_unreachable") || n.fault(i);
    }
    for (let i = 0; i < v2 && !r.aborted; i++) await T2(t, n, r), await t.clock.sleep(t.pollMs, r);
  }
}
async function T2({ poll: t }, e, n) {
  try {
    let r = await t(n);
    if (n.aborted) return;
    e.state("polling"), r !== void 0 && e.event(r);
  } catch (r) {
    if (n.aborted) return;
    if (!(r instanceof k)) throw r;
    e.state("silent");
  }
}
var Di = 12, k2 = 1e4, O2 = 400;
function p0({ grown: t }) {
  let e = z(),
    [n, r] = P(!1),
    o = dt(null),
    s = dt(null),
    i = () => o.current?.matches(":hover, :focus-within") ?? !1,
    { lines: c, state: f, fault: d, showLatest: u } = B2(e, {
      withAttestations: n,
      grown: t,
      isHeld: i,
    }),
    [l, h] = A2[f],
    p = l0(c);
  return a(V, {
    title: "Live",
    aside: a(X, { tone: l, children: h }),
    children: [
      a("label", {
        class: "check",
        children: [
          a("input", {
            type: "checkbox",
            checked: n,
            onChange: () => r(!n),
          }),
          a("span", { children: "Every attestation" }),
        ],
      }),
      c.shown.length === 0
        ? a(ze, {
          title: "No events yet",
          children: "Batches and tree heads appear here when the log publishes them.",
        })
        : a("div", {
          class: "feed-area",
          ref: o,
          children: [
            a("div", {
              class: "feed-new",
              role: "status",
              children: p === 0 ? null : a(te, {
                onClick: () => {
                  u(), s.current?.focus();
                },
                children: `${p}${p < Di ? "" : " or more"} new`,
              }),
            }),
            a("ol", {
              class: "feed",
              ref: s,
              tabindex: -1,
              children: c.shown.map((m) =>
                a("li", {
                  children: [
                    a("span", {
                      class: "feed-text",
                      children: m.route === void 0
                        ? m.text
                        : a("a", { href: ee(m.route), children: m.text }),
                    }),
                    a("span", { class: "muted small nowrap", children: a($n, { time: m.at }) }),
                  ],
                }, m.id)
              ),
            }),
          ],
        }),
      d !== void 0 &&
      a("p", {
        class: "failure-code",
        children: ["Cannot read an event: ", a("code", { children: d.code }), " ", d.message],
      }),
    ],
  });
}
var A2 = {
  connecting: ["info", "Connecting"],
  live: ["good", "Live"],
  polling: ["neutral", "Polling every 10 s"],
  silent: ["warn", "No answer"],
};
function B2(t, { withAttestations: e, grown: n, isHeld: r }) {
  let [o, s] = P({ lines: d0, state: "connecting" });
  return ue(() => {
    let c = [],
      f = (h) => {
        c.push(h), c.length > Di && c.splice(0, c.length - Di);
      },
      d = setInterval(() => {
        let h = c.splice(0);
        s((p) => {
          let m = h.length === 0 ? p.lines : u0(p.lines, h, Di), g = ld(m, r());
          return g === p.lines ? p : { ...p, lines: g };
        }), h.some(({ type: p }) => p === "sth.published") && n();
      }, O2),
      u = e ? [...ud, ...a0] : ud,
      l = N2(() =>
        h0(C2(t), u, {
          event: (h) => f(c0(h)),
          state: (h) => s((p) => ({ ...p, state: h })),
          gap: () => f(R2(We(t.clock))),
          fault: (h) => s((p) => ({ ...p, fault: h })),
        })
      );
    return () => {
      l(), clearInterval(d);
    };
  }, [e]),
    { ...o, showLatest: () => s((c) => ({ ...c, lines: ld(c.lines, !1) })) };
}
function N2(t) {
  let e,
    n = () => {
      document.visibilityState === "visible" ? e ??= t() : (e?.(), e = void 0);
    };
  return n(), document.addEventListener("visibilitychange", n), () => {
    document.removeEventListener("visibilitychange", n), e?.();
  };
}
function R2(t) {
  return { id: `gap ${t}`, type: "gap", at: t, text: "Some events before this are missing" };
}
function C2({ api: t, clock: e }) {
  return {
    url: t.url,
    clock: e,
    random: Math.random,
    pollMs: k2,
    poll: async (n) => {
      try {
        let { tree_size: r, timestamp: o } = (await t.sth(void 0, n)).value.tree_head;
        return { id: `head ${r}`, type: "sth.published", at: o, data: { tree_size: r } };
      } catch (r) {
        if (Ln(r, "no_tree_head")) return;
        throw r;
      }
    },
  };
}
var I2 = [
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
function m0(t, e, n) {
  let o = Math.max(e - t, 1) / n,
    s = 10 ** Math.floor(Math.log10(o)),
    i = Math.max(1, [1, 2, 5, 10].map((d) => d * s).find((d) => d >= o)),
    c = Math.floor(t / i) * i,
    f = Math.max(Math.ceil(e / i) * i, c + i);
  return { min: c, max: f, ticks: b0(i, c, f) };
}
function g0(t, e, n) {
  let r = Math.max(e, t + 1),
    o = (r - t) / n,
    s = I2.find((i) => i >= o) ?? Math.ceil(o / (364 * 86400)) * 364 * 86400;
  return { min: t, max: r, ticks: b0(s, t, r) };
}
function b0(t, e, n) {
  let r = [];
  for (let o = Math.ceil(e / t) * t; o <= n; o += t) r.push(o);
  return r;
}
function pd(t, e, [n, r]) {
  let o = (e - t.min) / (t.max - t.min);
  return Math.round((n + o * (r - n)) * 10) / 10;
}
function w0(t) {
  return t.map(({ x: e, y: n }, r) => r === 0 ? `M${e} ${n}` : `H${e}V${n}`).join("");
}
function y0(t) {
  let [e, n] =
    [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([r]) =>
      t >= 10 * r || t >= r && t % (r / 10) === 0
    ) ?? [1, ""];
  return `${Math.round(t / e * 10) / 10}${n}`;
}
function x0(t, e) {
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
var _0 = 460,
  gd = 190,
  yr = { left: 44, right: _0 - 14, top: 10, bottom: gd - 24 },
  L2 = 36,
  F2 = 60,
  md = 100;
function bd(t) {
  let { title: e, summary: n, points: r, valueName: o, valueText: s } = t, [i, c] = P(!1);
  return a("figure", {
    class: "plot",
    children: [
      a("figcaption", {
        children: [
          a("span", { class: "plot-title", children: e }),
          a("span", { class: "muted small", children: n }),
        ],
      }),
      a(H2, { ...t }),
      a("details", {
        class: "plot-table",
        onToggle: (f) => c(f.target.open),
        children: [
          a("summary", { children: "Show as a table" }),
          i &&
          a(Je, {
            caption: e,
            rows: r.toReversed().slice(0, md),
            columns: [["Time", ({ x: f }) => fe(f)], [o, ({ y: f }) => s(f), "numeric"]],
          }),
          i && r.length > md &&
          a("p", { class: "muted small", children: `The latest ${md} of ${r.length}.` }),
        ],
      }),
    ],
  });
}
function H2({ title: t, summary: e, points: n, shape: r, fromZero: o = !1, valueText: s }) {
  let i = Kn(),
    c = n.map(({ x: m }) => m),
    f = n.map(({ y: m }) => m),
    d = o || r === "stems" ? 0 : Math.min(...f),
    u = g0(Math.min(...c), Math.max(...c), 4),
    l = m0(d, Math.max(...f), 4),
    h = n.map(({ x: m, y: g }) => ({ x: E0(u, m), y: Ui(l, g) })),
    p = w0(h);
  return a("svg", {
    class: "plot-drawing",
    viewBox: `0 0 ${_0} ${gd}`,
    role: "img",
    "aria-labelledby": `${i}-title ${i}-summary`,
    children: [
      a("title", { id: `${i}-title`, children: t }),
      a("desc", { id: `${i}-summary`, children: e }),
      a($2, { timeline: u, axis: l }),
      r === "steps"
        ? a(N, {
          children: [
            a("path", { class: "plot-area", d: `${p}V${yr.bottom}H${h[0]?.x ?? 0}Z` }),
            a("path", { class: "plot-line", d: p }),
          ],
        })
        : a("path", {
          class: "plot-stems",
          d: h.map(({ x: m, y: g }) => `M${m} ${yr.bottom}V${g}`).join(""),
        }),
      h.length > F2 ? null : h.map(({ x: m, y: g }, b) =>
        a("circle", {
          class: "plot-mark",
          cx: m,
          cy: g,
          r: 2.5,
          children: a("title", { children: `${fe(n[b].x)}: ${s(n[b].y)}` }),
        }, b)
      ),
    ],
  });
}
function E0(t, e) {
  return pd(t, e, [yr.left, yr.right]);
}
function Ui(t, e) {
  return pd(t, e, [yr.bottom, yr.top]);
}
function $2({ timeline: t, axis: e }) {
  let { left: n, right: r } = yr;
  return a("g", {
    class: "plot-grid",
    children: [
      e.ticks.map((o) =>
        a("g", {
          children: [
            a("line", { x1: n, x2: r, y1: Ui(e, o), y2: Ui(e, o) }),
            a("text", { class: "plot-value", x: n - 6, y: Ui(e, o) + 4, children: y0(o) }),
          ],
        }, o)
      ),
      t.ticks.map((o) => {
        let s = E0(t, o), i = s > r - L2;
        return a("text", {
          class: i ? "plot-time plot-time-last" : "plot-time",
          x: i ? r : s,
          y: gd - 6,
          children: x0(o, t.max - t.min),
        }, o);
      }),
    ],
  });
}
var M2 = 30;
function v0({ list: t }) {
  let { batches: e, isLoading: n, isWhole: r, error: o, older: s } = t;
  return a(V, {
    title: "Growth",
    aside: e.length === 0 || r
      ? void 0
      : a(te, { disabled: n, onClick: s, children: n ? "Loading" : "Show older batches" }),
    children: e.length > 0
      ? a(N, {
        children: [
          a("div", { class: "plots", children: [a(P2, { batches: e }), a(D2, { batches: e })] }),
          a("p", {
            class: "muted small",
            children: "As the gateway lists it: no proof covers the times of batches.",
          }),
        ],
      })
      : n
      ? a(Lt, { label: "Loading the batches" })
      : o === void 0
      ? a(ze, { title: "Nothing to plot yet", children: "The plots start with the second batch." })
      : a(ze, { title: "Nothing to plot", children: "The batches cannot be loaded." }),
  });
}
function P2({ batches: t }) {
  let e = Kf(t), [n, r] = [e[0], e.at(-1)];
  if (n === void 0 || r === void 0 || e.length < 2) {
    return a(ze, { title: "One batch so far", children: "The plot starts with the second one." });
  }
  let o = mm(t),
    s = o === void 0 ? "" : `, ${j2(o)} on average`,
    i = ({ x: c, y: f }) => `${F(f)} at ${fe(c)}`;
  return a(bd, {
    title: "Tree size",
    summary: `From ${i(n)} to ${i(r)}, in ${W(t.length, "batch", "batches")}${s}.`,
    valueName: "Attestations",
    points: e,
    shape: "steps",
    fromZero: n.y < r.y / 2,
    valueText: F,
  });
}
function j2(t) {
  let e = [["a second", 1], ["a minute", 60], ["an hour", 3600], ["a day", 86400]],
    [n, r] = e.find(([, s]) => t * s >= 1) ?? e[3],
    o = t * r;
  return `${o >= 10 ? F(Math.round(o)) : o.toFixed(1)} ${n}`;
}
function D2({ batches: t }) {
  let e = z(),
    n = t.slice(0, M2),
    [r, o] = ye(async (s) => {
      let i = [];
      for (let c of n) i.push(await ym(e, c, s));
      return i;
    }, [n[0]?.id]);
  return a(ve, {
    loaded: r,
    what: "the waits",
    retry: o,
    render: (s) => {
      let i = s.map((d) => d.seconds), [c, f] = [Yf(i, .5) ?? 0, Yf(i, 1) ?? 0];
      return a(bd, {
        title: "Wait for the tree head",
        summary: `First attestation of each of the last ${
          W(s.length, "batch", "batches")
        }: median ${nt(c)}, longest ${nt(f)}.`,
        valueName: "Seconds",
        points: bm(s),
        shape: "stems",
        valueText: (d) => `${F(d)} s`,
      });
    },
  });
}
function S0(t) {
  return Array.from(t ?? [], (e) => ({ name: e.webkitRelativePath || e.name, file: e }));
}
async function T0(t) {
  let n = Array.from(t?.items ?? []).filter(({ kind: o }) => o === "file").map((o) => ({
      entry: o.webkitGetAsEntry(),
      file: o.getAsFile(),
    })
    ),
    r = { files: [], errors: [] };
  for (let { entry: o, file: s } of n) {
    o?.isDirectory ? await k0(o, r) : s !== null && r.files.push({ name: s.name, file: s });
  }
  return r;
}
async function k0(t, e) {
  let n = t.createReader();
  for (;;) {
    let r = await new Promise((s, i) => n.readEntries(s, i)).catch((s) => (e.errors.push(s), []));
    if (r.length === 0) return;
    let o = r.filter((s) => s.isFile);
    for (let s of await Promise.allSettled(o.map(U2))) {
      s.status === "fulfilled" ? e.files.push(s.value) : e.errors.push(s.reason);
    }
    for (let s of r) s.isDirectory && await k0(s, e);
  }
}
async function U2(t) {
  let e = await new Promise((n, r) => t.file(n, r));
  return { name: t.fullPath.replace(/^\//, ""), file: e };
}
var q2 = "webkitdirectory" in HTMLInputElement.prototype;
function tn({ onFiles: t, multiple: e = !1, ...n }) {
  return a(A0, {
    ...n,
    multiple: e,
    onTaken: (o) => {
      let s = e ? o : o.slice(0, 1);
      s.length > 0 && t(s.map(({ file: i }) => i));
    },
    onFailed: () => {},
  });
}
function O0({ label: t, children: e, onFiles: n, onFailed: r }) {
  let o = dt(null),
    s = (i) => {
      i.length > 0 && n(i);
    };
  return ue(() => {
    o.current !== null && (o.current.webkitdirectory = !0);
  }, []),
    a("div", {
      class: "folder-zone",
      children: [
        a(A0, { label: t, multiple: !0, onTaken: s, onFailed: r, children: e }),
        q2 && a(N, {
          children: [
            a("input", {
              ref: o,
              type: "file",
              hidden: !0,
              onChange: () => s(B0(o.current)),
            }),
            a(te, {
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
function A0(
  { label: t, icon: e = "upload", multiple: n, compact: r, onTaken: o, onFailed: s, children: i },
) {
  let [c, f] = P(!1), d = dt(null);
  return ue(z2, []),
    a("label", {
      class: `drop-zone${c ? " drop-zone-over" : ""}${r ? " drop-zone-compact" : ""}`,
      onDragOver: (l) => {
        l.preventDefault(), f(!0);
      },
      onDragLeave: () => f(!1),
      onDrop: (l) => {
        l.preventDefault(),
          f(!1),
          T0(l.dataTransfer).then(({ files: h, errors: [p] }) => {
            o(h), p !== void 0 && s(p);
          });
      },
      children: [
        a("input", {
          ref: d,
          class: "visually-hidden",
          type: "file",
          multiple: n,
          onChange: () => o(B0(d.current)),
        }),
        a(Le, { name: e }),
        a("span", {
          class: "drop-zone-text",
          children: [a("span", { class: "drop-zone-label", children: t }), i],
        }),
      ],
    });
}
function B0(t) {
  let e = S0(t?.files);
  return t !== null && (t.value = ""), e;
}
function z2() {
  let t = (e) => e.preventDefault();
  return addEventListener("dragover", t), addEventListener("drop", t), () => {
    removeEventListener("dragover", t), removeEventListener("drop", t);
  };
}
function qi({ label: t, text: e, hint: n, fault: r, onText: o, action: s, icon: i }) {
  let c = Kn();
  return a(N, {
    children: [
      a("label", { for: c, children: t }),
      a("div", {
        class: "field-row",
        children: [
          a("input", {
            id: c,
            class: "input mono",
            type: "text",
            value: e,
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: !1,
            "aria-invalid": r === void 0 ? void 0 : "true",
            "aria-describedby": `${c}-hint`,
            onInput: (f) => o(f.target.value),
          }),
          a("button", {
            type: "submit",
            class: "button",
            children: [i !== void 0 && a(Le, { name: i }), a("span", { children: s })],
          }),
        ],
      }),
      a("p", {
        id: `${c}-hint`,
        class: r === void 0 ? "field-hint" : "field-error",
        role: "status",
        children: [r !== void 0 && a(Le, { name: "warning" }), a("span", { children: r ?? n })],
      }),
    ],
  });
}
function ro({ hashing: t }) {
  let [e, n] = P({ state: "none" }), r = dt(new AbortController());
  return ue(() => () => r.current?.abort(), []), [e, (s) => {
    r.current?.abort();
    let i = new AbortController();
    if (r.current = i, s === void 0) return n({ state: "none" });
    let { name: c, size: f } = s;
    n({ state: "hashing", name: c, size: f, done: 0 }),
      t.hash(s, {
        onProgress: (d) => n({ state: "hashing", name: c, size: f, done: d }),
        signal: i.signal,
      }).then((d) => n({ state: "hashed", name: c, hash: d }), (d) => {
        i.signal.aborted || n({ state: "failed", name: c, error: d });
      });
  }];
}
function zi({ content: t, choose: e }) {
  return a(N, {
    children: [
      a(tn, {
        label: t.state === "none" ? "Compare with the file itself" : "Compare with another file",
        icon: "file",
        compact: !0,
        onFiles: ([n]) => e(n),
        children: a("span", {
          class: "muted small",
          children: "Optional. The file stays on this device.",
        }),
      }),
      a(wd, { content: t, onRemove: () => e(void 0) }),
    ],
  });
}
function wd({ content: t, onRemove: e }) {
  if (t.state === "none") return null;
  let n = t.state === "hashing" ? "Cancel" : "Remove";
  return a("div", {
    class: "supplied",
    children: [
      a("span", {
        class: "row",
        children: [
          a("span", { children: t.name }),
          a(te, { kind: "quiet", label: `${n} ${t.name}`, isRemoved: !0, onClick: e, children: n }),
        ],
      }),
      t.state === "hashing" &&
      a(Cn, { label: `Hashing, ${hn(t.done)} of ${hn(t.size)}`, value: t.done, max: t.size }),
      t.state === "hashed" && a(ie, { text: t.hash, what: "hash of the file" }),
      t.state === "failed" && a(Te, { error: t.error }),
    ],
  });
}
var G2 = 4 * 1024 * 1024;
async function Gi(t) {
  if (t.size > G2) return { kind: "other" };
  let e = new Uint8Array(
    await t.arrayBuffer().catch((n) => {
      throw new k("file_failed", "Cannot read the file", { cause: n });
    }),
  );
  return bn(() => V2(ot(e))) ?? { kind: "other" };
}
function V2(t) {
  let e = W2(t);
  if (e.has("witnesses") && e.has("threshold")) return { kind: "configuration", text: t };
  if (!e.has("signed_attestation") && !e.has("batch_inclusion")) return { kind: "other" };
  try {
    return { kind: "bundle", text: t, bundle: Po(t) };
  } catch (n) {
    return { kind: "damaged_bundle", error: xo(n) };
  }
}
function W2(t) {
  try {
    let e = Xe(t, "malformed_bundle");
    return new Set(typeof e == "object" && e !== null ? Object.keys(e) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(t) ? ["signed_attestation"] : []);
  }
}
function N0(t) {
  return t === "configuration"
    ? "It is a network's configuration. Choose it under What you trust."
    : "A proof is a file such as NAME.countersign.json, saved on the Stamp page. If this is the stamped file itself, compare it with its proof below.";
}
function Vi(t) {
  let e = t.trim(),
    [, n] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(e) ?? [],
    [, r] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(e) ?? [],
    o = (n ?? r ?? e).toLowerCase();
  return Pe(o, E)
    ? { hash: o }
    : o === ""
    ? { fault: "Paste a SHA-256 hash: 64 hexadecimal digits" }
    : /^[0-9a-f]+$/.test(o)
    ? { fault: `A SHA-256 hash has 64 digits, this one has ${o.length}` }
    : { fault: "A SHA-256 hash contains only the digits 0 to 9 and a to f" };
}
var K2 = /^(?:(batch|position)\s*)?(\d[\d,]*)$/i;
function R0(t) {
  let e = t.trim(), [, n] = /^https?:\/\/[^#\s]*(#\S*)$/.exec(e) ?? [];
  if (n !== void 0) return Y2(n);
  let [, r, o = ""] = K2.exec(e) ?? [];
  if (o !== "" && o.length < E * 2) return Z2(r, o);
  let s = Vi(e);
  return "hash" in s
    ? { routes: [{ page: "proof", hash: s.hash }] }
    : e === ""
    ? { fault: "Enter a hash, a batch or a position" }
    : s;
}
function Y2(t) {
  let e = Go(t);
  return e.page === "unknown" ? { fault: "This is not the address of a proof" } : { routes: [e] };
}
function Z2(t, e) {
  let n = ut(e.replaceAll(",", ""));
  if (n === void 0) return { fault: "A batch or a position is a number such as 1234" };
  let r = { page: "batch", id: n }, o = { page: "position", index: n };
  return t === void 0 ? { routes: [r, o] } : { routes: [t.toLowerCase() === "batch" ? r : o] };
}
function C0() {
  let [t, e] = P(""),
    [n, r] = P({ routes: [] }),
    o = (i) => {
      i.preventDefault();
      let c = R0(t);
      if ("routes" in c && c.routes.length === 1) return yd(c.routes[0]);
      r(c);
    },
    s = (i) => {
      e(i), r({ routes: [] });
    };
  return a("div", {
    class: "look-up",
    children: [
      a("form", {
        class: "field",
        onSubmit: o,
        noValidate: !0,
        role: "search",
        "aria-label": "Log",
        children: [
          a(qi, {
            label: "Look up",
            action: "Look up",
            icon: "search",
            text: t,
            hint: "A hash, a line of sha256sum, a batch, or a position in the log",
            fault: "fault" in n ? n.fault : void 0,
            onText: s,
          }),
          "routes" in n && n.routes.length > 1 &&
          a("p", {
            class: "row",
            role: "status",
            children: n.routes.map((i) =>
              a("a", { class: "button", href: ee(i), children: X2(i) }, i.page)
            ),
          }),
        ],
      }),
      a(J2, {}),
    ],
  });
}
function X2(t) {
  return t.page === "batch"
    ? `Batch ${F(t.id)}`
    : t.page === "position"
    ? `Position ${F(t.index)}`
    : t.page;
}
function yd(t) {
  location.hash = ee(t);
}
function J2() {
  let t = z(), [e, n] = ro(t), [r, o] = P(void 0), s = e.state === "hashed" ? e.hash : void 0;
  ue(() => {
    s !== void 0 && yd({ page: "proof", hash: s });
  }, [s]);
  let i = async (c) => {
    o(void 0);
    try {
      let f = await Gi(c);
      if (f.kind !== "bundle") return n(c);
      let { hash: d } = f.bundle.signed_attestation.attestation;
      yd({ page: "proof", hash: d });
    } catch (f) {
      o(f);
    }
  };
  return a("div", {
    class: "stack-small",
    children: [
      a(tn, {
        compact: !0,
        icon: "file",
        label: "Or choose a file",
        onFiles: ([c]) => void i(c),
        children: a("span", {
          class: "muted small",
          children: "It is hashed here and stays on this device.",
        }),
      }),
      r !== void 0 && a(Te, { error: r }),
      a(wd, { content: e, onRemove: () => n(void 0) }),
    ],
  });
}
function I0({ head: t, retry: e }) {
  return a(V, {
    title: "Latest tree head",
    children: xd(t)
      ? a(ze, {
        title: "The log is empty",
        children: "The first batch publishes its first tree head.",
      })
      : a(ve, { loaded: t, what: "the tree head", retry: e, render: (n) => a(Q2, { ...n }) }),
  });
}
function xd(t) {
  return t.state === "failed" && Ln(t.error, "no_tree_head");
}
function Q2({ sth: t, outcome: e, trust: n }) {
  let { tree_size: r, root_hash: o, timestamp: s } = t.tree_head;
  return a(N, {
    children: [
      a("p", {
        class: "figure-line",
        children: [
          a("span", { class: "figure", children: F(r) }),
          a("span", { class: "muted", children: "attestations in the log" }),
        ],
      }),
      a(De, {
        items: {
          Root: a(ie, { text: o, what: "root hash" }),
          Signed: a(Ft, { time: s }),
          Witnesses: a(Ri, { outcome: e, isPinned: n.isPinned }),
          Batch: a(Mn, { id: r }),
        },
      }),
      a(eo, { isPinned: n.isPinned }),
    ],
  });
}
function L0({ network: t, retry: e }) {
  return a(V, {
    title: "Network",
    children: a(ve, { loaded: t, what: "the network", retry: e, render: (n) => a(eE, { ...n }) }),
  });
}
function eE(t) {
  let { shown: e, fingerprint: n, pinned: r } = t,
    {
      id: o,
      signature_scheme: s,
      threshold: i,
      witnesses: c,
      log_vkey: f,
      merge_delay_seconds: d,
    } = e;
  return a(N, {
    children: [
      a(De, {
        items: {
          Network: a("span", { class: "mono", children: o }),
          Threshold: `${i} of ${W(c.length, "witness", "witnesses")}`,
          Scheme: s === "bls" ? "BLS12-381, aggregated" : "Ed25519",
          Fingerprint: a(ie, { text: n, what: "fingerprint" }),
          Pin: a(nE, { ...t }),
          "Log key": f && a(ie, { text: f, what: "log key" }),
          "In the log within": d === void 0 ? void 0 : nt(d),
          Federation: a(rE, { ...e.federation }),
        },
      }),
      r === void 0 || r.fingerprint === n ? null : a(tE, { shown: o, pinned: r.id }),
    ],
  });
}
function tE({ shown: t, pinned: e }) {
  return t !== e
    ? a(J, {
      tone: "warn",
      title: "You pinned the configuration of another network",
      children: a("p", {
        children: [
          "Your pin is for",
          " ",
          a("span", { class: "mono", children: e }),
          ". Nothing of this network can be verified with it.",
        ],
      }),
    })
    : a(J, {
      tone: "bad",
      title: "This gateway's configuration differs from the one you pinned",
      children: a("p", {
        children:
          "These pages verify everything under yours. Ask the operator why the two differ before you pin another.",
      }),
    });
}
function nE({ shown: t, fingerprint: e, pinned: n }) {
  return n === void 0
    ? a("span", {
      class: "row",
      children: [
        a(X, { tone: "warn", children: "Not pinned" }),
        a("a", { href: ee({ page: "verify" }), children: "Pin a configuration" }),
      ],
    })
    : n.fingerprint === e
    ? a(X, { tone: "good", children: "Pinned in this browser" })
    : n.id === t.id
    ? a(X, { tone: "bad", children: "Differs from your pin" })
    : a(X, { tone: "warn", children: "Your pin is for another network" });
}
function rE({ enabled: t, peer_networks: e, cross_anchor_threshold: n }) {
  return e.length === 0 ? a("span", { children: "No peer networks" }) : a("span", {
    class: "lines",
    children: [
      a("span", {
        children: t
          ? `${n} of ${W(e.length, "peer")} must cosign`
          : "Cosignatures of peers are not required",
      }),
      e.map((r) =>
        a("span", {
          class: "muted small",
          children: [
            a("span", { class: "mono", children: r.id }),
            r.min_witnesses === void 0
              ? ""
              : `, at least ${W(r.min_witnesses, "witness", "witnesses")}`,
            r.gateway_url === void 0 ? "" : `, ${r.gateway_url}`,
          ],
        }, r.id)
      ),
    ],
  });
}
function F0({ status: t, network: e, retry: n }) {
  let r = new Map(e?.witnesses.map(({ id: f, pubkey: d }) => [f, d])),
    o = t.value?.witnesses ?? [],
    s = o.filter(({ id: f, healthy: d }) => d && r.has(f)).length,
    i = [...r.keys()].filter((f) => !o.some((d) => d.id === f)),
    c = [...o.map((f) => ({ id: f.id, health: f })), ...i.map((f) => ({ id: f }))];
  return a(V, {
    title: "Witnesses",
    aside: t.value === void 0 || e === void 0 ? void 0 : a(X, {
      tone: s >= e.threshold ? "good" : "bad",
      children: `${s} of ${r.size} answer, ${e.threshold} required`,
    }),
    children: a(ve, {
      loaded: t,
      what: "the status",
      retry: n,
      render: (f) =>
        a(N, {
          children: [
            a(Je, {
              caption: "Witnesses and their health",
              rows: c,
              keyOf: ({ id: d }) => d,
              columns: [
                ["Witness", ({ id: d }) => a("span", { class: "mono witness-id", children: d })],
                ["Health", ({ health: d }) => a(oE, { health: d })],
                ["Last good answer", ({ health: d }) => a(sE, { health: d })],
                ["Public key", ({ id: d }) =>
                  r.has(d)
                    ? a(ie, { text: r.get(d), what: `public key of ${d}` })
                    : e === void 0
                    ? ""
                    : a(X, { tone: "warn", children: "Not in the configuration" })],
              ],
            }),
            a(iE, { status: f }),
          ],
        }),
    }),
  });
}
function oE({ health: t }) {
  return t === void 0
    ? a(X, { tone: "warn", children: "Not reported" })
    : t.healthy
    ? a(X, { tone: "good", children: "Answers" })
    : a(X, { tone: "bad", children: t.last_error ?? "Does not answer" });
}
function sE({ health: t }) {
  return t?.last_seen_at === void 0
    ? a("span", { class: "muted", children: "none yet" })
    : a("span", { class: "nowrap", children: a($n, { time: t.last_seen_at }) });
}
function iE({ status: t }) {
  let { pending_count: e, oldest_pending_age: n, status: r } = t,
    o = e === 0
      ? "No attestation waits for signatures"
      : `${W(e, "attestation")} not signed yet` + (n === void 0 ? "" : `, the oldest for ${nt(n)}`);
  return a(N, {
    children: [
      r === "ok" ? null : a(J, {
        tone: "bad",
        title: "The gateway reports that it is not healthy",
        children: a("p", { children: a("code", { children: r }) }),
      }),
      a("p", {
        class: "muted small",
        children: [o, ". The gateway reports health; nothing proves it."],
      }),
    ],
  });
}
function H0({ status: t }) {
  let { peers: e, anchors: n, beacon: r } = t;
  if (e.length === 0 && n.length === 0 && r === void 0) return null;
  let o = {
    "drand beacon": r === null
      ? a(X, { tone: "warn", children: "None recent" })
      : r && `round ${F(r.round)}, ${nt(r.age)} old`,
  };
  for (let s of n) o[Oi(s.provider, s.service)] = a(aE, { ...s });
  return a(V, {
    title: "Peers and anchors",
    children: [
      e.length === 0 ? null : a(Je, {
        caption: "State of each peer",
        rows: e,
        keyOf: ({ id: s }) => s,
        columns: [["Peer network", ({ id: s }) => a("span", { class: "mono", children: s })], [
          "State",
          ({ failing: s }) =>
            s
              ? a(X, { tone: "bad", children: "Last attempt failed" })
              : a(X, { tone: "good", children: "Answers" }),
        ], [
          "Cosigned size",
          ({ last_cross_anchor: s }) => s === void 0 ? "none yet" : F(s.tree_size),
          "numeric",
        ], [
          "Age",
          ({ last_cross_anchor: s }) => s === void 0 ? "" : nt(s.age),
          "numeric",
        ]],
      }),
      a(De, { items: o }),
    ],
  });
}
function aE({ last: t }) {
  return t === void 0 ? a(X, { tone: "neutral", children: "Nothing anchored yet" }) : a("span", {
    class: "row",
    children: [
      a(X, { tone: t.status === "confirmed" ? "good" : "info", children: t.status }),
      a("span", { children: `size ${F(t.tree_size)}, ${nt(t.age)} ago` }),
    ],
  });
}
var _d = 100;
function $0({ api: t, line: e }) {
  let [n, r] = P({ batches: [], isLoading: !0, isWhole: !1 }), [o, s] = P({});
  ue(() => {
    let f = new AbortController(), { before: d } = o;
    r(({ error: l, ...h }) => ({ ...h, isLoading: !0 }));
    let u = { limit: _d, ...d !== void 0 && { before: d } };
    return e.ask(() => t.batches(u, f.signal), f.signal).then(({ value: l }) => {
      f.signal.aborted || r((h) => d === void 0 ? cE(h, l) : fE(h, l));
    }, (l) => {
      f.signal.aborted || r((h) => ({ ...h, isLoading: !1, error: l }));
    }),
      () => f.abort();
  }, [o, t]);
  let i = $t(() => s({}), []), c = n.batches.at(-1)?.id;
  return {
    ...n,
    refresh: i,
    older: () => {
      c !== void 0 && s({ before: c });
    },
  };
}
function cE(t, e) {
  let n = uE(t.batches, e);
  return {
    batches: n ?? e,
    isLoading: !1,
    isWhole: n !== void 0 && t.batches.length > 0 ? t.isWhole : e.length < _d,
  };
}
function fE(t, e) {
  return { batches: dE(t.batches, e), isLoading: !1, isWhole: e.length < _d };
}
function dE(t, e) {
  let n = t.at(-1)?.id ?? 1 / 0;
  return [...t, ...e.filter((r) => r.id < n)];
}
function uE(t, e) {
  let n = t[0]?.id ?? 0, r = e.filter((s) => s.id > n), o = r.at(-1);
  if (!(o !== void 0 && t.length > 0 && o.first_index !== n)) return [...r, ...t];
}
var lE = 1e4;
function M0() {
  let t = z(),
    { api: e, trust: n } = t,
    r = Tt(_e(n)),
    [o, s] = ye((h) => hE(t, h), [r]),
    [i, c] = ye((h) => In(t, void 0, h), [r]),
    [f, d] = ye(async (h) => (await e.status(h)).value, []),
    u = $0(t);
  ue(() => {
    let h = setInterval(() => {
      document.visibilityState === "visible" && d();
    }, lE);
    return () => clearInterval(h);
  }, []);
  let l = () => {
    c(), u.refresh();
  };
  return a(N, {
    children: [
      a(Ge, {
        title: "Explore",
        children:
          "The network behind this gateway, and the public log of everything that it signed.",
      }),
      a(C0, {}),
      a(r0, { count: f.value?.contradictions ?? 0, trustKey: r }),
      a("div", {
        class: "grid",
        children: [a(I0, { head: i, retry: c }), a(L0, { network: o, retry: s })],
      }),
      a(F0, { status: f, network: o.value?.shown, retry: d }),
      a(v0, { list: u }),
      a("div", { class: "grid grid-wide", children: [a(Gm, { list: u }), a(p0, { grown: l })] }),
      f.value !== void 0 && a(H0, { status: f.value }),
      a("p", {
        children: [
          a("a", { href: ee({ page: "tiles" }), children: "Tiles of the log" }),
          a("span", { class: "muted", children: ", for mirrors and monitors (C2SP tlog-tiles)" }),
        ],
      }),
    ],
  });
}
async function hE(t, e) {
  let [{ value: n }, { network: r, fingerprint: o, isPinned: s }] = await Promise.all([
    t.api.network(e),
    Zt(t, e),
  ]);
  return { shown: n, fingerprint: tt(n), ...s && { pinned: { id: r.id, fingerprint: o } } };
}
function Pn({ title: t, children: e, accept: n, onAccept: r, cancel: o, onCancel: s }) {
  return a(J, {
    tone: "warn",
    live: !0,
    title: t,
    children: [
      e,
      a("div", {
        class: "row",
        children: [
          a(te, { isRemoved: !0, onClick: r, children: n }),
          a(te, { kind: "quiet", isRemoved: !0, onClick: s, children: o }),
        ],
      }),
    ],
  });
}
function P0({ stored: t, fingerprint: e, forget: n }) {
  return a(V, {
    title: "What this browser remembers",
    children: [
      a(pE, { stored: t, fingerprint: e }),
      (t.kind === "head" || t.kind === "damaged") && a(mE, { forget: n }),
    ],
  });
}
function pE({ stored: t, fingerprint: e }) {
  switch (t.kind) {
    case "none":
      return a(ze, {
        title: "Nothing yet",
        children: "This browser remembers the first tree head that verifies.",
      });
    case "blocked":
      return a(J, {
        tone: "warn",
        title: "This browser does not let the page store anything",
        children: a("p", {
          children:
            "Without memory every visit is the first one, and the page cannot notice a fork.",
        }),
      });
    case "damaged":
      return a(J, {
        tone: "warn",
        title: "The stored tree head cannot be read",
        children: [
          a("p", { children: "The page does not change it unless you clear it." }),
          a("pre", { children: t.text.slice(0, 400) }),
        ],
      });
    case "head": {
      let { sth: n, seenAt: r, logSignature: o } = t.head,
        { tree_size: s, root_hash: i, timestamp: c } = n.tree_head;
      return a(De, {
        items: {
          Size: F(s),
          Root: a(ie, { text: i, what: "remembered root" }),
          Signed: a(Ft, { time: c }),
          "Seen here": a(Ft, { time: r }),
          "Verified under": t.head.fingerprint === e
            ? "the configuration in use"
            : a(ie, { text: t.head.fingerprint, what: "fingerprint" }),
          "Log key's signature": o === void 0 ? "not shown by the gateway" : "stored",
        },
      });
    }
  }
}
function mE({ forget: t }) {
  let [e, n] = P(!1);
  return e
    ? a(Pn, {
      title: "Forget the tree head and all evidence of this log?",
      accept: "Forget it",
      onAccept: () => {
        n(!1), t();
      },
      cancel: "Keep it",
      onCancel: () => n(!1),
      children: a("p", {
        children:
          "The next visit is the first one again. If the gateway shows another log from now on, this browser cannot notice it.",
      }),
    })
    : a("div", { children: a(te, { onClick: () => n(!0), children: "Forget this log" }) });
}
var Ed = [
    "Download the evidence, and do not clear what this page remembers.",
    "Do not rely on new attestations of this network until its operator has explained it in public.",
  ],
  gE = {
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
        ...Ed,
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
        ...Ed,
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
        ...Ed,
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
  bE = {
    tone: "warn",
    badge: "Not compared",
    title: "There is nothing to compare this tree head with",
    meaning:
      "Its signatures verify, but this browser cannot remember it. At the next visit it cannot notice a log that changed.",
    steps: ["See below why this browser cannot remember it."],
  };
function ts({ finding: t, memory: e }) {
  return t === "first" && e !== "kept" ? bE : gE[t];
}
var wE = {
  kept: void 0,
  unchanged: void 0,
  full: "This browser has no storage left for the page, so it does not remember this tree head.",
  blocked: "This browser does not let the page store anything: each visit is the first one.",
  damaged: "The tree head stored for this network cannot be read. Clear it to start over.",
};
function j0({ memory: t }) {
  return wE[t];
}
function D0({ state: t, recheck: e }) {
  let { check: n, fault: r, isChecking: o, trust: s } = t,
    i = n === void 0 ? void 0 : ts(n),
    c = i?.tone === "good" && !s?.isPinned ? "info" : i?.tone;
  return a(V, {
    title: "Last check",
    aside: a(N, {
      children: [
        n !== void 0 &&
        a(N, {
          children: [
            a(X, { tone: c, children: i.badge }),
            a("span", {
              class: "muted small",
              children: ["Checked ", a($n, { time: n.checkedAt })],
            }),
          ],
        }),
        a(te, { disabled: o, onClick: e, children: o ? "Checking" : "Check again" }),
      ],
    }),
    children: [
      r === void 0 || o ? null : a(Te, { error: r, title: "Cannot check the log" }),
      n === void 0
        ? o ? a(Lt, { label: "Checking the log" }) : null
        : a(yE, { check: n, networkId: s?.network.id ?? "", tone: c }),
    ],
  });
}
function yE({ check: t, networkId: e, tone: n }) {
  let r = ts(t), o = j0(t), s = xE(t);
  return a(N, {
    children: [
      a(J, {
        tone: n,
        live: !0,
        title: r.title,
        children: [
          a("p", { children: r.meaning }),
          a(_E, { check: t }),
          r.steps.length === 0 ? null : a("ol", {
            class: "next-steps",
            children: r.steps.map((i) => a("li", { children: i }, i)),
          }),
          t.fork !== void 0 ? a(ad, { ...t.fork, networkId: e }) : r.tone === "bad"
            ? a(It, {
              fileName: `${es(e)}.${t.finding}.json`,
              text: EE(t, e),
              children: "Download what was seen",
            })
            : null,
        ],
      }),
      o !== void 0 && a(J, { tone: "warn", title: o }),
      s.length === 0 ? null : a(Pi, { caption: "Remembered and shown tree heads", heads: s }),
    ],
  });
}
function xE({ known: t, seen: e, finding: n }) {
  let r = [];
  return t !== void 0 && !(n === "first" || n === "same") && r.push(["Remembered", t.sth]),
    e !== void 0 && r.push(["Shown now", e]),
    r;
}
function _E({ check: { outcome: t, fault: e } }) {
  let n = t === void 0 || t.valid || t.reason === void 0;
  return e === void 0 && n ? null : a("p", {
    class: "failure-code",
    children: [a("code", { children: e?.code ?? t?.reason }), " ", e?.message ?? Jt(t)],
  });
}
function EE(t, e) {
  let { finding: n, checkedAt: r, known: o, seen: s, proof: i } = t,
    c = { finding: n, network_id: e, checked_at: r, known: o?.sth, seen: s, consistency_proof: i };
  return `${JSON.stringify(c, void 0, 2)}
`;
}
var U0 = "countersign log sth --verify";
function q0({ trust: t }) {
  return a(V, {
    title: "What you trust",
    aside: t === void 0
      ? void 0
      : t.isPinned
      ? a(X, { tone: "good", children: "Pinned" })
      : a(X, { tone: "warn", children: "Not pinned" }),
    children: [
      t !== void 0 &&
      a(De, {
        items: {
          Network: a("span", { class: "mono", children: t.network.id }),
          Fingerprint: a(ie, { text: t.fingerprint, what: "fingerprint" }),
        },
      }),
      t?.isPinned === !1 && a("p", {
        children: [
          "You have not pinned a configuration, so this page uses the witness keys that the gateway names. It still notices if the log changes from now on. It cannot notice a gateway that showed a false network on your first visit.",
          " ",
          a("a", { href: ee({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
      a("p", {
        children:
          "This page comes from the gateway that it checks. To check without trusting the gateway's page, run the command line, which remembers the log in the same way:",
      }),
      a("p", {
        class: "row",
        children: [a("code", { children: U0 }), a(Xt, { text: U0, what: "command" })],
      }),
    ],
  });
}
function z0() {
  let { watch: t } = z(), e = _e(t), { trust: n, check: r, evidence: o } = e, s = t.stored();
  return a(N, {
    children: [
      a(Ge, {
        title: "Check the log",
        children:
          "A transparency log may only grow. This browser remembers the last tree head that it saw. At every visit, on every page, the gateway must prove that its log grew from there.",
      }),
      a(D0, { state: e, recheck: () => void t.check() }),
      o === void 0 || r?.fork !== void 0
        ? null
        : a(n0, { evidence: o, networkId: n?.network.id ?? "" }),
      a("div", {
        class: "grid",
        children: [
          s === void 0 || n === void 0 ? null : a(P0, {
            stored: s,
            fingerprint: n.fingerprint,
            forget: () => void t.forget(),
          }),
          a(q0, { trust: n }),
        ],
      }),
    ],
  });
}
function G0({ index: t }) {
  let e = z(), [n, r] = ye((o) => vE(e, t, o), [t]);
  return a(N, {
    children: [
      a(Ge, {
        title: `Position ${F(t)}`,
        isBelowExplore: !0,
        children: "The attestation at this place in the log; the first one is at position 0.",
      }),
      a(ve, {
        loaded: n,
        what: "the position",
        retry: r,
        render: ({ size: o }) =>
          o === void 0 ? a("p", { role: "status", children: "Opening its proof" }) : a(V, {
            title: "Not in the log",
            children: a(ze, {
              title: "The log has no such position yet",
              children: a("p", { children: ["It has ", W(o, "attestation"), "."] }),
            }),
          }),
      }),
    ],
  });
}
async function vE(t, e, n) {
  let r = await In(t, void 0, n).catch((f) => {
      if (!Ln(f, "no_tree_head")) throw f;
    }),
    { tree_size: o = 0, network_id: s = "" } = r?.sth.tree_head ?? {};
  if (e >= o) return { size: o };
  let i = { start: e, end: e + 1, size: o, networkId: s }, [c] = await mr(t, i, n);
  return location.replace(ee({ page: "proof", hash: c.hash })), {};
}
var SE = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};
function vd({ job: t }) {
  let [e, n] = t.progress === "batched" ? ["good", "In the log"] : SE[t.status];
  return a(V, {
    title: "At the gateway",
    aside: a(X, { tone: e, children: n }),
    children: [
      a(De, {
        items: {
          Hash: a(ie, { text: t.hash, what: "hash" }),
          Accepted: a(Ft, { time: t.created_at }),
          "Last change": a(Ft, { time: t.updated_at }),
          Attempts: F(t.attempts),
          "Next attempt": t.next_attempt_at && a(Ft, { time: t.next_attempt_at }),
          Batch: t.batch_id && a(Mn, { id: t.batch_id }),
        },
      }),
      t.last_error !== void 0 &&
      a(J, {
        tone: "warn",
        title: "The last attempt failed",
        children: a("p", {
          class: "failure-code",
          children: [a("code", { children: t.last_error.code }), " ", t.last_error.message],
        }),
      }),
    ],
  });
}
var Td = 360,
  nn = { width: 104, height: 26 },
  Wi = Td / 2,
  W0 = { left: nn.width / 2 + 2, right: Td - nn.width / 2 - 2 },
  V0 = 50,
  TE = 8;
function K0(t) {
  let { tree: e, leafHash: n, index: r, size: o, steps: s, isVerified: i } = t,
    c = s.length * V0 + nn.height + 4,
    f = (u) => c - 2 - nn.height / 2 - u * V0,
    d = `Leaf ${F(r)} of the ${e} of ${W(o, "leaf", "leaves")}: ${
      W(s.length, "step")
    } up to the root, which is ${i ? "" : "not "}verified`;
  return a("figure", {
    class: "path",
    children: [
      a("figcaption", { children: [d, "."] }),
      a("svg", {
        class: `path-picture ${i ? "path-verified" : "path-unverified"}`,
        viewBox: `0 0 ${Td} ${c}`,
        role: "img",
        "aria-label": d,
        children: [
          s.map((u, l) => a(kE, { side: u.side, from: f(l), to: f(l + 1) }, l)),
          s.map((u, l) =>
            a(Sd, { x: W0[u.side], y: f(l), hash: u.sibling, style: "path-sibling" }, l)
          ),
          s.map((u, l) =>
            a(Sd, {
              x: Wi,
              y: f(l + 1),
              hash: u.node,
              style: l === s.length - 1 ? "path-root" : "path-node",
            }, l)
          ),
          a(Sd, { x: Wi, y: f(0), hash: n, style: s.length === 0 ? "path-root" : "path-leaf" }),
        ],
      }),
      a("details", {
        children: [
          a("summary", { children: "The path as text" }),
          a(OE, { leafHash: n, steps: s }),
        ],
      }),
    ],
  });
}
function kE({ side: t, from: e, to: n }) {
  let [r, o] = [n + nn.height / 2, e - nn.height / 2];
  return a("g", {
    class: "path-edges",
    children: [
      a("path", { d: `M${Wi} ${o}V${r}` }),
      a("path", { class: "path-edge-side", d: `M${W0[t]} ${o}V${(r + o) / 2}H${Wi}` }),
    ],
  });
}
function Sd({ x: t, y: e, hash: n, style: r }) {
  return a("g", {
    class: r,
    children: [
      a("rect", {
        x: t - nn.width / 2,
        y: e - nn.height / 2,
        width: nn.width,
        height: nn.height,
        rx: 4,
      }),
      a("text", { x: t, y: e + 4, "text-anchor": "middle", children: `${n.slice(0, TE)}\u2026` }),
    ],
  });
}
function OE({ leafHash: t, steps: e }) {
  return a("ol", {
    class: "path-list",
    children: [
      a("li", { children: ["The leaf: ", a(ie, { text: t, what: "leaf hash" })] }),
      e.map(({ side: n, sibling: r, node: o }, s) =>
        a("li", {
          children: [
            "With ",
            a(ie, { text: r }),
            " on the ",
            n,
            s === e.length - 1 ? ", the root:" : ":",
            " ",
            a(ie, { text: o }),
          ],
        }, s)
      ),
    ],
  });
}
function X0({ bundle: t, found: e, trust: n, fileName: r }) {
  let { verdict: o, isOtherFile: s } = e,
    { network: i, pins: c, isPinned: f } = n,
    { tone: d, sentence: u, notes: l } = Bi({
      bundle: t,
      verdict: o,
      network: i,
      fileName: r,
      isOtherFile: s,
    }),
    h = o.valid && !s;
  return a("div", {
    class: "verdict",
    children: [
      a(J, {
        tone: Ai(d, c),
        icon: h ? "seal" : d === "warn" ? "warning" : "cross",
        live: !0,
        title: u,
        children: [
          l.map((p) => a("p", { children: p }, p)),
          h && r === void 0 &&
          a("p", {
            children: "No file was compared. Choose the file to check that it has this hash.",
          }),
          !f && a(eo, { isPinned: !1 }),
        ],
      }),
      c?.home.source === "gateway" &&
      a(J, {
        tone: "warn",
        title: "The configuration came from the gateway",
        children: a("p", {
          children: "This verdict is right only if the gateway did not lie about its own keys.",
        }),
      }),
    ],
  });
}
function Ki({ bundle: t, found: e, trust: n, children: r }) {
  let { verdict: o, witnesses: s, leafHash: i, paths: c } = e,
    { attestation: f, round: d } = t.signed_attestation,
    { network: u, isPinned: l } = n;
  return a("details", {
    class: "technical",
    children: [
      a("summary", { children: "Technical details" }),
      a("div", {
        class: "stack",
        children: [
          a("div", {
            class: "grid",
            children: [
              a(V, {
                title: "What was attested",
                children: a(De, {
                  items: {
                    "SHA-256": a(ie, { text: f.hash, what: "hash" }),
                    Network: f.network_id,
                    Time: fe(f.timestamp),
                    "Position in the log": F(f.sequence),
                    "Signed with": d.size === 1
                      ? "no other attestation"
                      : `${W(d.size - 1, "other")} in one round`,
                  },
                }),
              }),
              a(V, { title: "When it was signed", children: a(AE, { time: o.time }) }),
            ],
          }),
          a(V, { title: "Layers", children: a(Bm, { bundle: t, verdict: o, isPinned: l }) }),
          a(V, {
            title: `Witnesses of ${u.id}`,
            children: a(Je, {
              caption: "Witnesses and what they signed",
              rows: s,
              keyOf: ({ id: h }) => h,
              columns: [
                [
                  "Witness",
                  ({ id: h }) => a("span", { class: "witness-id", children: Qr(h, u.id) }),
                ],
                ["Attestation", ({ attestation: h }) => a(Z0, { state: h })],
                [
                  "Tree head",
                  ({ head: h }) =>
                    h === void 0
                      ? a("span", { class: "muted", children: "none" })
                      : a(Z0, { state: h }),
                ],
              ],
            }),
          }),
          c.length === 0 ? null : a(V, {
            title: "Path to the root",
            children: a("div", {
              class: "paths",
              children: c.map((h) => a(K0, { leafHash: i, ...h }, h.tree)),
            }),
          }),
          a(V, {
            title: "What this does not prove",
            children: a(NE, { trust: n, unauthenticated: o.unauthenticated }),
          }),
          r,
        ],
      }),
    ],
  });
}
function AE({ time: t }) {
  let [e] = t.not_before, [n] = t.not_after;
  return n === void 0
    ? a("p", { class: "muted", children: "Nothing that verified bounds the time." })
    : a(N, {
      children: [
        e === void 0
          ? a("p", {
            children: [
              "Not after",
              " ",
              a("b", { children: fe(n.time) }),
              ". Only clocks vouch for this time: no random beacon proves when it was signed at the earliest.",
            ],
          })
          : a("p", {
            children: [
              "Between ",
              a("b", { children: fe(e.time) }),
              " and ",
              a("b", { children: fe(n.time) }),
              ".",
            ],
          }),
        a("ul", {
          class: "bounds",
          children: [
            t.not_before.map((r) => a(Y0, { name: "Not before", ...r }, r.source)),
            t.not_after.map((r) => a(Y0, { name: "Not after", ...r }, `${r.source} ${r.word}`)),
          ],
        }),
        t.failed.map(({ source: r, reason: o }) =>
          a(J, {
            tone: "warn",
            title: `${r} does not verify`,
            children: a("p", { children: vt[o] }),
          }, r)
        ),
        t.contradictions.map(({ not_before: r, not_after: o }, s) =>
          a(J, {
            tone: "bad",
            title: "Two times contradict each other",
            children: a("p", {
              children: [
                o.source,
                " of ",
                fe(o.time),
                " precedes ",
                r.source,
                " of",
                " ",
                fe(r.time),
                ": one of them is wrong.",
              ],
            }),
          }, s)
        ),
      ],
    });
}
function Y0({ name: t, source: e, time: n, word: r }) {
  return a("li", { children: [t, " ", fe(n), ": ", e, ", vouched for by ", r] });
}
var BE = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Not configured"],
};
function Z0({ state: t }) {
  let [e, n] = BE[t];
  return a(X, { tone: e, children: n });
}
function NE({ trust: t, unauthenticated: e }) {
  let { network: n, pins: r } = t,
    o = r === void 0
      ? "This gateway"
      : r.home.source === "file"
      ? `Your file ${r.home.name}`
      : `This gateway, ${r.home.name}`;
  return a(N, {
    children: [
      a("ul", { children: hr.map((s) => a("li", { children: s }, s)) }),
      e.length === 0 ? null : a("details", {
        children: [
          a("summary", { children: [W(e.length, "field"), " without a signature"] }),
          a("ul", {
            class: "mono small",
            children: e.map((s) => a("li", { children: s }, s)),
          }),
        ],
      }),
      a("h3", { children: "What this verdict depends on" }),
      a("ul", {
        children: [
          a("li", { children: [o, ", for the keys and the threshold of ", n.id] }),
          r?.peers.map(({ network: { id: s }, name: i }) =>
            a("li", { children: ["Your file ", i, ", for the keys of ", s] }, s)
          ),
          a("li", {
            children:
              "This gateway, for the code of this page. The command line verifies the same file without it.",
          }),
        ],
      }),
    ],
  });
}
function kd(t, { leafHash: e, index: n, size: r, path: o }) {
  let s = [], [i, c, f] = [e, n, r - 1];
  for (let d of o) {
    if (f <= 0) break;
    for (; c === f && c % 2 === 0 && f > 0;) [c, f] = [c / 2, f / 2];
    let u = Ae(d, E) ?? new Uint8Array(E), l = c % 2 === 1 ? "left" : "right";
    i = l === "left" ? t.nodeHash(u, i) : t.nodeHash(i, u),
      s.push({ side: l, sibling: d, node: Z(i) }),
      [c, f] = [Math.floor(c / 2), Math.floor(f / 2)];
  }
  return s;
}
function Q0(t, e, { layers: n }) {
  let r = e.batch_inclusion?.sth, o = new Set(t.witnesses.map(({ id: i }) => i));
  return [...new Set([...o, ...Nn(e.signed_attestation), ...r === void 0 ? [] : Nn(r)])].map(
    (i) => {
      let c = o.has(i);
      return {
        id: i,
        attestation: J0(i, c, e.signed_attestation, n.attestation),
        head: r && J0(i, c, r, n.batch),
      };
    },
  );
}
function J0(t, e, n, { signatures: r, witness: o }) {
  return e
    ? Nn(n).includes(t)
      ? r?.signers.includes(t) ? "verified" : o === t ? "wrong" : "not_counted"
      : "missing"
    : "unknown";
}
async function eg(t, e, n, r) {
  let o = await ln(t, e, n, {}), { attestation: s } = n.signed_attestation, i = Zr(t.kernels, s);
  return {
    verdict: o,
    isOtherFile: r !== void 0 && r !== s.hash,
    witnesses: Q0(e.network, n, o),
    leafHash: Z(i),
    paths: RE(t, n, { verdict: o, leafHash: i }),
  };
}
function RE(
  { kernels: t },
  { signed_attestation: e, batch_inclusion: n },
  { verdict: { layers: r }, leafHash: o },
) {
  let s = [];
  if (n !== null) {
    let i = e.attestation.sequence,
      c = n.sth.tree_head.tree_size,
      f = n.merkle_proof.inclusion_path,
      d = kd(t, { leafHash: o, index: i, size: c, path: f }),
      u = r.batch.status === "verified";
    s.push({ tree: "log", index: i, size: c, steps: d, isVerified: u });
  }
  if (e.round.size > 1) {
    let { index: i, size: c, inclusion_path: f } = e.round,
      d = kd(t, { leafHash: o, index: i, size: c, path: f }),
      u = r.attestation.status === "verified";
    s.push({ tree: "round", index: i, size: c, steps: d, isVerified: u });
  }
  return s;
}
function Yi(t, { proof: e, trust: n, content: r }) {
  let o = r.state === "hashed" ? r.hash : void 0,
    s = n && [n.fingerprint, ...n.peers.map(tt)],
    [i, c] = ye(async () => {
      if (e === void 0 || n === void 0) return;
      let d = await t.crypto.crypto();
      return await eg(d, n, e.bundle, o);
    }, [e?.text, o, s]);
  if (e === void 0 || n === void 0 || r.state === "failed") return { state: "idle" };
  if (r.state === "hashing") return { state: "waiting", label: "Waiting for the hash of the file" };
  if (i.state === "failed") return { state: "failed", error: i.error, retry: c };
  if (i.value === void 0) return { state: "waiting", label: "Verifying in this browser" };
  let f = r.state === "hashed" ? r.name : void 0;
  return { state: "found", view: { bundle: e.bundle, found: i.value, trust: n, fileName: f } };
}
function Zi({ verification: t }) {
  switch (t.state) {
    case "idle":
      return null;
    case "waiting":
      return a(Lt, { label: t.label });
    case "failed":
      return a(Te, { error: t.error, retry: t.retry });
    case "found":
      return a(X0, { ...t.view });
  }
}
var CE = 2e3;
function tg({ hash: t }) {
  let e = z(),
    [n, r] = ye(async (s) => (await e.api.job(t, 0, s)).value, [t]),
    o = n.value?.status === "failed" ? "failed" : n.value?.progress;
  return ue(() => {
    if (o === void 0 || o === "batched" || o === "failed") return;
    let s = setInterval(r, CE);
    return () => clearInterval(s);
  }, [o]),
    a(N, {
      children: [
        a(Ge, {
          title: "Proof",
          isBelowExplore: !0,
          children: "Fetched from this gateway and verified in this browser.",
        }),
        n.state === "failed" && Ln(n.error, "hash_unknown") ? a(IE, { hash: t }) : a(ve, {
          loaded: n,
          what: "the proof",
          retry: r,
          render: (s) => s.status === "confirmed" ? a(LE, { job: s }) : a(vd, { job: s }),
        }),
      ],
    });
}
function IE({ hash: t }) {
  return a(V, {
    title: "Not found",
    children: [
      a(ie, { text: t, what: "hash" }),
      a(ze, {
        title: "This gateway does not know the hash",
        children: [
          a("p", { children: "Nobody submitted it here, or it is the hash of other content." }),
          a("p", {
            children: a("a", {
              class: "button",
              href: ee({ page: "stamp" }),
              children: [a(Le, { name: "seal" }), a("span", { children: "Stamp something" })],
            }),
          }),
        ],
      }),
    ],
  });
}
function LE({ job: t }) {
  let { hash: e, progress: n } = t,
    r = z(),
    o = Tt(_e(r.trust)),
    [s, i] = ye(async (p) => {
      let { text: m, value: g } = await Yo(r.api, e, p);
      return { text: m, bundle: g };
    }, [e, n]),
    [c, f] = ye((p) => Zt(r, p), [o]),
    [d, u] = ro(r),
    l = Yi(r, { proof: s.value, trust: c.value, content: d }),
    h = wi({ page: "proof", hash: e });
  return a(N, {
    children: [
      a(ve, { loaded: c, what: "the network", retry: f, render: () => a(Zi, { verification: l }) }),
      a(ve, {
        loaded: s,
        what: "the proof",
        retry: i,
        render: ({ text: p }) =>
          a("div", {
            class: "verify-columns",
            children: [
              a(V, {
                title: "This proof",
                children: [
                  a("p", {
                    class: "stamp-hash",
                    children: [
                      a("span", { class: "muted nowrap", children: "SHA-256" }),
                      " ",
                      a(ie, { text: e, what: "hash" }),
                    ],
                  }),
                  a("div", {
                    class: "row",
                    children: [
                      a(It, {
                        fileName: `${e}.countersign.json`,
                        text: p,
                        primary: !0,
                        children: "Download the proof",
                      }),
                      a(Xt, { text: h, what: "link to this page", named: !0 }),
                      a("a", {
                        class: "button",
                        href: ee({ page: "certificate", hash: e }),
                        children: [
                          a(Le, { name: "file" }),
                          a("span", { children: "Certificate to print" }),
                        ],
                      }),
                    ],
                  }),
                  a("p", {
                    class: "muted small",
                    children: "Keep the proof with the file: it verifies without this gateway.",
                  }),
                ],
              }),
              a(V, { title: "Is it about your file?", children: a(zi, { content: d, choose: u }) }),
            ],
          }),
      }),
      l.state === "found" && a(Ki, { ...l.view, children: a(vd, { job: t }) }),
    ],
  });
}
function ng({ label: t, action: e, onHash: n }) {
  let [r, o] = P(""), [s, i] = P(void 0);
  return a("form", {
    class: "field",
    onSubmit: (u) => {
      u.preventDefault();
      let l = Vi(r);
      if ("fault" in l) return i(l.fault);
      i(void 0), o(""), n(l.hash);
    },
    noValidate: !0,
    children: a(qi, {
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
function FE(t) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(t) ? t : `'${t.replaceAll("'", "'\\''")}'`;
}
function rg(t) {
  return FE(t.startsWith("-") ? `./${t}` : t);
}
function og(t) {
  return t.slice(t.lastIndexOf("/") + 1);
}
function ns(t) {
  return `${t.name ?? t.hash.slice(0, 16)}.countersign.json`;
}
function sg(t) {
  return t.name !== void 0
    ? `countersign verify ${rg(t.name)}`
    : `countersign verify-proof --bundle ${rg(ns(t))} --hash ${t.hash}`;
}
function Od({ bundle: t, hash: e, isBrief: n = !1 }) {
  let r = z(),
    o = _e(r.trust),
    [s] = ye(async () => {
      let { state: u } = r.trust;
      if (u.state !== "pinned") return;
      let l = await r.crypto.crypto();
      return await ln(l, Jr(u.trust), t.value, { hash: e });
    }, [Tt(o), t.text, e]);
  if (o.state !== "pinned") {
    return n ? null : a("span", {
      class: "muted small",
      children: [
        "Not verified here: no configuration is pinned.",
        " ",
        a("a", { href: ee({ page: "proof", hash: e }), children: "Pin one and verify" }),
      ],
    });
  }
  if (s.state === "failed") {
    return a(X, { tone: "warn", children: "Cannot be verified in this browser" });
  }
  let i = s.value;
  if (i === void 0) return n ? null : a("span", { class: "muted small", children: "Verifying" });
  let { name: c, tone: f } = Zo(i);
  if (i.valid) {
    let u = Ai(f, o.trust);
    return a(X, { tone: u, icon: "seal", children: ["Verified here: ", c] });
  }
  let { reason: d } = i.layers.attestation;
  return a(J, {
    tone: "bad",
    live: !0,
    title: "The gateway's proof is invalid",
    children: a("p", {
      children: [d === void 0 ? "" : vt[d], " Do not rely on it. Keep it as evidence."],
    }),
  });
}
var rs = class {
    #e = new Set();
    subscribe(e) {
      return this.#e.add(e), () => this.#e.delete(e);
    }
    notify() {
      for (let e of this.#e) e();
    }
  },
  jn = class extends rs {
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
var HE = { firstMs: 1e3, longestMs: 15e3 },
  $E = 864e5,
  oo = class extends jn {
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
          if (n?.aborted || !ig(r)) throw r;
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
        let s = new no(HE, this.#e.random);
        for (let i = n;;) {
          this.setState(i), await this.#s(i, s.afterFailure());
          try {
            return await e();
          } catch (c) {
            if (r?.aborted || !ig(c)) throw c;
            i = c;
          }
        }
      } finally {
        this.#t = void 0, o();
      }
    }
    #s(e, n) {
      let o = e instanceof be || e instanceof Vr ? e.retryAfter : void 0;
      return o === void 0 ? this.#e.wait(n) : this.#e.sleep(Math.min(Math.max(n, o * 1e3), $E));
    }
  };
function ig(t) {
  return di(t) || Wr(t);
}
function pn({ phase: t, job: e }) {
  return (t === "anchoring" || t === "settled") && e?.status === "confirmed";
}
function Ji({ phase: t, job: e, isSaved: n }) {
  return n !== !0 && t !== "cancelled" && t !== "failed" && e?.status !== "failed";
}
var Xi = class extends rs {
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
var ag = 200,
  ME = 3,
  cg = 10,
  fg = 500,
  PE = 2e3,
  jE = 5e3,
  DE = 120,
  UE = 4,
  qE = { isTransient: () => !1 },
  Qi = class {
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
      this.#e = e, this.#t = n, this.submissions = new oo(e), this.questions = e.questions;
    }
    start() {
      this.#a(this.#h);
    }
    show(e) {
      this.#o = e, this.#c();
    }
    async fetchProof({ id: e, hash: n }) {
      let r = await this.questions.ask(() => Yo(this.#e.gateway, n)), o = this.#t.get(e);
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
        let r = Math.min(ag, await this.submissions.ask(n)),
          o = () => this.#t.inPhase("sending", r);
        await this.#u("sending", o, (s) =>
          this.submissions.ask(() => {
            let i = s();
            if (i.length === 0) return Promise.resolve([]);
            let c = this.#t.inPhase("sending", r + 1).length <= r;
            return e(i, c ? ME : 0);
          })),
          this.#a(this.#p),
          this.#a(this.#m);
      }
    }
    async #p() {
      let { gateway: e, wait: n } = this.#e;
      for (;;) {
        let r = () => this.#t.inPhase("signing", ag);
        if (r().length === 0) return;
        await this.#u("signing", r, (o) =>
          this.questions.ask(async () => {
            let [s, ...i] = o();
            return s === void 0
              ? []
              : i.length > 0
              ? await e.submit(o(), cg, qE)
              : [(await e.job(s, cg)).value];
          })),
          this.#a(this.#m),
          r().length > 0 && await n(fg);
      }
    }
    async #u(e, n, r) {
      let o = [];
      try {
        let s = await r(() => (o = n(), [...new Set(o.map(({ hash: c }) => c))])),
          i = new Map(s.map((c) => [c.hash, c]));
        for (let { id: c, hash: f } of o) this.#b(c, e, i.get(f));
      } catch (s) {
        for (let { id: i } of o) {
          this.#t.get(i)?.phase === e && this.#t.change(i, { phase: "failed", error: s });
        }
      }
    }
    #b(e, n, r) {
      let o = this.#t.get(e);
      if (r === void 0 || o?.phase !== n) return;
      let s = tp(r) ? r.status === "failed" ? "settled" : "batching" : "signing";
      this.#t.put({ ...o, job: r, phase: s });
    }
    async #m() {
      let { gateway: e, wait: n } = this.#e, r = () => this.#t.inPhase("batching");
      for (; r().length > 0;) {
        this.#c();
        try {
          let o = r().every(dg) ? 1 / 0 : await this.#d();
          this.anchoring ??= (await this.questions.ask(() => e.status())).value;
          for (let s of r()) {
            !dg(s) && zE(s) >= o ||
              this.#t.change(s.id, { phase: this.#f ? "anchoring" : "settled" });
          }
        } catch (o) {
          for (let { id: s } of r()) this.#t.change(s, { phase: "failed", error: o });
        }
        this.#c(), r().length > 0 && await n(PE);
      }
    }
    async #d() {
      try {
        let { value: e } = await this.questions.ask(() => this.#e.gateway.sth());
        return e.tree_head.tree_size;
      } catch (e) {
        if (e instanceof be && e.reason === "no_tree_head") return 0;
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
          await Promise.all(Array.from({ length: UE }, async () => {
            for (let s of r) await this.#w(s);
          })), n().some((s) => this.#l(s))
        ) {
          await e(fg);
          continue;
        }
        let o = n().filter(({ phase: s }) => s === "anchoring");
        if (o.length === 0) return;
        await e(jE, this.#s.signal);
        for (let { id: s } of o) this.#r.add(s);
      }
    }
    #l(e) {
      return e.phase === "batching"
        ? e.bundle === void 0
        : pn(e)
        ? (e.bundle?.value.batch_inclusion ?? null) === null || this.#r.has(e.id)
        : !1;
    }
    async #w(e) {
      let { id: n } = e;
      this.#r.delete(n);
      try {
        let r = await this.fetchProof(e);
        if (this.#t.change(n, { bundle: r }), this.#t.get(n)?.phase !== "anchoring") return;
        let s = (this.#i.get(n) ?? 0) + 1;
        this.#i.set(n, s),
          (s > DE || Ad(r.value, this.anchoring)) && this.#t.change(n, { phase: "settled" });
      } catch (r) {
        this.#t.change(n, { phase: "failed", error: r });
      }
    }
  };
function dg({ job: t }) {
  return t?.progress === "batched";
}
function zE({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? 1 / 0;
}
function Ad(t, { peers: e, anchors: n }) {
  let r = new Set(t.cross_anchors.map((s) => s.witnessing_network)),
    o = t.external_anchors.filter(({ status: s }) => s === "confirmed");
  return e.every(({ id: s }) => r.has(s)) && o.length >= n.length;
}
function Bd(t, e) {
  return [GE(t), VE(t), WE(t), KE(t, e)];
}
function GE({ job: t, phase: e }) {
  let n = "Accepted";
  return t !== void 0
    ? { name: n, state: "done", text: fe(t.created_at) }
    : e === "failed"
    ? { name: n, state: "failed", text: "Not accepted" }
    : { name: n, state: "active", text: "Sending the hash" };
}
function VE({ job: t }) {
  let e = "Confirmed";
  if (t === void 0) return { name: e, state: "waiting", text: "Signed by the witnesses" };
  if (t.status === "failed") {
    return { name: e, state: "failed", text: t.last_error?.message ?? "Nobody can sign it" };
  }
  if (t.signed_attestation !== void 0) {
    let { attestation: { network_id: o } } = t.signed_attestation,
      s = Nn(t.signed_attestation).map((i) => Qr(i, o));
    return { name: e, state: "done", text: `Signed by ${s.join(", ")}` };
  }
  let n = t.attempts > 0 ? `, ${W(t.attempts, "attempt")}` : "",
    r = t.last_error === void 0 ? "" : `: ${t.last_error.code}`;
  return { name: e, state: "active", text: `Waiting for witnesses${n}${r}` };
}
function WE(t) {
  let { job: e, bundle: n } = t, r = "Batched", o = n?.value.batch_inclusion ?? null;
  if (o !== null) {
    let { batch: s, merkle_proof: { leaf_index: i } } = o;
    return { name: r, state: "done", text: `Position ${F(i)} in the log`, batchId: s.id };
  }
  return pn(t)
    ? { name: r, state: "done", text: "In the log" }
    : e?.status === "confirmed"
    ? { name: r, state: "active", text: "Waiting for the next batch" }
    : { name: r, state: "waiting", text: "Added to the log" };
}
function KE({ bundle: t, phase: e }, n) {
  let r = "Anchored";
  if (n === void 0 || t === void 0) {
    return { name: r, state: "waiting", text: "Signed by other networks and services" };
  }
  if (n.peers.length + n.anchors.length === 0) {
    return { name: r, state: "skipped", text: "This network has no peers and no anchors" };
  }
  let o = Ad(t.value, n) ? "done" : e === "settled" ? "skipped" : "active";
  return { name: r, state: o, text: YE(t.value, n) };
}
function YE({ cross_anchors: t, external_anchors: e }, { peers: n, anchors: r }) {
  let o = new Set(t.map(({ witnessing_network: c }) => c)).size,
    s = e.filter(({ status: c }) => c === "confirmed").length,
    i = e.length - s;
  return [
    ...n.length === 0 ? [] : [`${o} of ${W(n.length, "peer")}`],
    ...r.length === 0 ? [] : [`${s} of ${W(r.length, "external anchor")}`],
    ...i === 0 ? [] : [`${i} pending`],
  ].join(", ");
}
var ZE = {
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
function ug({ phase: t, job: e, done: n = 0, size: r = 0 }) {
  if (e?.status === "failed") return { tone: "bad", text: "Failed" };
  let [o, s] = ZE[t], i = t === "hashing" && n > 0 ? ` ${Math.floor(100 * n / r)} %` : "";
  return { tone: o, text: s + i };
}
var XE = [
  [["queued", "hashing"], "to hash"],
  [["sending"], "to send"],
  [["signing"], "waiting for witnesses"],
  [["batching"], "waiting for the next batch"],
  [["failed"], "failed"],
  [["cancelled"], "cancelled"],
];
function Nd(t) {
  let e = new Map();
  for (let { phase: o } of t) e.set(o, (e.get(o) ?? 0) + 1);
  let n = (o) => o.reduce((s, i) => s + (e.get(i) ?? 0), 0),
    r = XE.map(([o, s]) => [n(o), s]).filter(([o]) => o > 0);
  return {
    logged: t.filter(pn).length,
    failed: n(["failed"]),
    unfinished: n(["queued", "hashing", "sending", "signing", "batching"]),
    text: r.map(([o, s]) => `${F(o)} ${s}`).join(", "),
  };
}
function lg(t) {
  let e = t.name ?? "The hash";
  if (t.phase === "hashing") return `${e}: hashing`;
  if (t.phase === "failed") return `${e}: failed`;
  if (t.phase === "cancelled") return `${e}: cancelled`;
  let n = t.hash === void 0
    ? void 0
    : Bd(t, void 0).slice(0, 3).findLast(({ state: r }) => r === "done");
  return n === void 0 ? "" : `${e}: ${n.name.toLowerCase()}`;
}
var JE = { done: "check", active: "clock", waiting: void 0, failed: "cross", skipped: void 0 },
  QE = {
    done: "done",
    active: "in progress",
    waiting: "waiting",
    failed: "failed",
    skipped: "skipped",
  };
function ea({ steps: t }) {
  return a("ol", {
    class: "steps",
    children: t.map(({ name: e, state: n, text: r, batchId: o }) => {
      let s = JE[n];
      return a("li", {
        class: `step step-${n}`,
        children: [
          a("span", {
            class: "step-mark",
            "aria-hidden": "true",
            children: s !== void 0 && a(Le, { name: s }),
          }),
          a("span", {
            class: "step-text",
            children: [
              a("span", {
                class: "step-name",
                children: [e, a("span", { class: "visually-hidden", children: [", ", QE[n]] })],
              }),
              a("span", { class: "step-detail", children: r }),
              o === void 0 ? null : a("a", {
                class: "step-detail",
                href: ee({ page: "batch", id: o }),
                children: ["Batch ", F(o)],
              }),
            ],
          }),
        ],
      }, e);
    }),
  });
}
function hg({ row: t, isOpen: e, onToggle: n }) {
  let r = z(), { stamps: o } = r, s = t.name ?? `Hash ${t.hash?.slice(0, 8)}`;
  return a("article", {
    class: `card stamp-row${e ? "" : " stamp-row-closed"}`,
    "aria-label": s,
    children: [
      a("div", {
        class: "card-head",
        children: [
          a("h3", {
            class: "stamp-name",
            children: [
              a(Le, { name: t.name === void 0 ? "key" : "file" }),
              a("span", { children: s }),
              t.size !== void 0 && a("span", { class: "muted small", children: hn(t.size) }),
            ],
          }),
          a("div", {
            class: "card-aside",
            children: [
              n !== void 0 && a(ev, { row: t }),
              n !== void 0 &&
              a(te, {
                kind: "quiet",
                label: `${e ? "Hide" : "Show"} details of ${s}`,
                onClick: n,
                children: e ? "Hide" : "Details",
              }),
              a(nv, { row: t, stamps: o, title: s }),
            ],
          }),
        ],
      }),
      e ? a(tv, { row: t, stamps: o, isShort: n !== void 0 }) : t.phase === "failed" &&
        a("div", { class: "card-body", children: a(pg, { row: t, stamps: o }) }),
    ],
  });
}
function pg({ row: t, stamps: e }) {
  return a(Te, { error: t.error, retry: () => e.retry(t.id) });
}
function ev({ row: t }) {
  let { tone: e, text: n } = ug(t);
  return a(N, {
    children: [
      t.bundle === void 0 || t.hash === void 0
        ? null
        : a(Od, { bundle: t.bundle, hash: t.hash, isBrief: !0 }),
      a(X, { tone: e, children: n }),
    ],
  });
}
function tv({ row: t, stamps: e, isShort: n }) {
  return a("div", {
    class: "card-body",
    children: [
      t.hash === void 0 ? a(rv, { row: t }) : a("p", {
        class: "stamp-hash",
        children: [
          a("span", { class: "muted nowrap", children: "SHA-256" }),
          " ",
          a(ie, { text: t.hash, what: "hash" }),
        ],
      }),
      t.phase === "failed" && a(pg, { row: t, stamps: e }),
      t.hash === void 0 || t.phase === "failed" && t.job === void 0
        ? null
        : a(ea, { steps: Bd(t, e.follower.anchoring) }),
      t.hash === void 0 || t.bundle === void 0 ? null : a(ov, {
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
function nv({ row: t, stamps: e, title: n }) {
  return t.phase === "queued" || t.phase === "hashing"
    ? a(te, {
      kind: "quiet",
      label: `Cancel ${n}`,
      isRemoved: !0,
      onClick: () => e.cancel(t.id),
      children: "Cancel",
    })
    : a(N, {
      children: [
        t.phase !== "cancelled" ? null : a(te, {
          kind: "quiet",
          label: `Start again: ${n}`,
          isRemoved: !0,
          onClick: () => e.retry(t.id),
          children: "Start again",
        }),
        a("button", {
          type: "button",
          class: "icon-button",
          "aria-label": `Remove ${n} from the list`,
          title: "Remove from the list",
          onClick: Cf(() => e.remove(t.id)),
          children: a(Le, { name: "cross" }),
        }),
      ],
    });
}
function rv({ row: { phase: t, done: e = 0, size: n = 0 } }) {
  if (t === "cancelled") {
    return a("p", { class: "muted", children: "Cancelled. Nothing was sent." });
  }
  if (t === "queued") {
    return a("p", { class: "muted", children: "Waiting for other files to be hashed." });
  }
  if (t !== "hashing") return null;
  let r = `Hashing in this browser, ${hn(e)} of ${hn(n)}`;
  return a(Cn, { label: r, value: e, max: n });
}
function ov({ name: t, hash: e, bundle: n, isShort: r, onSaved: o }) {
  let s = { name: t === void 0 ? void 0 : og(t), hash: e },
    i = sg(s),
    c = n.value.batch_inclusion !== null;
  return a("div", {
    class: "stamp-outcome",
    children: [
      a(Od, { bundle: n, hash: e }),
      a("div", {
        class: "row",
        children: [
          a(It, {
            fileName: ns(s),
            text: n.text,
            primary: c,
            onSaved: o,
            children: c ? "Save the proof" : "Save the proof so far",
          }),
          a("a", {
            class: "button",
            href: ee({ page: "proof", hash: e }),
            children: "View the proof",
          }),
          r && a(Xt, { text: i, what: "command line", named: !0 }),
        ],
      }),
      r ? null : a("div", {
        class: "command",
        children: [a("code", { children: i }), a(Xt, { text: i, what: "command line" })],
      }),
    ],
  });
}
var so = class {
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
var os = class {
  width;
  #e;
  #t = !1;
  constructor(e) {
    this.width = bf(e), this.#e = e;
  }
  nodes(e) {
    return this.#e.subarray(0, e * E);
  }
  node(e, n, r) {
    n > 0 && !this.#t && (this.#e = e.treeLevels(this.nodes(this.width)), this.#t = !0);
    let o = r;
    for (let s = 0, i = this.width; s < n; s++) o += i, i = i + 1 >>> 1;
    return this.#e.subarray(o * E, (o + 1) * E);
  }
};
var ta = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  constructor(e, n, r) {
    this.#e = e,
      this.#t = n,
      this.#n = new so(r.tiles),
      this.#o = new so(r.sizes),
      this.#r = new so(r.tiles);
  }
  root(e) {
    if (e === 0) return yf(this.#e);
    let n = this.#b(e);
    return n instanceof Promise ? n.then(yg) : yg(n);
  }
  inclusionPath(e, n) {
    return xi(e, n),
      this.#s(e, n, (r, o) => this.#a(e, n, { column: r, edge: o, from: 0, to: 1 / 0 }));
  }
  inclusionHex(e, n) {
    xi(e, n);
    let r = this.#c(e, n);
    return r !== void 0 ? r : this.#s(e, n, (o, s) => {
      let i = this.#a(e, n, { column: o, edge: s, from: 0, to: Dr });
      return [...wg(i), ...this.#h(e, n, o, s)];
    });
  }
  consistencyPath(e, n) {
    return this.#i(Vo(e, n), e - 1, n);
  }
  nodes(e, n, r) {
    let o = this.#f(e, n, r);
    return o instanceof Promise ? o.then((s) => s.nodes(r)) : o.nodes(r);
  }
  #i(e, n, r) {
    return e.length === 0 ? [] : this.#s(n, r, (o, s) => e.map((i) => this.#p(i, r, o, s)));
  }
  #s(e, n, r) {
    let o = this.#b(n), s = this.#d(e, n);
    return !(o instanceof Promise) && !(s instanceof Promise)
      ? r(s, o)
      : Promise.all([o, s]).then(([i, c]) => r(c, i));
  }
  #a(e, n, { column: r, edge: o, from: s, to: i }) {
    let c = [], f = Math.floor(e / 2 ** s), d = Math.floor((n - 1) / 2 ** s);
    for (let u = s; u < i && d > 0; u++) {
      let l = f % 2 === 1 ? f - 1 : f + 1;
      l === d ? c.push(bg(o, u)) : l < d && c.push(this.#u(r, u, l)),
        f = Math.floor(f / 2),
        d = Math.floor(d / 2);
    }
    return c;
  }
  #c(e, n) {
    let r = Math.floor(e / Ie);
    if (r === Math.floor((n - 1) / Ie)) return;
    let o = this.#n.get(mg(0, r)), s = this.#r.get(gg(e, n));
    if (s === void 0 || !(o instanceof os) || o.width < Ie) return;
    let i = [];
    for (let c = 0, f = e % Ie; c < Dr; c++, f >>>= 1) i.push(Z(o.node(this.#e, c, f ^ 1)));
    return i.push(...s), i;
  }
  #h(e, n, r, o) {
    let s = gg(e, n), i = this.#r.get(s);
    if (i !== void 0) return i;
    let c = Dr, f = wg(this.#a(e, n, { column: r, edge: o, from: c, to: 1 / 0 }));
    return this.#r.set(s, f), f;
  }
  #p({ start: e, end: n }, r, o, s) {
    let i = 0;
    for (; 2 ** i < n - e;) i++;
    return n === r ? bg(s, i) : this.#u(o, i, e / 2 ** i);
  }
  #u(e, n, r) {
    let o = e[Math.floor(n / Dr)], s = n % Dr;
    return o.node(this.#e, s, r % (Ie >>> s));
  }
  #b(e) {
    let n = this.#o.get(e);
    if (n !== void 0) return n;
    let r = this.#d(e - 1, e);
    return r instanceof Promise ? r.then((o) => this.#m(o, e)) : this.#m(r, e);
  }
  #m(e, n) {
    let r = this.#u(e, 0, n - 1), o = [r];
    for (let i = 0, c = n - 1; c > 0; i++, c = Math.floor(c / 2)) {
      c % 2 === 1 && (r = this.#e.nodeHash(this.#u(e, i, c - 1), r)), o.push(r);
    }
    let s = we(...o);
    return this.#o.set(n, s), s;
  }
  #d(e, n) {
    let r = [], o = !0, s = e, i = n;
    do {
      s = Math.floor(s / Ie);
      let c = Ur(r.length, s, n), f = c === 0 ? void 0 : this.#f(r.length, s, c);
      f instanceof Promise && (o = !1), r.push(f), i = Math.ceil(i / Ie);
    } while (i > 1);
    return o ? r : Promise.all(r);
  }
  #f(e, n, r) {
    let o = mg(e, n), s = this.#n.get(o);
    if (s instanceof Promise) return s.then((c) => c.width >= r ? c : this.#f(e, n, r));
    if (s !== void 0 && s.width >= r) return s;
    let i = this.#g(e, n, r);
    return this.#n.set(o, i), i.then((c) => this.#n.set(o, c), () => this.#n.delete(o)), i;
  }
  async #g(e, n, r) {
    let o = await this.#t.nodes(e, n, r);
    if (o.length !== r * E) {
      throw new k(
        "store_corrupt",
        `Cannot read tile ${n} of level ${e}: it has ${o.length} bytes instead of ${r * E}`,
      );
    }
    return new os(wf(o, 0, r));
  }
};
function mg(t, e) {
  return e * 64 + t;
}
function gg(t, e) {
  return `${Math.floor(t / Ie)}/${e}`;
}
function bg(t, e) {
  return t.subarray(e * E, (e + 1) * E);
}
function wg(t) {
  return t.map((e) => Z(e));
}
function yg(t) {
  return t.subarray(t.length - E);
}
var sv = { tiles: 1024, sizes: 64 },
  na = class {
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
        let i = Math.max(s, Ur(r, o, this.#o));
        return (await e.tile(r, o, i)).subarray(0, s * E);
      };
      this.#t = new ta(e.kernels, { nodes: n }, sv);
    }
    async prepare(e) {
      let n = e.toSorted((o, s) => Rd(o) - Rd(s)), r = n.at(-1);
      return n.length > 1 && r !== void 0 && await this.#a(r), n;
    }
    async proof(e) {
      let n = e.job?.signed_attestation;
      if (n === void 0 || n.attestation.hash !== e.hash) return await this.#e.fetchProof(e);
      let { sequence: r } = n.attestation;
      for (;;) {
        if (r >= this.#r) return iv(n);
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
          ? this.#r = Math.min(this.#r, Rd(e))
          : (this.#n.push({ batch_inclusion: r, cross_anchors: o, external_anchors: s }),
            this.#o = Math.max(this.#o, r.batch.tree_size)),
          n;
      } finally {
        this.#i = void 0;
      }
    }
    async #c(e, { batch_inclusion: { batch: n, sth: r }, cross_anchors: o, external_anchors: s }) {
      let { kernels: i } = this.#e,
        { hash: c, sequence: f } = e.attestation,
        { tree_size: d, root_hash: u } = n,
        l;
      try {
        l = await this.#t.inclusionPath(f, d);
      } catch (g) {
        if (!(g instanceof k)) throw g;
        this.#s = !1;
        return;
      }
      let h = Zr(i, e.attestation), p = Ae(u, E) ?? new Uint8Array();
      if (!Wp(i, { leafHash: h, index: f, size: d, path: l, root: p })) return;
      let m = {
        hash: c,
        leaf_hash: Z(h),
        leaf_index: f,
        tree_size: d,
        inclusion_path: l.map((g) => Z(g)),
        root_hash: u,
        batch_id: n.id,
      };
      return xg({
        signed_attestation: e,
        batch_inclusion: { batch: n, merkle_proof: m, sth: r },
        cross_anchors: o,
        external_anchors: s,
      });
    }
  };
function Rd({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? -1;
}
function iv(t) {
  return xg({
    signed_attestation: t,
    batch_inclusion: null,
    cross_anchors: [],
    external_anchors: [],
  });
}
function xg(t) {
  return { value: t, text: JSON.stringify(t) };
}
var Eg = 65534,
  av = { signature: 67324752, length: 30 },
  cv = { signature: 33639248, length: 46 },
  fv = { signature: 101010256, length: 22 },
  Cd = 20,
  dv = 2048,
  uv = Uint32Array.from({ length: 256 }, (t, e) => {
    let n = e;
    for (let r = 0; r < 8; r++) n = n & 1 ? 3988292384 ^ n >>> 1 : n >>> 1;
    return n;
  });
function lv(t) {
  let e = 4294967295;
  for (let n of t) e = uv[(e ^ n) & 255] ^ e >>> 8;
  return ~e >>> 0;
}
function hv(t) {
  let e = new Date(t * 1e3),
    n = e.getUTCFullYear() - 1980 << 9 | e.getUTCMonth() + 1 << 5 | e.getUTCDate(),
    r = e.getUTCHours() << 11 | e.getUTCMinutes() << 5 | e.getUTCSeconds() >> 1;
  return (n << 16 | r) >>> 0;
}
function Id({ signature: t, length: e }, n) {
  let r = new Uint8Array(e), o = new DataView(r.buffer);
  o.setUint32(0, t, !0);
  let s = 4;
  for (let i of n) {
    typeof i == "number" ? o.setUint16(s, i, !0) : o.setUint32(s, i[0], !0),
      s += typeof i == "number" ? 2 : 4;
  }
  return r;
}
var ra = class {
  #e = [];
  #t = [];
  #n = new Set();
  #o;
  #r = 0;
  constructor(e) {
    this.#o = hv(e);
  }
  add(e, n) {
    let r = oe(this.#s(pv(e))),
      o = this.#r,
      [s, i] = [[lv(n)], [n.length]],
      c = [dv, 0, [this.#o], s, i, i, r.length, 0];
    this.#i(Id(av, [Cd, ...c]), r, n), this.#t.push(Id(cv, [Cd, Cd, ...c, 0, 0, 0, [0], [o]]), r);
  }
  finish() {
    let [e, n] = [this.#r, this.#n.size];
    return this.#i(...this.#t),
      this.#i(Id(fv, [0, 0, n, n, [this.#r - e], [e], 0])),
      new Blob(this.#e, { type: "application/zip" });
  }
  #i(...e) {
    for (let n of e) this.#e.push(n), this.#r += n.length;
  }
  #s(e) {
    let n = e.indexOf(".", e.lastIndexOf("/") + 2),
      [r, o] = n < 0 ? [e, ""] : [e.slice(0, n), e.slice(n)],
      s = e;
    for (let i = 2; this.#n.has(_g(s)); i++) s = `${r} (${i})${o}`;
    return this.#n.add(_g(s)), s;
  }
};
function _g(t) {
  return t.normalize("NFC").toLowerCase();
}
function pv(t) {
  return t.split(/[/\\]+/).filter((e) => e !== "").map((e) => /^\.+$/.test(e) ? "_" : e).join("/");
}
var mv = 4;
function Ld(t) {
  let e = t.filter((r) => r.phase === "batching" || pn(r)),
    n = e.filter(({ isSaved: r }) => r !== !0);
  return (n.length > 0 ? n : e).slice(0, Eg);
}
async function vg(t, { proofs: e, verify: n, onProgress: r, now: o, signal: s }) {
  let i = new ra(o),
    c = [],
    f = [],
    d = (await e.prepare(t)).values(),
    u = 0,
    l = async (h) => {
      s.throwIfAborted();
      let { value: p, text: m } = await e.proof(h);
      await n?.(p, h.hash) === !1 && c.push(h),
        p.batch_inclusion !== null && f.push(h.id),
        i.add(
          ns({ name: h.name, hash: h.hash }),
          oe(`${m.trimEnd()}
`),
        ),
        r(++u, t.length);
    };
  try {
    await Promise.all(Array.from({ length: mv }, async () => {
      for (let h of d) await l(h);
    }));
  } catch (h) {
    for (let p of d);
    throw h;
  }
  return { zip: i.finish(), count: t.length, whole: f, invalid: c };
}
function Sg(t, e) {
  let n = { ...t, ed25519: gv(t.ed25519) };
  return async (r, o) => {
    let s = await ln(n, e, r, { hash: o });
    return Zo(s).tone === "good";
  };
}
function gv(t) {
  let e = new Map();
  return (n, r, o) => {
    let s = [n, r, o].map(Z).join(), i = e.get(s);
    return i === void 0 && e.set(s, i = t(n, r, o)), i;
  };
}
var bv = 100, Tg = 5;
function kg(t) {
  let [e, n] = P({ state: "idle" }), r = dt(new AbortController());
  return ue(() => () => r.current?.abort(), []), {
    saving: e,
    start: (i) => {
      r.current?.abort();
      let { signal: c } = r.current = new AbortController(),
        f = 0,
        d = (u) => {
          c.aborted || n(u);
        };
      d({ state: "running", done: 0, of: i.length }),
        wv(t, i, {
          signal: c,
          onProgress: (u, l) => {
            let h = t.clock.nowMs();
            h - f < bv || (f = h, d({ state: "running", done: u, of: l }));
          },
        }).then(d, (u) => d({ state: "failed", error: u }));
    },
    stop: () => {
      r.current?.abort(), n({ state: "idle" });
    },
  };
}
async function wv({ api: t, line: e, stamps: n, trust: r, crypto: o, clock: s }, i, c) {
  let { state: f } = r,
    d = await o.crypto(),
    u = f.state === "pinned" ? Sg(d, Jr(f.trust)) : void 0,
    l = new na({
      fetchProof: (g) => n.follower.fetchProof(g),
      tile: (...g) => e.ask(() => t.tile(...g), c.signal),
      kernels: d.kernels,
    }),
    h = We(s),
    p = await vg(i, { ...c, proofs: l, verify: u, now: h });
  c.signal.throwIfAborted();
  let m = new Date(h * 1e3).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  If(`proofs-${m.replace("T", "-")}.zip`, p.zip);
  for (let g of p.whole) n.rows.change(g, { isSaved: !0 });
  return { state: "saved", archive: p, isVerified: u !== void 0 };
}
function Og({ rows: t, start: e }) {
  let n = Ld(t);
  return n.length === 0 ? null : a(te, {
    icon: "download",
    kind: "primary",
    onClick: () => e(n),
    children: ["Save ", W(n.length, "proof")],
  });
}
function Ag({ saving: t, start: e, stop: n }) {
  let { stamps: r } = z();
  if (t.state === "running") {
    let { done: f, of: d } = t, u = `Collecting proofs, ${F(f)} of ${F(d)}`;
    return a("div", {
      class: "stamp-saving",
      children: [
        a(Cn, { label: u, value: f, max: d }),
        a(te, { kind: "quiet", isRemoved: !0, onClick: n, children: "Stop collecting" }),
      ],
    });
  }
  if (t.state === "failed") {
    let f = () => e(Ld(r.rows.state));
    return a(Te, { error: t.error, title: "Cannot save the proofs", retry: f });
  }
  if (t.state === "idle") return null;
  let { archive: { count: o, whole: s, invalid: i }, isVerified: c } = t;
  if (i.length > 0) {
    let f = i.slice(0, Tg).map(({ name: d, hash: u }) => d ?? u).join(", ");
    return a(J, {
      tone: "bad",
      live: !0,
      title: `${W(i.length, "proof")} of the archive ${i.length === 1 ? "does" : "do"} not verify`,
      children: a("p", {
        children: [
          "Do not rely on them. Keep them as evidence: ",
          f,
          i.length > Tg ? " and others" : "",
          ".",
        ],
      }),
    });
  }
  return a(J, {
    tone: c ? "good" : "info",
    live: !0,
    title: `${W(o, "proof")} saved`,
    children: [
      s.length < o &&
      a("p", { children: [W(o - s.length, "proof"), " not in the log yet: save again later."] }),
      a("p", {
        children: c
          ? "Each was verified here. Keep the archive with the files."
          : "None was verified here: no configuration is pinned. Keep the archive with the files.",
      }),
    ],
  });
}
var yv = 3, Fd = 25, Bg = 10;
function Ng({ rows: t }) {
  let { stamps: e } = z(),
    [n, r] = P(0),
    [o, s] = P(!1),
    [i, c] = P([]),
    f = Nd(t),
    d = o && f.failed > 0,
    u = d ? t.filter(({ phase: w }) => w === "failed") : t,
    l = Math.max(0, Math.ceil(u.length / Fd) - 1),
    h = Math.min(n, l) * Fd,
    p = u.slice(h, h + Fd),
    m = p.map(({ id: w }) => w);
  ue(() => e.follower.show(m), [m.join()]), ue(() => () => e.follower.show([]), []);
  let g = t.length > yv, b = (w) => c((x) => x.includes(w) ? x.filter((y) => y !== w) : [...x, w]);
  return a(N, {
    children: [
      a(Ev, {}),
      a("p", {
        class: "visually-hidden",
        role: "status",
        children: g ? xv(f.logged, t.length) : t.map(lg).filter(Boolean).join(". "),
      }),
      t.length > 1 && a(_v, { rows: t, isFiltered: d, onFilter: () => s(!d) }),
      a("div", {
        class: g ? "stamp-rows" : "stack",
        children: p.map((w) =>
          a(hg, {
            row: w,
            isOpen: !g || i.includes(w.id),
            onToggle: g ? () => b(w.id) : void 0,
          }, w.id)
        ),
      }),
      a(Hn, {
        label: "Pages of the list",
        names: ["Back", "Next"],
        onBack: h === 0 ? void 0 : () => r(Math.min(n, l) - 1),
        onNext: n >= l ? void 0 : () => r(n + 1),
        children: [F(h + 1), " to ", F(h + p.length), " of ", F(u.length)],
      }),
    ],
  });
}
function xv(t, e) {
  let n = Math.floor(100 * t / e / Bg) * Bg;
  return n === 0 ? "" : `${n} percent of ${W(e, "stamp")} are in the log`;
}
function _v({ rows: t, isFiltered: e, onFilter: n }) {
  let r = z(),
    { stamps: o } = r,
    s = kg(r),
    [i, c] = P(!1),
    { failed: f, unfinished: d, logged: u, text: l } = Nd(t),
    h = t.filter(Ji).length,
    p = () => {
      c(!1);
      for (let { id: g } of t) o.remove(g);
    },
    m = () => {
      for (let { id: g, phase: b } of t) b === "failed" && o.retry(g);
    };
  return a("div", {
    class: "stamp-tools",
    children: [
      d > 0
        ? a(Cn, { label: l, value: u, max: t.length })
        : l !== "" && a("p", { class: "muted small", children: l }),
      a("div", {
        class: "row",
        children: [
          s.saving.state !== "running" && a(Og, { rows: t, start: s.start }),
          f > 0 &&
          a(N, {
            children: [
              a(te, { onClick: m, children: ["Try ", W(f, "failed row"), " again"] }),
              a(te, { onClick: n, children: e ? "Show all" : "Show failed only" }),
            ],
          }),
          a(te, { kind: "quiet", onClick: () => h > 0 ? c(!0) : p(), children: "Clear the list" }),
        ],
      }),
      a(Ag, { ...s }),
      i && a(Pn, {
        title: `${W(h, "proof")} ${h === 1 ? "is" : "are"} not saved`,
        accept: "Clear the list",
        onAccept: p,
        cancel: "Keep it",
        onCancel: () => c(!1),
        children: a("p", {
          children:
            "Hashes that were sent stay in the log: the same files lead to the same proofs again.",
        }),
      }),
    ],
  });
}
function Ev() {
  return _e(z().tokens)
    ? a("p", {
      class: "muted small",
      children:
        "This gateway takes new hashes with tokens only. This browser works for them, which takes a moment for each hash.",
    })
    : null;
}
function Rg() {
  let { network: t } = _e(z().watch).trust ?? {};
  return a("div", {
    class: "grid",
    children: [
      a(V, {
        title: "What it proves",
        children: [
          a("p", {
            children:
              "That a file existed at a time, unchanged since. Not who made it, and not that it is true.",
          }),
          a("p", {
            children:
              "The proof is a small file. Anyone verifies it offline, even if this site is gone.",
          }),
        ],
      }),
      a(V, {
        title: "Who uses it",
        children: a("p", {
          children:
            "People who keep contracts, reports, measurements or designs, and who publish software: whoever has to show later that a file is as old as they say.",
        }),
      }),
      a(V, {
        title: "Whom you trust",
        children: [
          a("p", {
            children: [
              "Not this site. A proof counts if enough independent witnesses signed it",
              t !== void 0 &&
              a(N, {
                children: [
                  ": here ",
                  t.threshold,
                  " of",
                  " ",
                  W(t.witnesses.length, "witness", "witnesses"),
                  " of",
                  " ",
                  a("span", { class: "mono", children: t.id }),
                ],
              }),
              ". Each signature is in a public log that cannot be rewritten unnoticed.",
            ],
          }),
          a("p", {
            children: a("a", {
              href: ee({ page: "explore" }),
              children: "See the witnesses and the log",
            }),
          }),
        ],
      }),
    ],
  });
}
function Cg() {
  let { stamps: t } = z(), e = _e(t.rows), [n, r] = P(void 0);
  return a(N, {
    children: [
      a(Ge, {
        title: "Stamp",
        children:
          "Get a signed proof that a file existed today. The file stays on this device: this page hashes it here and sends only the SHA-256 hash, 32 bytes.",
      }),
      a("div", {
        class: "stamp-inputs",
        children: [
          a(O0, {
            label: "Choose files, or drop them here",
            onFiles: (o) => {
              r(void 0), t.addFiles(o);
            },
            onFailed: r,
            children: a("span", {
              class: "muted",
              children: "Files and folders of any size. Only their hashes are sent.",
            }),
          }),
          n !== void 0 && a(Te, { error: n, title: "Cannot read all of the folder" }),
          a(ng, {
            label: "Or paste a SHA-256 hash",
            action: "Stamp hash",
            onHash: (o) => t.addHash(o),
          }),
        ],
      }),
      a("section", {
        class: "stack",
        "aria-labelledby": "stamp-list-title",
        children: [
          a("h2", {
            id: "stamp-list-title",
            tabindex: -1,
            children: e.length === 0
              ? "What happens next"
              : `${W(e.length, "stamp")}, ${F(e.filter(pn).length)} in the log`,
          }),
          e.length === 0 ? a(Sv, {}) : a(Ng, { rows: e }),
        ],
      }),
    ],
  });
}
var vv = [{ name: "Accepted", state: "waiting", text: "The gateway stores the hash." }, {
  name: "Confirmed",
  state: "waiting",
  text: "Independent witnesses sign it with the time.",
}, {
  name: "Batched",
  state: "waiting",
  text: "It enters a public log, in which every change would be noticed.",
}, { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." }];
function Sv() {
  return a(N, {
    children: [
      a("div", {
        class: "card",
        children: a("div", {
          class: "card-body",
          children: [
            a(ea, { steps: vv }),
            a("p", {
              class: "muted",
              children:
                "Save the proof with the file. Anyone can verify it without this gateway, on this page or with the command line.",
            }),
          ],
        }),
      }),
      a(Rg, {}),
    ],
  });
}
function Lg(t) {
  if (t === 0) return [];
  let e = [Ig("entries", t)];
  for (let n = 0; Ie ** n <= t; n++) e.push(Ig(n, t));
  return e;
}
function Ig(t, e) {
  let n = t === "entries" ? 0 : t;
  return { level: t, full: xf(n, e), partial: _f(n, e), span: Ie ** n };
}
function Fg({ full: t, partial: e }) {
  return t + (e > 0 ? 1 : 0);
}
function Hg(t, e, n) {
  let r = [];
  for (let o = e; o >= 0 && r.length < n; o--) {
    let s = o < t.full ? Ie : t.partial, i = o * Ie * t.span;
    r.push({
      index: o,
      width: s,
      isFull: s === Ie,
      first: i,
      end: i + s * t.span,
      ...t.level !== "entries" && { bytes: s * E },
      path: ii(t.level, o, s),
    });
  }
  return r;
}
var oa = 25;
function $g() {
  let t = z(), e = Tt(_e(t.trust)), [n, r] = ye((o) => In(t, void 0, o), [e]);
  return a(N, {
    children: [
      a(Ge, {
        title: "Tiles",
        isBelowExplore: !0,
        children:
          "The log as files of 256 hashes or entries each, which never change once they are full. Mirrors and monitors read them without any code of ours.",
      }),
      xd(n)
        ? a(V, {
          title: "Tiles",
          children: a(ze, {
            title: "The log is empty",
            children: "Tiles appear with the first batch.",
          }),
        })
        : a(ve, {
          loaded: n,
          what: "the tiles",
          retry: r,
          render: ({ sth: o }) => a(Tv, { size: o.tree_head.tree_size }),
        }),
    ],
  });
}
function Tv({ size: t }) {
  let e = Lg(t), [n, r] = P(0), o = e[n] ?? e[0];
  return a(N, {
    children: [
      a(V, {
        title: "Levels",
        aside: a("span", { class: "muted", children: W(t, "attestation") }),
        children: a(Je, {
          caption: "Levels of tiles",
          rows: e,
          columns: [
            ["Level", (s, i) =>
              a("button", {
                type: "button",
                class: "link-button",
                "aria-pressed": i === n ? "true" : "false",
                onClick: () => r(i),
                children: Hd(s),
              })],
            ["Full tiles", ({ full: s }) => F(s), "numeric"],
            ["In the partial tile", ({ partial: s }) => s === 0 ? "none" : F(s), "numeric"],
            [
              "Positions per hash",
              ({ level: s, span: i }) => s === "entries" ? "" : F(i),
              "numeric",
            ],
          ],
        }),
      }),
      o !== void 0 && a(kv, { level: o }, o.level),
    ],
  });
}
function Hd({ level: t }) {
  return t === "entries" ? "Entries" : `Level ${t}`;
}
function kv({ level: t }) {
  let e = Fg(t), [n, r] = P(e - 1);
  return a(V, {
    title: Hd(t),
    aside: a("span", { class: "muted", children: W(e, "tile") }),
    children: [
      a(Je, {
        caption: `Tiles of ${Hd(t)}, latest first`,
        rows: Hg(t, n, oa),
        keyOf: ({ index: o }) => o,
        columns: [[
          "Tile",
          ({ path: o }) =>
            a("a", { class: "mono", href: o, download: o.replaceAll("/", "-"), children: o }),
        ], [
          "State",
          ({ isFull: o, width: s }) =>
            a("span", { class: "nowrap", children: o ? "full" : `${s} of 256` }),
        ], [
          "Positions",
          ({ first: o, end: s }) =>
            a("span", { class: "nowrap", children: `${F(o)} to ${F(s - 1)}` }),
        ], [
          "Size",
          ({ bytes: o }) => o === void 0 ? "varies" : hn(o),
          "numeric",
        ]],
      }),
      a(Hn, {
        label: "Pages of tiles",
        onBack: n >= e - 1 ? void 0 : () => r(Math.min(e - 1, n + oa)),
        onNext: n - oa < 0 ? void 0 : () => r(n - oa),
      }),
    ],
  });
}
function Mg(t) {
  let [e, n] = P({ state: "none" }),
    r = async (s, i) => {
      let { name: c } = s, f = await Gi(s);
      f.kind === "bundle"
        ? n({ state: "read", name: c, text: f.text, bundle: f.bundle })
        : f.kind === "damaged_bundle"
        ? n({ state: "failed", name: c, error: f.error })
        : f.kind === "other" && !i
        ? t(s)
        : n({ state: "wrong_file", name: c, kind: f.kind });
    };
  return [e, (s) => {
    for (let i of s) {
      r(i, s.length === 1).catch((c) => n({ state: "failed", name: i.name, error: c }));
    }
  }];
}
function Pg({ proof: t }) {
  switch (t.state) {
    case "none":
      return null;
    case "failed":
      return a(Te, { error: t.error, title: `Cannot verify ${t.name}` });
    case "wrong_file":
      return a(J, {
        tone: "bad",
        icon: "warning",
        live: !0,
        title: `${t.name} is not a proof`,
        children: a("p", { children: N0(t.kind) }),
      });
    case "read":
      return a("p", { class: "supplied", children: t.name });
  }
}
function jg({ onPin: t }) {
  let [e, n] = P(!1);
  return e ? a(Ov, { onPin: t, onCancel: () => n(!1) }) : a("div", {
    class: "row",
    children: a(te, {
      kind: "quiet",
      isRemoved: !0,
      onClick: () => n(!0),
      children: "I have none: ask this gateway",
    }),
  });
}
function Ov({ onPin: t, onCancel: e }) {
  let { api: n, clock: r } = z(), [o, s] = ye((i) => n.network(i), []);
  return a(ve, {
    loaded: o,
    what: "the gateway's configuration",
    retry: s,
    render: ({ text: i, value: c }) =>
      a(Pn, {
        title: "You would trust the gateway for its own keys",
        accept: "Trust the gateway for it",
        onAccept: () =>
          t({ network: c, text: i, source: "gateway", name: n.url.origin, pinnedAt: We(r) }),
        cancel: "Cancel",
        onCancel: e,
        children: [
          a("p", {
            children:
              "A lying gateway gives you its own keys, and every proof that it forges verifies. Do this only to try things out, or after you compared the fingerprint with one from another source.",
          }),
          a("p", { children: [c.id, ", fingerprint:"] }),
          a(Fn, { text: tt(c), what: "fingerprint" }),
        ],
      }),
  });
}
function Dg({ trust: t }) {
  let e = z(),
    [n, r] = P(void 0),
    { enabled: o, peer_networks: s, cross_anchor_threshold: i } = t.home.network.federation;
  if (!o || s.length === 0) return null;
  let c = async (f) => {
    r(void 0);
    try {
      let d = t;
      for (let u of f) d = lm(d, await Bv(e, t, u));
      e.trust.pin(d);
    } catch (d) {
      r(d);
    }
  };
  return a("div", {
    class: "stack-small",
    children: [
      a("h3", { children: "Peer networks" }),
      a("p", {
        class: "muted",
        children: [W(i, "peer"), " must have cosigned the log before the verdict names them."],
      }),
      a("ul", {
        class: "peer-list",
        children: s.map(({ id: f }) => a("li", { children: a(Av, { trust: t, id: f }) }, f)),
      }),
      n !== void 0 && a(Te, { error: n }),
      a(tn, {
        compact: !0,
        multiple: !0,
        icon: "key",
        label: "Choose configurations of peers",
        onFiles: (f) => void c(f),
        children: a("span", {
          class: "muted small",
          children: "network.public.json of each, from its operator",
        }),
      }),
    ],
  });
}
function Av({ trust: t, id: e }) {
  let n = z(), r = t.peers.find(({ network: o }) => o.id === e);
  return r === void 0
    ? a("span", {
      class: "row",
      children: [a("span", { children: e }), a(X, { tone: "warn", children: "No configuration" })],
    })
    : a(N, {
      children: [
        a("span", {
          class: "row",
          children: [
            a("span", { children: e }),
            a(X, { tone: "good", icon: "key", children: ["From ", r.name] }),
            a(te, {
              kind: "quiet",
              label: `Forget ${e}`,
              isRemoved: !0,
              onClick: () => n.trust.pin(Vf(t, e)),
              children: "Forget",
            }),
          ],
        }),
        a(ie, { text: tt(r.network), what: `fingerprint of ${e}` }),
      ],
    });
}
async function Bv(t, e, n) {
  let r = await Ti(t, n), { peer_networks: o } = e.home.network.federation;
  if (o.some(({ id: s }) => s === r.network.id)) return r;
  throw new k(
    "invalid_configuration",
    `Cannot use ${n.name}: ${r.network.id} is not a peer of the pinned network`,
  );
}
function qg() {
  let t = z(),
    e = _e(t.trust),
    [n, r] = P(void 0),
    [o, s] = P(void 0),
    i = async (d) => {
      s(void 0);
      try {
        let u = await Ti(t, d), { state: l } = t.trust;
        l.state === "pinned" && Nv(l.trust.home, u) ? r(u) : Ug(t, u);
      } catch (u) {
        s(u);
      }
    },
    c = (d) => {
      r(void 0), Ug(t, d);
    },
    f = e.state === "none" || e.state === "broken";
  return a(V, {
    title: "What you trust",
    children: [
      e.state === "loading" && a(Lt, { label: "Loading the pins" }),
      e.state === "broken" &&
      a(Te, { error: e.error, title: "Cannot read the pins of this browser" }),
      e.state === "pinned" && a(Rv, { ...e }),
      f &&
      a("p", {
        children:
          "A proof is verified with the keys of a network's witnesses. Get them from somebody you trust, not from the gateway that you want to check, and compare their fingerprint.",
      }),
      n === void 0 || e.state !== "pinned"
        ? null
        : a(Cv, { last: e.trust.home, next: n, onAccept: () => c(n), onCancel: () => r(void 0) }),
      o !== void 0 && a(Te, { error: o }),
      a(tn, {
        compact: !0,
        icon: "key",
        label: e.state === "pinned"
          ? "Choose another configuration"
          : "Choose the network's configuration",
        onFiles: ([d]) => void i(d),
        children: a("span", {
          class: "muted small",
          children: "network.public.json, from the network's operator; stored in this browser",
        }),
      }),
      f && a(jg, { onPin: c }),
    ],
  });
}
function Nv(t, e) {
  return tt(t.network) !== tt(e.network);
}
function Ug({ trust: t }, e) {
  let { state: n } = t,
    r = n.state === "pinned" && n.trust.home.network.id === e.network.id ? n.trust.peers : [];
  t.pin({ home: e, peers: r });
}
function Rv({ trust: t, kept: e }) {
  let n = z(), { network: r, source: o, name: s, pinnedAt: i } = t.home;
  return a(N, {
    children: [
      a(De, {
        items: {
          Network: r.id,
          Rule: `${r.threshold} of ${
            W(r.witnesses.length, "witness", "witnesses")
          } must have signed (${r.signature_scheme})`,
          Fingerprint: a(Fn, { text: tt(r), what: "fingerprint" }),
          Source: o === "file" ? `Your file ${s}` : `This gateway, ${s}`,
          Pinned: fe(i),
        },
      }),
      o === "gateway" &&
      a(J, {
        tone: "warn",
        title: "This configuration came from the gateway",
        children: a("p", {
          children:
            "If the gateway lied, its forged proofs verify. Compare the fingerprint with one that the network publishes elsewhere.",
        }),
      }),
      e ? null : a(J, {
        tone: "warn",
        title: "This browser does not store the pin",
        children: a("p", { children: "The pin lasts until you leave this page." }),
      }),
      a(Dg, { trust: t }),
      a("div", {
        class: "row",
        children: a(te, {
          isRemoved: !0,
          onClick: () => n.trust.forget(),
          children: "Forget all pins",
        }),
      }),
    ],
  });
}
function Cv({ last: t, next: e, onAccept: n, onCancel: r }) {
  let o = t.network.id === e.network.id;
  return a(Pn, {
    title: o
      ? `${e.name} differs from the pinned configuration of ${e.network.id}`
      : `${e.name} is the configuration of another network, ${e.network.id}`,
    accept: "Replace the pin",
    onAccept: n,
    cancel: "Keep the old one",
    onCancel: r,
    children: [
      a("p", {
        children: o
          ? "Keys, threshold or policy changed. Make sure that the network announced the change."
          : `It would replace ${t.network.id}.`,
      }),
      a("p", { children: "Its fingerprint:" }),
      a(Fn, { text: tt(e.network), what: "fingerprint" }),
    ],
  });
}
function zg() {
  let t = z(),
    e = _e(t.trust),
    [n, r] = ro(t),
    [o, s] = Mg(r),
    i = o.state === "read" ? o : void 0,
    c = e.state === "pinned" ? Wf(e.trust) : void 0,
    f = Yi(t, { proof: i, trust: c, content: n });
  return a(N, {
    children: [
      a(Ge, {
        title: "Verify",
        children:
          "Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.",
      }),
      a(Zi, { verification: f }),
      i !== void 0 && (e.state === "none" || e.state === "broken") && a(Iv, { bundle: i.bundle }),
      a("div", {
        class: "verify-columns",
        children: [
          a(V, {
            title: "What you check",
            children: [
              a(tn, {
                label: o.state === "none"
                  ? "Choose a proof, or drop it here"
                  : "Choose another proof",
                icon: "seal",
                multiple: !0,
                compact: !0,
                onFiles: s,
                children: a("span", {
                  class: "muted small",
                  children: "NAME.countersign.json. You can drop its file at the same time.",
                }),
              }),
              a(Pg, { proof: o }),
              a(zi, { content: n, choose: r }),
            ],
          }),
          a(qg, {}),
        ],
      }),
      f.state === "found" && a(Ki, { ...f.view }),
    ],
  });
}
function Iv({ bundle: t }) {
  return a(J, {
    tone: "info",
    live: !0,
    title: "The proof is not verified yet",
    children: a("p", {
      children: [
        "It claims that ",
        t.signed_attestation.attestation.network_id,
        " ",
        "signed it. Choose the configuration of that network to verify this.",
      ],
    }),
  });
}
var Lv = [[{ page: "stamp" }, "Stamp", "seal"], [{ page: "verify" }, "Verify", "check"], [
    { page: "explore" },
    "Explore",
    "search",
  ], [{ page: "log" }, "Check the log", "chain"]],
  Fv = {
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
function Hv(t) {
  switch (t.page) {
    case "stamp":
      return a(Cg, {}, "stamp");
    case "verify":
      return a(zg, {}, "verify");
    case "proof":
      return a(tg, { hash: t.hash }, ee(t));
    case "certificate":
      return a(zm, { hash: t.hash }, ee(t));
    case "explore":
      return a(M0, {}, "explore");
    case "batch":
      return a(Nm, { id: t.id }, ee(t));
    case "position":
      return a(G0, { index: t.index }, ee(t));
    case "tiles":
      return a($g, {}, "tiles");
    case "log":
      return a(z0, {}, "log");
    case "unknown":
      return a($v, {}, "unknown");
  }
}
function $v() {
  return a(Ge, {
    title: "No such page",
    children: "This address is not a page of the explorer. Choose a page above.",
  });
}
function Gg() {
  let [t, e] = P(() => Go(location.hash));
  return ue(() => {
    let n = () => {
      e(Go(location.hash)), scrollTo(0, 0);
    };
    return addEventListener("hashchange", n), () => removeEventListener("hashchange", n);
  }, []),
    a(N, {
      children: [
        a("button", {
          type: "button",
          class: "skip-link",
          onClick: Mv,
          children: "Skip to content",
        }),
        a("header", {
          class: "site-head",
          children: a("div", {
            class: "site-head-inner",
            children: [
              a("a", {
                class: "brand",
                href: "#/stamp",
                children: [a(Le, { name: "seal" }), a("span", { children: "Countersign" })],
              }),
              a("nav", {
                class: "site-nav",
                "aria-label": "Pages",
                children: Lv.map(([n, r, o]) =>
                  a("a", {
                    href: ee(n),
                    "aria-current": Fv[t.page] === n.page ? "page" : void 0,
                    children: [a(Le, { name: o }), a("span", { children: r })],
                  }, r)
                ),
              }),
              a(Up, {}),
            ],
          }),
        }),
        a("main", {
          id: "content",
          tabindex: -1,
          children: [
            t.page === "log" ? null : a(jv, {}),
            a(Pv, {}),
            a(Da, { fallbackRender: (n) => a(Te, { error: n }), children: Hv(t) }),
          ],
        }),
        a("footer", {
          class: "site-foot",
          children: [
            a("p", {
              children:
                "This page comes from its gateway and verifies in this browser. It contacts no other server, except the token issuer of a network that requires tokens.",
            }),
            a("p", { children: a("a", { href: "docs", children: "API reference" }) }),
          ],
        }),
      ],
    });
}
function Mv() {
  document.getElementById("content")?.focus();
}
function Pv() {
  let { line: t, stamps: e } = z(), n = _e(e.follower.submissions), r = _e(t) ?? n;
  if (r === void 0) return null;
  let { title: o, code: s } = bi(r);
  return a(J, {
    tone: "warn",
    live: !0,
    title: o,
    children: a("p", {
      children: [
        "This page tries again and continues where it stopped. ",
        a("code", { children: s }),
      ],
    }),
  });
}
function jv() {
  let { check: t, evidence: e } = _e(z().watch),
    n = t === void 0 ? void 0 : ts(t),
    r = n?.tone === "bad";
  return !r && e === void 0 ? null : a(J, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: r ? n.title : "This browser has seen two histories of this log",
    children: a("p", {
      children: a("a", { href: ee({ page: "log" }), children: "See the finding and what to do" }),
    }),
  });
}
var io = 48, $d = 96, Dv = 256, Uv = 16;
function Pd(t) {
  return new Md(t);
}
var Md = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  #i;
  #s;
  #a;
  #c;
  #h = new On(1024);
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
    return Ps(e);
  }
  skToPk(e) {
    if (this.#l(e), this.#e.skToPk() === 0) throw Ir();
    return this.#t.slice(this.#a, this.#a + $d);
  }
  sign(e, n, r) {
    if (this.#g(n, r), this.#l(e), this.#e.sign() === 0) throw Ir();
    return this.#y();
  }
  keyValidate(e) {
    return this.#p(e) !== void 0;
  }
  signatureValidate(e) {
    return e.length !== io
      ? !1
      : (this.#t.set(e, this.#s), this.#e.startSignatureSum(), this.#e.addSignatures(1) !== 0);
  }
  hashToG1(e, n) {
    return this.#g(e, n), this.#e.hashToG1(), this.#y();
  }
  verify(e, n, r, o) {
    return this.fastAggregateVerify([e], n, r, o);
  }
  aggregate(e) {
    if (e.every((n) => n.length === io)) {
      this.#e.startSignatureSum();
      for (let n = 0; n < e.length; n += 2) {
        let r = this.#w(e[n], e[n + 1]);
        if (this.#e.addSignatures(r) === 0) return;
      }
      return this.#e.finishSignatureSum() === 0 ? void 0 : this.#y();
    }
  }
  aggregateKeys(e) {
    let n = this.#u(e);
    if (n !== void 0) {
      return this.#t.set(n, this.#c), this.#e.encodeKey(), this.#t.slice(this.#a, this.#a + $d);
    }
  }
  fastAggregateVerify(e, n, r, o) {
    let s = this.#u(e);
    return s === void 0 || r.length !== io
      ? !1
      : (this.#t.set(s, this.#c), this.#t.set(r, this.#s), this.#g(n, o), this.#e.verify() !== 0);
  }
  batchVerify(e, n) {
    let r = e.map(() => !1), o = this.#b(e), s = this.#e.slotLimit();
    for (let i = 0; i < o.length; i += s) {
      let c = o.slice(i, i + s), f = this.#m(c, n);
      if (this.#e.finishSlots(c.length) !== 0) this.#d(f, ({ index: d }) => r[d] = !0);
      else {for (let { index: d, check: { publicKeys: u, message: l, signature: h } } of c) {
          r[d] = this.fastAggregateVerify(u, l, h, n);
        }}
    }
    return r;
  }
  #p(e) {
    if (e.length !== $d) return;
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
  #b(e) {
    let n = new Map();
    return e.flatMap((r, o) => {
      let s = r.publicKeys.map(Z).join();
      if (!n.has(s)) {
        let f = this.#u(r.publicKeys);
        n.set(s, f && { point: f });
      }
      let i = n.get(s);
      return i !== void 0 && r.signature.length === io ? { index: o, check: r, group: i } : [];
    });
  }
  #m(e, n) {
    let r = [];
    return e.forEach(({ check: o }, s) => {
      if (s % 2 === 0) {
        let i = this.#w(o.signature, e[s + 1]?.check.signature), c = this.#e.keepSignatures(s, i);
        for (let f = 0; f < i; f++) {
          if ((c >> f & 1) === 0) continue;
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
      let c = r.get(i.group);
      c === void 0 ? r.set(i.group, [i]) : c.push(i);
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
        crypto.getRandomValues(this.#t.subarray(n, n + o.length * Uv)),
        this.#t.set(r, this.#c),
        this.#e.addGroup(o.length);
    }
    return this.#e.combinationHolds() !== 0;
  }
  #g(e, n) {
    let r = oe(n), o = this.#e.tagBytes();
    if (r.length > o) {
      throw new k(
        "internal",
        `Cannot hash to G1: a tag of at most ${o} bytes required, ${r.length} found`,
      );
    }
    this.#t.set(r, this.#e.tagRegion()), this.#e.startMessage(r.length);
    for (let s = 0; s < e.length; s += this.#r) {
      let i = e.subarray(s, s + this.#r);
      this.#t.set(i, this.#o), this.#e.appendMessage(i.length);
    }
  }
  #l(e) {
    if (e.length !== Cr) throw Ir();
    this.#t.set(e, this.#i);
  }
  #w(e, n) {
    return this.#t.set(e, this.#s), n === void 0 ? 1 : (this.#t.set(n, this.#s + io), 2);
  }
  #y() {
    return this.#t.slice(this.#s, this.#s + io);
  }
  #x() {
    return this.#t.slice(this.#c, this.#c + Dv);
  }
};
var qv = Uint8Array.of(0), zv = new Uint8Array();
function Vg(t) {
  return new jd(t);
}
var jd = class {
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
    return this.#h(zv, e);
  }
  leafHashes(e, n) {
    let r = new Uint8Array(n.length * E);
    for (let o = 0; o < n.length;) {
      let s = o === 0 ? 0 : n[o - 1], i = this.#c(n, o, s);
      if (i === o) {
        let c = e.subarray(s, n[o]);
        r.set(this.#h(qv, c), o * E), o++;
        continue;
      }
      if (this.#t.set(e.subarray(s, n[i - 1]), this.#o), s === 0) this.#n.set(n.subarray(o, i));
      else for (let c = o; c < i; c++) this.#n[c - o] = n[c] - s;
      this.#e.leafHashes(i - o), r.set(this.#d(i - o), o * E), o = i;
    }
    return r;
  }
  numberedLeafHashes(e) {
    let { before: n, digests: r, between: o, first: s, after: i } = e, c = this.#e.pieceLimit();
    if (Math.max(n.length, o.length, i.length) > c) {
      let { entries: f, ends: d } = $c(e);
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
      this.#t.set(n, this.#i + E),
      this.#e.treeLevel(2, 1),
      this.#f(1);
  }
  treeLevel(e, n = 1) {
    let r = Math.min(n, Math.log2(this.#s)),
      o = this.#u(e, this.#i, (i) => this.#e.treeLevel(i, r));
    return r === n || o.length <= E ? o : this.treeLevel(o, n - r);
  }
  treeLevels(e) {
    let n = e.length / E;
    return n > this.#s ? this.#b(e) : (this.#t.set(e, this.#i), this.#f(this.#e.treeLevels(n)));
  }
  inclusionPaths(e, n) {
    if (n > this.#e.roundLimit()) return Us(e, n);
    this.#t.set(e, this.#i);
    let r = this.#a + this.#e.inclusionPaths(n) * E;
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
    let o = e.length / E;
    if (o <= this.#s) return this.#t.set(e, n), this.#f(r(o, 0));
    let s = new Uint8Array(e.length), i = 0;
    for (let c = 0; c < o; c += this.#s) {
      let f = Math.min(c + this.#s, o);
      this.#t.set(e.subarray(c * E, f * E), n);
      let d = this.#d(r(f - c, c));
      s.set(d, i), i += d.length;
    }
    return i === s.length ? s : s.slice(0, i);
  }
  #b(e) {
    let n = e.length / E,
      r = ir(n),
      o = Math.log2(this.#s),
      s = new Uint8Array(r.reduce((c, f) => c + f) * E),
      i = new Uint8Array(r[o] * E);
    for (let c = 0; c < n; c += this.#s) {
      let f = Math.min(c + this.#s, n),
        d = this.treeLevels(e.subarray(c * E, f * E)),
        u = ir(f - c),
        l = 0,
        h = 0;
      for (let p = 0; p < o; p++) {
        let m = u[p] ?? 1;
        p > 0 && p < u.length && (l += u[p - 1]);
        let g = d.subarray(l * E, (l + m) * E);
        s.set(g, (h + c / 2 ** p) * E), h += r[p];
      }
      i.set(d.subarray(-E), c / this.#s * E);
    }
    return s.set(this.treeLevels(i), s.length - this.#m(i)), s;
  }
  #m(e) {
    return ir(e.length / E).reduce((r, o) => r + o, 0) * E;
  }
  #d(e) {
    return this.#t.subarray(this.#i, this.#i + e * E);
  }
  #f(e) {
    return this.#t.slice(this.#i, this.#i + e * E);
  }
};
async function Dd(t) {
  for (let e of t) {
    if (e.isSupported()) {
      try {
        let n = await e.load();
        if (e.passes?.(n) ?? !0) return { name: e.name, exports: n };
      } catch {}
    }
  }
}
function Ud(t, e) {
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
var Gv = [65, 0, 253, 15, 253, 98, 26],
  Vv = [65, 0, 253, 15, 65, 0, 253, 15].concat([65, 0, 253, 15, 253, 135, 2, 26]);
function Wv(t) {
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
function qd(t) {
  return typeof WebAssembly == "object" && WebAssembly.validate(Wv(t));
}
function zd() {
  return qd([]);
}
function Wg() {
  return qd(Gv);
}
function Kg() {
  return qd(Vv);
}
var Zg = [{
  name: "hashing.simd",
  isSupported: Wg,
  load: () => import("../../wasm/build/hashing.simd.wasm"),
}, {
  name: "hashing.scalar",
  isSupported: zd,
  load: () => import("../../wasm/build/hashing.scalar.wasm"),
}];
async function Kv(t = Zg) {
  let e = await Dd(t);
  return e && Vg(e.exports);
}
function Xg(t) {
  return Kv(Ud(Zg, t));
}
var Yv = "QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_",
  Zv =
    "852926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1";
function Yg(t) {
  return Z(Pd(t).hashToG1(oe(""), Yv)) === Zv;
}
var Jg = [{
  name: "bls.fma",
  isSupported: Kg,
  load: () => import("../../wasm/build/bls.fma.wasm"),
  passes: Yg,
}, {
  name: "bls.scalar",
  isSupported: zd,
  load: () => import("../../wasm/build/bls.scalar.wasm"),
  passes: Yg,
}];
async function Xv(t = Jg) {
  let e = await Dd(t);
  return e && Pd(e.exports);
}
function Qg(t) {
  return Xv(Ud(Jg, t));
}
function eb(t, e) {
  let n = new Map(
    t.split(" ").filter((r) => r.includes("=")).map((r) => {
      let [o, s] = r.split("=");
      return [o, s];
    }),
  );
  return (r) => new URL(n.get(r) ?? `assets/${r}`, e);
}
function tb(t) {
  let e = (i) => fetch(t(i)), n, r;
  function o() {
    return n ??= Qg(e).then((i) => i ?? Co);
  }
  async function s() {
    let [i, c] = await Promise.all([Xg(e), uf()]);
    return { kernels: i ?? ar, ed25519: c, bls: await o() };
  }
  return { blsFor: (i) => i.includes("bls") ? o() : Promise.resolve(Co), crypto: () => r ??= s() };
}
var nb = "malformed_text", Gd = 1;
function rb(t) {
  let { sth: e, fingerprint: n, seenAt: r, logSignature: o } = t;
  return JSON.stringify({
    version: Gd,
    fingerprint: n,
    seen_at: r,
    sth: e,
    ...o && { log_signature: Z(o) },
  });
}
var Jv = D({ version: an, fingerprint: Ke, seen_at: an, sth: Yt, log_signature: ef.optional() });
function ob(t, e) {
  let { version: n, fingerprint: r, seen_at: o, sth: s, log_signature: i } = Jv.parseText(t, {
    where: "remembered head",
    code: nb,
  });
  if (n !== Gd || s.tree_head.network_id !== e) {
    throw new k(nb, `Cannot read remembered head: expected version ${Gd} of network ${e}`);
  }
  return { sth: s, fingerprint: r, seenAt: o, ...i !== void 0 && { logSignature: Re(i) } };
}
async function sb(t, e, n, r) {
  if (e.log_vkey === void 0) return;
  let o = ur(n), { publicKey: s } = Rn(e.log_vkey);
  for (let { name: i, payload: c } of Qv(o, r)) {
    if (i !== e.id || c.length !== pt.ed25519) continue;
    let f = Uint8Array.from(c);
    if (await t.ed25519(s, oe(o), f)) return f;
  }
}
function Qv(t, e) {
  let n = bn(() => Qf(e));
  return n?.text === t ? n.signatures : [];
}
var sa = "countersign.head.",
  ss = "countersign.fork.",
  ia = class {
    #e;
    constructor(e) {
      this.#e = e;
    }
    read(e) {
      let n = this.#t(sa + e);
      if (n === void 0) return { kind: "blocked" };
      if (n === null) return { kind: "none" };
      try {
        return { kind: "head", text: n, head: ob(n, e) };
      } catch (r) {
        if (!(r instanceof k)) throw r;
        return { kind: "damaged", text: n };
      }
    }
    replace(e, n) {
      let r = sa + n.sth.tree_head.network_id, o = this.#t(r);
      return o === void 0 ? "blocked" : o !== (e ?? null) ? "changed" : this.#n(r, rb(n));
    }
    evidence(e) {
      return this.#t(ss + e) ?? void 0;
    }
    keepEvidence(e, n) {
      let r = this.#t(ss + e);
      return r === void 0 ? "blocked" : r === null ? this.#n(ss + e, n) : "kept";
    }
    forget(e) {
      try {
        let n = this.#e();
        n.removeItem(sa + e), n.removeItem(ss + e);
      } catch {}
    }
    concerns(e, n) {
      return n === null || n === sa + e || n === ss + e;
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
var eS = 4;
async function ib(t, e) {
  let { store: n, network: r, now: o } = t;
  for (let s = 1;; s++) {
    let i = n.read(r.id),
      c = i.kind === "head" ? i.head : void 0,
      { keep: f, ...d } = await tS(t, c, e);
    e.throwIfAborted(), d.fork !== void 0 && n.keepEvidence(r.id, d.fork.evidence);
    let u = { ...d, checkedAt: o() };
    if (i.kind === "damaged" || i.kind === "blocked") return { ...u, memory: i.kind };
    if (f === void 0) return { ...u, memory: "unchanged" };
    let l = n.replace(i.kind === "head" ? i.text : void 0, f);
    if (l !== "changed") return { ...u, memory: l };
    if (s === eS) return { ...u, memory: "unchanged" };
  }
}
async function tS(t, e, n) {
  let r = e === void 0 ? {} : { known: e }, o;
  try {
    o = (await t.gateway.sth(void 0, n)).value;
  } catch (f) {
    return f instanceof be && f.reason === "no_tree_head"
      ? e === void 0 ? { finding: "empty" } : { finding: "denied", known: e, ...Wd(f) }
      : { ...Vd(f, n), ...r };
  }
  let { crypto: s, network: i } = t, c = await it(s, i, o);
  return c.valid
    ? e === void 0
      ? { finding: "first", seen: o, outcome: c, keep: await aa(t, o, n) }
      : { outcome: c, ...await nS(t, { known: e, seen: o }, n) }
    : {
      finding: e === void 0 && o.tree_head.network_id !== i.id ? "other_network" : "unverified",
      ...r,
      seen: o,
      outcome: c,
    };
}
async function nS(t, { known: e, seen: n }, r) {
  let o = { known: e, seen: n }, s;
  try {
    s = await Zm(
      t,
      { known: e.sth, seen: n },
      async (d, u) => (await t.gateway.consistency(d, u, r)).value,
    );
  } catch (d) {
    return { ...Vd(d, r), ...o };
  }
  let { refusal: i, ...c } = s;
  if (i !== void 0 && i.reason !== "tree_size_not_published") return { ...Vd(i, r), ...o };
  let f = { ...c, ...o, ...i && Wd(i) };
  switch (f.finding) {
    case "same": {
      let d = e.logSignature ? void 0 : await aa(t, n, r);
      return { ...f, ...d?.logSignature && { keep: d } };
    }
    case "extends":
      return { ...f, keep: await aa(t, n, r) };
    case "fork": {
      let d = await rS(t, o, f.proof, r);
      return { ...f, fork: d };
    }
    default:
      return f;
  }
}
async function rS(t, { known: e, seen: n }, r, o) {
  let s = await aa(t, n, o);
  return await Jm(t, { known: e, seen: s }, r);
}
async function aa({ crypto: t, network: e, fingerprint: n, gateway: r, now: o }, s, i) {
  let c = { sth: s, fingerprint: n, seenAt: o() };
  try {
    let f = await r.checkpoint(i), d = await sb(t, e, s.tree_head, f);
    return { ...c, ...d && { logSignature: d } };
  } catch (f) {
    if (i.throwIfAborted(), !(f instanceof k)) throw f;
    return c;
  }
}
function Vd(t, e) {
  return e.throwIfAborted(),
    { finding: bt(t, "gateway_unreachable") ? "unreachable" : "refused", ...Wd(t) };
}
function Wd(t) {
  if (!(t instanceof k)) throw t;
  return { fault: { code: t.code, message: t.message } };
}
var ca = class {
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
        s = await this.#e.exclusively(o, () => ib(r, e)),
        i = s.fork?.evidence ?? r.store.evidence(o);
      return { trust: n, check: s, ...i !== void 0 && { evidence: i } };
    } catch (n) {
      if (e.aborted) return {};
      if (!(n instanceof k)) throw n;
      let { trust: r, evidence: o } = this.#n;
      return { ...r && { trust: r }, ...o !== void 0 && { evidence: o }, fault: n };
    }
  }
  #s(e) {
    this.#n = e;
    for (let n of this.#t) n();
  }
};
function ab(t) {
  let { api: e, crypto: n, trust: r, clock: o } = t,
    s = new ia(() => localStorage),
    i = new ca({
      trust: (c) => Zt(t, c),
      context: async ({ network: c, fingerprint: f }) => ({
        network: c,
        fingerprint: f,
        gateway: e,
        store: s,
        crypto: await n.crypto(),
        now: () => We(o),
      }),
      exclusively: oS,
    });
  return r.subscribe(() => void i.check()),
    addEventListener("storage", ({ key: c }) => void i.storageChanged(c)),
    i;
}
async function oS(t, e) {
  return "locks" in navigator
    ? await navigator.locks.request(`countersign.log.${t}`, e)
    : await e();
}
var fa = "countersign.",
  da = {
    read: (t) => Kd(() => localStorage.getItem(fa + t) ?? void 0),
    write: (t, e) => Kd(() => (localStorage.setItem(fa + t, e), !0)) ?? !1,
    remove: (t) => Kd(() => localStorage.removeItem(fa + t)),
  };
function Kd(t) {
  try {
    return t();
  } catch {
    return;
  }
}
function cb(t, e) {
  addEventListener("storage", ({ key: n }) => {
    (n === null || n === fa + t) && e();
  });
}
var ua = class {
  #e;
  #t;
  #n = new Set();
  #o = new Set();
  constructor(e, n) {
    this.#e = e, this.#t = n;
  }
  hash(e, n) {
    let { signal: r } = n;
    return new Promise((o, s) => {
      if (r.aborted) return s(r.reason);
      let i = () => {
          this.#n.delete(f);
          for (let d of this.#o) d.task === f && this.#a(d);
          s(r.reason), this.#r();
        },
        c = (d) => (u) => {
          r.removeEventListener("abort", i), d(u);
        },
        f = { ...n, file: e, resolve: c(o), reject: c(s) };
      r.addEventListener("abort", i, { once: !0 }), this.#n.add(f), this.#r();
    });
  }
  #r() {
    for (let e of this.#n) {
      let n = this.#i();
      if (n === void 0) return;
      this.#n.delete(e), n.task = e, e.onStart?.(), n.worker.postMessage({ file: e.file });
    }
    for (let e of this.#o) e.task === void 0 && this.#a(e);
  }
  #i() {
    for (let e of this.#o) if (e.task === void 0) return e;
    return this.#o.size < this.#t ? this.#s() : void 0;
  }
  #s() {
    let e = this.#e(), n = { worker: e, task: void 0 };
    return this.#o.add(n),
      e.addEventListener("message", ({ data: r }) => {
        let { task: o } = n;
        if (o !== void 0) {
          if (r.kind === "progress") return o.onProgress(r.done, r.size);
          n.task = void 0,
            r.kind === "hashed"
              ? (o.onProgress(r.size, r.size), o.resolve(r.hash))
              : o.reject(fb(r.message)),
            this.#r();
        }
      }),
      e.addEventListener("error", () => {
        this.#a(n), n.task?.reject(fb("the worker did not start")), this.#r();
      }),
      n;
  }
  #a(e) {
    e.worker.terminate(), this.#o.delete(e);
  }
};
function fb(t) {
  return new k("file_failed", `Cannot hash the file: ${t}`);
}
var sS = ["batch.closed", "cross_anchor.added", "external_anchor.added"],
  iS = 1e4,
  la = class {
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
      await this.#e.clock.sleep(e, Er(...r, this.#n.signal)), --this.#t === 0 && this.#c();
    }
    wake() {
      this.#n.abort(), this.#n = new AbortController();
    }
    #s() {
      if (this.#o !== void 0 || this.#i) return;
      let e = this.#o = new AbortController();
      this.#a(e.signal).catch((n) => {
        this.#i = xo(n) instanceof be;
      }).finally(() => {
        this.#o === e && (this.#o = void 0);
      });
    }
    async #a(e) {
      let n = sS, r = ji({ ...this.#e, types: n, changed: () => {}, reached: () => {} }, e);
      for await (let o of r) this.wake();
    }
    #c() {
      let e = this.#r = new AbortController();
      this.#e.clock.sleep(iS, e.signal).then(() => {
        e.signal.aborted || (this.#o?.abort(), this.#o = void 0);
      });
    }
  };
function db(t) {
  let e = (n) => n.preventDefault();
  t.rows.subscribe(() => {
    t.hasUnsaved ? addEventListener("beforeunload", e) : removeEventListener("beforeunload", e);
  });
}
var aS = Ct + 16;
function ub(t) {
  let e = crypto.getRandomValues(new Uint8Array(aS));
  return 1n + zr(e) % (t - 1n);
}
function Yd(t, e, n) {
  let r = 1n;
  for (let o = e, s = t; o > 0n; o >>= 1n) o & 1n && (r = r * s % n), s = s * s % n;
  return r;
}
function Zd(t, e) {
  let [n, r] = [e, t % e], [o, s] = [0n, 1n];
  for (; r !== 0n;) {
    let i = n / r;
    [n, r] = [r, n - i * r], [o, s] = [s, o - i * s];
  }
  if (n === 1n) return o < 0n ? o + e : o;
}
var Jd = 48, ha = Ct - Jd - 1;
function Xd(...t) {
  return new Uint8Array(fl(we(...t)));
}
function lb(t, e) {
  let n = [];
  for (let r = 0; r * Jd < e; r++) n.push(Xd(t, Uint8Array.of(0, 0, 0, r)));
  return we(...n).slice(0, e);
}
function hb(t, e) {
  let n = Xd(new Uint8Array(8), Xd(t), e), r = new Uint8Array(ha);
  r[r.length - e.length - 1] = 1, r.set(e, r.length - e.length);
  let o = lb(n, r.length).map((s, i) => s ^ r[i]);
  return o[0] &= 127, we(o, n, Uint8Array.of(188));
}
function cS({ modulus: t }, e, n) {
  let r = pi(Yd(n, Bf, t)), o = r.subarray(ha, ha + Jd), s = lb(o, ha).map((i, c) => i ^ r[c]);
  return Be(r, hb(e, s.subarray(-Af)));
}
function fS(t) {
  return { salt: crypto.getRandomValues(new Uint8Array(Af)), blind: ub(t) };
}
function pb(t, e, n = fS(t.modulus)) {
  let { modulus: r } = t, o = zr(hb(e, n.salt)), s = Zd(n.blind, r);
  if (s === void 0 || Zd(o, r) === void 0) {
    throw new k("invalid_key", "Cannot blind message: the modulus has small factors");
  }
  let i = o * Yd(n.blind, Bf, r) % r;
  return { blinded: pi(i), inverse: s };
}
function mb(t, e, n, r) {
  let o = r.length === Ct ? zr(r) : t.modulus, s = o * n % t.modulus;
  if (o >= t.modulus || !cS(t, e, s)) {
    throw new k("issuer_refused", "Cannot unblind signature: it is not by the issuer's key");
  }
  return pi(s);
}
function gb({ challenge: t, tokenKey: e }) {
  let n = Hp(e),
    r = Gs(e),
    o = {
      nonce: crypto.getRandomValues(new Uint8Array(Mc)),
      challengeDigest: Sh(t),
      tokenKeyId: r,
    },
    s = Pc(o),
    { blinded: i, inverse: c } = pb(n, s);
  return {
    request: $p({ truncatedTokenKeyId: r.at(-1), blindedMessage: i }),
    finish: (f) => ({ ...o, authenticator: mb(n, s, c, Mp(f)) }),
  };
}
var dS = "CountersignWork", uS = 26;
var lS = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i, Qd = 4096;
function bb(t) {
  let e = Number(lS.exec(t)?.[1]);
  return e >= 1 && e <= uS ? e : void 0;
}
function wb({ time: t, counter: e }) {
  return `${dS} time="${t}", counter="${e}"`;
}
function* yb(t, { time: e, bits: n }, r) {
  for (let o = 0;; o += Qd) {
    let s = hS(t, e, o, Qd, r);
    for (let i = 0; i < Qd; i++) {
      let c = s.subarray(i * E, (i + 1) * E);
      if (pS(c) >= n) return yield { time: e, counter: o + i };
    }
    yield void 0;
  }
}
function hS({ issuerName: t, requestDigest: e }, n, r, o, s) {
  let i = new Uint8Array(o * E);
  for (let c = 0; c < o; c++) i.set(e, c * E);
  return s.numberedLeafHashes({
    before: oe(`${dh}
${t}
${n}
`),
    digests: i,
    between: oe(`
`),
    first: r,
    after: oe(`
`),
  });
}
function pS(t) {
  for (let e = 0; e < t.length; e++) if (t[e] !== 0) return 8 * e + Math.clz32(t[e]) - 24;
  return 8 * t.length;
}
function xb(t, e, n) {
  let r = ({ notBefore: o = 0, notAfter: s = 1 / 0 }) => o <= n && n < s;
  for (let { tokenKey: o, notBefore: s = 0 } of t.tokenKeys) {
    if (!(n < s)) {
      for (let i of e) {
        let c = i.keys.find((f) => Z(f.tokenKey) === Z(o));
        if (!(c === void 0 || !r(c))) {
          return {
            tokenKey: o,
            challenge: i.challengeBytes,
            issuerName: i.challenge.issuerName,
            networkId: i.challenge.originInfo,
            requestUri: t.requestUri,
            ...c.notAfter !== void 0 && { notAfter: c.notAfter },
          };
        }
      }
    }
  }
  throw new k(
    "issuer_refused",
    "Cannot fetch tokens: the gateway accepts none of the issuer's current keys",
  );
}
function _b(t, e) {
  let n = t.find(({ url: o }) => o !== void 0)?.url;
  if (n === void 0) return;
  let r = Lp(n, { insecure: !1 });
  if (hi(r.hostname) && !hi(e.hostname)) {
    throw new k(
      "gateway_refused",
      `Cannot fetch tokens: the remote gateway names an issuer on this machine, ${r.origin}`,
    );
  }
  return { url: r, offers: t.filter((o) => o.url === n) };
}
var pa = class {
  #e;
  #t;
  constructor(e) {
    this.#e = e;
  }
  async fetch() {
    let { key: e } = this.#e, { request: n, finish: r } = gb(e), o = Th(r(await this.#n(n)));
    return e.notAfter === void 0 ? { token: o } : { token: o, notAfter: e.notAfter };
  }
  async #n(e) {
    let { client: n, key: { requestUri: r }, onWork: o } = this.#e,
      s = await n.request(r, e, await this.#o(e));
    if (s.kind === "response") return s.response;
    let i = bb(s.challenge);
    if (i === void 0) {
      throw new k(
        "issuer_refused",
        "Cannot fetch tokens: the issuer requires an API key (countersign token --api-key-file)",
      );
    }
    return this.#t = i, o?.(i), await this.#n(e);
  }
  async #o(e) {
    let { apiKey: n, key: { issuerName: r }, clock: o, kernels: s, findWork: i } = this.#e;
    if (n !== void 0) return `Bearer ${n}`;
    let c = this.#t;
    if (c === void 0) return;
    let f = { issuerName: r, requestDigest: s.sha256(e) };
    return wb(await i(f, { time: We(o), bits: c }));
  }
};
var mS = 16,
  gS = 8,
  Eb = new Set(["token_invalid", "token_expired", "token_spent"]),
  ma = class {
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
          if (!(r instanceof be)) throw r;
          if (Eb.has(r.reason) && e.length > 1) {
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
        isTransient: (o) => qr(o) && !(this.#s && vb(o)),
      });
    }
    async #h(e, n) {
      if (Eb.has(n.reason)) {
        let [r] = e;
        return this.#t.delete(r) ? (this.#a++, this.#a <= gS) : !1;
      }
      if (n.reason === "token_required") {
        if (e.every((r) => this.#p(r))) return !1;
        if (await this.#u(e)) return !0;
        throw await this.#g(e);
      }
      return !vb(n) || !this.#s ? !1 : (this.#s = await this.#u(e), !0);
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
        (await n.giveBack(s), await this.#b(n, new Set(r)), s = await n.take(o.length)),
          s.length < o.length
      ) return await n.giveBack(s), !1;
      for (let i of r) {
        let c = this.#n.get(i);
        c !== void 0 && this.#t.set(i, c), this.#n.delete(i);
      }
      return o.forEach((i, c) => this.#t.set(i, s[c])), r.length > 0;
    }
    async #b(e, n) {
      let r = [...this.#n.keys()].filter((i) => !n.has(i)), o = new Set(await this.#f(r)), s = [];
      for (let i of r) {
        let { shownFor: c, ...f } = this.#n.get(i);
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
      for (let c of await i.takeShown()) this.#n.set(c.shownFor, c);
      return this.#i = s, this.#r = i;
    }
    async #d(e) {
      return e.length <= 1 ? e : await this.#f(e);
    }
    async #f(e) {
      let n = new Array(e.length), r = e.entries();
      return await Promise.all(Array.from({ length: mS }, async () => {
        for (let [o, s] of r) n[o] = await this.#e.gateway.isKnown(s);
      })),
        e.filter((o, s) => !n[s]);
    }
    async #g(e) {
      let { gateway: { url: n }, advice: r } = this.#e, o = await this.#r?.count() ?? 0;
      return new k(
        "tokens_missing",
        `Cannot submit ${e.length} hashes: ${n.href} requires a token for each new hash, and ${o} are stored (${await r(
          this.#i,
          e.length,
        )})`,
      );
    }
  };
function vb(t) {
  return t instanceof be && t.reason === "rate_limited";
}
var Sb = 4,
  bS = 8,
  ga = class extends jn {
    #e;
    #t;
    #n;
    #o = [];
    #r;
    constructor(e) {
      super(!1), this.#e = e;
      let { api: n } = e;
      this.#t = new ma({
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
      return this.#n ??= await this.#i(), this.#n ? Sb : 1 / 0;
    }
    async submit(e, n) {
      try {
        return await this.#t.submit(e, n);
      } catch (r) {
        throw bt(r, "tokens_missing") && (this.#n = void 0), r;
      }
    }
    async #i() {
      try {
        return (await this.#e.api.admission()).value.mode === "token_required";
      } catch (e) {
        if (di(e)) throw e;
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
      if (!this.#n || e > Sb) return [];
      let n = We(this.#e.clock);
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
            if (Wr(r) || (this.#r = void 0, !n)) throw r;
          }
        }
      } finally {
        this.setState(!1);
      }
    }
    async #h() {
      let { api: e, crypto: n, clock: r } = this.#e,
        o = _b((await e.admission()).value.issuers, e.url);
      if (o === void 0) return;
      let s = new mi({ url: o.url }),
        i = xb(await s.directory(), o.offers, We(r)),
        { kernels: c } = await n.crypto();
      return new pa({ client: s, key: i, kernels: c, clock: r, findWork: (f, d) => wS(f, d, c) });
    }
  };
async function wS(t, e, n) {
  let r = performance.now();
  for (let o of yb(t, e, n)) {
    if (o !== void 0) return o;
    performance.now() - r < bS || (await yS(), r = performance.now());
  }
  throw new Error("unreachable");
}
function yS() {
  return new Promise((t) => {
    let { port1: e, port2: n } = new MessageChannel();
    e.onmessage = () => {
      e.close(), t();
    }, n.postMessage(null);
  });
}
var ba = class {
  rows;
  follower;
  #e;
  #t = new Map();
  #n = new Map();
  #o = 1;
  constructor(e) {
    this.rows = new Xi(e.later), this.follower = new Qi(e, this.rows), this.#e = e.hashing;
  }
  get hasUnsaved() {
    return this.rows.state.some(Ji);
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
var wa = class extends jn {
  #e;
  #t;
  #n = 0;
  constructor(e, n) {
    super({ state: "loading" }), this.#e = e, this.#t = n;
  }
  async load() {
    let e = ++this.#n, n;
    try {
      let r = await this.#t.blsFor(this.#e.read(pr) ?? ""), o = dm(this.#e, r);
      n = o === void 0 ? { state: "none" } : { state: "pinned", trust: o, kept: !0 };
    } catch (r) {
      n = { state: "broken", error: r };
    }
    e === this.#n && this.setState(n);
  }
  pin(e) {
    this.#n++, this.setState({ state: "pinned", trust: e, kept: um(this.#e, e) });
  }
  forget() {
    this.#n++, this.#e.remove(pr), this.setState({ state: "none" });
  }
};
Dp(da);
var Ob = document.baseURI,
  xS = document.querySelector("meta[name=countersign-assets]"),
  eu = eb(xS?.content ?? "", Ob),
  tu = tb(eu),
  ru = new wa(da, tu);
ru.load();
cb(pr, () => void ru.load());
var Tb = 4,
  is = {
    api: new li({ url: new URL(Ob), blsFor: tu.blsFor }),
    assets: eu,
    crypto: tu,
    storage: da,
    trust: ru,
    clock: gn,
    hashing: new ua(
      () => new Worker(eu("hash_worker.js")),
      Math.min(Tb, navigator.hardwareConcurrency ?? Tb),
    ),
  },
  Ab = new la({ url: is.api.url, clock: gn, random: Math.random });
addEventListener("online", () => Ab.wake());
var _S = 100,
  nu = new ga(is),
  Bb = { wait: (t, e) => Ab.wait(t, e), sleep: (t) => gn.sleep(t), random: Math.random },
  Nb = new oo(Bb),
  Rb = new ba({
    ...Bb,
    questions: Nb,
    gateway: is.api,
    submitNew: (t, e) => nu.submit(t, e),
    maxNew: () => nu.maxNew(),
    hashing: is.hashing,
    later: (t) => setTimeout(t, _S),
  });
db(Rb);
var kb = { ...is, line: Nb, tokens: nu, stamps: Rb }, ES = { ...kb, watch: ab(kb) };
Ha(a(Lf.Provider, { value: ES, children: a(Gg, {}) }), document.getElementById("app"));
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/*!
 * Copyright (c) 2023 Paul Miller (paulmillr.com)
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
