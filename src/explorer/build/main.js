var Iu = Object.defineProperty,
  Ya = (t, e) => {
    let n = {};
    for (var r in t) Iu(n, r, { get: t[r], enumerable: !0 });
    return e || Iu(n, Symbol.toStringTag, { value: "Module" }), n;
  };
var _s = Symbol("RENDERER"),
  er = Symbol("ERROR_HANDLER"),
  ve = Symbol("STASH"),
  Es = Symbol("INTERNAL"),
  vs = Symbol("MEMO"),
  Lu = Symbol("PERMALINK"),
  kb = Symbol("RENDERED_JSX");
var Za = (t) => (t[Es] = !0, t);
var Hu = (t) => ({ value: e, children: n }) => {
    if (!n) return;
    let r = {
      children: [{
        tag: Za(() => {
          t.push(e);
        }),
        props: {},
      }],
    };
    Array.isArray(n) ? r.children.push(...n.flat()) : r.children.push(n),
      r.children.push({
        tag: Za(() => {
          t.pop();
        }),
        props: {},
      });
    let o = { tag: "", props: r, type: "" };
    return o[er] = (s) => {
      throw t.pop(), s;
    },
      o;
  },
  tr = (t) => {
    let e = [t], n = Hu(e);
    return n.values = e, n.Provider = n, Br.push(n), n;
  };
var Eo = {
    title: [],
    script: ["src"],
    style: ["data-href"],
    link: ["href"],
    meta: ["name", "httpEquiv", "charset", "itemProp"],
  },
  Xa = {},
  Ss = "data-precedence",
  Ja = (t) => t.rel === "stylesheet" && "precedence" in t,
  Qa = (t, e) => t === "link" ? e : Eo[t].length > 0;
var ec = (t) => Array.isArray(t) ? t : [t];
var Ab = new Map([
    ["className", "class"],
    ["htmlFor", "for"],
    ["crossOrigin", "crossorigin"],
    ["httpEquiv", "http-equiv"],
    ["itemProp", "itemprop"],
    ["fetchPriority", "fetchpriority"],
    ["noModule", "nomodule"],
    ["formAction", "formaction"],
  ]),
  Ts = (t) => Ab.get(t) || t;
var $u = (t, e, n) => {
  t.size >= e && t.clear(), t.add(n);
};
var Bb = /[\s"'():;\\/\[\]{}\x00-\x1f\x7f-\x9f]/,
  tc = new Set(),
  Mu = 1024,
  Nb = (t) => {
    if (tc.has(t)) return !0;
    let e = t.length;
    if (e === 0) return !1;
    for (let n = 0; n < e; n++) {
      let r = t.charCodeAt(n);
      if (
        !(r >= 97 && r <= 122 || r >= 65 && r <= 90 || r >= 48 && r <= 57 || r === 45 || r === 95)
      ) return Bb.test(t) ? !1 : ($u(tc, Mu, t), !0);
    }
    return $u(tc, Mu, t), !0;
  },
  Cb = /[;"'\\/\[\](){}]/,
  Rb = (t) => {
    if (!Cb.test(t)) return !1;
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
  nc = (t, e) => {
    for (let [n, r] of Object.entries(t)) {
      let o = n[0] === "-" || !/[A-Z]/.test(n)
        ? n
        : n.replace(/[A-Z]/g, (i) => `-${i.toLowerCase()}`);
      if (!Nb(o)) continue;
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
        if (Rb(r)) continue;
        s = r;
      } else continue;
      e(o, s);
    }
  };
var Br = [],
  Pu = !1,
  rc,
  Ib,
  Lb = 0,
  ju = !1,
  Hb = () => {
    if (Pu) return rc;
    Pu = !0;
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
    return e && (rc = new e()), rc;
  },
  Fb = () => Hb()?.getStore() || Ib,
  $b = () => {
    Lb > 0 && !ju && (ju = !0,
      console.warn(
        "hono/jsx: AsyncLocalStorage is unavailable in this runtime, so useContext() after an await in an async component falls back to the context default value during server-side rendering. To get provided values across await boundaries, use a runtime with AsyncLocalStorage (Node.js >= 20.16, Deno, Bun, or Cloudflare Workers with the nodejs_compat flag).",
      ));
  };
var Mb = (t, e) => {
  if (!t) return $b(), e.values.at(-1);
  let n = t.get(e);
  return n?.length ? n.at(-1) : e.values[0];
};
var Ut = (t) => Mb(Fb(), t);
var Pb = 0;
var jb = 2,
  Db = 3,
  Ub = 4,
  oc = new WeakMap(),
  sc = (t, e) => !t || !e || t.length !== e.length || e.some((n, r) => n !== t[r]);
var qb;
var Du = [];
var M = (t) => {
  let e = () => typeof t == "function" ? t() : t, n = vn.at(-1);
  if (!n) return [e(), () => {}];
  let [, r] = n, o = r[ve][1][Pb] ||= [], s = r[ve][0]++;
  return o[s] ||= [e(), (i) => {
    let c = qb, f = o[s];
    if (typeof i == "function" && (i = i(f[0])), !Object.is(i, f[0])) {
      if (f[0] = i, Du.length) {
        let [d, u] = Du.at(-1);
        Promise.all([d === 3 ? r : vo([d, !1, c], r), u]).then(([l]) => {
          if (!l || !(d === 2 || d === 3)) return;
          let h = l.vC;
          requestAnimationFrame(() => {
            setTimeout(() => {
              h === l.vC && vo([d === 3 ? 1 : 0, !1, c], l);
            });
          });
        });
      } else vo([0, !1, c], r);
    }
  }];
};
var zb = (t, e, n) => {
    let r = vn.at(-1);
    if (!r) return;
    let [, o] = r, s = o[ve][1][1] ||= [], i = o[ve][0]++, [c, , f] = s[i] ||= [];
    if (sc(c, n)) {
      f && f();
      let d = () => {
          u[t] = void 0, u[2] = e();
        },
        u = [n, void 0, void 0, void 0, void 0];
      u[t] = d, s[i] = u;
    }
  },
  le = (t, e) => zb(3, t, e);
var qt = (t, e) => {
  let n = vn.at(-1);
  if (!n) return t;
  let [, r] = n, o = r[ve][1][jb] ||= [], s = r[ve][0]++, i = o[s];
  return sc(i?.[1], e) ? o[s] = [t, e] : t = o[s][0], t;
};
function pt(t) {
  let e = vn.at(-1);
  if (!e) return { current: t };
  let [, n] = e, r = n[ve][1][Ub] ||= [], o = n[ve][0]++;
  return r[o] ||= { current: t };
}
var ic = (t) => {
    let e = oc.get(t);
    if (e) {
      if (e.length === 2) throw e[1];
      return e[0];
    }
    throw t.then((n) => oc.set(t, [n]), (n) => oc.set(t, [void 0, n])), t;
  },
  ks = (t, e) => {
    let n = vn.at(-1);
    if (!n) return t();
    let [, r] = n, o = r[ve][1][Db] ||= [], s = r[ve][0]++, i = o[s];
    return sc(i?.[1], e) && (o[s] = [t(), e]), o[s][0];
  },
  Gb = 0,
  nr = () => ks(() => `:r${(Gb++).toString(32)}:`, []);
var ko = "_hp",
  Vb = { Change: "Input", DoubleClick: "DblClick" },
  Wb = { svg: "2000/svg", math: "1998/Math/MathML" },
  vn = [],
  So = new WeakMap(),
  Nr,
  Yu = () => Nr,
  et = (t) => "t" in t,
  ac = { onClick: ["click", !1] },
  Uu = (t) => {
    if (!t.startsWith("on")) return;
    if (ac[t]) return ac[t];
    let e = t.match(/^on([A-Z][a-zA-Z]+?(?:PointerCapture)?)(Capture)?$/);
    if (e) {
      let [, n, r] = e;
      return ac[t] = [(Vb[n] || n).toLowerCase(), !!r];
    }
  },
  qu = (t, e) =>
    Nr && t instanceof SVGElement && /[A-Z]/.test(e) &&
      (e in t.style || e.match(/^(?:o|pai|str|u|ve)/))
      ? e.replace(/([A-Z])/g, "-$1").toLowerCase()
      : e,
  Zu = (t) => t == null || t === !1 ? null : t,
  Kb = (t, e) => {
    "value" in e &&
      (t.value = Zu(e.value), !t.multiple && t.selectedIndex === -1 && (t.selectedIndex = 0));
  },
  zu = (t) => t instanceof DOMException && t.name === "InvalidCharacterError",
  Yb = (t, e, n) => {
    e ||= {};
    for (let r in e) {
      let o = e[r];
      if (r !== "children" && (!n || n[r] !== o)) {
        r = Ts(r);
        let s = Uu(r);
        if (s) {
          if (n?.[r] !== o && (n && t.removeEventListener(s[0], n[r], s[1]), o != null)) {
            if (typeof o != "function") {
              throw new Error(`Event handler for "${r}" is not a function`);
            }
            t.addEventListener(s[0], o, s[1]);
          }
        } else if (r === "dangerouslySetInnerHTML" && o) t.innerHTML = o.__html;
        else if (r === "ref") {
          So.get(t)?.();
          let i;
          typeof o == "function"
            ? i = o(t) || (() => o(null))
            : o && "current" in o && (o.current = t, i = () => o.current = null), So.set(t, i);
        } else if (r === "style") {
          let i = t.style;
          typeof o == "string"
            ? i.cssText = o
            : (i.cssText = "", o != null && nc(o, i.setProperty.bind(i)));
        } else {
          if (r === "value") {
            let c = t.nodeName;
            if (c === "SELECT") continue;
            if ((c === "INPUT" || c === "TEXTAREA") && (t.value = Zu(o), c === "TEXTAREA")) {
              t.textContent = o;
              continue;
            }
          } else {(r === "checked" && t.nodeName === "INPUT" ||
              r === "selected" && t.nodeName === "OPTION") && (t[r] = o);}
          let i = qu(t, r);
          try {
            o == null || o === !1
              ? t.removeAttribute(i)
              : o === !0
              ? t.setAttribute(i, "")
              : typeof o == "string" || typeof o == "number"
              ? t.setAttribute(i, o)
              : t.setAttribute(i, o.toString());
          } catch (c) {
            if (!zu(c)) throw c;
          }
        }
      }
    }
    if (n) {
      for (let r in n) {
        let o = n[r];
        if (r !== "children" && !(r in e)) {
          r = Ts(r);
          let s = Uu(r);
          if (s) t.removeEventListener(s[0], o, s[1]);
          else if (r === "ref") So.get(t)?.(), So.delete(t);
          else {try {
              t.removeAttribute(qu(t, r));
            } catch (i) {
              if (!zu(i)) throw i;
            }}
        }
      }
    }
  },
  Zb = (t, e) => {
    e[ve][0] = 0, vn.push([t, e]);
    let n = e.tag[_s] || e.tag, r = n.defaultProps ? { ...n.defaultProps, ...e.props } : e.props;
    try {
      return [n.call(null, r)];
    } finally {
      vn.pop();
    }
  },
  Xu = (t, e, n, r, o) => {
    t.vR?.length && (r.push(...t.vR), delete t.vR),
      typeof t.tag == "function" && t[ve][1][1]?.forEach((s) => o.push(s)),
      t.vC.forEach((s) => {
        if (et(s)) n.push(s);
        else if (typeof s.tag == "function" || s.tag === "") {
          s.c = e;
          let i = n.length;
          if (Xu(s, e, n, r, o), s.s) {
            for (let c = i; c < n.length; c++) n[c].s = !0;
            s.s = !1;
          }
        } else n.push(s), s.vR?.length && (r.push(...s.vR), delete s.vR);
      });
  },
  Xb = (t) => {
    for (; t && (t.tag === ko || !t.e);) t = t.tag === ko || !t.vC?.[0] ? t.nN : t.vC[0];
    return t?.e;
  },
  Ju = (t) => {
    if (!et(t)) {
      let e = t[ve];
      e?.[1][1] && (e[1][1].forEach((n) => n[2]?.()), delete e[1][1]),
        So.get(t.e)?.(),
        t.p === 2 && t.vC?.forEach((n) => n.p = 2),
        t.vC?.forEach(Ju);
    }
    t.p || (t.e?.remove(), delete t.e),
      typeof t.tag == "function" && (To.delete(t), Os.delete(t), delete t[ve][3], t.a = !0);
  },
  cc = (t, e, n) => {
    t.c = e, Qu(t, e, n);
  },
  Gu = (t, e) => {
    if (e) { for (let n = 0, r = t.length; n < r; n++) if (t[n] === e) return n; }
  },
  Vu = Symbol(),
  Qu = (t, e, n) => {
    let r = [], o = [], s = [];
    Xu(t, e, r, o, s), o.forEach(Ju);
    let i = n ? void 0 : e.childNodes, c, f = null;
    if (n) c = -1;
    else if (!i.length) c = 0;
    else {
      let d = Gu(i, Xb(t.nN));
      d !== void 0 ? (f = i[d], c = d) : c = Gu(i, r.find((u) => u.tag !== ko && u.e)?.e) ?? -1,
        c === -1 && (n = !0);
    }
    for (let d = 0, u = r.length; d < u; d++, c++) {
      let l = r[d], h;
      if (l.s && l.e) h = l.e, l.s = !1;
      else {
        let p = n || !l.e;
        if (et(l)) {
          l.e && l.d && (l.e.textContent = l.t), l.d = !1, h = l.e ||= document.createTextNode(l.t);
        } else {
          let m = !l.e;
          h = l.e ||= l.n ? document.createElementNS(l.n, l.tag) : document.createElement(l.tag),
            Yb(h, l.props, m ? void 0 : l.pP),
            Qu(l, h, p),
            l.tag === "select" && Kb(h, l.props);
        }
      }
      l.tag === ko ? c-- : n ? h.parentNode || e.appendChild(h) : i[c] !== h && i[c - 1] !== h &&
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
  Jb = (t, e) => !!(t && t.length === e.length && t.every((n, r) => n[1] === e[r][1])),
  Qb = (t) => {
    let e = new Map();
    for (let n of t) {
      let r = n.key;
      if (e.has(r)) return;
      e.set(r, n);
    }
    return e;
  },
  Os = new WeakMap(),
  As = (t, e, n) => {
    let r = !n && e.pC;
    n && (e.pC ||= e.vC);
    let o;
    try {
      n ||= typeof e.tag == "function" ? Zb(t, e) : ec(e.props.children),
        n[0]?.tag === "" && n[0][er] && (o = n[0][er], t[5].push([t, o, e]));
      let s = r ? [...e.pC] : e.vC ? [...e.vC] : void 0, i = [], c, f = (s?.length || 0) * 2, d;
      for (let u = 0; u < n.length; u++) {
        if (Array.isArray(n[u])) {
          n.splice(u, 1, ...n[u].flat(1 / 0)), u--;
          continue;
        }
        let l = el(n[u]);
        if (l) {
          typeof l.tag == "function" && !l.tag[Es] &&
            (Br.length > 0 && (l[ve][2] = Br.map((p) => [p, p.values.at(-1)])),
              t[5]?.length && (l[ve][3] = t[5].at(-1)));
          let h;
          if (d && l.key === void 0 && !et(l) && (s = [...d.values()], d = void 0), d) {
            let p = l.key, m = d.get(p);
            m && (et(l) ? et(m) : m.tag === l.tag && m.key === p) && (h = m, d.delete(p));
          } else if (s && s.length) {
            let p = s[0];
            if (
              et(l) ? et(p) : !et(p) &&
                (l.key !== void 0 ? p.key === l.key && p.tag === l.tag : p.tag === l.tag)
            ) h = s.shift();
            else {
              let m = s.findIndex(
                et(l)
                  ? (g) => et(g)
                  : l.key !== void 0
                  ? (g) => g.key === l.key && g.tag === l.tag
                  : (g) => g.tag === l.tag,
              );
              f -= m === -1 ? s.length : m,
                m !== -1 && (h = s[m], s.splice(m, 1)),
                f < 0 && (f = 1 / 0, d = Qb(s));
            }
          }
          if (h) {
            if (et(l)) h.t !== l.t && (h.t = l.t, h.d = !0), l = h;
            else {
              let p = h.pP = h.props;
              if (h.props = l.props, h.f ||= l.f || e.f, typeof l.tag == "function") {
                let m = h[ve][2];
                h[ve][2] = l[ve][2] || [],
                  h[ve][3] = l[ve][3],
                  !h.f && ((h.o || h) === l.o || h.tag[vs]?.(p, h.props)) && Jb(m, h[ve][2]) &&
                  (h.s = !0);
              }
              l = h;
            }
          } else if (!et(l) && Nr) {
            let p = Ut(Nr);
            p && (l.n = p);
          }
          if (!et(l) && !l.s && (As(t, l), delete l.f), i.push(l), c && !c.s && !l.s) {
            for (let p = c; p && !et(p); p = p.vC?.at(-1)) {
              p.nN = l;
            }
          }
          c = l;
        }
      }
      if (c && !c.s) { for (let u = c; u && !et(u); u = u.vC?.at(-1)) u.nN = e.nN; }
      s = d ? [...d.values()] : s,
        e.vR = r ? [...e.vC, ...s || []] : s || [],
        e.vC = i,
        r && delete e.pC;
    } catch (s) {
      if (e.f = !0, s === Vu) {
        if (o) return;
        throw s;
      }
      let [i, c, f] = e[ve]?.[3] || [];
      if (c) {
        let d = () => vo([0, !1, t[2]], f), u = Os.get(f) || [];
        u.push(d), Os.set(f, u);
        let l = c(s, () => {
          let h = Os.get(f);
          if (h) {
            let p = h.indexOf(d);
            if (p !== -1) return h.splice(p, 1), d();
          }
        });
        if (l) {
          if (t[0] === 1) t[1] = !0;
          else if (
            As(t, f, [l]), (c.length === 1 || t !== i) && f.c && !t[5].some(([, , h]) => h === f)
          ) {
            cc(f, f.c, !1);
            return;
          }
          throw Vu;
        }
      }
      throw s;
    } finally {
      o && t[5].pop();
    }
  },
  el = (t) => {
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
      ) t[ve] = [0, []];
      else {
        let e = Wb[t.tag];
        e &&
          (Nr ||= tr(""),
            t.props.children = [{
              tag: Nr,
              props: { value: t.n = `http://www.w3.org/${e}`, children: t.props.children },
            }]);
      }
      return t;
    }
  },
  tl = (t, e, n) => {
    t.c === e && (t.c = n, t.vC.forEach((r) => tl(r, e, n)));
  },
  Wu = (t, e) => {
    e[ve][2]?.forEach(([n, r]) => {
      n.values.push(r);
    });
    try {
      As(t, e, void 0);
    } catch {
      return;
    }
    if (e.a) {
      delete e.a;
      return;
    }
    e[ve][2]?.forEach(([n]) => {
      n.values.pop();
    }), (t[0] !== 1 || !t[1]) && cc(e, e.c, !1);
  },
  To = new WeakMap(),
  Ku = [],
  vo = async (t, e) => {
    t[5] ||= [];
    let n = To.get(e);
    n && n[0](void 0);
    let r, o = new Promise((s) => r = s);
    if (
      To.set(e, [r, () => {
        t[2]
          ? t[2](t, e, (s) => {
            Wu(s, e);
          }).then(() => r(e))
          : (Wu(t, e), r(e));
      }]), Ku.length
    ) Ku.at(-1).add(e);
    else {
      await Promise.resolve();
      let s = To.get(e);
      s && (To.delete(e), s[1]());
    }
    return o;
  },
  ey = (t, e) => {
    let n = [];
    n[5] = [], n[4] = !0, As(n, t, void 0), n[4] = !1;
    let r = document.createDocumentFragment();
    cc(t, r, !0), tl(t, r, e), e.replaceChildren(r);
  },
  fc = (t, e) => {
    ey(el({ tag: "", props: { children: t } }), e);
  };
var dc = (t, e, n) => ({ tag: ko, props: { children: t }, key: n, e, p: 1 });
var rl = tr({ pending: !1, data: null, method: null, action: null }),
  nl = new Set(),
  ol = (t) => {
    nl.add(t);
    let e = () => {
      nl.delete(t);
    };
    t.then(e, e);
  };
var hc = Ya({
    button: () => pl,
    clearCache: () => ty,
    composeRef: () => Bs,
    form: () => ul,
    input: () => hl,
    link: () => cl,
    meta: () => fl,
    script: () => il,
    style: () => al,
    title: () => sl,
  }),
  ty = () => {
    uc = Object.create(null), lc = Object.create(null);
  },
  Bs = (t, e) =>
    ks(() => (n) => {
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
  uc = Object.create(null),
  lc = Object.create(null),
  Oo = (t, e, n, r, o) => {
    if (e?.itemProp) return { tag: t, props: e, type: t, ref: e.ref };
    let s = document.head,
      { onLoad: i, onError: c, precedence: f, blocking: d, ...u } = e,
      l = null,
      h = !1,
      p = Eo[t],
      m = Qa(t, r),
      g = (v) =>
        v.getAttribute("rel") === "stylesheet" && v.getAttribute("data-precedence") !== null,
      w;
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
        h = !lc[S],
          l = lc[S] ||= (() => {
            let A = document.createElement(t);
            for (let O of p) e[O] !== void 0 && A.setAttribute(O, e[O]);
            return e.rel && A.setAttribute("rel", e.rel), A;
          })();
      }
    } else w = s.querySelectorAll(t);
    f = r ? f ?? "" : void 0, r && (u[Ss] = f);
    let b = qt((v) => {
        if (m) {
          if (t === "link" && f !== void 0) {
            let A = !1;
            for (let O of s.querySelectorAll(t)) {
              let C = O.getAttribute(Ss);
              if (C === null) {
                s.insertBefore(v, O);
                return;
              }
              if (A && C !== f) {
                s.insertBefore(v, O);
                return;
              }
              C === f && (A = !0);
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
        else if (w) {
          let S = !1;
          for (let A of w) {
            if (A === v) {
              S = !0;
              break;
            }
          }
          S || s.insertBefore(v, s.contains(w[0]) ? w[0] : s.querySelector(t)), w = void 0;
        }
      }, [m, f, t]),
      x = Bs(e.ref, (v) => {
        let S = p[0];
        if (n === 2 && (v.innerHTML = ""), (h || w) && b(v), !c && !i || !S) return;
        let A = uc[v.getAttribute(S)] ||= new Promise((O, C) => {
          v.addEventListener("load", O), v.addEventListener("error", C);
        });
        i && (A = A.then(i)), c && (A = A.catch(c)), A.catch(() => {});
      });
    if (o && d === "render") {
      let v = Eo[t][0];
      if (v && e[v]) {
        let S = e[v],
          A = uc[S] ||= new Promise((O, C) => {
            b(l), l.addEventListener("load", O), l.addEventListener("error", C);
          });
        ic(A);
      }
    }
    let y = { tag: t, type: t, props: { ...u, ref: x }, ref: x };
    return y.p = n, l && (y.e = l), dc(y, s);
  },
  sl = (t) => {
    let e = Yu();
    return (e && Ut(e))?.endsWith("svg")
      ? { tag: "title", props: t, type: "title", ref: t.ref }
      : Oo("title", t, void 0, !1, !1);
  },
  il = (t) =>
    !t || ["src", "async"].some((e) => !t[e])
      ? { tag: "script", props: t, type: "script", ref: t.ref }
      : Oo("script", t, 1, !1, !0),
  al = (t) =>
    !t || !["href", "precedence"].every((e) => e in t)
      ? { tag: "style", props: t, type: "style", ref: t.ref }
      : (t["data-href"] = t.href, delete t.href, Oo("style", t, 2, !0, !0)),
  cl = (t) =>
    !t || ["onLoad", "onError"].some((e) => e in t) ||
      t.rel === "stylesheet" && (!("precedence" in t) || "disabled" in t)
      ? { tag: "link", props: t, type: "link", ref: t.ref }
      : Oo("link", t, 1, Ja(t), !0),
  fl = (t) => Oo("meta", t, void 0, !1, !1),
  dl = Symbol(),
  ul = (t) => {
    let { action: e, ...n } = t;
    typeof e != "function" && (n.action = e);
    let [r, o] = M([null, !1]),
      s = qt(async (d) => {
        let u = d.isTrusted ? e : d.detail[dl];
        if (typeof u != "function") return;
        d.preventDefault();
        let l = new FormData(d.target);
        o([l, !0]);
        try {
          let h = u(l);
          h instanceof Promise && (ol(h), await h);
        } finally {
          o([null, !0]);
        }
      }, []),
      i = Bs(t.ref, (d) => (d.addEventListener("submit", s), () => {
        d.removeEventListener("submit", s);
      })),
      [c, f] = r;
    return r[1] = !1, {
      tag: rl,
      props: {
        value: { pending: c !== null, data: c, method: c ? "post" : null, action: c ? e : null },
        children: { tag: "form", props: { ...n, ref: i }, type: "form", ref: i },
      },
      f,
    };
  },
  ll = (t, { formAction: e, ...n }) => {
    if (typeof e == "function") {
      let r = qt((o) => {
        o.preventDefault(),
          o.currentTarget.form.dispatchEvent(new CustomEvent("submit", { detail: { [dl]: e } }));
      }, []);
      n.ref = Bs(n.ref, (o) => (o.addEventListener("click", r), () => {
        o.removeEventListener("click", r);
      }));
    }
    return { tag: t, props: n, type: t, ref: n.ref };
  },
  hl = (t) => ll("input", t),
  pl = (t) => ll("button", t);
Object.assign(Xa, {
  title: sl,
  script: il,
  style: al,
  link: cl,
  meta: fl,
  form: ul,
  input: hl,
  button: pl,
});
var a = (
    t,
    e,
    n,
  ) => (typeof t == "string" && hc[t] && (t = hc[t]),
    { tag: t, type: t, props: e, key: n, ref: e.ref }),
  N = (t) => a("", t, void 0);
var pc = ({ children: t, fallback: e, fallbackRender: n, onError: r }) => {
  let o = N({ children: t });
  return o[er] = (s) => {
    if (s instanceof Promise) throw s;
    return r?.(s), n?.(s) || e;
  },
    o;
};
function Ze(t) {
  return Math.floor(t.nowMs() / 1e3);
}
var Sn = {
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
function Cr(...t) {
  let e = new AbortController();
  for (let n of t) {
    let r = () => e.abort(n.reason);
    n.aborted ? r() : n.addEventListener("abort", r, { once: !0, signal: e.signal });
  }
  return e.signal;
}
function Ns(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var mc = (t) => t ? `"${t}" ` : "";
function ln(t, e = "") {
  if (typeof t != "number") throw new TypeError(mc(e) + "expected number, got " + typeof t);
  if (!Number.isSafeInteger(t) || t < 0) {
    throw new RangeError(mc(e) + "expected integer >= 0, got " + t);
  }
  return t;
}
function ct(t, e, n = "") {
  if (Ns(t) && (e === void 0 || t.length === e)) return t;
  e !== void 0 && ln(e, "length");
  let r = Ns(t),
    o = e !== void 0 ? ` of length ${e}` : "",
    s = r ? `length=${t.length}` : `type=${typeof t}`,
    i = mc(n) + "expected Uint8Array" + o + ", got " + s;
  throw r ? new RangeError(i) : new TypeError(i);
}
function Ao(t) {
  if (typeof t != "function" || typeof t.create != "function") {
    throw new TypeError("expected hash wrapped by utils.createHasher");
  }
  if (ln(t.outputLen), ln(t.blockLen), t.outputLen < 1 || t.blockLen < 1) {
    throw new Error("hash blockLen / outputLen must be >= 1");
  }
}
var ny = (t, e) => {
    if (t === null || typeof t != "object" || Array.isArray(t)) {
      throw new TypeError(
        (e === "object" ? "" : `"${e}" `) + "expected object, got type=" + typeof t,
      );
    }
  },
  ml = (t, e) => {
    ny(t, e);
    let n = Object.getPrototypeOf(t);
    if (n !== Object.prototype && n !== null) throw new TypeError(`"${e}" expected plain object`);
    if (Object.hasOwn(t, "__proto__")) throw new TypeError(`"${e}.__proto__" is not allowed`);
  };
function Rr(t, e = !0) {
  if (t.destroyed) throw new Error("hash was destroyed");
  if (e && t.finished) throw new Error("digest() was already called");
}
function Cs(t, e) {
  ct(t, void 0, "output");
  let n = e.outputLen;
  if (!(t.length >= n)) throw new RangeError('"output" expected length >= ' + n);
}
function xt(...t) {
  for (let e = 0; e < t.length; e++) t[e].fill(0);
}
function Rs(t) {
  return new DataView(t.buffer, t.byteOffset, t.byteLength);
}
function Rt(t, e) {
  return t << 32 - e | t >>> e;
}
var wl = typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function",
  ry = Array.from({ length: 256 }, (t, e) => e.toString(16).padStart(2, "0"));
function Ir(t) {
  if (ct(t), wl) return t.toHex();
  let e = "";
  for (let n = 0; n < t.length; n++) e += ry[t[n]];
  return e;
}
function gl(t) {
  return t >= 48 && t <= 57
    ? t - 48
    : t >= 65 && t <= 70
    ? t - 55
    : t >= 97 && t <= 102
    ? t - 87
    : void 0;
}
function Lr(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  if (wl) {
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
    let i = gl(t.charCodeAt(s)), c = gl(t.charCodeAt(s + 1));
    if (i === void 0 || c === void 0) {
      let f = t[s] + t[s + 1];
      throw new RangeError('hex string expected, got non-hex character "' + f + '" at index ' + s);
    }
    r[o] = i * 16 + c;
  }
  return r;
}
function gc(...t) {
  let e = 0;
  for (let r = 0; r < t.length; r++) {
    let o = t[r];
    ct(o), e += o.length;
  }
  let n = new Uint8Array(e);
  for (let r = 0, o = 0; r < t.length; r++) {
    let s = t[r];
    n.set(s, o), o += s.length;
  }
  return n;
}
function oy(t, e, n = "opts") {
  return ml(t, "defaults"), e !== void 0 && ml(e, n), Object.assign(Object.create(null), t, e);
}
function Is(t, e = {}) {
  if (typeof t != "function") {
    throw new TypeError('"hashCons" expected function, got type=' + typeof t);
  }
  e = oy({}, e, "info");
  let n = (o, s) => t(s).update(o).digest(), r = t(void 0);
  return n.outputLen = r.outputLen,
    n.blockLen = r.blockLen,
    n.canXOF = r.canXOF,
    n.create = (o) => t(o),
    Object.assign(n, e),
    Object.freeze(n);
}
function bl(t = 32) {
  ln(t, "bytesLength");
  let e = typeof globalThis == "object" ? globalThis.crypto : null;
  if (typeof e?.getRandomValues != "function") {
    throw new Error("crypto.getRandomValues must be defined");
  }
  if (t > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${t}`);
  return e.getRandomValues(new Uint8Array(t));
}
var Ls = (t) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, t]) });
var Hs = Uint8Array;
function Bo(t, e) {
  if (Hs.prototype.toBase64) return Hs.prototype.toBase64.call(t, { alphabet: e });
  let n = btoa(Array.from(t, (r) => String.fromCharCode(r)).join(""));
  return e === "base64" ? n : n.replaceAll("+", "-").replaceAll("/", "_");
}
function wc(t, e) {
  try {
    if (Hs.fromBase64) return Hs.fromBase64(t, { alphabet: e });
    let n = e === "base64" ? t : t.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(n), (r) => r.charCodeAt(0));
  } catch {
    return;
  }
}
var yl = [
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
  k = class extends Error {
    name = "CountersignError";
    code;
    constructor(e, n, r) {
      super(n, r), this.code = e;
    }
  };
function Ge(t, e) {
  return (n, r) => new k(t, `${e}: ${n}`, r);
}
function _t(t, e) {
  return t instanceof k && t.code === e;
}
function rr(t) {
  if (t instanceof k) return t;
  throw t;
}
function ft(t) {
  try {
    return t();
  } catch (e) {
    rr(e);
    return;
  }
}
var E = 32,
  xl = 2 ** 53,
  sy = new TextEncoder(),
  iy = new TextDecoder("utf-8", { fatal: !0, ignoreBOM: !0 });
function ee(t) {
  return sy.encode(t);
}
function dt(t, e = "malformed_text") {
  try {
    return iy.decode(t);
  } catch (n) {
    throw new k(e, "Cannot read text: bytes are not UTF-8", { cause: n });
  }
}
function K(t) {
  return Ir(t);
}
function Fe(t) {
  return Lr(t);
}
function Se(t, e) {
  return t.length === e * 2 && /^[0-9a-f]*$/.test(t);
}
function Ne(t, e) {
  return Se(t, e) ? Fe(t) : void 0;
}
function No(t) {
  return Bo(t, "base64");
}
function or(t) {
  let e = wc(t, "base64");
  return e !== void 0 && No(e) === t ? e : void 0;
}
function _l(t) {
  return Bo(t, "base64url").replaceAll("=", "");
}
function Hr(t) {
  let e = wc(t, "base64url"), n = e && Bo(e, "base64url");
  return t === n || t === n?.replaceAll("=", "") ? e : void 0;
}
function _e(...t) {
  let e = 0;
  for (let o of t) e += o.length;
  let n = new Uint8Array(e), r = 0;
  for (let o of t) n.set(o, r), r += o.length;
  return n;
}
var ay = 128;
function Ce(t, e) {
  if (t.length !== e.length) return !1;
  let n = 0;
  if (t.length >= ay && t.byteOffset % 4 === 0 && e.byteOffset % 4 === 0) {
    let r = t.length >>> 2,
      o = new Int32Array(t.buffer, t.byteOffset, r),
      s = new Int32Array(e.buffer, e.byteOffset, r);
    for (let i = 0; i < r; i++) if (o[i] !== s[i]) return !1;
    n = 4 * r;
  }
  for (let r = n; r < t.length; r++) if (t[r] !== e[r]) return !1;
  return !0;
}
function El(t) {
  let e = new Uint8Array(8);
  return new DataView(e.buffer).setBigUint64(0, BigInt(t)), e;
}
function mt(t) {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(t)) return;
  let e = Number(t);
  return Number.isSafeInteger(e) ? e : void 0;
}
function pe(t) {
  return Number.isSafeInteger(t) && t >= 0;
}
var Fs = BigInt(4294967295), vl = BigInt(32);
function cy(t, e = !1) {
  return e
    ? { h: Number(t & Fs), l: Number(t >> vl & Fs) }
    : { h: Number(t >> vl & Fs) | 0, l: Number(t & Fs) | 0 };
}
function Sl(t, e = !1) {
  let n = t.length, r = new Uint32Array(n), o = new Uint32Array(n);
  for (let s = 0; s < n; s++) {
    let { h: i, l: c } = cy(t[s], e);
    [r[s], o[s]] = [i, c];
  }
  return [r, o];
}
var fy = (t) => t / 2 ** 32 | 0, dy = (t) => t >>> 0;
function Tl(t, e, n, r) {
  let o = fy(n), s = dy(n);
  t.setUint32(e, r ? s : o, r), t.setUint32(e + 4, r ? o : s, r);
}
var bc = (t, e, n) => t >>> n,
  yc = (t, e, n) => t << 32 - n | e >>> n,
  sr = (t, e, n) => t >>> n | e << 32 - n,
  ir = (t, e, n) => t << 32 - n | e >>> n,
  Co = (t, e, n) => t << 64 - n | e >>> n - 32,
  Ro = (t, e, n) => t >>> n - 32 | e << 64 - n;
function zt(t, e, n, r) {
  let o = (e >>> 0) + (r >>> 0);
  return { h: t + n + (o / 2 ** 32 | 0) | 0, l: o | 0 };
}
var kl = (t, e, n) => (t >>> 0) + (e >>> 0) + (n >>> 0),
  Ol = (t, e, n, r) => e + n + r + (t / 2 ** 32 | 0) | 0,
  Al = (t, e, n, r) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0),
  Bl = (t, e, n, r, o) => e + n + r + o + (t / 2 ** 32 | 0) | 0,
  Nl = (t, e, n, r, o) => (t >>> 0) + (e >>> 0) + (n >>> 0) + (r >>> 0) + (o >>> 0),
  Cl = (t, e, n, r, o, s) => e + n + r + o + s + (t / 2 ** 32 | 0) | 0;
function Rl(t, e, n) {
  return t & e ^ ~t & n;
}
function Il(t, e, n) {
  return t & e ^ t & n ^ e & n;
}
var Io = class {
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
        this.view = Rs(this.buffer);
    }
    update(e) {
      Rr(this), ct(e);
      let { view: n, buffer: r, blockLen: o } = this, s = e.length, i = !1;
      for (let c = 0; c < s;) {
        let f = Math.min(o - this.pos, s - c);
        if (f === o) {
          let d = Rs(e);
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
      Rr(this), Cs(e, this), this.finished = !0;
      let { buffer: n, view: r, blockLen: o, isLE: s } = this, { pos: i } = this;
      n[i++] = 128,
        n.fill(0, i),
        this.padOffset > o - i && (this.process(r, 0), n.fill(0)),
        Tl(r, o - 8, this.length * 8, s),
        this.process(r, 0),
        this.roundClean();
      let c = e === n ? r : Rs(e), f = this.outputLen, d = f / 4, u = this.get();
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
  Ll = Uint32Array.from([
    1779033703,
    3144134277,
    1013904242,
    2773480762,
    1359893119,
    2600822924,
    528734635,
    1541459225,
  ]);
var Hl = Uint32Array.from([
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
  Fl = Uint32Array.from([
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
var ly = Uint32Array.from([
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
  Tn = new Uint32Array(64),
  xc = class extends Io {
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
      for (let l = 0; l < 16; l++, n += 4) Tn[l] = e.getUint32(n, !1);
      for (let l = 16; l < 64; l++) {
        let h = Tn[l - 15],
          p = Tn[l - 2],
          m = Rt(h, 7) ^ Rt(h, 18) ^ h >>> 3,
          g = Rt(p, 17) ^ Rt(p, 19) ^ p >>> 10;
        Tn[l] = g + Tn[l - 7] + m + Tn[l - 16] | 0;
      }
      let { A: r, B: o, C: s, D: i, E: c, F: f, G: d, H: u } = this;
      for (let l = 0; l < 64; l++) {
        let h = Rt(c, 6) ^ Rt(c, 11) ^ Rt(c, 25),
          p = u + h + Rl(c, f, d) + ly[l] + Tn[l] | 0,
          g = (Rt(r, 2) ^ Rt(r, 13) ^ Rt(r, 22)) + Il(r, o, s) | 0;
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
      xt(Tn);
    }
    destroy() {
      this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), xt(this.buffer);
    }
  },
  _c = class extends xc {
    constructor() {
      super(32, Ll);
    }
  };
var $l = Sl(
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
  hy = $l[0],
  py = $l[1],
  kn = new Uint32Array(80),
  On = new Uint32Array(80),
  $s = class extends Io {
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
        Hl: w,
      } = this;
      return [e, n, r, o, s, i, c, f, d, u, l, h, p, m, g, w];
    }
    set(e, n, r, o, s, i, c, f, d, u, l, h, p, m, g, w) {
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
        this.Hl = w | 0;
    }
    _cloneInto(e) {
      return (e ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(e);
    }
    process(e, n) {
      for (let y = 0; y < 16; y++, n += 4) kn[y] = e.getUint32(n), On[y] = e.getUint32(n += 4);
      for (let y = 16; y < 80; y++) {
        let v = kn[y - 15] | 0,
          S = On[y - 15] | 0,
          A = sr(v, S, 1) ^ sr(v, S, 8) ^ bc(v, S, 7),
          O = ir(v, S, 1) ^ ir(v, S, 8) ^ yc(v, S, 7),
          C = kn[y - 2] | 0,
          V = On[y - 2] | 0,
          fe = sr(C, V, 19) ^ Co(C, V, 61) ^ bc(C, V, 6),
          ge = ir(C, V, 19) ^ Ro(C, V, 61) ^ yc(C, V, 6),
          we = Al(O, ge, On[y - 7], On[y - 16]),
          Ae = Bl(we, A, fe, kn[y - 7], kn[y - 16]);
        kn[y] = Ae | 0, On[y] = we | 0;
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
        Gl: w,
        Hh: b,
        Hl: x,
      } = this;
      for (let y = 0; y < 80; y++) {
        let v = sr(l, h, 14) ^ sr(l, h, 18) ^ Co(l, h, 41),
          S = ir(l, h, 14) ^ ir(l, h, 18) ^ Ro(l, h, 41),
          A = l & p ^ ~l & g,
          O = h & m ^ ~h & w,
          C = Nl(x, S, O, py[y], On[y]),
          V = Cl(C, b, v, A, hy[y], kn[y]),
          fe = C | 0,
          ge = sr(r, o, 28) ^ Co(r, o, 34) ^ Co(r, o, 39),
          we = ir(r, o, 28) ^ Ro(r, o, 34) ^ Ro(r, o, 39),
          Ae = r & s ^ r & c ^ s & c,
          q = o & i ^ o & f ^ i & f;
        b = g | 0,
          x = w | 0,
          g = p | 0,
          w = m | 0,
          p = l | 0,
          m = h | 0,
          { h: l, l: h } = zt(d | 0, u | 0, V | 0, fe | 0),
          d = c | 0,
          u = f | 0,
          c = s | 0,
          f = i | 0,
          s = r | 0,
          i = o | 0;
        let re = kl(fe, we, q);
        r = Ol(re, V, ge, Ae), o = re | 0;
      }
      ({ h: r, l: o } = zt(this.Ah | 0, this.Al | 0, r | 0, o | 0)),
        { h: s, l: i } = zt(this.Bh | 0, this.Bl | 0, s | 0, i | 0),
        { h: c, l: f } = zt(this.Ch | 0, this.Cl | 0, c | 0, f | 0),
        { h: d, l: u } = zt(this.Dh | 0, this.Dl | 0, d | 0, u | 0),
        { h: l, l: h } = zt(this.Eh | 0, this.El | 0, l | 0, h | 0),
        { h: p, l: m } = zt(this.Fh | 0, this.Fl | 0, p | 0, m | 0),
        { h: g, l: w } = zt(this.Gh | 0, this.Gl | 0, g | 0, w | 0),
        { h: b, l: x } = zt(this.Hh | 0, this.Hl | 0, b | 0, x | 0),
        this.set(r, o, s, i, c, f, d, u, l, h, p, m, g, w, b, x);
    }
    roundClean() {
      xt(kn, On);
    }
    destroy() {
      this.destroyed = !0,
        xt(this.buffer),
        this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  },
  Ec = class extends $s {
    constructor() {
      super(64, Fl);
    }
  },
  vc = class extends $s {
    constructor() {
      super(48, Hl);
    }
  };
var It = Is(() => new _c(), Ls(1));
var Lo = Is(() => new Ec(), Ls(3)), Ml = Is(() => new vc(), Ls(2));
function Et(t, e, n = () => {}) {
  if (!Array.isArray(t)) throw new TypeError(`"${e}" expected array, got type=${typeof t}`);
  for (let r = 0; r < t.length; r++) n(t[r], `${e}[${r}]`);
  return t;
}
var ue = (t, e, n) => ct(t, e, n), Tc = ln;
function An(t, e = "object") {
  if (t === null || typeof t != "object" || Array.isArray(t)) {
    throw new TypeError(
      e === "object"
        ? "expected valid options object"
        : `"${e}" expected object, got type=${typeof t}`,
    );
  }
  return t;
}
function ar(t, e) {
  if (typeof t != "function") {
    throw new TypeError(`"${e}" is invalid: expected function, got ${typeof t}`);
  }
  return t;
}
var cr = Ir,
  Ve = (...t) => gc(...t),
  fr = (t) => Lr(t),
  Gt = Ns,
  hn = (t) => bl(t),
  Ms = BigInt(0),
  Sc = BigInt(1),
  my = (t) => t ? `"${t}" ` : "";
function vt(t, e = "") {
  if (typeof t != "boolean") throw new TypeError(my(e) + "expected boolean, got type=" + typeof t);
  return t;
}
function gy(t) {
  if (typeof t == "bigint") {
    if (!Bn(t)) {
      throw new RangeError("positive bigint expected, got " + t);
    }
  } else Tc(t);
  return t;
}
function Re(t, e = "") {
  if (typeof t != "number") {
    let n = e && `"${e}" `;
    throw new TypeError(n + "expected number, got type=" + typeof t);
  }
  if (!Number.isSafeInteger(t)) {
    let n = e && `"${e}" `;
    throw new RangeError(n + "expected safe integer, got " + t);
  }
}
function Pl(t) {
  if (typeof t != "string") throw new TypeError("hex string expected, got " + typeof t);
  return t === "" ? Ms : BigInt("0x" + t);
}
function gt(t) {
  return Pl(Ir(t));
}
function Vt(t) {
  return Pl(Ir(Kt(ct(t)).reverse()));
}
function Wt(t, e) {
  if (ln(e), e === 0) throw new Error("zero output length is invalid");
  t = gy(t);
  let n = e * 2, r = t.toString(16);
  if (r.length > n) throw new RangeError("number is too large");
  return Lr(r.padStart(n, "0"));
}
function kc(t, e) {
  return Wt(t, e).reverse();
}
function Kt(t) {
  return Uint8Array.from(ue(t));
}
function Ps(t) {
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
function Bn(t) {
  return typeof t == "bigint" && Ms <= t;
}
function Oc(t, e, n) {
  return Bn(t) && Bn(e) && Bn(n) && e <= t && t < n;
}
function dr(t, e, n, r) {
  if (!Oc(e, n, r)) {
    throw new RangeError("expected valid " + t + ": " + n + " <= n < " + r + ", got " + e);
  }
}
function St(t) {
  if (t < Ms) throw new Error("expected non-negative bigint, got " + t);
  return t === Ms ? 0 : t.toString(2).length;
}
function jl(t, e) {
  if (typeof t != "bigint") throw new TypeError('"n" expected bigint, got type=' + typeof t);
  return Re(e, "pos"), t >> BigInt(e) & Sc;
}
var js = (t) => (Re(t, "n"), (Sc << BigInt(t)) - Sc);
function Pe(t, e = {}, n = {}, r = "object") {
  An(t, r), An(e, "fields"), An(n, "optFields");
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
var Lt = () => {
  throw new Error("not implemented");
};
var je = BigInt(0),
  be = BigInt(1),
  ur = BigInt(2),
  ql = BigInt(3),
  Us = BigInt(4),
  zl = BigInt(5),
  wy = BigInt(7),
  Gl = BigInt(8),
  by = BigInt(9),
  Vl = BigInt(15),
  Wl = BigInt(16),
  Kl = BigInt("0x10000000000000000");
function $e(t, e) {
  if (e <= je) throw new Error("mod: expected positive modulus, got " + e);
  let n = t % e;
  return n >= je ? n : e + n;
}
function yy(t, e, n) {
  if (n <= be) throw new Error("pow: expected modulus > 1, got " + n);
  if (typeof e != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof e);
  }
  if (e < je) throw new Error("invalid exponent, negatives unsupported");
  if (e === je) return be;
  if (e === be) return t;
  let r = t % n;
  if (r < je && (r += n), e < Kl) {
    let c = be;
    for (; e > je;) e & be && (c = c * r % n), r = r * r % n, e >>= be;
    return c;
  }
  let o = [];
  for (; e > je;) o.push(Number(e & Vl)), e >>= Us;
  let s = new Array(16);
  s[0] = be, s[1] = r;
  for (let c = 2; c < 16; c++) s[c] = s[c - 1] * r % n;
  let i = s[o[o.length - 1]];
  for (let c = o.length - 2; c >= 0; c--) {
    i = i * i % n, i = i * i % n, i = i * i % n, i = i * i % n;
    let f = o[c];
    f !== 0 && (i = i * s[f] % n);
  }
  return i;
}
function Ht(t, e, n) {
  if (n <= be) throw new Error("pow2: expected modulus > 1, got " + n);
  if (e < je) throw new Error("pow2: expected non-negative exponent, got " + e);
  let r = t;
  for (; e-- > je;) r *= r, r %= n;
  return r;
}
function Dl(t, e) {
  if (t === je) throw new Error("invert: expected non-zero number");
  if (e <= be) throw new Error("invert: expected modulus > 1, got " + e);
  let n = $e(t, e), r = e, o = je, s = be;
  for (; n !== je;) {
    let c = r / n, f = r - n * c, d = o - s * c;
    r = n, n = f, o = s, s = d;
  }
  if (r !== be) throw new Error("invert: does not exist");
  return $e(o, e);
}
function Ac(t, e, n) {
  let r = t;
  if (!r.eql(r.sqr(e), n)) throw new Error("Cannot find square root");
}
function Bc(t, e) {
  if ((t & be) === je) throw new Error(e + ": expected odd modulus, got " + t);
}
function Yl(t, e) {
  let n = t, r = (n.ORDER + be) / Us, o = n.pow(e, r);
  return Ac(n, o, e), o;
}
function xy(t, e) {
  let n = t,
    r = (n.ORDER - zl) / Gl,
    o = n.mul(e, ur),
    s = n.pow(o, r),
    i = n.mul(e, s),
    c = n.mul(n.mul(i, ur), s),
    f = n.mul(i, n.sub(c, n.ONE));
  return Ac(n, f, e), f;
}
function _y(t) {
  let e = Nn(t),
    n = Zl(t),
    r = n(e, e.neg(e.ONE)),
    o = n(e, r),
    s = n(e, e.neg(r)),
    i = (t + wy) / Wl;
  return (c, f) => {
    let d = c,
      u = d.pow(f, i),
      l = d.mul(u, r),
      h = d.mul(u, o),
      p = d.mul(u, s),
      m = d.eql(d.sqr(l), f),
      g = d.eql(d.sqr(h), f);
    u = d.cmov(u, l, m), l = d.cmov(p, h, g);
    let w = d.eql(d.sqr(l), f), b = d.cmov(u, l, w);
    return Ac(d, b, f), b;
  };
}
function Zl(t) {
  if (t < ql) throw new Error("sqrt is not defined for small field");
  Bc(t, "tonelliShanks");
  let e = t - be, n = 0;
  for (; e % ur === je;) e /= ur, n++;
  let r = ur, o = Nn(t);
  for (; pn(o, r) === 1;) {
    if (r++ > 1e3) throw new Error("Cannot find square root: probably non-prime P");
  }
  if (n === 1) return Yl;
  let s = o.pow(r, e), i = (e + be) / ur;
  return function (f, d) {
    let u = f;
    if (u.is0(d)) return d;
    if (pn(u, d) !== 1) throw new Error("Cannot find square root");
    let l = n, h = u.mul(u.ONE, s), p = u.pow(d, e), m = u.pow(d, i);
    for (; !u.eql(p, u.ONE);) {
      if (u.is0(p)) throw new Error("Cannot find square root: probably non-prime P");
      let g = 1, w = u.sqr(p);
      for (; !u.eql(w, u.ONE);) {
        if (g++, w = u.sqr(w), g === l) throw new Error("Cannot find square root");
      }
      let b = be << BigInt(l - g - 1), x = u.pow(h, b);
      l = g, h = u.sqr(x), p = u.mul(p, h), m = u.mul(m, x);
    }
    return m;
  };
}
function Ey(t) {
  return Bc(t, "Fp.sqrt"), t % Us === ql ? Yl : t % Gl === zl ? xy : t % Wl === by ? _y(t) : Zl(t);
}
var Xl = (t, e) => ($e(t, e) & be) === be,
  vy = [
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
function lt(t) {
  if (An(t, "field"), typeof t.ORDER != "bigint") {
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof t.ORDER);
  }
  Re(t.BYTES, "BYTES"), Re(t.BITS, "BITS");
  for (let e of vy) ar(t[e], "field." + e);
  if (t.BYTES < 1 || t.BITS < 1) throw new Error("invalid field: expected BYTES/BITS > 0");
  if (t.ORDER <= be) throw new Error("invalid field: expected ORDER > 1, got " + t.ORDER);
  return t;
}
function qs(t, e, n) {
  lt(t);
  let r = t;
  if (typeof n != "bigint") {
    throw new TypeError("invalid exponent: expected bigint, got " + typeof n);
  }
  if (n < je) throw new Error("invalid exponent, negatives unsupported");
  if (n === je) return r.ONE;
  if (n === be) return e;
  if (n < Kl) {
    let c = r.ONE, f = e;
    for (; n > je;) n & be && (c = r.mul(c, f)), f = r.sqr(f), n >>= be;
    return c;
  }
  let o = [];
  for (; n > je;) o.push(Number(n & Vl)), n >>= Us;
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
function Ft(t, e, n = !1) {
  lt(t), Et(e, "nums"), vt(n, "passZero");
  let r = t,
    o = new Array(e.length).fill(n ? r.ZERO : void 0),
    s = e.reduce((c, f, d) => r.is0(f) ? c : (o[d] = c, r.mul(c, f)), r.ONE),
    i = r.inv(s);
  return e.reduceRight((c, f, d) => r.is0(f) ? c : (o[d] = r.mul(c, o[d]), r.mul(c, f)), i), o;
}
function pn(t, e) {
  lt(t);
  let n = t;
  Bc(n.ORDER, "FpLegendre");
  let r = (n.ORDER - be) / ur,
    o = n.pow(e, r),
    s = n.eql(o, n.ONE),
    i = n.eql(o, n.ZERO),
    c = n.eql(o, n.neg(n.ONE));
  if (!s && !i && !c) throw new Error("invalid Legendre symbol result");
  return s ? 1 : i ? 0 : -1;
}
function Nc(t, e) {
  return pn(t, e) !== -1;
}
function Sy(t, e) {
  if (e !== void 0 && Tc(e), t <= je) {
    throw new Error("invalid n length: expected positive n, got " + t);
  }
  if (e !== void 0 && e < 1) {
    throw new Error("invalid n length: expected positive bit length, got " + e);
  }
  let n = St(t);
  if (e !== void 0 && e < n) {
    throw new Error(`invalid n length: expected nBitLength (${e}) >= bitLen(n) (${n})`);
  }
  let r = e !== void 0 ? e : n, o = Math.ceil(r / 8);
  return { nBitLength: r, nByteLength: o };
}
var Ul = new WeakMap(),
  Ds = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO = je;
    ONE = be;
    _lengths;
    _mod;
    constructor(e, n = {}) {
      if (e <= be) throw new Error("invalid field: expected ORDER > 1, got " + e);
      let r;
      this.isLE = !1,
        n != null && typeof n == "object" &&
        (typeof n.BITS == "number" && (r = n.BITS),
          typeof n.sqrt == "function" &&
          Object.defineProperty(this, "sqrt", { value: n.sqrt, enumerable: !0 }),
          typeof n.isLE == "boolean" && (this.isLE = n.isLE),
          n.allowedLengths && (this._lengths = Object.freeze(n.allowedLengths.slice())),
          typeof n.modFromBytes == "boolean" && (this._mod = n.modFromBytes));
      let { nBitLength: o, nByteLength: s } = Sy(e, r);
      if (s > 2048) throw new Error("invalid field: expected ORDER of <= 2048 bytes");
      this.ORDER = e, this.BITS = o, this.BYTES = s, Object.freeze(this);
    }
    create(e) {
      return $e(e, this.ORDER);
    }
    isValid(e) {
      if (typeof e != "bigint") {
        throw new TypeError("invalid field element: expected bigint, got " + typeof e);
      }
      return je <= e && e < this.ORDER;
    }
    is0(e) {
      return e === je;
    }
    isValidNot0(e) {
      return !this.is0(e) && this.isValid(e);
    }
    isOdd(e) {
      return (e & be) === be;
    }
    neg(e) {
      return $e(-e, this.ORDER);
    }
    eql(e, n) {
      return e === n;
    }
    sqr(e) {
      return $e(e * e, this.ORDER);
    }
    add(e, n) {
      return $e(e + n, this.ORDER);
    }
    sub(e, n) {
      return $e(e - n, this.ORDER);
    }
    mul(e, n) {
      return $e(e * n, this.ORDER);
    }
    pow(e, n) {
      return yy(e, n, this.ORDER);
    }
    div(e, n) {
      return $e(e * Dl(n, this.ORDER), this.ORDER);
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
      return Dl(e, this.ORDER);
    }
    sqrt(e) {
      let n = Ul.get(this);
      return n || Ul.set(this, n = Ey(this.ORDER)), n(this, e);
    }
    toBytes(e) {
      return this.isLE ? kc(e, this.BYTES) : Wt(e, this.BYTES);
    }
    fromBytes(e, n = !1) {
      ue(e);
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
      let f = s ? Vt(e) : gt(e);
      if (c && (f = $e(f, i)), !n && !this.isValid(f)) {
        throw new Error("invalid field element: outside of range 0..ORDER");
      }
      return f;
    }
    invertBatch(e) {
      return Ft(this, e, !0);
    }
    cmov(e, n, r) {
      return vt(r, "condition"), r ? n : e;
    }
  };
function Nn(t, e = {}) {
  return Object.freeze(Ds.prototype), new Ds(t, e);
}
function Jl(t) {
  if (typeof t != "bigint") throw new Error("field order must be bigint");
  if (t <= be) throw new Error("field order must be greater than 1");
  let e = St(t - be);
  return Math.ceil(e / 8);
}
function Cc(t) {
  let e = Jl(t);
  return e + Math.ceil(e / 2);
}
function Ql(t, e, n = !1) {
  ue(t);
  let r = t.length, o = Jl(e), s = Math.max(Cc(e), 16);
  if (r < s || r > 1024) throw new Error("expected " + s + "-1024 bytes of input, got " + r);
  let i = n ? Vt(t) : gt(t), c = $e(i, e - be) + be;
  return n ? kc(c, o) : Wt(c, o);
}
var Lc = BigInt(0), Ho = BigInt(1), ky = BigInt(4), Rc = 16, eh = 128, Oy = 5, th = 2 ** 31;
function Cn(t) {
  let e = t;
  if (typeof e != "function") {
    throw new TypeError('"Point" expected constructor, got type=' + typeof t);
  }
  ar(e.fromAffine, "Point.fromAffine"),
    ar(e.fromBytes, "Point.fromBytes"),
    ar(e.fromHex, "Point.fromHex"),
    An(e.BASE, "Point.BASE"),
    An(e.ZERO, "Point.ZERO"),
    lt(e.Fp),
    lt(e.Fn);
}
function zs(t, e) {
  Cn(t), oh(e, t);
  let n = Ft(t.Fp, e.map((r) => r.Z));
  return e.map((r, o) => t.fromAffine(r.toAffine(n[o])));
}
function Ay(t, e, n = 1) {
  if (!Number.isSafeInteger(t) || t < n || t > e) {
    throw new Error("invalid window size, expected [" + n + ".." + e + "], got W=" + t);
  }
}
function By(t, e) {
  let n = t * (4 * e + 128);
  if (n > th) {
    throw new Error(
      "invalid window size: table would need ~" + Math.ceil(n / 2 ** 20) + " MiB, max " +
        th / 2 ** 20 + " MiB",
    );
  }
}
function rh(t, e) {
  if (t !== void 0) {
    ar(t, "randomBytes");
    try {
      let n = t(e);
      if (!Gt(n) || n.length !== e) return;
    } catch {
      return;
    }
    return t;
  }
}
function oh(t, e) {
  Et(t, "points"),
    t.forEach((n, r) => {
      if (!(n instanceof e)) throw new Error("invalid point at index " + r);
    });
}
function Ny(t, e, n) {
  if (!Array.isArray(t)) throw new Error("array of scalars expected");
  t.forEach((r, o) => {
    if (!(n === void 0 ? e.isValid(r) : Bn(r) && r < n)) {
      throw new Error("invalid scalar at index " + o);
    }
  });
}
var sh = new WeakMap();
function Ic(t) {
  return sh.get(t) || 1;
}
function Cy(t, e) {
  let n = t.double(), r = [t];
  for (let o = 1; o < e; o++) r.push(r[o - 1].add(n));
  return r;
}
function Ry(t, e) {
  let n = 2 ** e, r = n / 2, o = BigInt(n - 1), s = [];
  for (; t > Lc;) {
    let i = 0;
    t & Ho && (i = Number(t & o), i >= r && (i -= n), t -= BigInt(i)), s.push(i), t >>= Ho;
  }
  return s;
}
function Iy(t, e, n) {
  let r = 2 ** e, o = r / 2, s = BigInt(r - 1), i = BigInt(e), c = [];
  for (let f = 0; f < n; f++) {
    let d = Number(t & s);
    t >>= i, d > o && (d -= r, t += Ho), c.push(d);
  }
  if (t !== Lc) throw new Error("invalid wnaf");
  return c;
}
function Ly(t, e, n) {
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
var Fr = class {
  Point;
  BASE;
  ZERO;
  randomBytes;
  wnafPrecomputes = new WeakMap();
  baseCanBeBlinded;
  bits;
  constructor(e, n) {
    Cn(e),
      this.randomBytes = rh(n, Rc),
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
      c = Iy(n, r, o),
      f = this.ZERO,
      d = this.BASE;
    for (let u = 0; u < o; u++) {
      let l = c[u], h = u * i, p = Math.abs(l) - 1, m = s[h];
      for (let w = 1; w < i; w++) m = w === p ? s[h + w] : m;
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
    if (this.assertPoint(e), !Oc(n, Ho, this.Point.Fn.ORDER)) throw new Error("invalid scalar");
  }
  runCT(e, n, r, o) {
    let s = Ic(e);
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
    let o = this.Point.Fn.BITS + eh, s = this.randomBytes(Rc);
    if (!Gt(s) || s.length !== Rc) throw new Error("randomBytes returned invalid byte array");
    s[0] = s[0] & 63 | 128;
    let i = n + gt(s) * this.Point.Fn.ORDER;
    return this.runCT(e, i, o, r);
  }
  fixedWindowCT(e, n, r) {
    let o = Oy, s = 1 << o, i = js(o), c = new Array(s);
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
      : n === Ho
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
    if (this.assertPoint(e), !Bn(n)) throw new Error("invalid scalar");
    let o = Ic(e);
    if (o === 1 || n >= this.Point.Fn.ORDER) return Gs(this.Point, [e], [n], !0);
    let s = this.getWnafPrecomputes(o, e, this.bits, r);
    return this.wnafCachedCT(s, n).p;
  }
  setWindowSize(e, n) {
    this.assertPoint(e), Ay(n, this.bits);
    let r = Math.ceil((this.bits + eh) / n) + 1;
    By(r * 2 ** (n - 1), this.Point.Fp.BYTES), sh.set(e, n), this.wnafPrecomputes.delete(e);
  }
  hasWindowSize(e) {
    return Ic(e) !== 1;
  }
};
function Gs(t, e, n, r = !1) {
  if (
    Cn(t),
      oh(e, t),
      vt(r, "allowOversized"),
      Ny(n, t.Fn, r ? t.Fn.ORDER ** ky : void 0),
      e.length !== n.length
  ) throw new Error("arrays of points and scalars must have equal length");
  let o = e.map((i) => Cy(i, 4)), s = n.map((i) => Ry(i, 4));
  return Ly(t.ZERO, o, s);
}
function nh(t, e, n) {
  if (e) {
    if (e.ORDER !== t) throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
    return lt(e), e;
  } else return Nn(t, { isLE: n });
}
function Vs(t, e, n = {}, r) {
  if (t !== "weierstrass" && t !== "edwards") {
    throw new Error('expected curve type "weierstrass" or "edwards"');
  }
  if (r === void 0 && (r = t === "edwards"), !e || typeof e != "object") {
    throw new Error(`expected valid ${t} CURVE object`);
  }
  Pe(n);
  for (let f of ["p", "n", "h"]) {
    let d = e[f];
    if (!(Bn(d) && d !== Lc)) throw new Error(`CURVE.${f} must be positive bigint`);
  }
  let o = nh(e.p, n.Fp, r),
    s = nh(e.n, n.Fn, r),
    c = ["Gx", "Gy", "a", t === "weierstrass" ? "b" : "d"];
  for (let f of c) {
    if (!o.isValid(e[f])) throw new Error(`CURVE.${f} must be valid field element of CURVE.Fp`);
  }
  return e = Object.freeze(Object.assign({}, e)), { CURVE: e, Fp: o, Fn: s };
}
function Hc(t, e) {
  return function (r) {
    let o = t(r);
    return { secretKey: o, publicKey: e(o) };
  };
}
var ih = BigInt(0), Yt = BigInt(1), Rn = BigInt(2), ah = BigInt(3), ch = BigInt(4), Hy = gt;
function lr(t, e) {
  if (Re(t), Re(e), e < 0 || e > 4) throw new Error("invalid I2OSP length: " + e);
  if (t < 0 || t > 2 ** (8 * e) - 1) throw new Error("invalid I2OSP input: " + t);
  let n = Array.from({ length: e }).fill(0);
  for (let r = e - 1; r >= 0; r--) n[r] = t & 255, t >>>= 8;
  return new Uint8Array(n);
}
function Fy(t, e) {
  let n = new Uint8Array(t.length);
  for (let r = 0; r < t.length; r++) n[r] = t[r] ^ e[r];
  return n;
}
function fh(t) {
  if (!Gt(t) && typeof t != "string") throw new Error("DST must be Uint8Array or ascii string");
  let e = typeof t == "string" ? Ps(t) : t;
  if (e.length === 0) throw new Error("DST must be non-empty");
  return e;
}
function $y(t, e, n, r) {
  if (ue(t), Re(n), typeof r != "function") {
    throw new Error("expand_message_xmd: expected hash function");
  }
  Re(r.outputLen, "hash.outputLen"),
    Re(r.blockLen, "hash.blockLen"),
    e = fh(e),
    e.length > 255 && (e = r(Ve(Ps("H2C-OVERSIZE-DST-"), e)));
  let { outputLen: o, blockLen: s } = r, i = Math.ceil(n / o);
  if (n > 65535 || i > 255) throw new Error("expand_message_xmd: invalid lenInBytes");
  let c = Ve(e, lr(e.length, 1)),
    f = new Uint8Array(s),
    d = lr(n, 2),
    u = new Array(i),
    l = r(Ve(f, t, d, lr(0, 1), c));
  u[0] = r(Ve(l, lr(1, 1), c));
  for (let p = 1; p < i; p++) {
    let m = [Fy(l, u[p - 1]), lr(p + 1, 1), c];
    u[p] = r(Ve(...m));
  }
  return Ve(...u).slice(0, n);
}
function My(t, e, n, r, o) {
  if (ue(t), Re(n), Re(r, "k"), r < 0) throw new Error("expand_message_xof: invalid k");
  if (typeof o != "function") throw new Error("expand_message_xof: expected XOF function");
  if (typeof o.create != "function") throw new Error("expand_message_xof: expected XOF create");
  if (e = fh(e), n < 0 || n > 65535) throw new Error("expand_message_xof: invalid lenInBytes");
  if (e.length > 255) {
    let s = Math.ceil(2 * r / 8);
    e = o.create({ dkLen: s }).update(Ps("H2C-OVERSIZE-DST-")).update(e).digest();
  }
  if (e.length > 255) throw new Error("expand_message_xof: invalid DST");
  return o.create({ dkLen: n }).update(t).update(lr(n, 2)).update(e).update(lr(e.length, 1))
    .digest();
}
function Fc(t, e, n) {
  Pe(n, { p: "bigint", m: "number", k: "number", hash: "function" });
  let { p: r, k: o, m: s, hash: i, expand: c, DST: f } = n;
  if (Re(i.outputLen, "valid hash"), ue(t), Re(e), Re(s, "m"), Re(o, "k"), r <= BigInt(1)) {
    throw new Error("hash_to_field: expected valid field characteristic");
  }
  if (e < 1) throw new Error("hash_to_field: expected count >= 1");
  if (s < 1) throw new Error("hash_to_field: expected m >= 1");
  if (o < 0) throw new Error("hash_to_field: invalid k");
  let d = r.toString(2).length, u = Math.ceil((d + o) / 8), l = e * s * u, h;
  if (c === "xmd") h = $y(t, f, l, i);
  else if (c === "xof") h = My(t, f, l, o, i);
  else if (c === "_internal_pass") h = t;
  else throw new Error('expand must be "xmd" or "xof"');
  let p = new Array(e);
  for (let m = 0; m < e; m++) {
    let g = new Array(s);
    for (let w = 0; w < s; w++) {
      let b = u * (w + m * s), x = h.subarray(b, b + u);
      g[w] = $e(Hy(x), r);
    }
    p[m] = g;
  }
  return p;
}
function $c(t, e) {
  lt(t), Et(e, "map");
  let n = e.map((r, o) => {
    if (Et(r, "map[" + o + "]"), r.length < 1) {
      throw new Error("isogenyMap: expected non-empty coefficients");
    }
    return Array.from(r).reverse();
  });
  return (r, o) => {
    let [s, i, c, f] = n.map((h) => h.reduce((p, m) => t.add(t.mul(p, r), m))),
      d = t.is0(i) || t.is0(f),
      [u, l] = Ft(t, [i, f], !0);
    return r = t.mul(s, u),
      o = t.mul(o, t.mul(c, l)),
      d ? { x: t.ZERO, y: t.ZERO } : { x: r, y: o };
  };
}
var Py = "HashToScalar-";
function Mc(t, e, n) {
  if (typeof e != "function") throw new Error("mapToCurve() must be defined");
  Pe(n);
  let r = (f) =>
      Object.freeze({
        ...f,
        DST: Gt(f.DST) ? Kt(f.DST) : f.DST,
        ...f.encodeDST === void 0
          ? {}
          : { encodeDST: Gt(f.encodeDST) ? Kt(f.encodeDST) : f.encodeDST },
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
      let u = Object.assign({}, o, s(d)), l = Fc(f, 2, u), h = i(l[0]), p = i(l[1]);
      return c(h.add(p));
    },
    encodeToCurve(f, d) {
      let u = o.encodeDST === void 0 ? {} : { DST: o.encodeDST },
        l = Object.assign({}, o, u, s(d)),
        h = Fc(f, 1, l),
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
      let u = t.Fn.ORDER, l = Object.assign({}, o, { DST: Py }, s(d), { p: u, m: 1 });
      return Fc(f, 1, l)[0][0];
    },
  });
}
function jy(t, e) {
  let n = lt(t), r = n.ORDER, o = ih;
  for (let g = r - Yt; g % Rn === ih; g /= Rn) o += Yt;
  let s = o,
    i = Rn << s - Yt - Yt,
    c = i * Rn,
    f = (r - Yt) / c,
    d = (f - Yt) / Rn,
    u = c - Yt,
    l = i,
    h = n.pow(e, f),
    p = n.pow(e, (f + Yt) / Rn),
    m = (g, w) => {
      let b = h, x = n.pow(w, u), y = n.sqr(x);
      y = n.mul(y, w);
      let v = n.mul(g, y);
      v = n.pow(v, d), v = n.mul(v, x), x = n.mul(v, w), y = n.mul(v, g);
      let S = n.mul(y, x);
      v = n.pow(S, l);
      let A = n.eql(v, n.ONE);
      x = n.mul(y, p), v = n.mul(S, b), y = n.cmov(x, y, A), S = n.cmov(v, S, A);
      for (let O = s; O > Yt; O--) {
        let C = O - Rn;
        C = Rn << C - Yt;
        let V = n.pow(S, C), fe = n.eql(V, n.ONE);
        x = n.mul(y, b),
          b = n.mul(b, b),
          V = n.mul(S, b),
          y = n.cmov(x, y, fe),
          S = n.cmov(V, S, fe);
      }
      return { isValid: !n.is0(w) && (A || n.is0(g)), value: y };
    };
  if (n.ORDER % ch === ah) {
    let g = (n.ORDER - ah) / ch, w = n.sqrt(n.neg(e));
    m = (b, x) => {
      let y = n.sqr(x), v = n.mul(b, x);
      y = n.mul(y, v);
      let S = n.pow(y, g);
      S = n.mul(S, v);
      let A = n.mul(S, w), O = n.mul(n.sqr(S), x), C = n.eql(O, b), V = n.cmov(A, S, C);
      return { isValid: !n.is0(x) && C, value: V };
    };
  }
  return m;
}
function Pc(t, e) {
  let n = lt(t);
  Pe(e, {}, {}, "opts");
  let { A: r, B: o, Z: s } = e;
  if (!n.isValidNot0(r) || !n.isValidNot0(o) || !n.isValid(s)) {
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  }
  if (n.eql(s, n.neg(n.ONE)) || Nc(n, s)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let i = n.mul(o, n.inv(n.mul(s, r))), c = n.add(n.add(n.mul(n.sqr(i), i), n.mul(r, i)), o);
  if (!Nc(n, c)) throw new Error("mapToCurveSimpleSWU: invalid opts");
  let f = jy(n, s);
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
    let v = n.isOdd(d) === n.isOdd(b);
    b = n.cmov(n.neg(b), b, v);
    let S = Ft(n, [p], !0)[0];
    return w = n.mul(w, S), { x: w, y: b };
  };
}
var Ws = class {
    oHash;
    iHash;
    blockLen;
    outputLen;
    canXOF = !1;
    finished = !1;
    destroyed = !1;
    constructor(e, n) {
      if (
        Ao(e), ct(n, void 0, "key"), this.iHash = e.create(), typeof this.iHash.update != "function"
      ) throw new Error("expected Hash instance");
      this.blockLen = this.iHash.blockLen, this.outputLen = this.iHash.outputLen;
      let r = this.blockLen, o = new Uint8Array(r);
      o.set(n.length > r ? e.create().update(n).digest() : n);
      for (let s = 0; s < o.length; s++) o[s] ^= 54;
      this.iHash.update(o), this.oHash = e.create();
      for (let s = 0; s < o.length; s++) o[s] ^= 106;
      this.oHash.update(o), xt(o);
    }
    update(e) {
      return Rr(this), this.iHash.update(e), this;
    }
    digestInto(e) {
      Rr(this), Cs(e, this), this.finished = !0;
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
  jc = (() => {
    let t = (e, n, r) => new Ws(e, n).update(r).digest();
    return t.create = (e, n) => new Ws(e, n), t;
  })();
var dh = (t, e) => (t + (t >= 0 ? e : -e) / Uy) / e;
function Dy(t, e, n) {
  dr("scalar", t, $r, n);
  let [[r, o], [s, i]] = e,
    c = dh(i * t, n),
    f = dh(-o * t, n),
    d = t - c * r - f * s,
    u = -c * o - f * i,
    l = d < $r,
    h = u < $r;
  l && (d = -d), h && (u = -u);
  let p = js(Math.ceil(St(n) / 2)) + Fo;
  if (d < $r || d >= p || u < $r || u >= p) {
    throw new Error("splitScalar (endomorphism): failed for k");
  }
  return { k1neg: l, k1: d, k2neg: h, k2: u };
}
var $r = BigInt(0), Fo = BigInt(1), Uy = BigInt(2), Dc = BigInt(3), qy = BigInt(4);
function Uc(t, e = {}) {
  let n = Vs("weierstrass", t, e), r = n.Fp, o = n.Fn, s = n.CURVE, { h: i, n: c } = s;
  Pe(e, {}, {
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
    m = e.randomBytes === void 0 ? hn : e.randomBytes;
  if (f && (!r.is0(s.a) || typeof f.beta != "bigint" || !Array.isArray(f.basises))) {
    throw new Error('invalid endo: expected "beta": bigint and "basises": array');
  }
  let g = f ? { beta: f.beta, basises: f.basises.map((I) => [...I]) } : void 0, w = Gy(r, o);
  function b() {
    if (!r.isOdd) throw new Error("compression is not supported: Field does not have .isOdd()");
  }
  function x(I, _, B) {
    if (_.is0()) {
      if (!d) throw new Error("bad point: ZERO");
      return Uint8Array.of(0);
    }
    let { x: R, y: L } = _.toAffine(), D = r.toBytes(R);
    if (vt(B, "isCompressed"), B) {
      b();
      let j = !r.isOdd(L);
      return Ve(zy(j), D);
    } else return Ve(Uint8Array.of(4), D, r.toBytes(L));
  }
  function y(I) {
    ue(I, void 0, "Point");
    let { publicKey: _, publicKeyUncompressed: B } = w, R = I.length, L = I[0], D = I.subarray(1);
    if (d && R === 1 && L === 0) return { x: r.ZERO, y: r.ZERO };
    if (R === _ && (L === 2 || L === 3)) {
      let j = r.fromBytes(D);
      if (!r.isValid(j)) throw new Error("bad point: is not on curve, wrong x");
      let J = C(j), Z;
      try {
        Z = r.sqrt(J);
      } catch (Be) {
        let ze = Be instanceof Error ? ": " + Be.message : "";
        throw new Error("bad point: is not on curve, sqrt error" + ze);
      }
      b();
      let oe = r.isOdd(Z);
      return (L & 1) === 1 !== oe && (Z = r.neg(Z)), { x: j, y: Z };
    } else if (R === B && L === 4) {
      let j = r.BYTES, J = r.fromBytes(D.subarray(0, j)), Z = r.fromBytes(D.subarray(j, j * 2));
      if (!V(J, Z)) throw new Error("bad point: is not on curve");
      return { x: J, y: Z };
    } else {throw new Error(
        `bad point: got length ${R}, expected compressed=${_} or uncompressed=${B}`,
      );}
  }
  let v = p === void 0 ? x : p,
    S = h === void 0 ? y : h,
    A = r.mul(s.b, Dc),
    O = r.is0(s.a) ? (I) => r.ZERO : (I) => r.mul(s.a, I);
  function C(I) {
    let _ = r.sqr(I), B = r.mul(_, I);
    return r.add(r.add(B, r.mul(I, s.a)), s.b);
  }
  function V(I, _) {
    let B = r.sqr(_), R = C(I);
    return r.eql(B, R);
  }
  if (!V(s.Gx, s.Gy)) throw new Error("bad curve params: generator point");
  let fe = r.mul(r.pow(s.a, Dc), qy), ge = r.mul(r.sqr(s.b), BigInt(27));
  if (r.is0(r.add(fe, ge))) throw new Error("bad curve params: a or b");
  function we(I, _, B = !1) {
    if (!r.isValid(_) || B && r.is0(_)) throw new Error(`bad point coordinate ${I}`);
    return typeof _ == "object" && _ !== null ? r.create(_) : _;
  }
  function Ae(I) {
    if (!(I instanceof T)) throw new Error("Weierstrass Point expected");
  }
  function q(I) {
    if (!g || !g.basises) throw new Error("no endo");
    return Dy(I, g.basises, o.ORDER);
  }
  function re(I, _, B, R) {
    if (!o.isValid(R)) throw new RangeError("invalid scalar: out of range");
    if (g) {
      let { k1neg: L, k1: D, k2neg: j, k2: J } = q(R), Z = new T(r.mul(B.X, g.beta), B.Y, B.Z);
      I.push(L ? B.negate() : B, j ? Z.negate() : Z), _.push(D, J);
    } else I.push(B), _.push(R);
  }
  let ce = new WeakSet();
  class T {
    static BASE = new T(s.Gx, s.Gy, r.ONE);
    static ZERO = new T(r.ZERO, r.ONE, r.ZERO);
    static Fp = r;
    static Fn = o;
    X;
    Y;
    Z;
    constructor(_, B, R) {
      this.X = we("x", _), this.Y = we("y", B, !0), this.Z = we("z", R), Object.freeze(this);
    }
    static CURVE() {
      return s;
    }
    static fromAffine(_) {
      let { x: B, y: R } = _ || {};
      if (!_ || !r.isValid(B) || !r.isValid(R)) throw new Error("invalid affine point");
      if (_ instanceof T) throw new Error("projective point not allowed");
      return r.is0(B) && r.is0(R) ? T.ZERO : new T(B, R, r.ONE);
    }
    static fromBytes(_) {
      let B = T.fromAffine(S(ue(_, void 0, "point")));
      return B.assertValidity(), B;
    }
    static fromHex(_) {
      return T.fromBytes(fr(_));
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(_ = 6, B = !0) {
      return P.setWindowSize(this, _), B || this.multiply(Dc), this;
    }
    assertValidity() {
      let _ = this;
      if (_.is0()) {
        if (d && r.is0(_.X) && r.eql(_.Y, r.ONE) && r.is0(_.Z)) return;
        throw new Error("bad point: ZERO");
      }
      if (ce.has(_)) return;
      let { x: B, y: R } = _.toAffine();
      if (!r.isValid(B) || !r.isValid(R)) throw new Error("bad point: x or y not field elements");
      if (!V(B, R)) throw new Error("bad point: equation left != right");
      if (!_.isTorsionFree()) throw new Error("bad point: not in prime-order subgroup");
      ce.add(_);
    }
    hasEvenY() {
      let { y: _ } = this.toAffine();
      if (!r.isOdd) throw new Error("Field doesn't support isOdd");
      return !r.isOdd(_);
    }
    equals(_) {
      Ae(_);
      let { X: B, Y: R, Z: L } = this,
        { X: D, Y: j, Z: J } = _,
        Z = r.eql(r.mul(B, J), r.mul(D, L)),
        oe = r.eql(r.mul(R, J), r.mul(j, L));
      return Z && oe;
    }
    negate() {
      return new T(this.X, r.neg(this.Y), this.Z);
    }
    double() {
      let { X: _, Y: B, Z: R } = this,
        L = r.ZERO,
        D = r.ZERO,
        j = r.ZERO,
        J = r.mul(_, _),
        Z = r.mul(B, B),
        oe = r.mul(R, R),
        se = r.mul(_, B);
      return se = r.add(se, se),
        j = r.mul(_, R),
        j = r.add(j, j),
        L = O(j),
        D = r.mul(A, oe),
        D = r.add(L, D),
        L = r.sub(Z, D),
        D = r.add(Z, D),
        D = r.mul(L, D),
        L = r.mul(se, L),
        j = r.mul(A, j),
        oe = O(oe),
        se = r.sub(J, oe),
        se = O(se),
        se = r.add(se, j),
        j = r.add(J, J),
        J = r.add(j, J),
        J = r.add(J, oe),
        J = r.mul(J, se),
        D = r.add(D, J),
        oe = r.mul(B, R),
        oe = r.add(oe, oe),
        J = r.mul(oe, se),
        L = r.sub(L, J),
        j = r.mul(oe, Z),
        j = r.add(j, j),
        j = r.add(j, j),
        new T(L, D, j);
    }
    add(_) {
      Ae(_);
      let { X: B, Y: R, Z: L } = this,
        { X: D, Y: j, Z: J } = _,
        Z = r.ZERO,
        oe = r.ZERO,
        se = r.ZERO,
        Be = r.mul(B, D),
        ze = r.mul(R, j),
        Ye = r.mul(L, J),
        yt = r.add(B, R),
        Me = r.add(D, j);
      yt = r.mul(yt, Me), Me = r.add(Be, ze), yt = r.sub(yt, Me), Me = r.add(B, L);
      let Xe = r.add(D, J);
      return Me = r.mul(Me, Xe),
        Xe = r.add(Be, Ye),
        Me = r.sub(Me, Xe),
        Xe = r.add(R, L),
        Z = r.add(j, J),
        Xe = r.mul(Xe, Z),
        Z = r.add(ze, Ye),
        Xe = r.sub(Xe, Z),
        se = O(Me),
        Z = r.mul(A, Ye),
        se = r.add(Z, se),
        Z = r.sub(ze, se),
        se = r.add(ze, se),
        oe = r.mul(Z, se),
        ze = r.add(Be, Be),
        ze = r.add(ze, Be),
        Ye = O(Ye),
        Me = r.mul(A, Me),
        ze = r.add(ze, Ye),
        Ye = r.sub(Be, Ye),
        Ye = O(Ye),
        Me = r.add(Me, Ye),
        Be = r.mul(ze, Me),
        oe = r.add(oe, Be),
        Be = r.mul(Xe, Me),
        Z = r.mul(yt, Z),
        Z = r.sub(Z, Be),
        Be = r.mul(yt, ze),
        se = r.mul(Xe, se),
        se = r.add(se, Be),
        new T(Z, oe, se);
    }
    subtract(_) {
      return Ae(_), this.add(_.negate());
    }
    is0() {
      return this.equals(T.ZERO);
    }
    multiply(_) {
      if (!o.isValidNot0(_)) throw new RangeError("invalid scalar: out of range");
      let { p: B, f: R } = P.mulSecret(this, _, i, $);
      return $([B, R])[0];
    }
    multiplyUnsafe(_) {
      let B = this, R = _;
      if (!o.isValid(R)) throw new RangeError("invalid scalar: out of range");
      if (R === $r || B.is0()) return T.ZERO;
      if (R === Fo) return B;
      if (P.hasWindowSize(this)) return P.mulUnsafe(B, R, $);
      let L = [], D = [];
      return re(L, D, B, R), Gs(T, L, D);
    }
    mulAddUnsafe(_, B, R) {
      Ae(B);
      let L = [], D = [];
      return re(L, D, this, _), re(L, D, B, R), Gs(T, L, D);
    }
    toAffine(_) {
      let B = this, R = _;
      if (R != null && !r.isValid(R)) {
        throw new RangeError('"invertedZ" expected valid field element');
      }
      let { X: L, Y: D, Z: j } = B;
      if (r.eql(j, r.ONE)) return { x: L, y: D };
      let J = B.is0();
      R == null && (R = J ? r.ONE : r.inv(j));
      let Z = r.mul(L, R), oe = r.mul(D, R), se = r.mul(j, R);
      if (J) return { x: r.ZERO, y: r.ZERO };
      if (!r.eql(se, r.ONE)) throw new Error("invZ was invalid");
      return { x: Z, y: oe };
    }
    isTorsionFree() {
      return i === Fo ? !0 : l ? l(T, this) : P.mulUnsafe(this, c).is0();
    }
    clearCofactor() {
      return i === Fo ? this : u ? u(T, this) : this.multiplyUnsafe(i);
    }
    isSmallOrder() {
      return i === Fo ? this.is0() : this.clearCofactor().is0();
    }
    toBytes(_ = !0) {
      return vt(_, "isCompressed"), this.assertValidity(), v(T, this, _);
    }
    toHex(_ = !0) {
      return cr(this.toBytes(_));
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let $ = (I) => zs(T, I), P = new Fr(T, m);
  return P.bits >= 6 && T.BASE.precompute(6), Object.freeze(T.prototype), Object.freeze(T), T;
}
function zy(t) {
  return Uint8Array.of(t ? 2 : 3);
}
function Gy(t, e) {
  return {
    secretKey: e.BYTES,
    publicKey: 1 + t.BYTES,
    publicKeyUncompressed: 1 + 2 * t.BYTES,
    publicKeyHasPrefix: !0,
    signature: 2 * e.BYTES,
  };
}
var Vy = BigInt(0), Ks = BigInt(1), uh = BigInt(2), Mr = BigInt(3);
function Wy(t) {
  let e = [];
  for (; t > Ks; t >>= Ks) {
    (t & Ks) === Vy ? e.unshift(0) : (t & Mr) === Mr ? (e.unshift(-1), t += Ks) : e.unshift(1);
  }
  return e;
}
function qc(t) {
  if (!Array.isArray(t) || t.length === 0) throw new Error("expected non-empty array");
}
function Ky(t, e, n, r) {
  if (
    Pe(
      t,
      { Fp: "object", Fr: "object", Fp2: "object", Fp12: "object" },
      { Fp6: "object" },
      "fields",
    ), typeof e != "function"
  ) throw new TypeError('"G1_Point" expected point constructor, got type=' + typeof e);
  if (typeof n != "function") {
    throw new TypeError('"G2_Point" expected point constructor, got type=' + typeof n);
  }
  Pe(r, { ateLoopSize: "bigint", xNegative: "boolean", twistType: "string" }, {
    randomBytes: "function",
    postPrecompute: "function",
  }, "params");
  let { Fp: o, Fr: s, Fp2: i, Fp12: c } = t,
    { twistType: f, ateLoopSize: d, xNegative: u, postPrecompute: l } = r,
    h = (T, $) => ({ c0: T, c1: $ }),
    p = ({ c0: T, c1: $ }) => Object.freeze({ c0: T, c1: $ }),
    m = (T, $) => h(o.add(T.c0, $.c0), o.add(T.c1, $.c1)),
    g = (T, $) => h(o.sub(T.c0, $.c0), o.sub(T.c1, $.c1)),
    w = (T, $) => {
      let P = o.mul(T.c0, $.c0), I = o.mul(T.c1, $.c1);
      return h(o.sub(P, I), o.sub(o.mul(o.add(T.c0, T.c1), o.add($.c0, $.c1)), o.add(P, I)));
    },
    b = (T, $) => h(o.mul(T.c0, $), o.mul(T.c1, $)),
    x = (T) => i.mulByNonresidue(T),
    y = ({ c0: T, c1: $ }, P, I, _, B, R) => {
      let L = b(I, B),
        D = b(_, R),
        { c0: j, c1: J, c2: Z } = T,
        { c0: oe, c1: se, c2: Be } = $,
        ze = w(j, P),
        Ye = w(J, L),
        yt = m(x(g(w(m(J, Z), L), Ye)), ze),
        Me = g(g(w(m(P, L), m(j, J)), ze), Ye),
        Xe = m(g(w(m(j, Z), P), ze), Ye),
        bo = x(w(Be, D)),
        yo = w(oe, D),
        xo = w(se, D),
        Yn = m(j, oe),
        Zn = m(J, se),
        _o = m(Z, Be),
        Xn = m(L, D),
        Jn = w(Yn, P),
        Qn = w(Zn, Xn),
        Va = m(x(g(w(m(Zn, _o), Xn), Qn)), Jn),
        Wa = g(g(w(m(P, Xn), m(Yn, Zn)), Jn), Qn),
        Ka = m(g(w(m(Yn, _o), P), Jn), Qn);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(xo), yt)), c1: p(m(bo, Me)), c2: p(m(yo, Xe)) }),
        c1: Object.freeze({
          c0: p(g(g(Va, yt), bo)),
          c1: p(g(g(Wa, Me), yo)),
          c2: p(g(g(Ka, Xe), xo)),
        }),
      });
    },
    v = ({ c0: T, c1: $ }, P, I, _, B, R) => {
      let L = b(P, R),
        D = b(I, B),
        { c0: j, c1: J, c2: Z } = T,
        { c0: oe, c1: se, c2: Be } = $,
        ze = w(j, L),
        Ye = w(J, L),
        yt = w(Z, L),
        Me = w(oe, D),
        Xe = w(se, _),
        bo = m(x(g(w(m(se, Be), _), Xe)), Me),
        yo = g(g(w(m(D, _), m(oe, se)), Me), Xe),
        xo = m(g(w(m(oe, Be), D), Me), Xe),
        Yn = m(j, oe),
        Zn = m(J, se),
        _o = m(Z, Be),
        Xn = m(L, D),
        Jn = w(Yn, Xn),
        Qn = w(Zn, _),
        Va = m(x(g(w(m(Zn, _o), _), Qn)), Jn),
        Wa = g(g(w(m(Xn, _), m(Yn, Zn)), Jn), Qn),
        Ka = m(g(w(m(Yn, _o), Xn), Jn), Qn);
      return Object.freeze({
        c0: Object.freeze({ c0: p(m(x(xo), ze)), c1: p(m(bo, Ye)), c2: p(m(yo, yt)) }),
        c1: Object.freeze({
          c0: p(g(g(Va, ze), bo)),
          c1: p(g(g(Wa, Ye), yo)),
          c2: p(g(g(Ka, yt), xo)),
        }),
      });
    },
    S;
  if (f === "multiplicative") S = (T, $, P, I, _, B) => y(I, T, $, P, _, B);
  else if (f === "divisive") S = (T, $, P, I, _, B) => v(I, P, $, T, _, B);
  else throw new Error("bls: unknown twist type");
  let A = i.div(i.ONE, i.mul(i.ONE, uh));
  function O(T, $, P, I) {
    let _ = i.sqr(P),
      B = i.sqr(I),
      R = i.mulByB(i.mul(B, Mr)),
      L = i.mul(R, Mr),
      D = i.sub(i.sub(i.sqr(i.add(P, I)), B), _),
      j = i.sub(R, _),
      J = i.mul(i.sqr($), Mr),
      Z = i.neg(D);
    return T.push([j, J, Z]),
      $ = i.mul(i.mul(i.mul(i.sub(_, L), $), P), A),
      P = i.sub(i.sqr(i.mul(i.add(_, L), A)), i.mul(i.sqr(R), Mr)),
      I = i.mul(_, D),
      { Rx: $, Ry: P, Rz: I };
  }
  function C(T, $, P, I, _, B) {
    let R = i.sub(P, i.mul(B, I)),
      L = i.sub($, i.mul(_, I)),
      D = i.sub(i.mul(R, _), i.mul(L, B)),
      j = i.neg(R),
      J = L;
    T.push([D, j, J]);
    let Z = i.sqr(L),
      oe = i.mul(Z, L),
      se = i.mul(Z, $),
      Be = i.add(i.sub(oe, i.mul(se, uh)), i.mul(i.sqr(R), I));
    return $ = i.mul(L, Be),
      P = i.sub(i.mul(i.sub(se, Be), R), i.mul(oe, P)),
      I = i.mul(I, oe),
      { Rx: $, Ry: P, Rz: I };
  }
  let V = Wy(d),
    fe = (T) => {
      if (!(T instanceof n)) throw new TypeError('"point" expected G2 point, got type=' + typeof T);
      let $ = T,
        { x: P, y: I } = $.toAffine(),
        _ = P,
        B = I,
        R = i.neg(I),
        L = _,
        D = B,
        j = i.ONE,
        J = [];
      for (let Z of V) {
        let oe = [];
        ({ Rx: L, Ry: D, Rz: j } = O(oe, L, D, j)),
          Z && ({ Rx: L, Ry: D, Rz: j } = C(oe, L, D, j, _, Z === -1 ? R : B)),
          J.push(oe);
      }
      if (l) {
        let Z = J[J.length - 1];
        l(L, D, j, _, B, C.bind(null, Z));
      }
      return J;
    };
  function ge(T, $ = !1) {
    Et(T, "pairs", (I, _) => {
      if (Et(I, _), I.length !== 3) throw new TypeError(`"${_}" expected precompute tuple`);
      Et(I[0], _ + "[0]");
    });
    let P = c.ONE;
    if (T.length) {
      let I = T[0][0].length;
      for (let _ = 0; _ < I; _++) {
        _ !== 0 && (P = c.sqr(P));
        for (let [B, R, L] of T) for (let [D, j, J] of B[_]) P = S(D, j, J, P, R, L);
      }
    }
    return u && (P = c.conjugate(P)), $ ? c.finalExponentiate(P) : P;
  }
  function we(T, $ = !0) {
    Et(T, "pairs");
    let P = [];
    for (let I = 0; I < T.length; I++) {
      let _ = T[I];
      Pe(_, { g1: "object", g2: "object" }, {}, "pairs[" + I + "]");
      let { g1: B, g2: R } = _;
      if (!(B instanceof e)) {
        throw new TypeError('"pairs[' + I + '].g1" expected G1 point, got type=' + typeof B);
      }
      if (!(R instanceof n)) {
        throw new TypeError('"pairs[' + I + '].g2" expected G2 point, got type=' + typeof R);
      }
      if (B.is0() || R.is0()) throw new Error("pairing is not available for ZERO point");
      B.assertValidity(), R.assertValidity();
      let L = B.toAffine();
      P.push([fe(R), L.x, L.y]);
    }
    return ge(P, $);
  }
  function Ae(T, $, P = !0) {
    if (!(T instanceof e)) throw new TypeError('"Q" expected G1 point, got type=' + typeof T);
    if (!($ instanceof n)) throw new TypeError('"P" expected G2 point, got type=' + typeof $);
    return we([{ g1: T, g2: $ }], P);
  }
  let q = { seed: Cc(s.ORDER) },
    re = r.randomBytes === void 0 ? hn : r.randomBytes,
    ce = (T) => (T = T === void 0 ? re(q.seed) : T, ue(T, q.seed, "seed"), Ql(T, s.ORDER));
  return Object.freeze(q), {
    lengths: q,
    Fr: s,
    Fp12: c,
    millerLoopBatch: ge,
    pairing: Ae,
    pairingBatch: we,
    calcPairingPrecomputes: fe,
    randomSecretKey: ce,
  };
}
function lh(t, e, n, r, o, s) {
  let { Fr: i, Fp12: c, pairingBatch: f, randomSecretKey: d, lengths: u } = t;
  s || (s = { fromBytes: Lt, fromHex: Lt, toBytes: Lt, toHex: Lt });
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
      let v = x.negate(), S = e.BASE, A = m(b), O = w;
      try {
        let C = f([g(v, A), g(S, O)]);
        return c.eql(C, c.ONE);
      } catch {
        return !1;
      }
    },
    verifyBatch(w, b) {
      qc(b);
      let x = p(w), y = b.map((C) => m(C.message)), v = b.map((C) => h(C.publicKey)), S = new Map();
      for (let C = 0; C < v.length; C++) {
        let V = v[C], fe = y[C], ge = S.get(fe);
        ge === void 0 && (ge = [], S.set(fe, ge)), ge.push(V);
      }
      let A = [], O = e.BASE;
      try {
        for (let [C, V] of S) {
          let fe = V.reduce((ge, we) => ge.add(we));
          A.push(g(fe, C));
        }
        return A.push(g(O.negate(), x)), c.eql(f(A), c.ONE);
      } catch {
        return !1;
      }
    },
    aggregatePublicKeys(w) {
      qc(w), w = w.map((x) => h(x));
      let b = w.reduce((x, y) => x.add(y), e.ZERO);
      return b.assertValidity(), b;
    },
    aggregateSignatures(w) {
      qc(w), w = w.map((x) => p(x));
      let b = w.reduce((x, y) => x.add(y), n.ZERO);
      return b.assertValidity(), b;
    },
    hash(w, b) {
      return ue(w), o(w, b === void 0 ? void 0 : { DST: b });
    },
    Signature: Object.freeze({ ...l }),
  });
}
function Yy(t, e, n, r) {
  let { Fp: o, Fr: s, Fp2: i, Fp6: c, Fp12: f } = t,
    d = { Point: e },
    u = { Point: n },
    l = Ky(t, e, n, r),
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
      fields: Object.freeze({ Fr: s, Fp: o, Fp2: i, Fp6: c, Fp12: f }),
      params: Object.freeze({
        ateLoopSize: r.ateLoopSize,
        xNegative: r.xNegative,
        twistType: r.twistType,
        postPrecompute: r.postPrecompute,
      }),
      utils: Object.freeze({ randomSecretKey: w, calcPairingPrecomputes: g }),
    });
}
function Zy(t, e, n, r, o) {
  let s = Yy(t, e, n, r);
  Pe(o, { hasherOpts: "object", hasherOptsG1: "object", hasherOptsG2: "object" }, {
    mapToG1: "function",
    mapToG2: "function",
  }, "hasherParams");
  let i = Mc(e, o.mapToG1 === void 0 ? Lt : o.mapToG1, { ...o.hasherOpts, ...o.hasherOptsG1 }),
    c = Mc(n, o.mapToG2 === void 0 ? Lt : o.mapToG2, { ...o.hasherOpts, ...o.hasherOptsG2 });
  return Object.freeze({ ...s, G1: i, G2: c });
}
function hh(t, e, n, r, o, s) {
  let i = Zy(t, e, n, r, o),
    c = {
      ...i,
      Fr: i.fields.Fr,
      Fp12: i.fields.Fp12,
      calcPairingPrecomputes: i.utils.calcPairingPrecomputes,
      randomSecretKey: i.utils.randomSecretKey,
    },
    f = lh(c, e, n, !1, i.G2.hashToCurve, s?.LongSignature),
    d = lh(c, n, e, !0, i.G1.hashToCurve, s?.ShortSignature);
  return Object.freeze({ ...i, longSignatures: f, shortSignatures: d });
}
var zc = BigInt(0),
  In = BigInt(1),
  ut = BigInt(2),
  ph = BigInt(3),
  Xy = BigInt(6),
  Jy = BigInt(12),
  hr = (t) => !!t && typeof t == "object";
function gh(t, e, n, r, o = 1, s) {
  Re(o, "num"), Re(r, "degree");
  let i = s === void 0 ? r : s;
  Re(i, "divisor");
  let c = t;
  if (typeof n != "bigint" || n <= In) {
    throw new Error("calcFrobeniusCoefficients: expected valid modulus, got " + n);
  }
  if (r <= 0) throw new Error("calcFrobeniusCoefficients: expected positive degree, got " + r);
  if (o <= 0) throw new Error("calcFrobeniusCoefficients: expected positive row count, got " + o);
  if (i <= 0) throw new Error("calcFrobeniusCoefficients: expected positive divisor, got " + i);
  let f = BigInt(i), d = n ** BigInt(r), u = [];
  for (let l = 0; l < o; l++) {
    let h = BigInt(l + 1), p = [];
    for (let m = 0, g = In; m < r; m++) {
      let w = h * g - h;
      if (w % f) throw new Error("calcFrobeniusCoefficients: inexact tower exponent");
      let b = w / f % d;
      p.push(c.pow(e, b)), g *= n;
    }
    u.push(p);
  }
  return u;
}
function wh(t, e, n) {
  if (
    lt(t),
      lt(e),
      Pe(e, {
        Fp: "object",
        frobeniusMap: "function",
        fromBigTuple: "function",
        mulByB: "function",
        mulByNonresidue: "function",
        reim: "function",
        Fp4Square: "function",
        NONRESIDUE: "object",
      }, {}),
      !hr(n) || Array.isArray(n)
  ) throw new TypeError('"base" expected Fp2 element, got type=' + typeof n);
  if (!e.isValid(n)) throw new RangeError('"base" expected valid Fp2 element');
  let r = e.pow(n, (t.ORDER - In) / ph), o = e.pow(n, (t.ORDER - In) / ut);
  function s(h, p) {
    let m = e.mul(e.frobeniusMap(h, 1), r), g = e.mul(e.frobeniusMap(p, 1), o);
    return [m, g];
  }
  let i = e.pow(n, (t.ORDER ** ut - In) / ph), c = e.pow(n, (t.ORDER ** ut - In) / ut);
  if (!e.eql(c, e.neg(e.ONE))) throw new Error("psiFrobenius: PSI2_Y!==-1");
  function f(h, p) {
    return [e.mul(h, i), e.neg(p)];
  }
  let d = (h) => (p, m) => {
      if (typeof p != "function") {
        throw new TypeError('"c" expected point constructor, got type=' + typeof p);
      }
      if (Cn(p), !(m instanceof p)) {
        throw new TypeError('"P" expected Point instance, got type=' + typeof m);
      }
      let g = m.toAffine(), w = h(g.x, g.y);
      return p.fromAffine({ x: w[0], y: w[1] });
    },
    u = d(s),
    l = d(f);
  return { psi: s, psi2: f, G2psi: u, G2psi2: l, PSI_X: r, PSI_Y: o, PSI2_X: i, PSI2_Y: c };
}
var Gc = class {
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
        this.BITS = St(c),
        this.BYTES = Math.ceil(St(c) / 8),
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO }),
        this.Fp_NONRESIDUE = e.create(r),
        this.Fp_div2 = e.div(e.ONE, ut),
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
      if (!hr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!hr(e)) return !1;
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
      return qs(this, e, n);
    }
    invertBatch(e) {
      return Ft(this, e, !0);
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
        return pn(n, o) === 1
          ? r.create({ c0: n.sqrt(o), c1: n.ZERO })
          : r.create({ c0: n.ZERO, c1: n.sqrt(n.div(o, this.Fp_NONRESIDUE)) });
      }
      let i = n.sqrt(n.sub(n.sqr(o), n.mul(n.sqr(s), this.Fp_NONRESIDUE))),
        c = n.mul(n.add(i, o), this.Fp_div2);
      pn(n, c) === -1 && (c = n.sub(c, i));
      let d = n.sqrt(c), u = r.create({ c0: d, c1: n.div(n.mul(s, this.Fp_div2), d) });
      if (!r.eql(r.sqr(u), e)) throw new Error("Cannot find square root");
      let l = u, h = r.neg(l), { re: p, im: m } = r.reim(l), { re: g, im: w } = r.reim(h);
      return m > w || m === w && p > g ? l : h;
    }
    isOdd(e) {
      let { re: n, im: r } = this.reim(e), o = n % ut, s = n === zc, i = r % ut;
      return BigInt(o || s && i) == In;
    }
    fromBytes(e) {
      let { Fp: n } = this;
      if (ue(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      return Ve(this.Fp.toBytes(e), this.Fp.toBytes(n));
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
  Vc = class {
    ORDER;
    BITS;
    BYTES;
    isLE;
    ZERO;
    ONE;
    Fp2;
    constructor(e) {
      this.Fp2 = e,
        this.ORDER = e.Fp.ORDER ** Xy,
        this.BITS = 3 * e.BITS,
        this.BYTES = 3 * e.BYTES,
        this.isLE = e.isLE,
        this.ZERO = this.create({ c0: e.ZERO, c1: e.ZERO, c2: e.ZERO }),
        this.ONE = this.create({ c0: e.ONE, c1: e.ZERO, c2: e.ZERO }),
        Object.freeze(this);
    }
    get FROBENIUS_COEFFICIENTS_1() {
      let e = Ys.get(this);
      if (e) return e[0];
      let { Fp2: n } = this,
        { Fp: r } = n,
        o = gh(n, n.NONRESIDUE, r.ORDER, 6, 2, 3),
        s = [Object.freeze(o[0]), Object.freeze(o[1])];
      return Ys.set(this, s), s[0];
    }
    get FROBENIUS_COEFFICIENTS_2() {
      let e = Ys.get(this);
      return e ? e[1] : (this.FROBENIUS_COEFFICIENTS_1, Ys.get(this)[1]);
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
        i = o.mul(o.mul(e, n), ut),
        c = o.mul(o.mul(n, r), ut),
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
      if (!hr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r, c2: o } = e, { Fp2: s } = this;
      return s.isValid(n) && s.isValid(r) && s.isValid(o);
    }
    is0(e) {
      if (!hr(e)) return !1;
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
      return Lt();
    }
    div(e, n) {
      let { Fp2: r } = this, { Fp: o } = r;
      return this.mul(e, typeof n == "bigint" ? o.inv(o.create(n)) : this.inv(n));
    }
    pow(e, n) {
      return qs(this, e, n);
    }
    invertBatch(e) {
      return Ft(this, e, !0);
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
      if (ue(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      let r = n.BYTES;
      return this.create({
        c0: n.fromBytes(e.subarray(0, r)),
        c1: n.fromBytes(e.subarray(r, r * 2)),
        c2: n.fromBytes(e.subarray(2 * r)),
      });
    }
    toBytes({ c0: e, c1: n, c2: r }) {
      let { Fp2: o } = this;
      return Ve(o.toBytes(e), o.toBytes(n), o.toBytes(r));
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
  Ys = new WeakMap(),
  Wc = class {
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
        this.ORDER = i.ORDER ** Jy,
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
      let e = mh.get(this);
      if (e) return e;
      let { Fp2: n } = this.Fp6,
        { Fp: r } = n,
        o = Object.freeze(gh(n, n.NONRESIDUE, r.ORDER, 12, 1, 6)[0]);
      return mh.set(this, o), o;
    }
    create(e) {
      let { Fp6: n } = this, r = n.create(e.c0), o = n.create(e.c1);
      return Object.freeze({ c0: r, c1: o });
    }
    isValid(e) {
      if (!hr(e)) throw new TypeError("invalid field element: expected object, got " + typeof e);
      let { c0: n, c1: r } = e, { Fp6: o } = this;
      return o.isValid(n) && o.isValid(r);
    }
    is0(e) {
      if (!hr(e)) return !1;
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
      return Lt();
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
      return qs(this, e, n);
    }
    invertBatch(e) {
      return Ft(this, e, !0);
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
      if (ue(e), e.length !== this.BYTES) throw new Error("fromBytes invalid length=" + e.length);
      return this.create({
        c0: n.fromBytes(e.subarray(0, n.BYTES)),
        c1: n.fromBytes(e.subarray(n.BYTES)),
      });
    }
    toBytes({ c0: e, c1: n }) {
      let { Fp6: r } = this;
      return Ve(r.toBytes(e), r.toBytes(n));
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
        { first: g, second: w } = o.Fp4Square(i, u),
        b = o.mulByNonresidue(w);
      return Object.freeze({
        c0: Object.freeze({
          c0: o.add(o.mul(o.sub(l, s), ut), l),
          c1: o.add(o.mul(o.sub(p, i), ut), p),
          c2: o.add(o.mul(o.sub(g, c), ut), g),
        }),
        c1: Object.freeze({
          c0: o.add(o.mul(o.add(b, f), ut), b),
          c1: o.add(o.mul(o.add(h, d), ut), h),
          c2: o.add(o.mul(o.add(m, u), ut), m),
        }),
      });
    }
    _cyclotomicExp(e, n) {
      if (dr("cyclotomic exponent", n, zc, In << BigInt(this.X_LEN)), n === zc) return this.ONE;
      let r = e;
      for (let o = St(n) - 2; o >= 0; o--) {
        r = this._cyclotomicSquare(r), jl(n, o) && (r = this.mul(r, e));
      }
      return r;
    }
  },
  mh = new WeakMap();
function bh(t) {
  if (
    Pe(t, {
      ORDER: "bigint",
      X_LEN: "number",
      FP2_NONRESIDUE: "object",
      Fp2mulByB: "function",
      Fp12finalExponentiate: "function",
    }, { NONRESIDUE: "bigint" }),
      Re(t.X_LEN, "X_LEN"),
      t.X_LEN < 1
  ) throw new Error("invalid X_LEN");
  let e = t.FP2_NONRESIDUE;
  if (!Array.isArray(e) || e.length !== 2) throw new Error("invalid FP2_NONRESIDUE");
  if (typeof e[0] != "bigint" || typeof e[1] != "bigint") throw new Error("invalid FP2_NONRESIDUE");
  let n = Nn(t.ORDER), r = new Gc(n, t), o = new Vc(r), s = new Wc(o, t);
  return { Fp: n, Fp2: r, Fp6: o, Fp12: s };
}
var Qc = BigInt(0),
  yh = BigInt(1),
  Zs = BigInt(2),
  Pr = BigInt(3),
  jr = BigInt(4),
  pr = BigInt("0xd201000000010000"),
  Qy = St(pr),
  $o = {
    p: BigInt(
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ),
    n: BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
    h: BigInt("0x396c8c005555e1568c00aaab0000aaab"),
    a: Qc,
    b: jr,
    Gx: BigInt(
      "0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    ),
    Gy: BigInt(
      "0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    ),
  },
  ef = Nn($o.n, { modFromBytes: !0 });
function ex(t, e, { g2: n, g3: r, g4: o, g5: s }) {
  return { c0: { c0: t, c1: o, c2: r }, c1: { c0: n, c1: e, c2: s } };
}
function tx({ c0: t, c1: e }) {
  return { g2: e.c0, g3: t.c2, g4: t.c1, g5: e.c2 };
}
function nx({ g2: t, g3: e, g4: n, g5: r }) {
  let { first: o, second: s } = U.Fp4Square(n, r),
    { first: i, second: c } = U.Fp4Square(t, e),
    f = U.add(t, t),
    d = U.add(e, e),
    u = U.add(n, n),
    l = U.add(r, r);
  return {
    g2: U.add(U.mul(U.mulByNonresidue(s), Pr), f),
    g3: U.sub(U.mul(o, Pr), d),
    g4: U.sub(U.mul(i, Pr), u),
    g5: U.add(U.mul(c, Pr), l),
  };
}
function rx({ g2: t, g3: e, g4: n, g5: r }) {
  return U.is0(t) ? { num: U.mul(U.mul(n, r), Zs), den: e } : {
    num: U.add(U.sub(U.mul(U.sqr(n), Pr), U.mul(e, Zs)), U.mulByNonresidue(U.sqr(r))),
    den: U.mul(t, jr),
  };
}
function ox(t, { g2: e, g3: n, g4: r, g5: o }) {
  let s = U.mul(n, r), i = U.add(U.sub(U.mul(U.sub(U.sqr(t), s), Zs), s), U.mul(e, o));
  return U.add(U.mulByNonresidue(i), U.ONE);
}
function sx(t, e) {
  let n = [], r = tx(t);
  for (let f of e) {
    for (let d = 0; d < f; d++) r = nx(r);
    n.push(r);
  }
  let o = n.map(({ g2: f, g3: d }) => U.is0(f) && U.is0(d)),
    s = n.map(rx),
    i = U.invertBatch(s.map(({ den: f }) => f)),
    c = n.map((f, d) => {
      if (o[d]) return he.ONE;
      let u = U.mul(s[d].num, i[d]);
      return ex(ox(u, f), u, f);
    });
  return { result: he.mul(he.mul(c[0], c[1]), c[2]), last: c[2] };
}
function ix(t) {
  let { result: e, last: n } = sx(t, [16, 32, 9]), r = e, o = n;
  for (let s = 0; s < 3; s++) o = he._cyclotomicSquare(o);
  r = he.mul(r, o);
  for (let s = 0; s < 2; s++) o = he._cyclotomicSquare(o);
  return r = he.mul(r, o), o = he._cyclotomicSquare(o), he.mul(r, o);
}
var { Fp: Te, Fp2: U, Fp6: ax, Fp12: he } = bh({
    ORDER: $o.p,
    X_LEN: Qy,
    FP2_NONRESIDUE: [yh, yh],
    Fp2mulByB: ({ c0: t, c1: e }) => {
      let n = Te.mul(t, jr), r = Te.mul(e, jr);
      return { c0: Te.sub(n, r), c1: Te.add(n, r) };
    },
    Fp12finalExponentiate: (t) => {
      let e = (m) => he.conjugate(ix(m)),
        n = he.div(he.frobeniusMap(t, 6), t),
        r = he.mul(he.frobeniusMap(n, 2), n),
        o = e(r),
        s = he.mul(he.conjugate(he._cyclotomicSquare(r)), o),
        i = e(s),
        c = e(i),
        f = he.mul(e(c), he._cyclotomicSquare(o)),
        d = e(f),
        u = he.frobeniusMap(he.mul(o, c), 2),
        l = he.frobeniusMap(he.mul(i, r), 3),
        h = he.frobeniusMap(he.mul(f, he.conjugate(r)), 1),
        p = he.mul(he.mul(d, he.conjugate(s)), r);
      return he.mul(he.mul(he.mul(u, l), h), p);
    },
  }),
  xh,
  Nh = () => xh || (xh = wh(Te, U, U.div(U.ONE, U.NONRESIDUE))),
  Xc = (t, e) => {
    let n = Nh().G2psi;
    return Xc = n, n(t, e);
  },
  Ch = (t, e) => {
    let n = Nh().G2psi2;
    return Ch = n, n(t, e);
  },
  Kc = Object.freeze({
    DST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    encodeDST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
    p: Te.ORDER,
    m: 2,
    k: 128,
    expand: "xmd",
    hash: It,
  }),
  Rh = {
    p: U.ORDER,
    n: $o.n,
    h: BigInt(
      "0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5",
    ),
    a: U.ZERO,
    b: U.fromBigTuple([jr, jr]),
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
  _h = (t, e) => {
    for (let n of t) if (n !== Qc) return !!(n * Zs / e);
    return !1;
  },
  Eh = {
    encode({ c0: t, c1: e }) {
      let { BYTES: n } = Te;
      return Ve(Wt(e, n), Wt(t, n));
    },
    decode(t) {
      let { BYTES: e } = Te;
      return U.create({ c0: Jc(t.subarray(e)), c1: Jc(t.subarray(0, e)) });
    },
  },
  vh = Te;
function Jc(t) {
  return Te.fromBytes(t);
}
var Ih = (t, e, n, r, o, s) => {
  let i = e, c = r, f = o, d = i.BYTES;
  return (u) => ({
    encode(l, h = !0) {
      if (!h && !u) throw new Error("invalid signature: expected compressed encoding");
      let p = l.is0(), { x: m, y: g } = l.toAffine(), w = h ? c(m) : Ve(c(m), c(g)), b;
      return h && !p && (b = _h(s(g), vh.ORDER)), fx(w, { compressed: h, infinity: p, sort: b });
    },
    decode(l) {
      let h = u ? ue(l, void 0, "point") : ue(l, d, "signature"),
        { compressed: p, infinity: m, sort: g, value: w } = cx(h);
      if (!u && !p) throw new Error("invalid signature: expected compressed encoding");
      let b = p ? d : 2 * d;
      if (w.length !== b) throw new Error(`invalid ${t} point: expected ${b} bytes`);
      if (m) {
        for (let v of w) if (v) throw new Error(`invalid ${t} point: non-canonical zero`);
        return { x: i.ZERO, y: i.ZERO };
      }
      let x = f(p ? w : w.subarray(0, d)), y;
      if (p) {
        if (y = i.sqrt(i.add(i.pow(x, Pr), n)), !y) {
          throw new Error(`invalid ${t} point: compressed`);
        }
        _h(s(y), vh.ORDER) !== g && (y = i.neg(y));
      } else y = f(w.subarray(d));
      if (!p && i.is0(x) && i.is0(y)) throw new Error(`invalid ${t} point: uncompressed`);
      return { x, y };
    },
  });
};
function Lh({ compressed: t, infinity: e, sort: n }) {
  if (!t && !e && n || !t && e && n || t && e && n) throw new Error("invalid encoding flag");
}
function cx(t) {
  t = Kt(t);
  let e = t[0] & 224, n = !!(e >> 7 & 1), r = !!(e >> 6 & 1), o = !!(e >> 5 & 1);
  return Lh({ compressed: n, infinity: r, sort: o }),
    t[0] &= 31,
    { compressed: n, infinity: r, sort: o, value: t };
}
function fx(t, e) {
  if (t[0] & 224) throw new Error("setMask: non-empty mask");
  return Lh({ compressed: !!e.compressed, infinity: !!e.infinity, sort: !!e.sort }),
    e.compressed && (t[0] |= 128),
    e.infinity && (t[0] |= 64),
    e.sort && (t[0] |= 32),
    t;
}
var Sh = Ih("G1", Te, Te.create($o.b), (t) => Wt(t, Te.BYTES), Jc, (t) => [t]),
  Xs = { point: Sh(!0), sig: Sh(!1) },
  Yc = (t) => (t.assertValidity(), Xs.sig.encode(t));
function Th(t) {
  let n = Zt.G1.Point.fromAffine(Xs.sig.decode(t));
  return n.assertValidity(), n;
}
var kh = Ih("G2", U, Rh.b, Eh.encode, Eh.decode, (t) => [t.c1, t.c0]),
  Js = { point: kh(!0), sig: kh(!1) },
  Zc = (t) => (t.assertValidity(), Js.sig.encode(t));
function Oh(t) {
  let n = Zt.G2.Point.fromAffine(Js.sig.decode(t));
  return n.assertValidity(), n;
}
var dx = {
    ShortSignature: {
      fromBytes(t) {
        return Th(ue(t));
      },
      fromHex(t) {
        return Th(fr(t));
      },
      toBytes(t) {
        return Yc(t);
      },
      toRawBytes(t) {
        return Yc(t);
      },
      toHex(t) {
        return cr(Yc(t));
      },
    },
    LongSignature: {
      fromBytes(t) {
        return Oh(ue(t));
      },
      fromHex(t) {
        return Oh(fr(t));
      },
      toBytes(t) {
        return Zc(t);
      },
      toRawBytes(t) {
        return Zc(t);
      },
      toHex(t) {
        return cr(Zc(t));
      },
    },
  },
  ux = { Fp: Te, Fp2: U, Fp6: ax, Fp12: he, Fr: ef },
  lx = Uc($o, {
    allowInfinityPoint: !0,
    Fn: ef,
    fromBytes: Xs.point.decode,
    toBytes: (t, e, n) => Xs.point.encode(e, n),
    isTorsionFree: (t, e) => {
      let n = BigInt(
          "0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe",
        ),
        r = new t(Te.mul(e.X, n), e.Y, e.Z);
      return e.multiplyUnsafe(pr).negate().multiplyUnsafe(pr).equals(r);
    },
    clearCofactor: (t, e) => e.multiplyUnsafe(pr).add(e),
  }),
  hx = Uc(Rh, {
    Fp: U,
    allowInfinityPoint: !0,
    Fn: ef,
    fromBytes: Js.point.decode,
    toBytes: (t, e, n) => Js.point.encode(e, n),
    isTorsionFree: (t, e) => e.multiplyUnsafe(pr).negate().equals(Xc(t, e)),
    clearCofactor: (t, e) => {
      let n = pr, r = e.multiplyUnsafe(n).negate(), o = Xc(t, e), s = e.double();
      return s = Ch(t, s),
        s = s.subtract(o),
        o = r.add(o),
        o = o.multiplyUnsafe(n).negate(),
        s = s.add(o),
        s = s.subtract(r),
        s.subtract(e);
    },
  }),
  px = {
    mapToG1: xx,
    mapToG2: _x,
    hasherOpts: Kc,
    hasherOptsG1: {
      ...Kc,
      m: 1,
      DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
      encodeDST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    },
    hasherOptsG2: { ...Kc },
  },
  mx = { ateLoopSize: pr, xNegative: !0, twistType: "multiplicative", randomBytes: hn },
  Zt = hh(ux, lx, hx, mx, px, dx),
  gx = $c(
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
  wx = $c(
    Te,
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
  Ah,
  Bh,
  bx = () =>
    Ah || (Ah = Pc(Te, {
      A: Te.create(
        BigInt(
          "0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d",
        ),
      ),
      B: Te.create(
        BigInt(
          "0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0",
        ),
      ),
      Z: Te.create(BigInt(11)),
    })),
  yx = () =>
    Bh ||
    (Bh = Pc(U, {
      A: U.create({ c0: Te.create(Qc), c1: Te.create(BigInt(240)) }),
      B: U.create({ c0: Te.create(BigInt(1012)), c1: Te.create(BigInt(1012)) }),
      Z: U.create({ c0: Te.create(BigInt(-2)), c1: Te.create(BigInt(-1)) }),
    }));
function xx(t) {
  let { x: e, y: n } = bx()(Te.create(t[0]));
  return wx(e, n);
}
function _x(t) {
  let { x: e, y: n } = yx()(U.fromBigTuple(t));
  return gx(e, n);
}
var tf = "countersign/attestation/v1",
  Hh = "countersign/round/v1",
  Fh = "cosignature/v1",
  $h = "countersign/trust-core/v1",
  Mh = "countersign/succession/v1",
  Ph = "countersign/epoch-end/v1",
  jh = "countersign/next-log/v1";
var Dh = ["cosignature/", "countersign/", "subtree/"],
  Qs = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
  nf = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
var Uh = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
var Dr = 32;
function qh(t, e, n) {
  return Ao(t), n === void 0 && (n = new Uint8Array(t.outputLen)), jc(t, n, e);
}
var Mo = Uint8Array.of(0), Ex = Uint8Array.of();
function zh(t, e, n, r = 32, o) {
  Ao(t), ln(r, "length"), ct(e, void 0, "prk");
  let s = t.outputLen;
  if (e.length < s) throw new Error('"prk" must be at least HashLen octets');
  if (r > 255 * s) throw new Error("Length must be <= 255*HashLen");
  let i = Math.ceil(r / s);
  if (n === void 0 ? n = Ex : ct(n, void 0, "info"), !i) return o && xt(e), new Uint8Array();
  let c = o && i === 1 ? e : new Uint8Array(i * s),
    { iHash: f, oHash: d } = jc.create(t, e),
    u = o ? e : new Uint8Array(s),
    l = i > 1 ? o?.iHash || t.create() : void 0;
  for (let p = 0; p < i - 1; p++) {
    Mo[0] = p + 1;
    let m = f._cloneInto(l);
    p && m.update(u),
      m.update(n).update(Mo).digestInto(u),
      d._cloneInto(l).update(u).digestInto(u),
      c.set(u, s * p);
  }
  if (
    Mo[0] = i,
      i > 1 && f.update(u),
      f.update(n).update(Mo).digestInto(u),
      d.update(u).digestInto(u),
      c.set(u, s * (i - 1)),
      f.destroy(),
      d.destroy(),
      l?.destroy(),
      u !== c && xt(u),
      xt(Mo),
      r === c.length
  ) return c;
  let h = c.slice(0, r);
  return xt(c), h;
}
var vx = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
  Gh = 48,
  Sx = Uint8Array.of(0, Gh),
  Tx = ee("BLS-SIG-KEYGEN-SALT-");
function ei(t) {
  if (t.length < 32) {
    throw new k(
      "invalid_key",
      `Cannot create BLS secret key: ${t.length} secret bytes are fewer than 32`,
    );
  }
  let e = _e(t, Uint8Array.of(0));
  for (let n = It(Tx);; n = It(n)) {
    let r = qh(It, e, n), o = zh(It, r, Sx, Gh), s = gt(o) % vx;
    if (r.fill(0), o.fill(0), s !== 0n) return e.fill(0), Wt(s, Dr);
  }
}
function Ur() {
  return new k(
    "invalid_key",
    "Cannot use BLS secret key: it is not 32 bytes big-endian in [1, r-1]",
  );
}
var mn = class {
  #e;
  #t = new Map();
  constructor(e) {
    this.#e = e;
  }
  get(e) {
    return this.#t.get(K(e));
  }
  set(e, n) {
    if (this.#t.size >= this.#e) {
      for (let r of this.#t.keys()) {
        this.#t.delete(r);
        break;
      }
    }
    this.#t.set(K(e), n);
  }
};
var { G1: { Point: kx }, G2: { Point: sf }, fields: { Fp12: rf } } = Zt,
  Ox = 48,
  Ax = 96,
  Vh = new mn(1024),
  Wh;
function Kh(t, e, n) {
  if (t.length !== e) return;
  let r;
  try {
    r = n(t), r.assertValidity();
  } catch {
    return;
  }
  return r.is0() || !Ce(r.toBytes(!0), t) ? void 0 : r;
}
function Po(t) {
  return Kh(t, Ox, (e) => kx.fromBytes(e));
}
function of(t) {
  let e = Vh.get(t);
  if (e !== void 0) return e;
  let n = Kh(t, Ax, (o) => sf.fromBytes(o));
  if (n === void 0) return;
  let r = { point: n };
  return Vh.set(t, r), r;
}
function af(t, e) {
  let n = t;
  for (let r of e) {
    if (r === void 0) return;
    n = n.add(r);
  }
  return n.is0() ? void 0 : n;
}
function ti(t) {
  if (t.length === 1) return of(t[0]);
  let e = af(sf.ZERO, t.map((n) => of(n)?.point));
  return e === void 0 ? void 0 : { point: e };
}
function jo(t, e) {
  return Zt.G1.hashToCurve(t, { DST: e });
}
function cf(t, e) {
  Wh ??= Zt.utils.calcPairingPrecomputes(sf.BASE.negate());
  let n = [],
    r = (s, i) => {
      if (s.is0()) return;
      let { x: c, y: f } = s.toAffine();
      n.push([i, c, f]);
    };
  r(t, Wh);
  for (let { point: s, key: i } of e) r(s, i.lines ??= Zt.utils.calcPairingPrecomputes(i.point));
  let o = rf.finalExponentiate(Zt.millerLoopBatch(n));
  return rf.eql(o, rf.ONE);
}
var Ln = {
  keyValidate: (t) => of(t) !== void 0,
  verify(t, e, n, r) {
    return Ln.fastAggregateVerify([t], e, n, r);
  },
  fastAggregateVerify(t, e, n, r) {
    let o = ti(t), s = Po(n);
    return o !== void 0 && s !== void 0 && cf(s, [{ point: jo(e, r), key: o }]);
  },
};
var { G1: { Point: ni }, G2: { Point: Bx } } = Zt, Nx = ni.Fn.ORDER, Cx = 16;
function Yh(t) {
  let e = t.length === Dr ? gt(t) : 0n;
  if (e > 0n && e < Nx) return e;
  throw Ur();
}
function Rx(t, e, n) {
  let r = ti(t.publicKeys), o = Po(t.signature);
  if (r === void 0 || o === void 0) return;
  let s = K(r.point.toBytes(!0));
  return { index: e, key: r, keyId: s, hash: jo(t.message, n), signature: o };
}
function Ix() {
  return gt(crypto.getRandomValues(new Uint8Array(Cx)));
}
function Lx(t) {
  let e = ni.ZERO, n = new Map();
  for (let { key: r, keyId: o, hash: s, signature: i } of t) {
    let c = t.length === 1 ? 1n : Ix();
    e = e.add(i.multiplyUnsafe(c));
    let f = n.get(o) ?? { point: ni.ZERO, key: r };
    f.point = f.point.add(s.multiplyUnsafe(c)), n.set(o, f);
  }
  return cf(e, [...n.values()]);
}
function ff(t, e) {
  if (t.length === 0) return;
  if (Lx(t)) return t.forEach(e);
  if (t.length === 1) return;
  let n = Math.ceil(t.length / 2);
  ff(t.slice(0, n), e), ff(t.slice(n), e);
}
var Do = {
  ...Ln,
  keyGen: ei,
  skToPk: (t) => Bx.BASE.multiply(Yh(t)).toBytes(!0),
  sign(t, e, n) {
    let r = Yh(t);
    return jo(e, n).multiply(r).toBytes(!0);
  },
  signatureValidate: (t) => Po(t) !== void 0,
  hashToG1: (t, e) => jo(t, e).toBytes(!0),
  aggregate(t) {
    return af(ni.ZERO, t.map(Po))?.toBytes(!0);
  },
  aggregateKeys(t) {
    return ti(t)?.point.toBytes(!0);
  },
  batchVerify(t, e) {
    let n = t.map(() => !1), r = t.map((o, s) => Rx(o, s, e));
    return ff(r.filter((o) => o !== void 0), ({ index: o }) => {
      n[o] = !0;
    }),
      n;
  },
};
function mr(t) {
  let e = [];
  for (let n = t; n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) e.push(n);
  return e;
}
function Zh(t, e) {
  let n = [], r = t;
  for (let o of mr(t.length / E)) n.push(r), r = e(r);
  return n;
}
function ri(t, e) {
  let n = mr(e), r = [];
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
var Xh = 0, Qh = 1;
function ep(t) {
  let e = (n) => Hx(t, n);
  return {
    sha256: (n) => t(n),
    leafHashes: (n, r) => Jh(t, n, r),
    numberedLeafHashes(n) {
      let { entries: r, ends: o } = df(n);
      return Jh(t, r, o);
    },
    nodeHash(n, r) {
      let o = new Uint8Array(1 + 2 * E);
      return o[0] = Qh, o.set(n, 1), o.set(r, 1 + E), t(o);
    },
    treeLevel(n, r = 1) {
      let o = n;
      for (let s = 0; s < r && o.length > E; s++) o = e(o);
      return o === n ? n.slice() : o;
    },
    treeLevels: (n) => _e(...Zh(n, e)),
    inclusionPaths: ri,
  };
}
function Jh(t, e, n) {
  let r = new Uint8Array(n.length * E), o = new Uint8Array(257);
  o[0] = Xh;
  let s = 0;
  for (let i = 0; i < n.length; i++) {
    let c = n[i];
    1 + c - s > o.length && (o = new Uint8Array(1 + c - s), o[0] = Xh),
      o.set(e.subarray(s, c), 1),
      r.set(t(o.subarray(0, 1 + c - s)), i * E),
      s = c;
  }
  return r;
}
function Hx(t, e) {
  let n = e.length / E, r = new Uint8Array(Math.ceil(n / 2) * E), o = new Uint8Array(1 + 2 * E);
  o[0] = Qh;
  for (let s = 0; s + 1 < n; s += 2) {
    o.set(e.subarray(s * E, (s + 2) * E), 1), r.set(t(o), s / 2 * E);
  }
  return n % 2 === 1 && r.set(e.subarray((n - 1) * E), r.length - E), r;
}
function df(t) {
  let { before: e, digests: n, between: r, first: o, after: s } = t,
    i = n.length / E,
    c = ee(K(n)),
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
var Uo = ep(It);
var Xt = 2;
var uf = 32, i6 = 2 + uf + 2 * E;
function oi(t) {
  return Uint8Array.of(t >> 8, t & 255);
}
function Fx(t) {
  let { issuerName: e, redemptionContext: n, originInfo: r } = t;
  if (!si(e) || e === "" || !si(r)) {
    throw new k(
      "invalid_configuration",
      "Cannot write token challenge: the issuer name or origin info is not printable ASCII",
    );
  }
  return _e(oi(Xt), oi(e.length), ee(e), Uint8Array.of(n.length), n, oi(r.length), ee(r));
}
function si(t) {
  return t.length < 65536 && /^[\x20-\x7e]*$/.test(t);
}
function tp(t) {
  let e = 0,
    n = (u) => t.slice(e, e += u),
    r = (u) => n(u).reduce((l, h) => l << 8 | h, 0),
    o = r(2),
    s = dt(n(r(2))),
    i = n(r(1)),
    c = dt(n(r(2))),
    d = o === Xt && s !== "" && si(s) && si(c) && [0, E].includes(i.length) &&
      { issuerName: s, redemptionContext: i, originInfo: c };
  if (!d || !Ce(Fx(d), t)) {
    throw new k(
      "malformed_text",
      `Cannot read token challenge: ${t.length} bytes are not a TokenChallenge of type 2`,
    );
  }
  return d;
}
function np(t) {
  return Uo.sha256(t);
}
function ii(t) {
  return Uo.sha256(t);
}
function lf(t) {
  return _e(oi(Xt), t.nonce, t.challengeDigest, t.tokenKeyId);
}
function $x(t) {
  return _e(lf(t), t.authenticator);
}
function rp(t) {
  return _l($x(t));
}
var { rawJSON: Mx = (t) => t } = JSON,
  qo = class {
    text;
    constructor(e) {
      this.text = e;
    }
    toJSON() {
      return Mx(this.text);
    }
  },
  op = 32,
  Px = 40,
  jx = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  ai = /[^"\\\u0000-\u001f]*/y,
  Dx = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y,
  Ux = 15,
  hf = 48,
  qx = 57;
function Je(t, e, n = 1 / 0, r = "JSON") {
  return new pf(t, e, n, r).read();
}
function zo(t) {
  return JSON.stringify(t.slice(0, Px));
}
var pf = class {
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
    if (e > op) throw this.#l(`more than ${op} levels`);
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
    for (; n < e + Ux; n++) {
      let i = this.#e.charCodeAt(n);
      if (!(i >= hf && i <= qx)) break;
      r = 10 * r + i - hf;
    }
    let o = "0123456789.eE".includes(this.#e[n] ?? " "),
      s = n > e + 1 && this.#e.charCodeAt(e) === hf;
    if (!(n === e || o || s)) return this.#r = n, r;
  }
  #p() {
    let e = this.#g(jx);
    if (e === void 0) throw this.#l("not a JSON value");
    return mt(e) ?? new qo(e);
  }
  #u(e) {
    let n = Object.create(null);
    if (this.#r++, this.#d(), this.#f("}")) return n;
    do {
      this.#d();
      let r = this.#m();
      if (Object.hasOwn(n, r)) throw this.#l(`duplicate member ${zo(r)}`);
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
    ai.lastIndex = this.#r, ai.test(this.#e);
    let n = ai.lastIndex;
    if (this.#e[n] === '"') return this.#r = n + 1, this.#e.slice(e + 1, n);
    do this.#g(ai); while (this.#g(Dx) !== void 0);
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
var wt = class {
    path;
    problem;
    subject;
    constructor(e, n, r = e) {
      this.path = e, this.problem = n, this.subject = r;
    }
  },
  Tt = class t {
    read;
    describe;
    constructor(e, n) {
      this.read = e, this.describe = n;
    }
    parse(e, { where: n, code: r }) {
      try {
        return this.read(e, "");
      } catch (o) {
        throw o instanceof wt ? new k(r, `Cannot read ${n}${o.subject}: ${o.problem}`) : o;
      }
    }
    parseText(e, n, r) {
      return this.parse(Je(e, n.code, r), n);
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
        if (s === void 0) throw new wt(o, `expected ${n}`);
        return s;
      }, this.describe);
    }
    optional() {
      return new Go(this.read, this.describe);
    }
  },
  Go = class extends Tt {
    isOptional = !0;
  },
  mf = class extends Tt {
    members;
    constructor(e, n) {
      super(
        (r, o) => zx(e, r, o, n === "refused"),
        (r) => ({
          type: "object",
          properties: Object.fromEntries(Object.entries(e).map(([o, s]) => [o, s.describe(r)])),
          required: Object.keys(e).filter((o) => !(e[o] instanceof Go)),
          ...n !== "allowed" && { additionalProperties: !1 },
        }),
      ), this.members = e;
    }
  };
function zx(t, e, n, r) {
  if (!(typeof e == "object" && e !== null && !Array.isArray(e)) || e instanceof qo) {
    throw new wt(n, "expected an object");
  }
  let s = e, i = {};
  for (let [f, d] of Object.entries(t)) {
    if (Object.hasOwn(s, f)) i[f] = d.read(s[f], `${n}.${f}`);
    else if (!(d instanceof Go)) throw new wt(`${n}.${f}`, `member ${f} is missing`, n);
  }
  let c = Object.keys(s).find((f) => !Object.hasOwn(t, f));
  if (r && c !== void 0) throw new wt(n, `unknown member ${zo(c)}`);
  return i;
}
function H(t, e = "refused") {
  return new mf(t, e);
}
function ci(t, e, n) {
  return new Tt((r, o) => {
    if (!t(r)) throw new wt(o, `expected ${e}`);
    return r;
  }, () => n);
}
var ye = ci((t) => typeof t == "string", "text", { type: "string" }),
  Vo = ci((t) => typeof t == "boolean", "true or false", { type: "boolean" }),
  Gx = ci((t) => t === null, "null", { type: "null" }),
  gn = ci(pe, "an integer from 0 to 2^53 - 1", { type: "integer", minimum: 0, maximum: xl - 1 }),
  qr = new Tt(
    (t) => t ?? null,
    () => ({ type: ["string", "number", "boolean", "null", "array", "object"] }),
  ).named("JsonValue", { description: "Any JSON value" });
function Jt(t) {
  return ye.with({ description: t });
}
function gf(t) {
  return Vo.with({ description: t });
}
function Y(t) {
  return gn.with({ description: t });
}
function Ie(t) {
  return gn.with({ description: `${t}, Unix seconds`, example: 1766275200 });
}
function sp(t) {
  return ye.map((e) => t.test(e) ? e : void 0, `text that matches ${t.source}`).with({
    pattern: t.source,
  });
}
function tt(t, e) {
  let n = 2 * t;
  return ye.map((r) => Se(r, t) ? r : void 0, `${n} lowercase hex digits`).with({
    pattern: `^[0-9a-f]{${n}}$`,
    description: e,
  });
}
var De = tt(E, "32 bytes, lowercase hex").named("Hash"),
  kt = ie(De).named("HashPath", {
    description:
      "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
  });
function Ot(t) {
  return ye.map((e) => t.find((n) => n === e), t.join(" or ")).with({ enum: t });
}
function ie(t, e = 0, n = 1 / 0) {
  return new Tt(
    (r, o) => {
      if (!Array.isArray(r)) throw new wt(o, "expected a list");
      if (r.length < e || r.length > n) {
        let s = n < 1 / 0 ? `${e} to ${n}` : `${e} or more`;
        throw new wt(o, `expected a list of ${s} items`);
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
function gr(...t) {
  return new Tt((e, n) => {
    let r;
    for (let o of t) {
      try {
        return o.read(e, n);
      } catch (s) {
        if (!(s instanceof wt)) throw s;
        (r === void 0 || s.path.length > r.path.length) && (r = s);
      }
    }
    throw r;
  }, (e) => ({ anyOf: t.map((n) => n.describe(e)) }));
}
function Hn(t) {
  return gr(t, Gx);
}
var Vx = ["open", "token_optional", "token_required"],
  ip = ye.with({ pattern: "^[A-Za-z0-9_-]+$" }),
  Wx = H({
    token_key: ip.with({
      description: "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
      example: "MIIBUjA9BgkqhkiG9w0BAQo",
    }),
    token_key_id: tt(E, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
    not_before: Ie("First second in which its tokens are accepted").optional(),
    not_after: Ie("First second in which its tokens are refused").optional(),
  }, "ignored").named("TokenKey"),
  wf = H({
    name: Jt("`issuer_name` of the challenge").with({ minLength: 1, example: "issuer.example" }),
    url: Jt("URL of the issuer, below which clients find its directory").with({ format: "uri" })
      .optional(),
    token_type: Y("Blind RSA (2048-bit)").with({ enum: [Xt] }),
    challenge: ip.with({
      description:
        "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's id as origin_info",
      example: "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
    }),
    token_keys: ie(Wx).with({ minItems: 1 }),
  }, "ignored").named("TokenIssuer"),
  b6 = H({
    mode: Jt("Which new hashes need tokens").with({ enum: Vx, example: "token_required" }),
    issuers: ie(wf),
  }, "ignored").named("AdmissionOffer"),
  Kx = H({ name: qr, token_type: gn, challenge: qr, token_keys: qr }, "ignored"),
  Yx = new Tt((t, e) => {
    let { token_type: n } = Kx.read(t, e);
    return n === Xt ? wf.read(t, e) : void 0;
  }, wf.describe),
  Zx = H({ mode: ye, issuers: ie(Yx) }, "ignored").map(({ mode: t, issuers: e }) => {
    let n = e.flatMap((r) => r === void 0 ? [] : [Xx(r)]);
    return n.includes(void 0) ? void 0 : { mode: t, issuers: n.flatMap((r) => r ?? []) };
  }, "issuers with keys that match their ids, and a challenge that matches their name");
function ap(t) {
  return Zx.parseText(t, { where: "admission", code: "gateway_refused" });
}
function Xx(t) {
  let { name: e, url: n } = t, r = Hr(t.challenge);
  if (r === void 0) return;
  let o = tp(r), s = t.token_keys.flatMap((c) => Jx(c) ?? []);
  return s.length === t.token_keys.length && o.issuerName === e
    ? { ...n !== void 0 && { url: n }, challengeBytes: r, challenge: o, keys: s }
    : void 0;
}
function Jx(t) {
  let { not_before: e, not_after: n } = t, r = Hr(t.token_key);
  if (!(r === void 0 || K(ii(r)) !== t.token_key_id)) {
    return { tokenKey: r, ...e !== void 0 && { notBefore: e }, ...n !== void 0 && { notAfter: n } };
  }
}
var cp = 48,
  fp = 80,
  Qx = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/,
  fi = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;
function bt(t) {
  return t.length <= cp && fi.test(t) && !Dh.some((e) => t.startsWith(e));
}
function zr(t) {
  return t.length <= fp && fi.test(t);
}
var Ue = ye.named("NetworkId", {
    minLength: 1,
    maxLength: cp,
    pattern: fi.source,
    description: "The log's C2SP origin",
  }),
  At = ye.named("WitnessId", {
    minLength: 1,
    maxLength: fp,
    pattern: fi.source,
    description: "The witness's C2SP key name",
  }),
  Gr = sp(Qx).with({
    description: "The gateway's name for the service; only where it has several of this provider",
  });
var Vr = Ge("malformed_text", "Cannot read attestation"),
  dp = H({
    hash: De,
    timestamp: Ie("Timestamp of the round"),
    network_id: Ue,
    sequence: Y("Order of acceptance, from 0; also the index of the leaf in the log"),
  }).named("Attestation");
function Wo(t) {
  let { network_id: e, hash: n, timestamp: r, sequence: o } = t;
  if (!bt(e)) throw Vr("network_id is not a valid C2SP origin");
  if (!Se(n, E)) throw Vr("hash is not 64 lowercase hex digits");
  if (!pe(r)) throw Vr("timestamp is not an integer in [0, 2^53)");
  if (!pe(o)) throw Vr("sequence is not an integer in [0, 2^53)");
  return `${tf}
${e}
${n}
${r}
${o}
`;
}
function up(t) {
  let [e, n = "", r = "", o = "", s = ""] = t.split(`
`);
  if (e !== tf) throw Vr("the first line is not the domain");
  let i = { hash: r, timestamp: mt(o) ?? NaN, network_id: n, sequence: mt(s) ?? NaN };
  if (Wo(i) !== t) throw Vr("the text is not canonical");
  return i;
}
var nt = { ed25519: 64, bls: 48 }, Qt = { ed25519: 32, bls: 96 };
function wn(t) {
  return "signatures" in t;
}
function Fn(t) {
  return wn(t) ? t.signatures.map(({ witness_id: e }) => e) : t.signers;
}
var di = At.map((t) => zr(t) ? t : void 0, "a witness id of 1 to 80 characters"),
  e1 = ie(
    H({ witness_id: di, signature: tt(nt.ed25519, "Ed25519 signature (RFC 8032)") }).named(
      "WitnessSignature",
    ),
  ).with({ description: "One signature per witness, strictly ascending by witness_id" });
function wr(t, e, n) {
  return gr(
    H({ ...e, signatures: e1 }).named(`Ed25519${t}`),
    H({
      ...e,
      signature: tt(nt.bls, "Aggregate BLS12-381 signature in G1, compressed"),
      signers: ie(di).with({
        description: "Ids of the witnesses in the aggregate, strictly ascending",
      }),
    }).named(`Bls${t}`),
  ).named(t, n);
}
var ui = Ge("malformed_text", "Cannot read tree head"),
  br = H({
    network_id: Ue,
    tree_size: Y("Number of leaves").with({ example: 2 }),
    timestamp: Ie("Timestamp of the head"),
    root_hash: De,
  }).named("TreeHead"),
  Ko = tt(nt.ed25519, "The log key's Ed25519 signature over the checkpoint body"),
  en = wr("SignedTreeHead", { tree_head: br, log_signature: Ko.optional() }, {
    description: "Size and root hash of the log at a time, cosigned by the threshold",
  });
function bn(t) {
  if (!bt(t.network_id)) throw ui("the origin is not a network id");
  if (!pe(t.tree_size)) throw ui("the tree size is not an integer in [0, 2^53)");
  if (!Se(t.root_hash, E)) throw ui("the root hash is not 32 bytes");
  let e = No(Fe(t.root_hash));
  return `${t.network_id}
${t.tree_size}
${e}
`;
}
function li(t) {
  return lp(t.timestamp, bn(t));
}
function lp(t, e) {
  if (!pe(t)) throw ui("the time is not an integer in [0, 2^53)");
  return `${Fh}
time ${t}
${e}`;
}
var bf = H({
    provider: Jt("Kind of service"),
    service: Gr.optional(),
    status: Jt("State of the proof, as the provider names it"),
    timestamp: Ie("Time of the anchor, as the service states it"),
    tree_head: br,
    consistency_path: kt,
    digest: De,
    proof: qr.with({ description: "Proof in the provider's format" }),
  }).named("ExternalAnchor", {
    description: "Proof of an external service over SHA-256(checkpoint body)",
  }),
  U6 = ie(bf);
var t1 = Uint8Array.of(0), V6 = Uint8Array.of(1);
function tn(t) {
  return It(t);
}
function hi(t, e) {
  return t.sha256(_e(t1, e));
}
var pi = 48;
var yf = Object.freeze({
  name: "drand quicknet",
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey: Fe(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
  periodSeconds: 3,
  genesisTime: 1692803367,
});
function xf(t, e) {
  return t.genesisTime + (e - 1) * t.periodSeconds;
}
function n1(t) {
  return tn(El(t));
}
function hp(t, e, n) {
  let r = r1(e, n);
  return r !== void 0 && t.verify(e.publicKey, n1(n.round), r, Uh);
}
function r1(t, e) {
  let { chain_hash: n, round: r, signature: o } = e;
  if (!(!Se(n, E) || n !== t.hash) && !(!(r >= 1) || !Number.isSafeInteger(xf(t, r)))) {
    return Ne(o, pi);
  }
}
var Yo = Ge("malformed_text", "Cannot write round message"),
  Wr = 512,
  o1 = H({
    chain_hash: De,
    round: Y("Round of the beacon"),
    signature: tt(pi, "Signature of the beacon over that round"),
  }).named("Beacon", {
    description: "Public drand randomness: the round was signed after the beacon was published",
  }),
  pp = H({
    index: Y("Index of the attestation in the round").with({ maximum: Wr - 1 }),
    size: Y("Number of attestations").with({ minimum: 1, maximum: Wr }),
    inclusion_path: kt,
    beacon: Hn(o1),
  }).named("RoundInclusion", {
    description:
      "Position of the attestation in its round, and its inclusion path to the round's root",
  });
function mp(t) {
  let { network_id: e, timestamp: n, size: r, root: o, beacon: s } = t;
  if (!bt(e)) throw Yo("network_id is not a valid C2SP origin");
  if (!pe(n)) throw Yo("timestamp is not an integer in [0, 2^53)");
  if (!pe(r) || r < 1 || r > Wr) throw Yo(`size is not an integer from 1 to ${Wr}`);
  if (!Se(o, E)) throw Yo("root is not 64 lowercase hex digits");
  return `${Hh}
${e}
${n}
${r}
${o}
${s1(s)}
`;
}
function s1(t) {
  if (t === null) return "none";
  if (!Se(t.chain_hash, E) || !pe(t.round) || !Se(t.signature, pi)) throw Yo("malformed beacon");
  return `drand/${t.chain_hash}/${t.round}/${t.signature}`;
}
function gp(t, e, n) {
  return t.verify(e, e, n, nf);
}
var mi = BigInt(0), gi = BigInt(1), wi = BigInt(2), i1 = BigInt(4), wp = BigInt(8);
function a1(t, e, n, r) {
  let o = t.sqr(n),
    s = t.sqr(r),
    i = t.add(t.mul(e.a, o), s),
    c = t.add(t.ONE, t.mul(e.d, t.mul(o, s)));
  return t.eql(i, c);
}
function bp(t, e = {}) {
  Pe(e, {}, {}, "extraOpts");
  let n = e, r = Vs("edwards", t, n, n.FpFnLE), { Fp: o, Fn: s } = r, i = r.CURVE, { h: c } = i;
  if (pn(o, i.a) !== 1) {
    throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
  }
  if (pn(o, i.d) !== -1) {
    throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
  }
  Pe(n, {}, { uvRatio: "function", randomBytes: "function" });
  let f = n.randomBytes === void 0 ? hn : n.randomBytes, d = wi << BigInt(o.BYTES * 8) - gi;
  function u(x) {
    if (!o.isOdd) throw new Error("Field does not have .isOdd()");
    return o.isOdd(x);
  }
  let l = n.uvRatio === void 0
    ? (x, y) => {
      try {
        return { isValid: !0, value: o.sqrt(o.div(x, y)) };
      } catch {
        return { isValid: !1, value: mi };
      }
    }
    : n.uvRatio;
  if (!a1(o, i, i.Gx, i.Gy)) throw new Error("bad curve params: generator point");
  let h = o.eql(i.a, o.neg(o.ONE))
    ? (x) => o.neg(x)
    : o.eql(i.a, o.ONE)
    ? (x) => x
    : (x) => o.mul(i.a, x);
  function p(x, y, v = !1) {
    let S = v ? gi : mi;
    return dr("coordinate " + x, y, S, d), y;
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
      y = Kt(ue(y, S, "point")), vt(v, "zip215");
      let C = Kt(y), V = y[S - 1];
      C[S - 1] = V & -129;
      let fe = Vt(C), ge = v ? d : o.ORDER;
      dr("point.y", fe, mi, ge);
      let we = o.sqr(fe),
        Ae = o.sub(we, o.ONE),
        q = o.sub(o.mulN(O, we), A),
        { isValid: re, value: ce } = l(Ae, q);
      if (!re) throw new Error("bad point: invalid y coordinate");
      let T = u(ce), $ = (V & 128) !== 0;
      if (!v && o.is0(ce) && $) throw new Error("bad point: x=0 and x_0=1");
      return $ !== T && (ce = o.neg(ce)), g.fromAffine({ x: ce, y: fe });
    }
    static fromHex(y, v = !1) {
      return g.fromBytes(fr(y), v);
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(y = 6, v = !0) {
      return b.setWindowSize(this, y), v || this.multiply(wi), this;
    }
    assertValidity() {
      let y = this, { a: v, d: S } = i;
      if (y.is0()) throw new Error("bad point: ZERO");
      let { X: A, Y: O, Z: C, T: V } = y,
        fe = o.sqr(A),
        ge = o.sqr(O),
        we = o.sqr(C),
        Ae = o.sqr(we),
        q = o.mul(fe, v),
        re = o.mul(o.add(q, ge), we),
        ce = o.add(Ae, o.mul(S, o.mul(fe, ge)));
      if (!o.eql(re, ce)) throw new Error("bad point: equation left != right (1)");
      let T = o.mul(A, O), $ = o.mul(C, V);
      if (!o.eql(T, $)) throw new Error("bad point: equation left != right (2)");
    }
    equals(y) {
      m(y);
      let { X: v, Y: S, Z: A } = this,
        { X: O, Y: C, Z: V } = y,
        fe = o.mul(v, V),
        ge = o.mul(O, A),
        we = o.mul(S, V),
        Ae = o.mul(C, A);
      return o.eql(fe, ge) && o.eql(we, Ae);
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
        C = o.mul(o.sqr(S), wi),
        V = h(A),
        fe = o.addN(y, v),
        ge = o.sub(o.subN(o.sqr(fe), A), O),
        we = o.addN(V, O),
        Ae = o.subN(we, C),
        q = o.subN(V, O),
        re = o.mul(ge, Ae),
        ce = o.mul(we, q),
        T = o.mul(ge, q),
        $ = o.mul(Ae, we);
      return new g(re, ce, $, T);
    }
    add(y) {
      m(y);
      let { d: v } = i,
        { X: S, Y: A, Z: O, T: C } = this,
        { X: V, Y: fe, Z: ge, T: we } = y,
        Ae = o.mul(S, V),
        q = o.mul(A, fe),
        re = o.mul(o.mulN(C, v), we),
        ce = o.mul(O, ge),
        T = o.sub(o.subN(o.mulN(o.addN(S, A), o.addN(V, fe)), Ae), q),
        $ = o.subN(ce, re),
        P = o.addN(ce, re),
        I = o.sub(q, h(Ae)),
        _ = o.mul(T, $),
        B = o.mul(P, I),
        R = o.mul(T, I),
        L = o.mul($, P);
      return new g(_, B, L, R);
    }
    subtract(y) {
      return m(y), this.add(y.negate());
    }
    multiply(y) {
      if (!s.isValidNot0(y)) throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
      let { p: v, f: S } = b.mulSecret(this, y, c, w);
      return w([v, S])[0];
    }
    multiplyUnsafe(y) {
      if (!s.isValid(y)) throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
      return y === mi ? g.ZERO : this.is0() || y === gi ? this : b.mulUnsafe(this, y, w);
    }
    isSmallOrder() {
      return this.clearCofactor().is0();
    }
    isTorsionFree() {
      return b.mulUnsafe(this, i.n).is0();
    }
    toAffine(y) {
      let v = this, S = y;
      if (S != null && typeof S != "bigint") {
        throw new TypeError('"invertedZ" expected bigint, got type=' + typeof S);
      }
      let { X: A, Y: O, Z: C } = v, V = v.is0();
      S == null && (S = V ? o.create(wp) : o.inv(C));
      let fe = o.mul(A, S), ge = o.mul(O, S), we = o.mul(C, S);
      if (V) return { x: o.ZERO, y: o.ONE };
      if (!o.eql(we, o.ONE)) throw new Error("invZ was invalid");
      return { x: fe, y: ge };
    }
    clearCofactor() {
      return c === gi
        ? this
        : c === wi
        ? this.double()
        : c === i1
        ? this.double().double()
        : c === wp
        ? this.double().double().double()
        : this.multiplyUnsafe(c);
    }
    toBytes() {
      let { x: y, y: v } = this.toAffine(), S = o.toBytes(v);
      return S[S.length - 1] |= u(y) ? 128 : 0, S;
    }
    toHex() {
      return cr(this.toBytes());
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let w = (x) => zs(g, x), b = new Fr(g, f);
  return b.bits >= 6 && g.BASE.precompute(6), Object.freeze(g.prototype), Object.freeze(g), g;
}
function yp(t, e, n = {}) {
  if (Cn(t), typeof e != "function") throw new Error('"hash" function param is required');
  let r = e, o = n;
  Pe(o, {}, {
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
  if (d !== void 0 && (Re(d, "hash.outputLen"), d !== u)) {
    throw new Error(`hash.outputLen must be ${u}, got ${d}`);
  }
  let l = o.randomBytes === void 0 ? hn : o.randomBytes,
    h = o.toMontgomery,
    p = o.toMontgomerySecret,
    m = o.adjustScalarBytes === void 0 ? (q) => q : o.adjustScalarBytes,
    g = o.domain === void 0
      ? (q, re, ce) => {
        if (vt(ce, "phflag"), re.length || ce) {
          throw new Error("Contexts/pre-hash are not supported");
        }
        return q;
      }
      : o.domain;
  function w(q) {
    return f.create(Vt(q));
  }
  function b(q) {
    let re = V.secretKey;
    ue(q, V.secretKey, "secretKey");
    let ce = ue(r(q), 2 * re, "hashedSecretKey"),
      T = m(ce.slice(0, re)),
      $ = ce.slice(re, 2 * re),
      P = w(T);
    return { head: T, prefix: $, scalar: P };
  }
  function x(q) {
    let { head: re, prefix: ce, scalar: T } = b(q), $ = i.multiply(T), P = $.toBytes();
    return { head: re, prefix: ce, scalar: T, point: $, pointBytes: P };
  }
  function y(q) {
    return x(q).pointBytes;
  }
  function v(q = Uint8Array.of(), ...re) {
    let ce = Ve(...re);
    return w(r(g(ce, ue(q, void 0, "context"), !!s)));
  }
  function S(q, re, ce = {}) {
    Pe(ce, {}, {}, "options"), q = Kt(ue(q, void 0, "message")), s && (q = s(q));
    let { prefix: T, scalar: $, pointBytes: P } = x(re),
      I = v(ce.context, T, q),
      _ = i.multiply(I).toBytes(),
      B = v(ce.context, _, P, q),
      R = f.create(I + B * $);
    if (!f.isValid(R)) throw new Error("sign failed: invalid s");
    let L = Ve(_, f.toBytes(R));
    return ue(L, V.signature, "result");
  }
  let A = { zip215: o.zip215 };
  function O(q, re, ce, T = A) {
    Pe(T);
    let { context: $ } = T, P = T.zip215 === void 0 ? !!A.zip215 : T.zip215, I = V.signature;
    q = ue(q, I, "signature"),
      re = ue(re, void 0, "message"),
      ce = ue(ce, V.publicKey, "publicKey"),
      P !== void 0 && vt(P, "zip215"),
      s && (re = s(re));
    let _ = I / 2, B = q.subarray(0, _), R = Vt(q.subarray(_, I)), L, D, j;
    try {
      L = t.fromBytes(ce, P), D = t.fromBytes(B, P), j = i.multiplyUnsafe(R);
    } catch {
      return !1;
    }
    if (!P && L.isSmallOrder()) return !1;
    let J = v($, B, ce, re);
    return D.add(L.multiplyUnsafe(J)).subtract(j).clearCofactor().is0();
  }
  let C = c.BYTES, V = { secretKey: C, publicKey: C, signature: 2 * C, seed: C };
  function fe(q) {
    return q = q === void 0 ? l(V.seed) : q, ue(q, V.seed, "seed");
  }
  function ge(q) {
    return Gt(q) && q.length === V.secretKey;
  }
  function we(q, re) {
    try {
      return !!t.fromBytes(q, re === void 0 ? A.zip215 : re);
    } catch {
      return !1;
    }
  }
  let Ae = {
    getExtendedPublicKey: x,
    randomSecretKey: fe,
    isValidSecretKey: ge,
    isValidPublicKey: we,
    toMontgomery(q) {
      if (h === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return h(t.fromBytes(q));
    },
    toMontgomerySecret(q) {
      if (p === void 0) throw new Error("Montgomery conversion is not supported for this curve");
      return p(q);
    },
  };
  return Object.freeze(V),
    Object.freeze(Ae),
    Object.freeze({
      keygen: Hc(fe, y),
      getPublicKey: y,
      sign: S,
      verify: O,
      utils: Ae,
      Point: t,
      lengths: V,
    });
}
var _f = BigInt(1), xp = BigInt(2);
var c1 = BigInt(5),
  f1 = BigInt(8),
  Ef = BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"),
  d1 = {
    p: Ef,
    n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
    h: f1,
    a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
    d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
    Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
    Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658"),
  };
function u1(t) {
  let e = BigInt(10),
    n = BigInt(20),
    r = BigInt(40),
    o = BigInt(80),
    s = Ef,
    c = t * t % s * t % s,
    f = Ht(c, xp, s) * c % s,
    d = Ht(f, _f, s) * t % s,
    u = Ht(d, c1, s) * d % s,
    l = Ht(u, e, s) * u % s,
    h = Ht(l, n, s) * l % s,
    p = Ht(h, r, s) * h % s,
    m = Ht(p, o, s) * p % s,
    g = Ht(m, o, s) * p % s,
    w = Ht(g, e, s) * u % s;
  return { pow_p_5_8: Ht(w, xp, s) * t % s, b2: c };
}
function vp(t) {
  return t[0] &= 248, t[31] &= 127, t[31] |= 64, t;
}
var _p = BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function l1(t, e) {
  let n = Ef,
    r = $e(e * e * e, n),
    o = $e(r * r * e, n),
    s = u1(t * o).pow_p_5_8,
    i = $e(t * r * s, n),
    c = $e(e * i * i, n),
    f = i,
    d = $e(i * _p, n),
    u = c === t,
    l = c === $e(-t, n),
    h = c === $e(-t * _p, n);
  return u && (i = f),
    (l || h) && (i = d),
    Xl(i, n) && (i = $e(-i, n)),
    { isValid: u || l, value: i };
}
var vf = bp(d1, { uvRatio: l1 }), Ep = vf.Fp;
function h1(t) {
  let { y: e } = t;
  return Ep.toBytes(Ep.div(_f + e, _f - e));
}
function p1(t) {
  let e = vf.Fp.BYTES;
  return ct(t, e), vp(Lo(t.subarray(0, e))).subarray(0, e);
}
function m1(t) {
  return yp(
    vf,
    Lo,
    Object.assign(
      { adjustScalarBytes: vp, toMontgomery: h1, toMontgomerySecret: p1, zip215: !0 },
      t,
    ),
  );
}
var Sp = m1({});
var Kr = 32,
  g1 = 64,
  w1 = Fe("01".padEnd(64, "0")),
  b1 = [Fe("01".padEnd(62, "0") + "80"), Fe("ec".padEnd(64, "f"))];
function y1(t) {
  return !(t[0] >= 237 && t.subarray(1, 31).every((n) => n === 255) && t[31] % 128 === 127) &&
    !b1.some((n) => Ce(n, t));
}
function Sf(t, e) {
  return t.length === Kr && e.length === g1 && y1(t) && !Ce(e.subarray(0, Kr), w1);
}
var x1 = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  _1 = "72",
  E1 = [{
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
async function Tp(t) {
  let e = Fe(x1), n = Fe(_1);
  for (let { valid: r, r: o, s } of E1) if (await t(e, n, Fe(o + s)) !== r) return !1;
  return !0;
}
var bi = Ge("invalid_key", "Cannot use Ed25519 public key"), { Point: Tf } = Sp, { Fn: kp } = Tf;
function Np(t) {
  try {
    return Tf.fromBytes(t);
  } catch {
    return;
  }
}
var Op = new mn(256);
function kf(t) {
  if (Op.get(t)) return;
  if (t.length !== Kr) throw bi(`it has ${t.length} bytes instead of 32`);
  let e = Np(t);
  if (e === void 0 || !Ce(e.toBytes(), t)) {
    throw bi("it is not the canonical encoding of a curve point");
  }
  if (e.isSmallOrder()) throw bi("the point has small order");
  if (!e.isTorsionFree()) throw bi("the point has mixed order");
  Op.set(t, !0);
}
function v1(t, e, n) {
  if (!Sf(t, n)) return !1;
  let r = n.subarray(0, Kr), o = Vt(n.subarray(Kr));
  if (!kp.isValid(o)) return !1;
  let s = Np(t);
  if (s === void 0) return !1;
  let i = kp.create(Vt(Lo(_e(r, t, e)))),
    c = Tf.BASE.multiplyUnsafe(o).subtract(s.multiplyUnsafe(i));
  return Ce(c.toBytes(), r);
}
var Ap = new mn(256);
async function S1(t, e) {
  let n = Ap.get(e);
  if (n !== void 0) return n;
  try {
    let r = await t.importKey("raw", e, "Ed25519", !1, ["verify"]);
    return Ap.set(e, r), r;
  } catch (r) {
    if (r instanceof DOMException) return;
    throw r;
  }
}
async function Bp(t, e, n) {
  let r = globalThis.crypto?.subtle;
  if (r === void 0 || !Sf(t, n)) return !1;
  let [o, s] = [e.slice(), n.slice()], i = await S1(r, t.slice());
  return i === void 0 ? !1 : await r.verify("Ed25519", i, s, o);
}
async function Of() {
  return await Tp(Bp) ? Bp : v1;
}
var $n = { ed25519: 1, cosignature: 4, private: 255 }, T1 = 32;
function Cp(t) {
  let { name: e, type: n, identifier: r = "", publicKey: o } = t;
  return tn(_e(
    ee(`${e}
`),
    Uint8Array.of(n),
    ee(r),
    o,
  )).slice(0, 4);
}
function yi(t) {
  let e = _e(Uint8Array.of(t.type), t.publicKey);
  return `${t.name}+${K(Cp(t))}+${No(e)}`;
}
function ht(t) {
  let [, e = "", , n = ""] = /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(t) ?? [],
    r = or(n) ?? new Uint8Array(),
    o = { name: e, type: r[0] ?? 0, publicKey: r.slice(1) };
  if (
    !((o.type === $n.ed25519 || o.type === $n.cosignature) && o.publicKey.length === T1) ||
    yi(o) !== t
  ) {
    throw new k(
      "invalid_key",
      "Cannot read verifier key: not a C2SP note key of type 0x01 or 0x04",
    );
  }
  return o;
}
var Mn = ye.with({
    pattern: "^[^+\\s]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*$",
    description: "C2SP verifier key",
    example: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
  }),
  Zo = Y("Number of witnesses that must sign").with({ minimum: 1, example: 2 }),
  Xo = tt(nt.bls, "Signature of the key over itself"),
  xi = {
    ed25519: tt(Qt.ed25519, "Ed25519 public key"),
    bls: tt(Qt.bls, "BLS12-381 public key in G2, compressed"),
  },
  Af = H({
    enabled: Vo,
    peer_networks: ie(
      H({
        id: Ue,
        gateway_url: ye.with({ format: "uri" }).optional(),
        min_witnesses: Y("Number of its witnesses that must cosign").optional(),
      }, "ignored").named("PeerNetwork"),
    ),
    cross_anchor_threshold: Y("Number of peers that must cosign a tree head"),
  }, "ignored").named("FederationPolicy"),
  Bf = {
    id: Ue,
    epoch: Y("Number of this configuration; absent in the first, which is 0").optional(),
    threshold: Zo,
    log_vkey: Mn.optional(),
    merge_delay_seconds: Y("Seconds within which the log includes a confirmed attestation").with({
      example: 60,
    }).optional(),
  },
  Lp = "malformed_configuration",
  $t = Ge("invalid_configuration", "Cannot use network configuration"),
  Nf = { enabled: !1, peer_networks: [], cross_anchor_threshold: 0 },
  Rp = { where: "network", code: Lp },
  k1 = H({ signature_scheme: ye }, "ignored"),
  O1 = { ed25519: Ip("ed25519"), bls: Ip("bls") };
function Ip(t) {
  let e = H(
    { id: At, pubkey: xi[t], vkey: Mn.optional(), proof_of_possession: Xo.optional() },
    "ignored",
  );
  return H({ ...Bf, witnesses: ie(e), federation: Af.optional() }, "ignored");
}
function Jo(t, e = Ln) {
  return A1(Je(t, Lp), e);
}
function A1(t, e = Ln) {
  let { signature_scheme: n } = k1.parse(t, Rp);
  if (n !== "ed25519" && n !== "bls") throw $t("unknown signature_scheme");
  let r = O1[n].parse(t, Rp), o = { federation: Nf, ...r, signature_scheme: n };
  return Cf(o, e), o;
}
function Cf(t, e = Ln) {
  let { id: n, threshold: r, witnesses: o, signature_scheme: s } = t;
  if (!bt(n)) throw $t("malformed network id");
  if (r < 1 || r > o.length) throw $t(`threshold ${r} is not from 1 to ${o.length}`);
  let i = o.map((c) => c.pubkey);
  for (let c of o) {
    if (!zr(c.id)) throw $t("malformed witness id");
    s === "bls" ? N1(c, e) : B1(c);
  }
  if (t.log_vkey !== void 0) {
    let c = ht(t.log_vkey);
    if (c.type !== $n.ed25519 || c.name !== n) {
      throw $t(`log_vkey is not of type 0x01 or not named ${n}`);
    }
    kf(c.publicKey), i.push(K(c.publicKey));
  }
  if (new Set(o.map((c) => c.id)).size !== o.length) throw $t("duplicate witness id");
  if (new Set(i).size !== i.length) {
    throw $t("duplicate public key among the witnesses and the log");
  }
  C1(t);
}
function Hp(t) {
  let e = new Set(t.witnesses.map((n) => n.pubkey));
  return t.log_vkey !== void 0 && e.add(K(ht(t.log_vkey).publicKey)), e;
}
function B1(t) {
  let e = Ne(t.pubkey, Qt.ed25519) ?? new Uint8Array();
  kf(e);
  let n = yi({ name: t.id, type: $n.cosignature, publicKey: e });
  if (t.vkey !== void 0 && t.vkey !== n) {
    throw $t(`vkey of ${t.id} does not match its id and pubkey`);
  }
}
function N1({ id: t, pubkey: e, vkey: n, proof_of_possession: r }, o) {
  if (n !== void 0) throw $t(`bls witness ${t} has a vkey`);
  let s = Ne(e, Qt.bls) ?? new Uint8Array();
  if (!o.keyValidate(s)) {
    throw new k(
      "invalid_key",
      `Cannot use BLS public key of ${t}: not the encoding of a point of G2 of order r`,
    );
  }
  let i = Ne(r ?? "", nt.bls);
  if (i === void 0 || !gp(o, s, i)) {
    throw $t(`proof_of_possession of ${t} is ${r === void 0 ? "missing" : "invalid"}`);
  }
}
function C1(t) {
  let { peer_networks: e } = t.federation, n = new Set(e.map((r) => r.id));
  if (n.size !== e.length || n.has(t.id) || !e.every((r) => bt(r.id))) {
    throw $t("a peer id is malformed, duplicate or the network's own");
  }
}
var Qo = Ge("malformed_text", "Cannot read trust core"),
  R1 = H({
    id: Ue,
    epoch: Y("Number of the configuration, from 0"),
    signature_scheme: Ot(["ed25519", "bls"]),
    threshold: Zo,
    log_vkey: Mn.optional(),
    witnesses: ie(
      H({
        id: At,
        pubkey: ye.with({ description: "Public key, lowercase hex" }),
        proof_of_possession: Xo.optional(),
      }).named("CoreWitness"),
      1,
    ).with({ description: "Strictly ascending by id" }),
  }),
  Rf = R1.map(
    (t) => I1(t) ? t : void 0,
    "a trust core with witnesses in ascending order, and proofs of possession exactly if it is bls",
  ).named("TrustCore", {
    description: "Who signs in an epoch: the part of a configuration that verifiers trust",
  });
function If(t) {
  let { id: e, epoch: n = 0, signature_scheme: r, threshold: o, log_vkey: s } = t;
  return {
    id: e,
    epoch: n,
    signature_scheme: r,
    threshold: o,
    ...s !== void 0 && { log_vkey: s },
    witnesses: t.witnesses.map(({ id: i, pubkey: c, proof_of_possession: f }) => ({
      id: i,
      pubkey: c,
      ...r === "bls" && f !== void 0 && { proof_of_possession: f },
    })).sort((i, c) => i.id < c.id ? -1 : 1),
  };
}
function Fp(t) {
  let { id: e, epoch: n, signature_scheme: r, threshold: o, log_vkey: s, witnesses: i } = t;
  if (!bt(e)) throw Qo("the network id is not a valid C2SP origin");
  if (!pe(n)) throw Qo("the epoch is not an integer in [0, 2^53)");
  if (!pe(o)) throw Qo("the threshold is not an integer in [0, 2^53)");
  s !== void 0 && ht(s);
  let c = i.map(({ id: f, pubkey: d }) => {
    if (!zr(f)) throw Qo("a witness id is malformed");
    if (!Se(d, Qt[r])) throw Qo(`the key of ${f} is malformed`);
    return `${f} ${d}
`;
  });
  return `${$h}
${e}
${n}
${r}
${o}
${s ?? "none"}
` + c.join("");
}
function yn(t) {
  return K(tn(ee(Fp(t))));
}
function rt(t) {
  return yn(If(t));
}
function I1(t) {
  let { signature_scheme: e, witnesses: n } = t;
  return ft(() => Fp(t)) !== void 0 &&
    n.every(({ id: r, proof_of_possession: o }, s) =>
      (s === 0 || n[s - 1].id < r) && o !== void 0 == (e === "bls")
    );
}
var Pn = Ge("malformed_text", "Cannot read succession"),
  Lf = ie(
    H({
      witness_id: di,
      signature: ye.map(
        (t) => Object.values(nt).some((e) => Se(t, e)) ? t : void 0,
        "64 or 48 bytes in lowercase hex",
      ),
    }).named("SuccessionSignature"),
  ).with({ description: "Each witness's own signature, strictly ascending by witness_id" }),
  $p = tt(nt.ed25519, "Ed25519 signature of a log key"),
  L1 = H({ origin: Ue, log_vkey: Mn, core: De.with({ description: "SHA-256 of its trust core" }) })
    .named("NextLog", { description: "The log that continues a frozen one" }),
  Mp = {
    predecessor: Rf,
    successor: Hn(Rf),
    next_log: L1.optional(),
    tree_size: Y("Size of a published tree head; the epoch ends after it"),
    timestamp: Ie("When the succession was proposed"),
    nonce: De.with({ description: "32 random bytes, so that nobody else can log its digest" }),
    signatures: H({
      predecessor: Lf,
      successor: Lf,
      log: $p.optional(),
      successor_log: $p.optional(),
    }).named("SuccessionSignatures"),
  },
  f8 = H(Mp).map((t) => jp(t) ? t : void 0, "a succession; next_log only without a successor")
    .named("Succession", { description: "Leads from one configuration to the next, when signed" }),
  H1 = H({
    tree_size: Y("Number of leaves of this and all earlier epochs"),
    root_hash: De,
    timestamp: Ie("Timestamp of the last attestation, whose hash is that of the succession"),
    inclusion_path: kt,
    signatures: Lf,
  }).named("EpochEnd", { description: "The tree with which an epoch ended" }),
  Hf = H({ ...Mp, end: H1 }).map(
    (t) => jp(t) ? t : void 0,
    "a succession; next_log only without a successor",
  ).named("SuccessionLink", {
    description: "A succession that took effect, and the tree at which it did",
  }),
  F1 = ie(Hf).named("SuccessionChain", {
    description: "The links from the first epoch on, in order, without a gap",
  });
function _i(t) {
  let { predecessor: e, successor: n, next_log: r, tree_size: o, timestamp: s, nonce: i } = t;
  if (!pe(o)) throw Pn("the tree size is not an integer in [0, 2^53)");
  if (!pe(s)) throw Pn("the time is not an integer in [0, 2^53)");
  if (!Se(i, E)) throw Pn("the nonce is not 32 bytes");
  return `${
    [Mh, e.id, e.epoch + 1, yn(e), n === null ? $1(r) : yn(n), o, s, i].join(`
`)
  }
`;
}
function Yr(t) {
  return K(tn(ee(_i(t))));
}
function Pp(t, { tree_size: e, root_hash: n }) {
  if (!pe(e)) throw Pn("the tree size is not an integer in [0, 2^53)");
  if (!Se(n, E)) throw Pn("the root hash is not 32 bytes");
  let { id: r, epoch: o } = t.predecessor;
  return `${
    [Ph, r, o, Yr(t), e, n].join(`
`)
  }
`;
}
function Ei(t, e = "malformed_configuration") {
  return F1.parseText(t, { where: "succession chain", code: e });
}
function jp(t) {
  return (t.next_log === void 0 || t.successor === null) && ft(() => _i(t)) !== void 0;
}
function $1(t) {
  if (t === void 0) return "none";
  let { origin: e, log_vkey: n, core: r } = t;
  if (!bt(e)) throw Pn("the next log's id is not a valid C2SP origin");
  if (ht(n).name !== e) throw Pn(`log_vkey is not named ${e}`);
  if (!Se(r, E)) throw Pn("the next log's core digest is not 32 bytes");
  return K(tn(ee(`${
    [jh, e, n, r].join(`
`)
  }
`)));
}
var Ff = wr("SignedAttestation", { attestation: dp, round: pp }, {
    description: "A hash with its timestamp and log index, signed by the threshold",
  }),
  $f = H({
    id: Y("Size of the closing tree head"),
    network_id: Ue,
    root_hash: De,
    tree_size: Y("Size of the closing tree head"),
    first_index: Y("Size of the previous tree head; informative"),
    attestation_count: Y("Number of attestations in the batch; informative"),
    period_start: Ie("Timestamp of the previous tree head, 0 if there is none; informative"),
    period_end: Ie("Timestamp of the closing tree head"),
  }).named("Batch", {
    description: "The growth of the log between two consecutive published tree heads",
  }),
  Dp = {
    hash: De,
    leaf_hash: De,
    leaf_index: Y("Index of the leaf in the log, equal to the sequence of the attestation"),
    tree_size: Y("Size of the tree whose root the path leads to"),
    inclusion_path: kt,
  },
  Up = H({ ...Dp, root_hash: De, batch_id: Y("Id of the batch that contains the attestation") })
    .named("MerkleProofResponse", {
      description: "Inclusion proof of an attestation in the tree that closed its batch",
    }),
  M1 = H({ ...Dp, sth: en }).named("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
  }),
  P1 = H({
    first: Y("Size of the smaller tree"),
    second: Y("Size of the larger tree"),
    first_sth: en,
    second_sth: en,
    consistency_path: kt,
  }).named("ConsistencyProof", {
    description: "RFC 9162 consistency proof between two published tree heads",
  }),
  j1 = H({ batch: $f, merkle_proof: Up, sth: en }).named("BatchInclusion"),
  D1 = wr("CrossAnchor", { witnessing_network: Ue, tree_head: br, consistency_path: kt }, {
    description: "A tree head of this log with the cosignatures of a peer network",
  }),
  U1 = H({
    signed_attestation: Ff,
    batch_inclusion: Hn(j1),
    cross_anchors: ie(D1),
    external_anchors: ie(bf),
    succession: ie(Hf, 1).with({
      description: "The links from the first epoch on; absent in the first",
    }).optional(),
  }).named("ProofBundle", {
    description:
      "Everything that offline verification needs in addition to the pinned configuration",
  });
function es(t) {
  return U1.parseText(t, ts("bundle"));
}
function Mf(t) {
  return en.parseText(t, ts("sth"));
}
function Pf(t) {
  return Up.parseText(t, ts("proof"));
}
function jf(t) {
  return M1.parseText(t, ts("proof"));
}
function Df(t) {
  return P1.parseText(t, ts("proof"));
}
function ts(t) {
  return { where: t, code: "malformed_bundle" };
}
var q1 = 16,
  qp = 54,
  z1 = 8192,
  G1 = 262144,
  Uf = { sth: en, log_signature: Ko },
  zp = H(Uf).named("LoggedTreeHead", {
    description: "A tree head with the signatures of its threshold and of its log key",
  }),
  Vp = kt.map((t) => t.length <= qp ? t.map((e) => Fe(e)) : void 0, `at most ${qp} hashes`),
  k8 = H({
    ...Uf,
    min_witnesses: Y("Distinct signatures that the peer must obtain"),
    growth: ie(H({ old_size: Y("Size of the older head"), consistency_path: Vp }), 0, q1),
  }).map(({ growth: t, min_witnesses: e, ...n }) => {
    let { tree_size: r } = n.sth.tree_head;
    if (t.every(({ old_size: s }, i) => s > (t[i - 1]?.old_size ?? 0) && s < r)) {
      return {
        ...vi(n),
        minWitnesses: e,
        growth: t.map((s) => ({ oldSize: s.old_size, path: s.consistency_path })),
      };
    }
  }, "growth from ascending sizes of 1 to below the head's"),
  O8 = wr("PeerCosignature", { witnessing_network: Ue, tree_head: br }, {}),
  A8 = H({ origin: Ue, seen_at: Ie("When this gateway accepted the head"), ...Uf }).named(
    "SeenTreeHead",
    { description: "The latest tree head of a peer that this gateway accepted" },
  ).map(
    ({ origin: t, seen_at: e, ...n }) =>
      n.sth.tree_head.network_id === t ? { ...vi(n), seenAt: e } : void 0,
    "a head of the origin",
  ),
  Wp = H({
    origin: Ue,
    found_at: Ie("When this gateway found it; not signed"),
    first: zp,
    second: zp,
    consistency_path: Vp,
  }).named("Contradiction", {
    description:
      "Two signed tree heads of one log that no append-only log can have both. At equal sizes the roots differ and the path is empty. At different sizes the path proves that the second root extends a root other than the first's. If the first size is a power of two, the path begins with that other root.",
  }).map(({ origin: t, first: e, second: n, ...r }) => {
    if ([e, n].every(({ sth: s }) => s.tree_head.network_id === t)) {
      return {
        origin: t,
        foundAt: r.found_at,
        first: vi(e),
        second: vi(n),
        path: r.consistency_path,
      };
    }
  }, "heads of the origin");
function ns({ origin: t, foundAt: e, first: n, second: r, path: o }) {
  return { origin: t, found_at: e, first: Gp(n), second: Gp(r), consistency_path: o.map(K) };
}
function Kp(t, e) {
  return Wp.parseText(t, { where: "contradiction", code: e }, z1);
}
function Yp(t, e) {
  return ie(Wp).parseText(t, { where: "contradictions", code: e }, G1);
}
function Gp({ sth: t, logSignature: e }) {
  return { sth: t, log_signature: K(e) };
}
function vi(t) {
  let { sth: e, log_signature: n } = t;
  return { sth: e, logSignature: Fe(n) };
}
var V1 = [
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
  W1 = H({
    id: At,
    healthy: Vo,
    last_seen_at: Ie("When it last answered successfully").optional(),
    last_error: Jt("Error code of the current failure").with({ example: "witness_unreachable" })
      .optional(),
    failing: ie(ye.with({ enum: ["probe", "cosign", "sign"] })).with({
      minItems: 1,
      description:
        "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
    }).optional(),
  }, "ignored").named("WitnessHealth"),
  K1 = H({
    id: Ue,
    last_cross_anchor: H({
      tree_size: Y("Size of the largest tree head of this log that it cosigned"),
      age: Y("Seconds since the timestamp of its cosignature"),
    }, "ignored").optional(),
    failing: gf("Whether the last request to this peer failed"),
  }, "ignored").named("PeerStatus"),
  Y1 = H({
    provider: Jt("Kind of service").with({ example: "rfc3161" }),
    service: Gr.optional(),
    last: H({
      tree_size: Y("Size of the largest tree head that it anchored"),
      age: Y("Seconds since the time that the service states"),
      status: ye.with({ enum: ["pending", "confirmed"] }),
    }, "ignored").optional(),
  }, "ignored").named("AnchorStatus"),
  Z1 = H({
    status: ye.with({ enum: V1 }),
    witnesses: ie(W1),
    pending_count: Y("Number of unconfirmed jobs"),
    oldest_pending_age: Y("Age of the oldest unconfirmed job in seconds").optional(),
    sth: H(
      { tree_size: Y("Size of the latest published tree head"), age: Y("Its age in seconds") },
      "ignored",
    ).optional(),
    beacon: Hn(
      H({ round: Y("Round of the latest drand beacon"), age: Y("Its age in seconds") }, "ignored"),
    ).with({
      description: "Absent if the network uses no beacon; null while no recent round is known",
    }).optional(),
    peers: ie(K1).optional(),
    anchors: ie(Y1).optional(),
    contradictions: Y("Number of contradictions that this gateway holds against peers").optional(),
    succession: H({
      epoch: Y("Number of the present configuration"),
      next: Y("The epoch that a succession leads to").optional(),
      step: ye.with({ enum: ["checking", "ending", "beginning"] }).optional(),
      tree_size: Y("Where the present epoch ends").optional(),
      waits_for: ie(At).optional(),
      frozen: gf("The log has ended for good").optional(),
    }, "ignored").named("SuccessionStatus", {
      description: "Absent in epoch 0 while no succession is applied",
    }).optional(),
  }, "ignored").named("Status"),
  X1 = Z1.map((t) => ({ peers: [], anchors: [], contradictions: 0, ...t }), "");
function Zp(t) {
  return X1.parseText(t, { where: "status", code: "gateway_refused" });
}
var Bt = class t {
  where;
  code;
  #e;
  constructor(e, { where: n, code: r }, o, s = {}) {
    if (this.where = n, this.code = r, typeof e != "object" || e === null || !J1(e)) {
      throw this.error("expected an object");
    }
    this.#e = e;
    for (let c of o) if (!this.has(c)) throw this.error(`member ${c} is missing`);
    if (s.ignoreUnknown) return;
    let i = new Set([...o, ...s.optional ?? []]);
    for (let c of Object.keys(e)) if (!i.has(c)) throw this.error(`unknown member ${zo(c)}`);
  }
  static parse(e, n, r, o = {}) {
    let s = Je(e, n.code, o.maxValues, `JSON of ${n.where}`);
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
    if (!pe(n)) throw this.error(`${e} must be an integer from 0 to 2^53 - 1`);
    return n;
  }
  hex(e, n) {
    let r = this.text(e);
    if (!Se(r, n)) throw this.error(`${e} must be ${2 * n} lowercase hex digits`);
    return r;
  }
  base64(e) {
    let n = or(this.text(e));
    if (n === void 0) throw this.error(`${e} must be padded base64`);
    return n;
  }
  base64Url(e) {
    let n = Hr(this.text(e));
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
function J1(t) {
  return Object.getPrototypeOf(t) === null;
}
var Q1 = new Set(yl),
  e_ = 300,
  t_ = /^[0-9a-f]{16}$/,
  n_ = new Set([301, 302, 303, 307, 308]),
  r_ = "a redirect, which is not followed",
  xe = class extends k {
    status;
    reason;
    retryAfter;
    requestId;
    constructor(e, n) {
      let { status: r, reason: o, detail: s, retryAfter: i, requestId: c } = n;
      super(
        "gateway_refused",
        `Cannot get ${e}: the gateway answered ${r}` + (o === void 0 ? "" : ` ${o}`) +
          (s === void 0 ? "" : ` (${s})`),
      ),
        this.status = r,
        this.reason = o,
        this.retryAfter = i,
        this.requestId = c;
    }
  };
function Zr(t, e, n) {
  let { status: r } = e;
  return new xe(t, {
    status: r,
    ...n_.has(r) ? { detail: r_ } : o_(n),
    retryAfter: mt(e.headers.get("Retry-After") ?? ""),
  });
}
function o_(t) {
  try {
    let e = Je(dt(t), "gateway_refused"),
      n = new Bt(e, { where: "problem", code: "gateway_refused" }, ["code"], { ignoreUnknown: !0 }),
      r = n.text("code"),
      o = n.has("request_id") ? n.text("request_id") : "";
    return {
      ...s_(r) && { reason: r },
      ...n.has("detail") && { detail: n.text("detail").slice(0, e_) },
      ...t_.test(o) && { requestId: o },
    };
  } catch (e) {
    if (e instanceof k) return {};
    throw e;
  }
}
function s_(t) {
  return Q1.has(t);
}
var Qp = "malformed_bundle",
  i_ = H({ code: ye.with({ example: "threshold_not_met" }), message: ye }, "ignored").named(
    "LastError",
    { description: "Why the last attempt failed" },
  ),
  qf = {
    hash: De,
    attempts: Y("Number of signing attempts").with({ example: 1 }),
    created_at: Ie("When the hash was accepted"),
    updated_at: Ie("When the job last changed"),
    last_error: i_.optional(),
  },
  Xp = { ...qf, status: Ot(["confirmed"]), signed_attestation: Ff },
  Jp = gr(
    H({
      ...qf,
      status: Ot(["pending", "retryable"]),
      progress: Ot(["unconfirmed"]),
      next_attempt_at: Ie("When the next signing attempt starts"),
    }, "ignored").named("WaitingJob"),
    H({ ...Xp, progress: Ot(["confirmed"]) }, "ignored").named("ConfirmedJob"),
    H({
      ...Xp,
      progress: Ot(["batched"]),
      batch_id: Y("Id of the batch that contains the attestation"),
    }, "ignored").named("BatchedJob"),
    H({ ...qf, status: Ot(["failed"]), progress: Ot(["unconfirmed"]) }, "ignored").named(
      "FailedJob",
    ),
  ).named("JobSnapshot", {
    description: "The current state of a job. `confirmed` and `failed` are terminal",
  }),
  a_ = ["signed_attestation", "batch_id"],
  em = new Tt((t, e) => {
    let n = Jp.read(t, e), r = a_.find((o) => Object.hasOwn(t, o) && !(o in n));
    if (r !== void 0) throw new wt(`${e}.${r}`, "a job in this state has no such member");
    return n;
  }, Jp.describe);
function tm(t) {
  return t.status === "confirmed" || t.status === "failed";
}
function zf(t) {
  return em.parseText(t, { where: "job", code: Qp });
}
function nm(t) {
  return ie(em).parseText(t, { where: "jobs", code: Qp });
}
function Gf(t) {
  if (t.length % E !== 0) {
    throw new k("internal", `Cannot count nodes: ${t.length} bytes are not a multiple of ${E}`);
  }
  return t.length / E;
}
function Vf(t, e, n) {
  return t.slice(e * E, n * E);
}
function Wf(t) {
  return t.sha256(new Uint8Array());
}
var Xr = 8, Le = 256;
function Si(t, e, n) {
  let r = String(e),
    s = r.padStart(Math.ceil(r.length / 3) * 3, "0").replace(/[0-9]{3}(?=[0-9])/g, "x$&/"),
    i = n === Le ? "" : `.p/${n}`;
  return `tile/${t}/${s}${i}`;
}
function Kf(t, e) {
  return Math.floor(e / Le ** (t + 1));
}
function Yf(t, e) {
  return Math.floor(e / Le ** t) % Le;
}
function Jr(t, e, n) {
  let r = Kf(t, n);
  return e < r ? Le : e === r ? Yf(t, n) : 0;
}
var om = H({
    id: Ue,
    threshold: Zo,
    signature_scheme: ye.with({ enum: ["ed25519", "bls"] }),
    witness_count: Y("Number of witnesses").with({ minimum: 1 }),
  }, "ignored").named("GatewayConfig"),
  c_ = H({ id: At, pubkey: xi.ed25519, vkey: Mn }).named("Ed25519Witness"),
  f_ = H({ id: At, pubkey: xi.bls, proof_of_possession: Xo }).named("BlsWitness"),
  cA = gr(rm("ed25519", c_).named("Ed25519Network"), rm("bls", f_).named("BlsNetwork")).named(
    "Network",
  );
function rm(t, e) {
  return H({ ...Bf, signature_scheme: Ot([t]), witnesses: ie(e, 1), federation: Af });
}
var sm = "gateway_refused",
  im = "malformed_bundle",
  d_ = ie(H({ provider: ye, service: Gr.optional(), status: ye, timestamp: gn }, "ignored")),
  am = $f.map((t) => {
    let { id: e, tree_size: n, first_index: r, attestation_count: o } = t;
    return e === n && o === n - r ? t : void 0;
  }, "an id and a count that match the tree size"),
  u_ = ie(am).map(
    (t) => t.every((e, n) => n === 0 || e.id < t[n - 1].id) ? t : void 0,
    "descending ids",
  );
function cm(t) {
  return om.parseText(t, { where: "configuration", code: sm });
}
function fm(t) {
  return d_.parseText(t, { where: "anchors", code: sm });
}
function dm(t) {
  return u_.parseText(t, { where: "batches", code: im });
}
function um(t) {
  return am.parseText(t, { where: "batch", code: im });
}
async function* Ti(t) {
  let e = t.getReader();
  try {
    for (let n = await e.read(); !n.done; n = await e.read()) yield n.value;
  } finally {
    await e.cancel();
  }
}
async function ki(t) {
  let e = typeof t == "function" ? await t() : t;
  return e === void 0 ? {} : { Authorization: `Bearer ${e}` };
}
async function Oi(t, e) {
  let { method: n = "GET", headers: r = {}, body: o, maxBytes: s, timeoutMs: i, clock: c = Sn } = e,
    { failure: f, codes: d, signal: u, fetch: l = fetch } = e,
    h = new AbortController(),
    p = () => h.abort(u?.reason);
  u?.aborted && p(), u?.addEventListener("abort", p);
  let m = new AbortController(), g = !1;
  i !== void 0 && c.sleep(i, m.signal).then(() => {
    g = !m.signal.aborted, h.abort();
  });
  let w, b;
  try {
    if (
      w = await l(t, {
        method: n,
        headers: r,
        ...o !== void 0 && { body: o },
        credentials: "omit",
        redirect: "manual",
        signal: h.signal,
      }), d.redirected !== void 0 && w.status >= 300 && w.status < 400
    ) {
      throw await w.body?.cancel(),
        new k(d.redirected, `${f}: ${t.host} answered ${w.status}, and redirects are not followed`);
    }
    if (w.type === "opaqueredirect") throw new Error("redirect");
    e.onHeaders?.(w.headers), b = await Zf(w, s);
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
  if (b === void 0 && d.tooLarge !== void 0) {
    let x = `${f}: the answer of ${t.host} exceeds ${s} bytes`;
    throw new k(d.tooLarge, x);
  }
  return {
    status: w.status,
    ok: w.ok,
    headers: w.headers,
    mediaType: Xf(w.headers),
    body: b ?? new Uint8Array(),
  };
}
async function Zf(t, e) {
  let n = [], r = 0;
  for await (let o of t.body === null ? [] : Ti(t.body)) {
    if (r += o.length, r > e) return;
    n.push(o);
  }
  return _e(...n);
}
function Xf(t) {
  let [e = ""] = (t.get("Content-Type") ?? "").split(";");
  return e.trim().toLowerCase();
}
var l_ = 32 * 1024 * 1024,
  h_ = 15e3,
  p_ = 5,
  m_ = 10,
  g_ = 40,
  Ai = class {
    url;
    #e;
    #t;
    constructor(e) {
      this.url = e.url, this.#e = e, this.#t = Jf(e);
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
        let c = s.slice(0, g_) || "of no media type";
        throw new k("gateway_refused", `Cannot get ${o}: the answer is ${c}, not application/json`);
      }
      try {
        let c = dt(i, "gateway_refused");
        return { text: c, value: await n(c) };
      } catch (c) {
        if (!(c instanceof k)) throw c;
        let f = `${c.message}, in the gateway's ${o}`;
        throw new k(c.code, f, { cause: c });
      }
    }
    async withRetries(e, n = {}) {
      let { clock: r = Sn } = this.#e, { isTransient: o = eo } = n, s = this.#n(n.signal);
      for (let i = 1;; i++) {
        try {
          return await e();
        } catch (c) {
          if (i === p_ || !o(c)) throw c;
          let f = c instanceof xe ? c.retryAfter : void 0, d = Math.min(f ?? 1, m_);
          await r.sleep(d * 1e3, s), s?.throwIfAborted();
        }
      }
    }
    #n(e) {
      let { signal: n } = this.#e;
      return e !== void 0 && n !== void 0 ? Cr(e, n) : e ?? n;
    }
    async #o(e, n) {
      let r = this.#n(n), o = this.#t, s;
      for (let [i, c] of o.entries()) {
        try {
          let f = await this.#r(c, e, r);
          return i > 0 && (this.#t = [c, ...o.filter((d) => d !== c)]), f;
        } catch (f) {
          if (!Bi(f)) throw f;
          if (f instanceof xe && (s ??= f), i === o.length - 1) throw s ?? f;
        }
      }
      throw new TypeError("A connection has at least one URL");
    }
    async #r(e, n, r) {
      let { what: o, path: s, body: i, waitSeconds: c = 0 } = n,
        { timeoutMs: f = h_, fetch: d, apiKey: u } = this.#e,
        l = await Oi(new URL(s, e), {
          method: i === void 0 ? "GET" : "POST",
          headers: {
            Accept: "application/json",
            ...await ki(u),
            ...i !== void 0 && { "Content-Type": "application/json" },
            ...c > 0 && { Prefer: `wait=${c}` },
          },
          ...i !== void 0 && { body: JSON.stringify(i) },
          maxBytes: l_,
          timeoutMs: f + c * 1e3,
          signal: r,
          ...d && { fetch: d },
          failure: `Cannot get ${o}`,
          codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
        }).catch((h) => {
          throw r?.throwIfAborted(), h;
        });
      if (!l.ok) throw Zr(o, l, l.body);
      return l;
    }
  };
function Jf({ url: t, others: e = [] }) {
  return [...new Map([t, ...e].map((n) => [n.href, n])).values()];
}
function Qr(t) {
  return eo(t) || Bi(t);
}
function Bi(t) {
  return _t(t, "gateway_unreachable") || t instanceof xe && [502, 503, 504].includes(t.status);
}
function eo(t) {
  return t instanceof xe && (t.status === 429 || t.status === 503);
}
var Ni = class extends Ai {
  #e;
  constructor(e) {
    super(e), this.#e = e.blsFor ?? (() => Do);
  }
  network(e) {
    let n = { what: "network configuration", path: "v1/network" },
      r = async (o) => Jo(o, await this.#e(o));
    return this.json(n, r, e);
  }
  succession(e) {
    let n = (r) => Ei(r, "malformed_bundle");
    return this.json({ what: "succession", path: "v1/succession" }, n, e);
  }
  config(e) {
    return this.json({ what: "configuration", path: "v1/config" }, cm, e);
  }
  status(e) {
    return this.json({ what: "status", path: "v1/status" }, Zp, e);
  }
  admission(e) {
    return this.json({ what: "admission", path: "v1/admission" }, ap, e);
  }
  async submit(e, n, { tokens: r, ...o } = {}) {
    let [s] = e,
      i = e.length === 1,
      c = i
        ? { what: "job", path: "v1/attestations", body: { hash: s, issuer_token: r?.[0] } }
        : { what: "jobs", path: "v1/attestations/batch", body: { hashes: e, issuer_tokens: r } },
      f = i ? (u) => [zf(u)] : nm,
      { value: d } = await this.withRetries(
        () => this.json({ ...c, waitSeconds: n }, f, o.signal),
        o,
      );
    if (d.length !== e.length || d.some((u, l) => u.hash !== e[l])) {
      throw lm("its jobs are not those of the submitted hashes");
    }
    return d;
  }
  job(e, n, r) {
    return this.json({ what: "job", path: `v1/attestations/${e}`, waitSeconds: n }, (o) => {
      let s = zf(o);
      if (s.hash !== e) throw lm("its job is not that of the hash");
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
    return this.json({ what: "bundle", path: o }, es, n);
  }
  merkleProof(e, n) {
    return this.json({ what: "proof", path: `v1/proof/${e}` }, Pf, n);
  }
  anchors(e, n) {
    return this.json({ what: "anchors", path: `v1/anchors/${e}` }, fm, n);
  }
  sth(e, n) {
    let r = e === void 0 ? "v1/log/sth" : `v1/log/sth/${e}`;
    return this.json({ what: "tree head", path: r }, Mf, n);
  }
  consistency(e, n, r) {
    let o = `v1/log/consistency?first=${e}&second=${n}`;
    return this.json({ what: "consistency proof", path: o }, Df, r);
  }
  inclusion(e, n, r) {
    let o = `v1/log/proof?hash=${e}&tree_size=${n}`;
    return this.json({ what: "inclusion proof", path: o }, jf, r);
  }
  batches(e = {}, n) {
    let r = new URLSearchParams(Object.entries(e).map(([s, i]) => [s, String(i)])),
      o = r.size === 0 ? "v1/batches" : `v1/batches?${r}`;
    return this.json({ what: "batches", path: o }, dm, n);
  }
  batch(e, n) {
    return this.json({ what: "batch", path: `v1/batches/${e}` }, um, n);
  }
  contradictions(e) {
    let n = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.json(n, (r) => Yp(r, "malformed_bundle"), e);
  }
  async checkpoint(e) {
    return dt(await this.bytes({ what: "checkpoint", path: "checkpoint" }, e));
  }
  tile(e, n, r, o) {
    let s = e === "entries" ? "entries" : "tile";
    return this.bytes({ what: s, path: Si(e, n, r) }, o);
  }
};
function lm(t) {
  return new k("gateway_refused", `Cannot use the gateway's answer: ${t}`);
}
var pm = "/.well-known/private-token-issuer-directory", hm = 64, w_ = 1024;
function mm(t) {
  let e = { where: "issuer directory", code: "issuer_refused" },
    n = Bt.parse(t, e, ["issuer-request-uri", "token-keys"], { ignoreUnknown: !0, maxValues: w_ }),
    r = n.objects("token-keys", ["token-type", "token-key"], { ignoreUnknown: !0 });
  if (r.length > hm) throw n.error(`token-keys has more than ${hm} keys`);
  let o = r.filter((s) => s.integer("token-type") === Xt).map(b_);
  return { requestUri: n.text("issuer-request-uri"), tokenKeys: o };
}
function b_(t) {
  let e = t.base64Url("token-key");
  return t.has("not-before")
    ? { tokenKey: e, notBefore: t.integer("not-before") }
    : { tokenKey: e };
}
var Qf = Ge("invalid_configuration", "Cannot use service URL"),
  y_ = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
function gm(t, e) {
  let n = ed(t);
  if (n === void 0 || n.protocol !== "https:" && n.protocol !== "http:") {
    throw Qf("it is not an http or https URL");
  }
  if (n.username !== "" || n.password !== "" || n.search !== "" || n.hash !== "") {
    throw Qf("it has credentials, a query or a fragment");
  }
  if (n.protocol === "http:" && !e.insecure && !Ci(n.hostname)) {
    throw Qf("http is allowed only on loopback; use https");
  }
  return n.pathname.endsWith("/") || (n.pathname += "/"), n;
}
function Ci(t) {
  return y_.test(t);
}
function ed(t, e) {
  try {
    return new URL(t, e);
  } catch {
    return;
  }
}
var wm = Ge("invalid_key", "Cannot use blind RSA key"),
  Mt = 256,
  nd = 48,
  rd = 65537n,
  rs = Fe(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100",
  ),
  td = Fe("0203010001");
function to(t) {
  return BigInt(`0x${K(t)}`);
}
function Ri(t) {
  return Fe(t.toString(16).padStart(2 * Mt, "0"));
}
function x_(t) {
  if (t.length !== Mt || t[0] < 128 || t.at(-1) % 2 === 0) {
    throw wm("the modulus is not an odd integer of 2048 bits");
  }
  return { spki: _e(rs, t, td), modulus: to(t) };
}
function bm(t) {
  let e = rs.length + Mt;
  if (t.length !== e + td.length || !Ce(t.subarray(0, rs.length), rs) || !Ce(t.subarray(e), td)) {
    throw wm(
      `${t.length} bytes are not the DER of an RSASSA-PSS key of 2048 bits with SHA-384, a salt of 48 bytes and the exponent 65537`,
    );
  }
  return x_(t.subarray(rs.length, e));
}
var no = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
};
function ym(t) {
  let { truncatedTokenKeyId: e, blindedMessage: n } = t;
  return _e(Uint8Array.of(0, Xt, e), n);
}
function xm(t) {
  if (t.length === Mt) return t.slice();
  throw new k("issuer_refused", `Cannot read token response: ${t.length} bytes in place of ${Mt}`);
}
var __ = 256 * 1024,
  E_ = 15e3,
  ro = class extends k {
    status;
    retryAfter;
    constructor(e, n) {
      super("issuer_refused", e), this.status = n.status, this.retryAfter = n.retryAfter;
    }
  };
function oo(t) {
  return _t(t, "issuer_unreachable") || t instanceof ro && [429, 502, 503, 504].includes(t.status);
}
var Ii = class {
  #e;
  #t;
  constructor({ url: e, timeoutMs: n = E_ }) {
    this.#e = e, this.#t = n;
  }
  async directory(e) {
    let n = new URL(pm, this.#e),
      r = { Accept: no.directory },
      o = await this.#n(n, { headers: r, signal: e });
    _m("issuer directory", o, no.directory);
    let s = mm(dt(o.body, "issuer_refused")), { requestUri: i } = s, c = ed(i, n);
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
        Accept: no.response,
        "Content-Type": no.request,
        ...r !== void 0 && { Authorization: r },
      },
      body: n,
    });
    return o.status === 401 && r === void 0
      ? { kind: "unauthorized", challenge: o.headers.get("WWW-Authenticate") ?? "" }
      : (_m("token", o, no.response), { kind: "response", response: o.body });
  }
  #n(e, n) {
    return Oi(e, {
      ...n,
      maxBytes: __,
      timeoutMs: this.#t,
      failure: "Cannot ask issuer",
      codes: { unreachable: "issuer_unreachable", tooLarge: "issuer_refused" },
    });
  }
};
function _m(t, e, n) {
  let { status: r } = e;
  if (r === 200 && e.mediaType === n) return;
  let { reason: o, retryAfter: s } = Zr(t, e, e.body),
    i = r === 200
      ? `an answer that is not ${n}`
      : [`status ${r}`, ...o === void 0 ? [] : [o], ...s === void 0 ? [] : [`retry in ${s} s`]]
        .join(", ");
  throw new ro(`Cannot get ${t}: the issuer sent ${i}`, { status: r, retryAfter: s });
}
var od = {
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
  Li = [
    "Something failed",
    "Try again. If it happens again, tell the gateway's operator the code below.",
  ];
function Hi(t) {
  let e = t instanceof Error ? t.message : String(t);
  if (t instanceof xe) {
    let n = t.reason ?? "gateway_refused", [r, o] = od[n] ?? Li;
    return { title: r, advice: o, code: t.reason ?? `HTTP ${t.status}`, detail: e };
  }
  if (oo(t)) {
    let [n, r] = od.issuer_unreachable;
    return { title: n, advice: r, code: "issuer_unreachable", detail: e };
  }
  if (t instanceof k) {
    let [n, r] = od[t.code] ?? Li;
    return { title: n, advice: r, code: t.code, detail: e };
  }
  return { title: Li[0], advice: Li[1], code: "internal", detail: e };
}
var v_ = {
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
function He({ name: t }) {
  return a("svg", {
    class: "icon",
    viewBox: "0 0 16 16",
    width: "16",
    height: "16",
    "aria-hidden": "true",
    children: a("path", { d: v_[t] }),
  });
}
var sd = { good: "check", bad: "cross", warn: "warning", info: "info", neutral: "minus" };
function Q({ tone: t, icon: e, children: n }) {
  return a("span", {
    class: `badge tone-${t}`,
    children: [a(He, { name: e ?? sd[t] }), a("span", { children: n })],
  });
}
function X({ tone: t, title: e, icon: n, live: r = !1, children: o }) {
  let s = r ? t === "bad" ? "alert" : "status" : void 0;
  return a("div", {
    class: `alert tone-${t}`,
    role: s,
    children: [
      a(He, { name: n ?? sd[t] }),
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
    onClick: s ? id(t) : t,
    children: [n !== void 0 && a(He, { name: n }), a("span", { children: i })],
  });
}
function id(t) {
  return ({ target: e }) => {
    e instanceof Element && e.closest("section")?.querySelector("h2[tabindex]")?.focus(), t();
  };
}
function Pt({ fileName: t, text: e, primary: n = !1, onSaved: r, children: o }) {
  return a(te, {
    icon: "download",
    kind: n ? "primary" : void 0,
    onClick: () => {
      ad(t, new Blob([e], { type: "application/json" })), r?.();
    },
    children: o,
  });
}
function ad(t, e) {
  let n = URL.createObjectURL(e), r = document.createElement("a");
  r.href = n, r.download = t, r.click(), setTimeout(() => URL.revokeObjectURL(n), 0);
}
function jt({ label: t }) {
  return a("p", {
    class: "spinner",
    role: "status",
    children: [
      a("span", { class: "spinner-mark", "aria-hidden": "true" }),
      a("span", { children: t }),
    ],
  });
}
function jn({ label: t, value: e, max: n }) {
  return a("label", {
    class: "progress",
    children: [
      a("span", { children: t }),
      n > 0 ? a("progress", { value: e, max: n }) : a("progress", {}),
    ],
  });
}
function We({ title: t, children: e }) {
  return a("div", { class: "empty", children: [a("p", { class: "empty-title", children: t }), e] });
}
function Oe({ error: t, title: e, retry: n }) {
  let r = Hi(t);
  return a(X, {
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
function ke({ loaded: t, what: e, retry: n, render: r }) {
  return a(N, {
    children: [
      t.state === "failed" && a(Oe, { error: t.error, title: `Cannot show ${e}`, retry: n }),
      t.value !== void 0
        ? r(t.value)
        : t.state === "loading"
        ? a(jt, { label: `Loading ${e}` })
        : null,
    ],
  });
}
function os(t) {
  if (t === "" || t === "#" || t === "#/") return { page: "stamp" };
  let [e, ...n] = t.split("/");
  return e !== "#" ? { page: "unknown" } : S_(n) ?? { page: "unknown" };
}
function S_(t) {
  let [e, n, r, ...o] = t;
  if (!(o.length > 0)) {
    return n === void 0
      ? e === "stamp" || e === "verify" || e === "explore" || e === "log" ? { page: e } : void 0
      : e === "explore"
      ? T_(n, r)
      : (e === "proof" || e === "certificate") && r === void 0 && Se(n, E)
      ? { page: e, hash: n }
      : void 0;
  }
}
function T_(t, e) {
  if (e === void 0) return t === "tiles" ? { page: "tiles" } : void 0;
  let n = mt(e);
  if (n !== void 0) {
    return t === "batch"
      ? { page: "batch", id: n }
      : t === "position"
      ? { page: "position", index: n }
      : void 0;
  }
}
function ne(t) {
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
function Fi(t) {
  return `${location.origin}${location.pathname}${ne(t)}`;
}
var Em = !0;
function Ke({ title: t, isBelowExplore: e = !1, children: n }) {
  let r = pt(null);
  return le(() => {
    document.title = `${t} - Countersign`, Em || r.current?.focus(), Em = !1;
  }, [t]),
    a(N, {
      children: [
        e &&
        a("nav", {
          class: "back-link",
          "aria-label": "Breadcrumb",
          children: a("a", { href: ne({ page: "explore" }), children: "Explore" }),
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
var cd = tr(void 0);
function z() {
  return Ut(cd);
}
function Ee(t, e) {
  let { line: n } = z(),
    [r, o] = M(0),
    [s, i] = M({ cause: "", loaded: { state: "loading" } }),
    c = JSON.stringify(e);
  le(() => {
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
  let f = qt(() => o((d) => d + 1), []);
  return [s.cause === c ? s.loaded : { state: "loading" }, f];
}
function fd() {
  let { clock: t } = z(), [, e] = M(0);
  return le(() => {
    let n = setInterval(() => e(Ze(t)), 1e3);
    return () => clearInterval(n);
  }, [t]),
    Ze(t);
}
function $i() {
  let { line: t, stamps: e } = z(), n = me(e.follower.submissions);
  return me(t) ?? n;
}
function me(t) {
  let [e, n] = M(t.state);
  return le(() => (n(t.state), t.subscribe(() => n(t.state))), [t]), e;
}
function so(
  { label: t, text: e, hint: n, fault: r, onText: o, action: s, icon: i, secret: c = !1 },
) {
  let f = nr();
  return a(N, {
    children: [
      a("label", { for: f, children: t }),
      a("div", {
        class: "field-row",
        children: [
          a("input", {
            id: f,
            class: "input mono",
            type: c ? "password" : "text",
            value: e,
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: !1,
            "aria-invalid": r === void 0 ? void 0 : "true",
            "aria-describedby": `${f}-hint`,
            onInput: (d) => o(d.target.value),
          }),
          a("button", {
            type: "submit",
            class: "button",
            children: [i !== void 0 && a(He, { name: i }), a("span", { children: s })],
          }),
        ],
      }),
      a("p", {
        id: `${f}-hint`,
        class: r === void 0 ? "field-hint" : "field-error",
        role: "status",
        children: [r !== void 0 && a(He, { name: "warning" }), a("span", { children: r ?? n })],
      }),
    ],
  });
}
var k_ = { wanted: "This gateway is private", refused: "The gateway does not accept this API key" };
function vm({ apiKey: t }) {
  let { fault: e, version: n } = me(t);
  return e === void 0 ? null : a(X, {
    tone: "warn",
    live: !0,
    title: k_[e],
    children: [
      a("p", {
        children: e === "wanted"
          ? "Enter the API key that its operator gave you. It stays in this tab until you close it."
          : "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator.",
      }),
      a(O_, { use: (r) => t.use(r) }, n),
    ],
  });
}
function Sm({ apiKey: t }) {
  return me(t).key === void 0 ? null : a("p", {
    children: [
      "This tab uses an API key. ",
      a(te, { onClick: () => t.use(""), children: "Forget it" }),
    ],
  });
}
function O_({ use: t }) {
  let [e, n] = M("");
  return a("form", {
    class: "field",
    onSubmit: (o) => {
      o.preventDefault(), e.trim() !== "" && t(e.trim());
    },
    noValidate: !0,
    children: a(so, {
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
var dd = ["system", "light", "dark"],
  A_ = { system: "System theme", light: "Light theme", dark: "Dark theme" },
  ud = "theme";
function Tm(t) {
  Am(Om(t));
}
function km() {
  let { storage: t } = z(), [e, n] = M(() => Om(t));
  return le(() => Am(e), [e]),
    a("select", {
      class: "theme-switch",
      "aria-label": "Theme",
      value: e,
      onChange: (o) => {
        let s = dd[o.target.selectedIndex] ?? "system";
        s === "system" ? t.remove(ud) : t.write(ud, s), n(s);
      },
      children: dd.map((o) => a("option", { value: o, children: A_[o] }, o)),
    });
}
function Om(t) {
  let e = t.read(ud);
  return dd.find((n) => n === e) ?? "system";
}
function Am(t) {
  let e = document.documentElement;
  t === "system" ? e.removeAttribute("data-theme") : e.setAttribute("data-theme", t);
}
var Nt = {
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
function ld(t) {
  let e = t.find(([, n, r]) => n !== r);
  return e && { reason: "field_mismatch", field: e[0] };
}
function ot(t, e) {
  if (!(e.valid || e.reason === void 0)) {
    return { reason: e.reason, field: e.field ? `${t}.${e.field}` : t };
  }
}
function Bm(t, e, n) {
  let r = [], o = t;
  for (let s = e; s < n; s *= 2) {
    o / s % 2 === 1
      ? (r.push({ start: o - s, end: o }), o -= s)
      : o + s < n && r.push({ start: o + s, end: Math.min(o + 2 * s, n) });
  }
  return r;
}
function Nm(t, e) {
  return pe(t) && pe(e) && t < e;
}
function hd(t, e) {
  return pe(t) && pe(e) && t >= 1 && t <= e;
}
function Mi(t) {
  return t.length === E;
}
function Pi(t, e) {
  if (!Nm(t, e)) throw new k("internal", `No leaf ${t} in a tree of ${e}`);
}
function B_(t, e) {
  return Pi(t, e), Bm(t, 1, e);
}
function ss(t, e) {
  if (!hd(t, e)) throw new k("internal", `No consistency proof from ${t} to ${e}`);
  if (t === e) return [];
  let n = 1;
  for (; t / n % 2 === 0;) n *= 2;
  let r = t - n, o = Bm(r, n, e);
  return r === 0 ? o : [{ start: r, end: t }, ...o];
}
function pd(t, e) {
  let { leafHash: n, index: r, size: o, path: s } = e;
  if (!Nm(r, o) || !Mi(n) || !s.every(Mi)) return;
  let i = B_(r, o);
  if (s.length !== i.length) return;
  let c = n.slice();
  for (let [f, d] of i.entries()) {
    let u = s[f];
    c = d.start < r ? t.nodeHash(u, c) : t.nodeHash(c, u);
  }
  return c;
}
function Cm(t, e) {
  let n = pd(t, e);
  return n !== void 0 && Ce(n, e.root);
}
function md(t, { first: e, second: n, firstRoot: r, path: o }) {
  if (!hd(e, n) || !Mi(r) || !o.every(Mi)) return;
  let s = ss(e, n);
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
function Rm(t, e) {
  let { first: n, second: r, firstRoot: o, secondRoot: s, path: i } = e;
  if (!hd(n, r)) return !1;
  if (n === r) return i.length === 0 && Ce(o, s);
  let c = md(t, e);
  return c !== void 0 && Ce(c.first, o) && Ce(c.second, s);
}
function ji(t) {
  let e = t.map((n) => Ne(n, E));
  return e.every((n) => n !== void 0) ? e : void 0;
}
function gd(t, e, n) {
  let r = ji(n);
  if (r === void 0) return;
  let o = pd(t, { ...e, path: r });
  return o && K(o);
}
function yr(t, e, n, r) {
  let o = ji(r), s = Ne(e.root_hash, E), i = Ne(n.root_hash, E);
  return o === void 0 || s === void 0 || i === void 0
    ? !1
    : Rm(t, { first: e.tree_size, second: n.tree_size, firstRoot: s, secondRoot: i, path: o });
}
function is(t, e, n, r) {
  if (e.index >= r.tree_size) return { reason: "leaf_beyond_tree", field: "leaf_index" };
  if (gd(t, { ...e, size: r.tree_size }, n) !== r.root_hash) {
    return { reason: "inclusion_invalid", field: "inclusion_path" };
  }
}
async function xr(t, e, n, r) {
  let o = wn(r);
  if (o !== (e.signature_scheme === "ed25519")) return as(e, [], "scheme_mismatch");
  let s = o ? r.signatures.map((u) => u.witness_id) : r.signers,
    i = new Map(e.witnesses.map((u) => [u.id, u.pubkey])),
    c = s.filter((u) => !i.has(u)),
    f = N_(s);
  if (f !== void 0) return as(e, c, ...f);
  if (!o) {
    return c.length > 0
      ? as(e, c, "signer_unknown", c[0])
      : s.length > 0 && !C_(t, s.map((u) => i.get(u)), n, r)
      ? as(e, c, "signature_invalid")
      : wd(e, s, c);
  }
  let d = [];
  for (let { witness_id: u, signature: l } of r.signatures) {
    let h = i.get(u);
    if (h !== void 0) {
      if (!await Di(t, "ed25519", h, n, l)) return as(e, c, "signature_invalid", u);
      d.push(u);
    }
  }
  return wd(e, d, c);
}
function N_(t) {
  let e = new Set();
  for (let r of t) {
    if (e.has(r)) return ["signer_duplicate", r];
    e.add(r);
  }
  let n = t.find((r, o) => o > 0 && r < t[o - 1]);
  return n === void 0 ? void 0 : ["signers_unordered", n];
}
async function Di(t, e, n, r, o) {
  let s = Ne(n, Qt[e]), i = Ne(o, nt[e]);
  return s === void 0 || i === void 0
    ? !1
    : e === "ed25519"
    ? await t.ed25519(s, r, i)
    : t.bls.fastAggregateVerify([s], r, i, Qs);
}
function Ui(t, e, n, r) {
  return Di(t, "ed25519", K(ht(e).publicKey), n, r);
}
function C_(t, e, n, r) {
  let o = e.map((i) => Ne(i, Qt.bls)), s = Ne(r.signature, nt.bls);
  return s !== void 0 && o.every((i) => i !== void 0) && t.bls.fastAggregateVerify(o, n, s, Qs);
}
function wd(t, e, n) {
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
function as(t, e, n, r) {
  return { ...wd(t, [], e), reason: n, ...r !== void 0 && { witness: r } };
}
async function R_(t, e, n = []) {
  let { predecessor: r, successor: o, signatures: s } = e, i = await I_(t, e);
  if (i !== void 0) return i;
  if (!$m(r, s.predecessor, n)) {
    return { reason: "threshold_not_met", field: "signatures.predecessor" };
  }
  if (r.log_vkey !== void 0 && s.log === void 0) {
    return { reason: "log_signature_missing", field: "signatures.log" };
  }
  if (o !== null) {
    return s.successor.length < o.witnesses.length
      ? { reason: "successor_unsigned", field: "signatures.successor" }
      : Hm(e) && s.successor_log === void 0
      ? { reason: "log_signature_missing", field: "signatures.successor_log" }
      : void 0;
  }
}
function Hm({ predecessor: t, successor: e }) {
  let n = e?.log_vkey;
  return n !== void 0 && n !== t.log_vkey;
}
async function I_(t, e) {
  let { predecessor: n, successor: r, signatures: o } = e,
    s = Im(t, n, "predecessor") ?? (r === null ? void 0 : Im(t, r, "successor") ?? H_(n, r));
  if (s !== void 0) return s;
  let i = ee(_i(e)), { log: c, successor_log: f } = o;
  return await bd(t, n, i, o.predecessor, "predecessor") ??
    await bd(t, r, i, o.successor, "successor") ?? await Lm(t, n.log_vkey, i, c, "log") ??
    await Lm(t, Hm(e) ? r?.log_vkey : void 0, i, f, "successor_log");
}
async function Fm(t, e, n = []) {
  let { predecessor: r, end: o } = e,
    s = await R_(t, e, n) ?? ot("end", { valid: !1, ...L_(t, e) });
  if (s !== void 0) return s;
  let i = ee(Pp(e, o)), c = await bd(t, r, i, o.signatures, "end");
  return c !== void 0
    ? { ...c, field: "end.signatures" }
    : $m(r, o.signatures, n)
    ? void 0
    : { reason: "threshold_not_met", field: "end.signatures" };
}
function L_(t, e) {
  let { tree_size: n, root_hash: r, timestamp: o, inclusion_path: s } = e.end;
  if (n <= e.tree_size) return { reason: "boundary_wrong", field: "tree_size" };
  let { id: i } = e.predecessor,
    c = n - 1,
    f = Yr(e),
    d = ee(Wo({ network_id: i, hash: f, timestamp: o, sequence: c })),
    u = { leafHash: hi(t.kernels, d), index: c };
  return is(t.kernels, u, s, { network_id: i, tree_size: n, root_hash: r });
}
function Im(t, e, n) {
  return 2 * e.threshold <= e.witnesses.length
    ? { reason: "threshold_too_low", field: n }
    : ft(() => (Cf({ ...e, federation: Nf }, t.bls), !0))
    ? void 0
    : { reason: "core_invalid", field: n };
}
function H_(t, e) {
  return e.id === t.id && e.epoch === t.epoch + 1 && e.signature_scheme === t.signature_scheme
    ? void 0
    : { reason: "succession_unrelated", field: "successor" };
}
async function bd(t, e, n, r, o) {
  let s = (i) => `signatures.${o}[${i}]`;
  for (let [i, { witness_id: c, signature: f }] of r.entries()) {
    if (i > 0 && c <= r[i - 1].witness_id) return { reason: "signers_unordered", field: s(i) };
    let d = e?.witnesses.find((u) => u.id === c);
    if (e === null || d === void 0) return { reason: "signer_unknown", field: s(i) };
    if (!await Di(t, e.signature_scheme, d.pubkey, n, f)) {
      return { reason: "signature_invalid", field: s(i) };
    }
  }
}
async function Lm(t, e, n, r, o) {
  if (r === void 0) return;
  let s = `signatures.${o}`;
  return e === void 0
    ? { reason: "log_key_missing", field: s }
    : await Ui(t, e, n, r)
    ? void 0
    : { reason: "log_signature_invalid", field: s };
}
function $m(t, e, n) {
  return e.filter(({ witness_id: o }) => !n.includes(o)).length >= t.threshold;
}
async function qi(t, e, n) {
  let r = e.links ?? [], o = n.length > r.length ? n : r, s = F_(e, n, r.length);
  if (s !== void 0) return { network: e, failure: s };
  for (let [d, u] of n.entries()) {
    if (j_(u, r[d])) continue;
    let l = $_(e, n, d) ?? M_(u, r[d]) ?? await Fm(t, u, Pm(e, u.end.tree_size)),
      h = l && ot(`succession[${d}]`, { valid: !1, ...l });
    if (h !== void 0) return { network: e, failure: h };
  }
  if (o === r) return { network: e };
  let i = o.map(({ predecessor: d, end: u }) => ({
      network: Mm(e, d),
      end: u.tree_size,
      endTime: u.timestamp,
    })
    ),
    c = o.at(-1).successor,
    f = c === null ? [] : [{ network: Mm(e, c) }];
  return { network: { ...e, epochs: [...i, ...f], links: o } };
}
function Dn(t, e) {
  let { epochs: n = [{ network: t }] } = t,
    r = n.find(({ end: s = 1 / 0 }) => e <= s),
    o = Pm(t, e);
  return r && o.length > 0 ? { ...r.network, distrusted: o } : r?.network;
}
function zi(t, e) {
  return Dn(t, e + 1);
}
function yd({ links: t = [] }, { tree_size: e, root_hash: n }) {
  return t.some(({ end: o }) => o.tree_size === e && o.root_hash !== n)
    ? { reason: "head_forked" }
    : void 0;
}
function F_(t, e, n) {
  if (e.length <= n) return;
  let { epoch: r = 0 } = t, o = e[r]?.predecessor ?? e[r - 1]?.successor;
  if (!(o && yn(o) === yn(If(t)))) return { reason: "succession_unrelated", field: "succession" };
}
function $_(t, e, n) {
  let { predecessor: r, end: o } = e[n],
    s = { reason: "succession_unrelated", field: "predecessor" };
  if (r.epoch !== n || r.id !== t.id) return s;
  let i = e[n - 1];
  if (i !== void 0) {
    return i.successor === null || yn(i.successor) !== yn(r)
      ? s
      : o.tree_size > i.end.tree_size
      ? void 0
      : { reason: "boundary_wrong", field: "end.tree_size" };
  }
}
function M_(t, e) {
  if (!(e === void 0 || P_(t, e))) return { reason: "succession_conflict" };
}
function P_(t, e) {
  return Yr(t) === Yr(e) && t.end.tree_size === e.end.tree_size &&
    t.end.root_hash === e.end.root_hash;
}
function j_(t, e) {
  return e !== void 0 && JSON.stringify(t) === JSON.stringify(e);
}
function Pm({ distrust: t = [] }, e) {
  return t.filter((n) => e > n.size).map(({ witness: n }) => n);
}
function Mm(t, e) {
  let { federation: n, merge_delay_seconds: r } = t;
  return { ...e, federation: n, ...r !== void 0 && { merge_delay_seconds: r } };
}
async function D_(t, e) {
  try {
    return (await t.succession(e)).value;
  } catch (n) {
    return e?.throwIfAborted(), rr(n), [];
  }
}
async function Gi(t, e, n, r) {
  let o = await D_(e, r), s = await qi(t, n, o);
  return s.failure === void 0 && s.network !== n ? s.network : void 0;
}
function Vi({ met: t, ...e }) {
  return { valid: t, ...e };
}
function nn(t, e) {
  return { valid: !1, ...e, verified: 0, required: t.threshold, signers: [], unknown: [] };
}
function st(t, e) {
  return e === void 0 ? t : { ...t, valid: !1, ...e };
}
function io(t, e) {
  return hi(t, ee(Wo(e)));
}
async function Wi(t, e, n) {
  let r = U_(e, n);
  if (r !== void 0) return nn(e, r);
  let { attestation: o, round: s } = n,
    i = io(t.kernels, o),
    c = gd(t.kernels, { ...s, leafHash: i }, s.inclusion_path);
  if (c === void 0) return nn(e, { reason: "round_path_invalid", field: "round.inclusion_path" });
  let f = mp({ network_id: e.id, timestamp: o.timestamp, size: s.size, root: c, beacon: s.beacon }),
    d = zi(e, o.sequence);
  if (d === void 0) return nn(e, { reason: "log_ended", field: "attestation.sequence" });
  let u = await xr(t, d, ee(f), n), l = u.verified + (u.distrusted?.length ?? 0) >= u.required;
  return { ...Vi(u), ...l && { leafHash: i } };
}
function U_(t, { attestation: e, round: n }) {
  if (e.network_id !== t.id) return { reason: "network_mismatch", field: "attestation.network_id" };
  if (n.size < 1 || n.size > Wr) return { reason: "round_size_invalid", field: "round.size" };
  if (n.index >= n.size || n.index > e.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
}
var q_ = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
async function it(t, e, n) {
  let r = n.tree_head;
  if (r.network_id !== e.id) {
    return nn(e, { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  if (r.tree_size === 0 && r.root_hash !== q_) {
    return nn(e, { reason: "empty_root_wrong", field: "tree_head.root_hash" });
  }
  let o = Dn(e, r.tree_size);
  if (o === void 0) return nn(e, { reason: "log_ended", field: "tree_head.tree_size" });
  let s = ee(li(r)), i = Vi(await xr(t, o, s, n));
  return i.valid ? st(i, yd(e, r) ?? await z_(t, o, n)) : i;
}
async function z_(t, { log_vkey: e }, { tree_head: n, log_signature: r }) {
  if (!(r === void 0 || e === void 0)) {
    return await Ui(t, e, ee(bn(n)), r)
      ? void 0
      : { reason: "log_signature_invalid", field: "log_signature" };
  }
}
var jm = [
  "batch_inclusion.batch.first_index",
  "batch_inclusion.batch.attestation_count",
  "batch_inclusion.batch.period_start",
];
async function Dm(t, e, n, r) {
  let o = await it(t, e, n.sth),
    s = r.attestation.sequence,
    i = ot("sth", o) ?? G_(e, n, r) ?? V_(n.batch, s) ??
      ot("merkle_proof", {
        valid: !1,
        ...is(
          t.kernels,
          { leafHash: r.leafHash, index: s },
          n.merkle_proof.inclusion_path,
          n.sth.tree_head,
        ),
      });
  return st(o, ot("batch_inclusion", { valid: !1, ...i }));
}
function G_(t, { batch: e, merkle_proof: n, sth: r }, { attestation: o, leafHash: s }) {
  let i = r.tree_head;
  return ld([
    ["merkle_proof.hash", n.hash, o.hash],
    ["merkle_proof.leaf_hash", n.leaf_hash, K(s)],
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
function V_(t, e) {
  if (t.attestation_count !== t.tree_size - t.first_index) {
    return { reason: "batch_count_wrong", field: "batch.attestation_count" };
  }
  if (t.first_index > e) return { reason: "batch_range_wrong", field: "batch.first_index" };
}
var W_ = 8;
async function qm(t, e, n, r) {
  let o = [], s = new Map();
  for (let i of n) {
    let { witnessing_network: c } = i, f = s.get(c) ?? 0;
    s.set(c, f + 1),
      o.push(
        r === void 0
          ? _r(i, "not_checked", { reason: "lower_layer_unverified" })
          : f >= W_
          ? _r(i, "not_checked", ao("peer_anchors_surplus"))
          : await K_(t, e, i, r),
      );
  }
  return J_(e, o);
}
function _r(t, e, n) {
  return { network: t.witnessing_network, status: e, counted: !1, ...n };
}
async function K_(t, e, n, r) {
  let { network: o } = e,
    s = n.tree_head,
    i = n.witnessing_network,
    c = o.federation.peer_networks.find((g) => g.id === i);
  if (i === o.id) return _r(n, "failed", ao("peer_is_home"));
  if (c === void 0) return _r(n, "failed", ao("peer_not_pinned"));
  if (s.network_id !== o.id) {
    return _r(n, "failed", { reason: "network_mismatch", field: "tree_head.network_id" });
  }
  let f = e.peers.find((g) => g.id === i);
  if (f === void 0) return _r(n, "not_checked", ao("peer_configuration_missing"));
  let d = await Z_(t, f, s, n, r.timestamp);
  if (d === void 0) return _r(n, "failed", ao("log_ended"));
  let { met: u, reason: l, witness: h, ...p } = d,
    m = l !== void 0 ? { reason: l } : X_(t, c, n, { head: r, verified: p.verified });
  return {
    network: i,
    status: u && m === void 0 ? "verified" : "failed",
    counted: !1,
    ...m,
    signatures: p,
    ...h !== void 0 && { witness: h },
  };
}
function Y_(t, e) {
  let { epochs: n = [{ network: t }], distrust: r = [] } = t, o = r.map(({ witness: s }) => s);
  return n.filter(({ endTime: s }) => s === void 0 || e <= s).map(({ network: s }) =>
    r.length > 0 ? { ...s, distrusted: o } : s
  ).reverse();
}
async function Z_(t, e, n, r, o = 0) {
  let [s, ...i] = Y_(e, o);
  if (s === void 0) return;
  let c = ee(li(n)), f = await xr(t, s, c, r);
  for (let d of f.met ? [] : i) {
    let u = await xr(t, d, c, r);
    if (u.met) return u;
  }
  return f;
}
function Um(t) {
  let e = t.epochs ?? [{ network: t }];
  return new Set(e.flatMap((n) => [...Hp(n.network)]));
}
function ao(t) {
  return { reason: t, field: "witnessing_network" };
}
function X_(t, e, n, { head: r, verified: o }) {
  if (o < (e.min_witnesses ?? 0)) {
    return { reason: "min_witnesses_not_met", field: wn(n) ? "signatures" : "signers" };
  }
  if (n.tree_head.tree_size < r.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!yr(t.kernels, r, n.tree_head, n.consistency_path)) {
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
}
function J_(t, e) {
  let { enabled: n, peer_networks: r, cross_anchor_threshold: o } = t.network.federation,
    s = Um(t.network),
    i = [],
    c = new Map();
  for (let { id: f } of r) {
    let d = e.filter((g) => g.network === f && g.status === "verified"),
      [u] = d,
      l = t.peers.find((g) => g.id === f);
    if (u === void 0 || l === void 0) continue;
    let h = Um(l),
      p = [...h].some((g) => s.has(g)),
      m = ao(p ? "peer_key_shared" : "peer_already_counted");
    for (let g of d) c.set(g, { ...g, ...m });
    if (!p) {
      for (let g of h) s.add(g);
      i.push(f), c.set(u, { ...u, counted: !0 });
    }
  }
  return {
    layers: e.map((f) => c.get(f) ?? f),
    summary: { counted: i, required: o, ...Q_(n, o, i.length) },
  };
}
function Q_(t, e, n) {
  return !t || e < 1
    ? { reason: "federation_disabled" }
    : n < e
    ? { reason: "cross_anchors_missing" }
    : void 0;
}
function zm(t, e, n) {
  let r = e.map((s) => {
      let i = e2(t, s, n), { provider: c, service: f } = s;
      return { provider: c, ...f !== void 0 && { service: f }, bound: i === void 0, ...i };
    }),
    o = r.filter((s) => s.bound).length;
  return { present: o, unbound: r.length - o, anchors: r };
}
function e2(t, e, n) {
  if (n === void 0) return { reason: "lower_layer_unverified" };
  let r = e.tree_head;
  return r.network_id !== n.network_id
    ? { reason: "network_mismatch", field: "tree_head.network_id" }
    : K(t.sha256(ee(bn(r)))) !== e.digest
    ? { reason: "digest_mismatch", field: "digest" }
    : r.tree_size < n.tree_size
    ? { reason: "anchor_precedes_batch", field: "tree_head.tree_size" }
    : yr(t, n, r, e.consistency_path)
    ? void 0
    : { reason: "consistency_invalid", field: "consistency_path" };
}
var Gm = Object.freeze({ not_before: [], not_after: [], failed: [], contradictions: [] });
function Vm(t) {
  return { chain: yf, verify: (e) => hp(t, yf, e) };
}
function Wm(t, { attestation: e, round: n }, r) {
  if (!r.valid) return Gm;
  let o = { time: e.timestamp, source: "attestation", word: _d(e.network_id, r.verified) };
  return xd({ ...Gm, ...t2(t, n) }, { not_after: [o] });
}
function Km({ network_id: t, tree_size: e, timestamp: n }, r) {
  return { time: n, source: `tree head of size ${e}`, word: _d(t, r) };
}
function Ym({ tree_head: t, witnessing_network: e }, n) {
  return { time: t.timestamp, source: `cross-anchor of size ${t.tree_size}`, word: _d(e, n) };
}
function xd(t, e) {
  let n = [...t.not_before, ...e.not_before ?? []].toSorted((i, c) => c.time - i.time),
    r = [...t.not_after, ...e.not_after ?? []].toSorted((i, c) => i.time - c.time),
    [o] = n,
    s = o === void 0
      ? []
      : r.filter(({ time: i }) => i < o.time).map((i) => ({ not_before: o, not_after: i }));
  return { ...t, not_before: n, not_after: r, contradictions: s };
}
function t2(t, { beacon: e }) {
  if (e === null) return { not_before: [], failed: [] };
  let { chain: n } = t;
  if (e.chain_hash !== n.hash) {
    let s = `drand chain ${e.chain_hash} round ${e.round}`;
    return { not_before: [], failed: [{ source: s, reason: "beacon_chain_unknown" }] };
  }
  let r = `${n.name} round ${e.round}`;
  return t.verify(e)
    ? {
      not_before: [{ time: xf(n, e.round), source: r, word: `the nodes of ${n.name}` }],
      failed: [],
    }
    : { not_before: [], failed: [{ source: r, reason: "beacon_invalid" }] };
}
function _d(t, e) {
  return `${e} ${e === 1 ? "witness" : "witnesses"} of ${t}`;
}
var Er = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
];
async function xn(t, e, n, r = {}) {
  let o = n.succession ?? [],
    { network: s, failure: i } = await qi(t, e.network, o),
    c = { ...e, network: s },
    f = i === void 0 ? await n2(t, s, n, r.hash) : nn(s, i),
    d = await r2(t, c, n, f),
    u = d.status === "verified" ? n.batch_inclusion?.sth.tree_head : void 0,
    { layers: l, summary: h } = await qm(t, c, n.cross_anchors, u),
    p = {
      attestation: Zm(f),
      batch: d,
      cross_anchors: l,
      federation: h,
      external_anchors: zm(t.kernels, n.external_anchors, u),
    };
  return {
    valid: f.valid,
    level: s2(p),
    layers: p,
    signers: f.valid ? f.signers : [],
    time: o2(c.beacons ?? Vm(t.bls), n, { attested: f, layers: p }),
    unauthenticated: i2(s, n, p),
    notProven: Er,
    ...s !== e.network && { followed: s },
  };
}
async function n2(t, e, n, r) {
  let o = n.signed_attestation, s = await Wi(t, e, o);
  return s.valid
    ? (r ?? o.attestation.hash) === o.attestation.hash
      ? s
      : st(s, { reason: "hash_mismatch", field: "signed_attestation.attestation.hash" })
    : st(s, ot("signed_attestation", s));
}
async function r2(t, e, n, r) {
  if (n.batch_inclusion === null) return { status: "absent" };
  if (!(r.valid || r.reason === "threshold_not_met") || r.leafHash === void 0) {
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  let s = { attestation: n.signed_attestation.attestation, leafHash: r.leafHash };
  return Zm(await Dm(t, e.network, n.batch_inclusion, s));
}
function Zm(t) {
  let { valid: e, reason: n, field: r, witness: o, leafHash: s, ...i } = t;
  return {
    status: e ? "verified" : "failed",
    ...n !== void 0 && { reason: n },
    ...r !== void 0 && { field: r },
    ...o !== void 0 && { witness: o },
    signatures: i,
  };
}
function o2(
  t,
  { signed_attestation: e, batch_inclusion: n, cross_anchors: r },
  { attested: o, layers: s },
) {
  let i = Wm(t, e, o);
  if (n === null || s.batch.status !== "verified") return i;
  let c = ({ signatures: f }) => f?.verified ?? 0;
  return xd(i, {
    not_after: [
      Km(n.sth.tree_head, c(s.batch)),
      ...s.cross_anchors.flatMap((f, d) => f.status === "verified" ? Ym(r[d], c(f)) : []),
    ],
  });
}
function s2(t) {
  return t.attestation.status !== "verified"
    ? "invalid"
    : t.batch.status !== "verified"
    ? "basic"
    : t.federation.reason === void 0
    ? "federated"
    : "batched";
}
function i2(t, e, n) {
  let r = Ed("signed_attestation", n.attestation, e.signed_attestation);
  if (e.batch_inclusion !== null) {
    let o = e.batch_inclusion.sth;
    r.push(...Ed("batch_inclusion", n.batch, o, ".sth")),
      n.batch.status === "verified" &&
      (r.push(...jm),
        o.log_signature !== void 0 && Dn(t, o.tree_head.tree_size)?.log_vkey === void 0 &&
        r.push("batch_inclusion.sth.log_signature"));
  }
  for (let [o, s] of n.cross_anchors.entries()) {
    r.push(...Ed(`cross_anchors[${o}]`, s, e.cross_anchors[o]));
  }
  for (let [o, { bound: s, service: i }] of n.external_anchors.anchors.entries()) {
    let c = `external_anchors[${o}]`, f = [...a2, ...i === void 0 ? [] : ["service"]];
    s ? r.push(...f.map((d) => `${c}.${d}`)) : r.push(c);
  }
  return r;
}
var a2 = ["provider", "status", "timestamp", "tree_head.timestamp", "proof"];
function Ed(t, e, n, r = "") {
  if (e.status !== "verified") return [t];
  if (!wn(n)) return [];
  let o = new Set(e.signatures?.unknown);
  return n.signatures.flatMap(({ witness_id: s }, i) =>
    o.has(s) ? [`${t}${r}.signatures[${i}]`] : []
  );
}
var vr = "trust", Ki = "malformed_configuration", Xm = ["text", "source", "name", "pinned_at"];
function Qm(t, e, n) {
  return { network: Jo(t, n), text: t, ...e };
}
function e0(t, e) {
  let n = t.read(vr);
  if (n === void 0) return;
  let r = new Bt(Je(n, Ki), { where: "pinned trust", code: Ki }, ["home", "peers"]);
  return {
    home: Jm(r.object("home", Xm), e),
    peers: r.list("peers").map((o, s) => Jm(r.within(o, `peers[${s}]`, Xm), e)),
  };
}
var c2 = 4 * 1024 * 1024;
async function Yi({ crypto: t, clock: e }, n) {
  let { name: r, size: o } = n;
  if (o > c2) throw new k(Ki, `Cannot read ${r}: ${o} bytes is too large`);
  let s = await n.text().catch((c) => {
      throw new k("file_failed", `Cannot read ${r}`, { cause: c });
    }),
    i = { source: "file", name: r, pinnedAt: Ze(e) };
  return Qm(s, i, await t.blsFor(s));
}
function Jm(t, e) {
  let n = t.text("source");
  if (n !== "file" && n !== "gateway") throw new k(Ki, "Cannot read the pin: unknown source");
  let r = { source: n, name: t.text("name"), pinnedAt: t.integer("pinned_at") };
  return Qm(t.text("text"), r, e);
}
function t0(t, e) {
  let n = ({ text: o, source: s, name: i, pinnedAt: c }) => ({
      text: o,
      source: s,
      name: i,
      pinned_at: c,
    }),
    r = { home: n(e.home), peers: e.peers.map(n) };
  return t.write(vr, JSON.stringify(r));
}
function n0(t, e) {
  if (e.network.id === t.home.network.id) {
    throw new k(
      "invalid_configuration",
      "Cannot pin a peer: this is the configuration of the pinned network itself",
    );
  }
  return { ...t, peers: [...vd(t, e.network.id).peers, e] };
}
function vd(t, e) {
  return { ...t, peers: t.peers.filter(({ network: n }) => n.id !== e) };
}
function co({ home: t, peers: e }) {
  return { network: t.network, peers: e.map(({ network: n }) => n) };
}
function Sd(t) {
  let { network: e, peers: n } = co(t);
  return { network: e, fingerprint: rt(e), isPinned: !0, peers: n, pins: t };
}
async function rn({ api: t, trust: e }, n) {
  let r = await f2(e, n);
  if (r.state === "broken") throw r.error;
  if (r.state === "pinned") return Sd(r.trust);
  let { value: o } = await t.network(n);
  return { network: o, fingerprint: rt(o), isPinned: !1, peers: [] };
}
function f2(t, e) {
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
function Ct(t) {
  return t.state === "pinned"
    ? [t.trust.home, ...t.trust.peers].map((e) => e.text).join(`
`)
    : t.state;
}
async function Un(t, e, n) {
  let [r, { value: o }, s] = await Promise.all([rn(t, n), t.api.sth(e, n), t.crypto.crypto()]),
    { tree_size: i } = o.tree_head;
  if (e !== void 0 && i !== e) {
    throw new k(
      "malformed_bundle",
      `The gateway answered a tree head of size ${i} instead of ${e}`,
    );
  }
  let c = await it(s, r.network, o);
  if (c.valid) return { sth: o, outcome: c, trust: r };
  let f = await Gi(s, t.api, r.network, n);
  if (f === void 0) return { sth: o, outcome: c, trust: r };
  let d = { ...r, network: f };
  return { sth: o, outcome: await it(s, f, o), trust: d };
}
async function cs(t, e, n) {
  let r = await t.bundle(e, n);
  if (r.value.signed_attestation.attestation.hash === e) return r;
  throw new k("malformed_bundle", "The gateway answered the proof of another hash");
}
async function Zi(t, e, n) {
  let [r, { text: o, value: s }, i] = await Promise.all([
    rn(t, n),
    cs(t.api, e, n),
    t.crypto.crypto(),
  ]);
  return { text: o, bundle: s, verdict: await xn(i, r, s, { hash: e }), trust: r };
}
function qn(t, e) {
  return t instanceof xe && t.reason === e;
}
function W({ title: t, aside: e, children: n }) {
  let r = nr();
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
var r0 = 2;
function o0(t, e, n) {
  let r = d2(e);
  if (r?.length === n) return { leaves: u2(t, r), attestations: r.map(l2) };
}
function d2(t) {
  let e = [], n = new DataView(t.buffer, t.byteOffset, t.length), r = 0;
  for (; r + r0 <= t.length;) {
    let o = r + r0;
    if (r = o + n.getUint16(r), r > t.length) return;
    e.push(t.subarray(o, r));
  }
  return r === t.length ? e : void 0;
}
function u2(t, e) {
  let n = 0, r = Uint32Array.from(e, (o) => n += o.length);
  return t.leafHashes(_e(...e), r);
}
function l2(t) {
  return ft(() => up(dt(t)));
}
function Td(t) {
  let e = t.at(-1);
  if (e === void 0) return [];
  let n = t.map(({ period_end: r, tree_size: o }) => ({ x: r, y: o }));
  return e.period_start > 0 && n.push({ x: e.period_start, y: e.first_index }), n.toReversed();
}
function s0(t) {
  let e = Td(t), [n, r] = [e[0], e.at(-1)];
  if (!(n === void 0 || r === void 0 || r.x <= n.x)) return (r.y - n.y) / (r.x - n.x);
}
function i0(t, e) {
  return { batch: t, seconds: Math.max(0, t.period_end - e) };
}
function a0(t) {
  return t.map(({ batch: e, seconds: n }) => ({ x: e.period_end, y: n })).toSorted((e, n) =>
    e.x - n.x
  );
}
function kd(t, e) {
  let n = t.toSorted((r, o) => r - o);
  return n[Math.min(n.length - 1, Math.max(0, Math.ceil(e * n.length) - 1))];
}
async function Sr(t, { start: e, end: n, size: r, networkId: o }, s) {
  let i = [];
  for (let c of p2(e, n, r)) i.push(await h2(t, c, o, s));
  return i.flat();
}
async function h2({ api: t, crypto: e }, { index: n, width: r, base: o, start: s, end: i }, c, f) {
  let d = await t.tile("entries", n, r, f),
    { kernels: u } = await e.crypto(),
    l = o0(u, d, r)?.attestations ?? [];
  return Array.from({ length: i - s }, (h, p) => {
    let m = l[s - o + p];
    if (m?.sequence === s + p && m.network_id === c) return m;
    throw c0(`entry ${s + p} is not the attestation with this sequence`);
  });
}
function p2(t, e, n) {
  let r = [];
  for (let o = t; o < e;) {
    let s = Math.floor(o / Le),
      i = s * Le,
      c = Math.min(e, i + Le),
      f = Math.min(c - i, Jr(0, s, n));
    if (i + f < c) throw c0("the log has fewer entries");
    r.push({ index: s, width: f, base: i, start: o, end: c }), o = c;
  }
  return r;
}
function c0(t) {
  return new k("malformed_bundle", `Cannot read entries: ${t}`);
}
async function f0(t, e, n) {
  let { first_index: r, tree_size: o, network_id: s } = e,
    [i] = await Sr(t, { start: r, end: r + 1, size: o, networkId: s }, n);
  return i0(e, i.timestamp);
}
var m2 = 2e3;
function on({ text: t, what: e, named: n = !1 }) {
  let [r, o] = M(void 0);
  le(() => {
    if (r === void 0) return;
    let i = setTimeout(() => o(void 0), m2);
    return () => clearTimeout(i);
  }, [r]);
  let s = `Copy ${e}`;
  return a("button", {
    type: "button",
    class: n ? "button" : "icon-button",
    "aria-label": n ? void 0 : s,
    title: n ? void 0 : s,
    onClick: () => g2(t).then((i) => o(i ? "copied" : "failed")),
    children: [
      a(He, { name: r === "copied" ? "check" : r === "failed" ? "cross" : "copy" }),
      n && a("span", { children: s }),
      a("span", {
        class: "visually-hidden",
        role: "status",
        children: r === "copied" ? "Copied" : r === "failed" ? "Cannot copy" : "",
      }),
    ],
  });
}
async function g2(t) {
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
var d0 = 8;
function ae({ text: t, what: e, href: n }) {
  let r = a(N, {
    children: [
      a("span", { class: "hash-start", children: t.slice(0, -d0) }),
      a("span", { class: "hash-end", children: t.slice(-d0) }),
    ],
  });
  return a("span", {
    class: "hash-line",
    children: [
      n === void 0
        ? a("span", { class: "hash", title: t, children: r })
        : a("a", { class: "hash", title: t, href: n, children: r }),
      e !== void 0 && a(on, { text: t, what: e }),
    ],
  });
}
function zn({ text: t, what: e }) {
  return a("span", {
    class: "whole-hash",
    children: [
      a("code", { children: t.match(/.{1,8}/g)?.map((n, r) => a("span", { children: n }, r)) }),
      a(on, { text: t, what: e }),
    ],
  });
}
function qe({ items: t }) {
  let e = Object.entries(t).filter(([, n]) => n !== void 0);
  return e.length === 0 ? null : a("dl", {
    class: "key-values",
    children: e.map(([n, r]) =>
      a("div", { children: [a("dt", { children: n }), a("dd", { children: r })] }, n)
    ),
  });
}
function Gn({ label: t, names: e, onBack: n, onNext: r, children: o }) {
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
function de(t) {
  let e = new Date(t * 1e3);
  return Number.isNaN(e.getTime())
    ? `${t} s`
    : `${e.toISOString().slice(0, -5).replace("T", " ")} UTC`;
}
function at(t) {
  let e = Math.max(0, Math.floor(t));
  return e < 60
    ? `${e} s`
    : e < 3600
    ? `${Math.floor(e / 60)} min`
    : e < 2 * 86400
    ? `${Math.floor(e / 3600)} h`
    : `${Math.floor(e / 86400)} d`;
}
function Od(t, e) {
  let n = e - t;
  return Math.abs(n) < 2 ? "just now" : n > 0 ? `${at(n)} ago` : `in ${at(-n)}`;
}
function F(t) {
  return String(t).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
function G(t, e, n = `${e}s`) {
  return `${F(t)} ${t === 1 ? e : n}`;
}
var u0 = ["kB", "MB", "GB", "TB", "PB"];
function _n(t) {
  if (t < 1e3) return `${t} B`;
  let [e, n] = [t / 1e3, 0];
  for (; e >= 999.5 && n < u0.length - 1;) [e, n] = [e / 1e3, n + 1];
  return `${e < 9.95 ? e.toFixed(1) : Math.round(e)} ${u0[n]}`;
}
function fo(t, e) {
  return t.startsWith(`${e}/`) ? t.slice(e.length + 1) : t;
}
function Xi(t, e) {
  return e === void 0 ? t : `${t} (${e})`;
}
function Vn({ time: t }) {
  let e = fd(), n = de(t);
  return a("time", {
    dateTime: n.replace(" UTC", "Z").replace(" ", "T"),
    title: n,
    children: Od(t, e),
  });
}
function Dt({ time: t }) {
  let e = fd();
  return a("span", {
    class: "full-time",
    children: [
      a("span", { class: "nowrap", children: de(t) }),
      " ",
      a("span", { class: "muted nowrap", children: ["(", Od(t, e), ")"] }),
    ],
  });
}
function Qe({ caption: t, columns: e, rows: n, keyOf: r }) {
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
var Tr = Ge("malformed_text", "Cannot read signed note"), l0 = 1 << 20, h0 = 256, Ad = 4;
var w2 = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;
function Bd(t) {
  if (t.length > l0) throw Tr(`more than ${l0} characters`);
  if (!t.isWellFormed()) throw Tr("invalid Unicode");
  if (/[\u0000-\u0009\u000b-\u001f]/.test(t)) throw Tr("control character");
  let e = t.lastIndexOf(`

`);
  if (e < 0) throw Tr("no empty line before the signatures");
  let n = t.slice(e + 2).split(`
`);
  if (n.pop() !== "" || n.length === 0) throw Tr("no signature line, or no newline at the end");
  if (n.length > h0) throw Tr(`more than ${h0} signatures`);
  return { text: t.slice(0, e + 1), signatures: n.map(b2) };
}
function b2(t) {
  let [, e = "", n = ""] = w2.exec(t) ?? [], r = or(n);
  if (e === "" || r === void 0 || r.length <= Ad) throw Tr("malformed signature line");
  return { name: e, keyId: r.slice(0, Ad), payload: r.slice(Ad) };
}
var x2 = {
  invalid: "not valid",
  basic: "signed",
  batched: "in the log",
  federated: "in the log, which peers cosigned",
};
function fs({ valid: t, level: e, layers: n }) {
  let r = n.batch.status === "failed" ||
    e === "batched" && n.cross_anchors.some(({ status: o }) => o === "failed");
  return { name: x2[e], tone: t ? r ? "warn" : "good" : "bad" };
}
function Ji(t, e) {
  return t === "good" && e?.home.source !== "file" ? "info" : t;
}
function Qi(t) {
  let { verdict: e, fileName: n = "the file", isOtherFile: r } = t,
    o = `${n} has another hash than the attested file.`;
  if (!e.valid) {
    let f = v2(t);
    return r ? { ...f, notes: [...f.notes, o] } : f;
  }
  if (r) {
    return {
      tone: "bad",
      sentence: "The proof is genuine but belongs to another file.",
      notes: [o],
    };
  }
  let s = S2(e), i = e.time.contradictions.length > 0;
  i && s.push("Two times in the proof contradict each other: see the details.");
  let { tone: c } = fs(e);
  return { tone: i ? "warn" : c, sentence: _2(t), notes: s };
}
function _2({ bundle: t, verdict: e, network: n, fileName: r }) {
  let { layers: { attestation: o, batch: s, federation: i }, level: c, time: f } = e,
    d = f.not_after[0]?.time ?? t.signed_attestation.attestation.timestamp,
    u = o.signatures?.verified ?? 0,
    { followed: l = n } = e,
    { sequence: h } = t.signed_attestation.attestation,
    p = zi(l, h) ?? n,
    m = G(p.witnesses.length, "witness", "witnesses"),
    g = `${r ?? "The file with this hash"} existed by ${de(d)}; ${u} of ${m} of ${n.id}${
      E2(l, p)
    } signed it`;
  if (c === "federated") {
    let w = G(i.counted.length, "peer network");
    return `${g}, it is in their log, and ${w} cosigned that log.`;
  }
  return c === "batched"
    ? `${g}, and it is in their log.`
    : s.status === "failed"
    ? `${g}, but the proof that it is in their log does not verify.`
    : `${g}. The proof does not show yet that it is in their log.`;
}
function E2({ epoch: t = 0, epochs: e }, { epoch: n = 0 }) {
  if (e === void 0) return "";
  let r = n === t ? "that of" : "followed from", o = n === t ? "" : `, of epoch ${t}`;
  return ` (epoch ${n}, ${r} the configuration in use${o})`;
}
function p0({ bundle: t, verdict: e }) {
  return e.layers.batch.status === "verified" ? t.batch_inclusion?.sth.tree_head : void 0;
}
function v2({ bundle: t, verdict: e, network: n }) {
  let { attestation: r } = e.layers;
  if (r.reason !== "network_mismatch") {
    return {
      tone: "bad",
      sentence: `The proof does not verify with the keys of ${n.id}.`,
      notes: [sn(r)],
    };
  }
  let o = t.signed_attestation.attestation.network_id;
  return {
    tone: "warn",
    sentence: `The proof is from ${o}, and the configuration in use is for ${n.id}.`,
    notes: [`Choose the configuration of ${o} to verify it.`],
  };
}
function S2({ layers: t }) {
  let e = t.cross_anchors.filter(({ status: n }) => n === "failed").length;
  return e === 0 ? [] : [`${G(e, "cross-anchor")} ${e === 1 ? "does" : "do"} not verify.`];
}
var ea = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};
function sn({ reason: t, field: e, witness: n }) {
  if (t === void 0) return "";
  let r = [e, n].filter((o) => o !== void 0).join(", ");
  return r === "" ? Nt[t] : `${Nt[t]} (${r})`;
}
function ta({ outcome: t, isPinned: e }) {
  let { valid: n, verified: r, required: o } = t;
  return a("span", {
    class: "signed-by",
    children: [
      n
        ? a(Q, { tone: e ? "good" : "info", children: `${r} valid signatures, ${o} required` })
        : a(Q, { tone: "bad", children: "Not verified" }),
      n ? null : a("span", { children: sn(t) }),
    ],
  });
}
function uo({ isPinned: t }) {
  return a("p", {
    class: "muted small",
    children: t
      ? "Signatures are verified in this browser, under your pinned configuration."
      : a(N, {
        children: [
          "No configuration is pinned. Signatures are verified with the keys that this gateway names, so they prove no more than its word.",
          " ",
          a("a", { href: ne({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
  });
}
function Wn({ id: t }) {
  return a("a", { href: ne({ page: "batch", id: t }), children: F(t) });
}
var m0 = 25;
function g0({ batch: t, head: e }) {
  let { sth: n, outcome: r, trust: o } = e,
    { tree_size: s, root_hash: i, timestamp: c, network_id: f } = n.tree_head,
    { first_index: d, attestation_count: u, period_start: l, period_end: h } = t,
    p = t.root_hash === i && t.network_id === f;
  return a(W, {
    title: "Tree head",
    children: [
      p ? null : a(X, {
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
      a(qe, {
        items: {
          "Log size": F(s),
          Root: a(ae, { text: i, what: "root hash" }),
          Signed: a(Dt, { time: c }),
          Witnesses: a(ta, { outcome: r, isPinned: o.isPinned }),
          Attestations: T2(d, u),
          "Time covered": l === 0 ? "from the beginning of the log" : `${at(h - l)}, from ${de(l)}`,
          "Previous batch": d === 0 ? "none, this is the first" : a(Wn, { id: d }),
        },
      }),
      a(uo, { isPinned: o.isPinned }),
    ],
  });
}
function T2(t, e) {
  let n = e === 1 ? `position ${F(t)}` : `positions ${F(t)} to ${F(t + e - 1)}`;
  return `${G(e, "attestation")}, ${n}`;
}
function w0({ head: { sth: t, outcome: e, trust: n } }) {
  let r = new Set(n.network.witnesses.map(({ id: s }) => s)),
    o = (s) =>
      e.signers.includes(s)
        ? a(Q, { tone: "good", children: "Valid" })
        : r.has(s)
        ? a(Q, { tone: "bad", children: "Not valid" })
        : a(Q, { tone: "neutral", children: "Not a configured witness" });
  return a(W, {
    title: "Signatures",
    children: wn(t)
      ? a(Qe, {
        caption: "Signatures of the tree head",
        rows: t.signatures,
        columns: [["Witness", ({ witness_id: s }) => a("span", { class: "mono", children: s })], [
          "State",
          ({ witness_id: s }) => o(s),
        ], ["Signature", ({ witness_id: s, signature: i }) =>
          a(ae, { text: i, what: `signature of ${s}` })]],
      })
      : a(qe, {
        items: {
          Aggregate: a(ae, { text: t.signature, what: "aggregate signature" }),
          Signers: a("span", {
            class: "lines mono",
            children: t.signers.map((s) => a("span", { children: s }, s)),
          }),
        },
      }),
  });
}
function b0({ batch: t }) {
  let e = z(),
    [n, r] = M(0),
    { first_index: o, tree_size: s, network_id: i, attestation_count: c } = t,
    f = o + n * m0,
    d = Math.min(s, f + m0),
    [u, l] = Ee((h) => Sr(e, { start: f, end: d, size: s, networkId: i }, h), [t.id, n]);
  return a(W, {
    title: "Attestations",
    aside: a("span", { class: "muted", children: F(c) }),
    children: [
      a(ke, {
        loaded: u,
        what: "the attestations",
        retry: l,
        render: (h) =>
          h.length === 0 ? a(We, { title: "This batch is empty" }) : a(Qe, {
            caption: "Attestations in the order of the log",
            rows: h,
            keyOf: ({ sequence: p }) => p,
            columns: [["Position", ({ sequence: p }) => F(p)], [
              "Hash",
              ({ hash: p }) => a(ae, { text: p, href: ne({ page: "proof", hash: p }) }),
            ], ["Signed", ({ timestamp: p }) => a("span", { class: "nowrap", children: de(p) })]],
          }),
      }),
      a(Gn, {
        label: "Pages of attestations",
        names: ["Previous", "Next"],
        onBack: n === 0 ? void 0 : () => r(n - 1),
        onNext: d >= s ? void 0 : () => r(n + 1),
        children: `${F(f)} to ${F(d - 1)}`,
      }),
    ],
  });
}
function y0({ bundle: t, verdict: e, isPinned: n }) {
  let { attestation: r, batch: o } = e.layers;
  return a("ul", {
    class: "layers",
    children: [
      a(Nd, {
        name: "Attestation",
        layer: r,
        isPinned: n,
        children: r.status === "verified" &&
          "The witnesses signed this hash, its time and its position.",
      }),
      a(Nd, {
        name: "Batch",
        layer: o,
        isPinned: n,
        children: o.status === "verified"
          ? "It is in the log whose tree head the witnesses signed."
          : o.status === "absent" &&
            "The proof was saved before the hash entered the log. A newer proof has this layer.",
      }),
      a(Cd, { bundle: t, verdict: e, isPinned: n }),
    ],
  });
}
function Cd({ bundle: t, verdict: { layers: e }, isPinned: n }) {
  let { cross_anchors: r, federation: o } = e;
  return a(N, {
    children: [
      r.length === 0
        ? a(na, {
          name: "Cross-anchors",
          badge: ["neutral", ea.absent.name],
          children: "No peer network.",
        })
        : r.map((s, i) =>
          a(Nd, {
            name: `Cross-anchor of ${s.network}`,
            layer: s,
            isPinned: n,
            children: [
              s.status === "verified" && !s.counted && "It does not count. ",
              k2(t.cross_anchors[i].tree_head),
            ],
          }, i)
        ),
      (r.length > 0 || o.reason !== "federation_disabled") &&
      a(na, {
        name: "Federation",
        badge: o.reason === void 0 ? [n ? "good" : "info", "Verified"] : ["neutral", "Not met"],
        children: [
          o.counted.length,
          " of ",
          G(o.required, "required peer"),
          " count.",
          " ",
          o.reason === void 0 ? "" : Nt[o.reason],
        ],
      }),
      a(O2, { bundle: t, external: e.external_anchors }),
    ],
  });
}
function k2({ tree_size: t, timestamp: e }) {
  return `Tree head of size ${F(t)}, dated ${de(e)}.`;
}
function O2({ bundle: t, external: e }) {
  let { present: n, unbound: r, anchors: o } = e,
    s = t.external_anchors.filter((i, c) => o[c]?.bound);
  return a(na, {
    name: "External anchors",
    badge: n > 0 ? ["info", "Present"] : ["neutral", ea.absent.name],
    children: [
      n > 0 &&
      "Present, not independently verified. The command line verifies them with --anchors.",
      n === 0 && r === 0 && "No external service.",
      s.map(({ provider: i, service: c, status: f, tree_head: d, timestamp: u }, l) =>
        a("span", {
          class: "lines",
          children: [Xi(i, c), ": ", f, ", size", " ", F(d.tree_size), ", requested ", de(u)],
        }, l)
      ),
      r > 0 && ` ${G(r, "anchor")} not bound to this attestation, ignored.`,
    ],
  });
}
function Nd({ name: t, layer: e, isPinned: n, children: r }) {
  let { name: o, tone: s } = ea[e.status], { signatures: i } = e;
  return a(na, {
    name: t,
    badge: [s === "good" && !n ? "info" : s, o],
    children: [
      e.status === "verified" && i !== void 0
        ? `${G(i.verified, "signature")} of ${i.required} required. `
        : "",
      sn(e),
      " ",
      r,
    ],
  });
}
function na({ name: t, badge: [e, n], children: r }) {
  return a("li", {
    children: [
      a("span", {
        class: "layer-head",
        children: [a("span", { class: "layer-name", children: t }), a(Q, { tone: e, children: n })],
      }),
      a("span", { class: "layer-text", children: r }),
    ],
  });
}
function x0({ id: t }) {
  let e = z(),
    n = Ct(me(e.trust)),
    [r, o] = Ee(async (s) => {
      let [{ value: i }, c] = await Promise.all([e.api.batch(t, s), Un(e, t, s)]);
      return { batch: i, head: c };
    }, [t, n]);
  return a(N, {
    children: [
      a(Ke, {
        title: `Batch ${F(t)}`,
        isBelowExplore: !0,
        children:
          "The growth of the log between two tree heads. Its number is the size of the log at its end.",
      }),
      a(ke, {
        loaded: r,
        what: "the batch",
        retry: o,
        render: ({ batch: s, head: i }) =>
          a(N, {
            children: [
              a(g0, { batch: s, head: i }),
              a(w0, { head: i }),
              s.attestation_count === 0 ? null : a(A2, { batch: s, trustKey: n }),
              a(b0, { batch: s }),
            ],
          }),
      }),
    ],
  });
}
function A2({ batch: t, trustKey: e }) {
  let n = z(),
    [r, o] = Ee(async (s) => {
      let { first_index: i, tree_size: c, network_id: f } = t,
        d = { start: i, end: i + 1, size: c, networkId: f },
        [u] = await Sr(n, d, s);
      return await Zi(n, u.hash, s);
    }, [t.id, e]);
  return a(ke, {
    loaded: r,
    what: "the anchors",
    retry: o,
    render: ({ bundle: s, verdict: i, trust: c }) =>
      a(N, {
        children: [
          i.layers.batch.status === "verified" ? null : a(X, {
            tone: "bad",
            title: "The first attestation is not proved to be in this batch",
            children: a("p", {
              children: [
                sn(i.layers.attestation),
                " ",
                sn(i.layers.batch),
                " ",
                "Therefore the anchors below were not checked.",
              ],
            }),
          }),
          a(W, {
            title: "Anchors",
            children: a("ul", {
              class: "layers",
              children: a(Cd, { bundle: s, verdict: i, isPinned: c.isPinned }),
            }),
          }),
        ],
      }),
  });
}
var B2 = (() => {
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
  N2 = ["low", "medium", "quartile", "high"],
  C2 = {
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
  R2 = {
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
  I2 = { low: 1, medium: 0, quartile: 3, high: 2 },
  sa = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
function L2(t) {
  if (t = O0(t), t === 1) return [];
  let e = 21 + 4 * (t - 1) - 7, n = Math.ceil((e - 6) / 28), r = Math.floor((e - 6) / n);
  r % 2 ? r += 1 : (e - 6) % n * 2 >= n && (r += 2);
  let o = [6];
  for (let s = 1; s < n; s++) o.push(e - (n - s) * r);
  return o.push(e), o;
}
function H2(t, e) {
  let n = I2[t] << 3 | e, r = n;
  for (let o = 0; o < 10; o++) r = r << 1 ^ (r >> 9) * 1335;
  return (n << 10 | r) ^ 21522;
}
function F2(t) {
  let e = t;
  for (let n = 0; n < 12; n++) e = e << 1 ^ (e >> 11) * 7973;
  return t << 12 | e;
}
var $2 = { numeric: 1, alphanumeric: 2, byte: 4 },
  ds = { numeric: [10, 12, 14], alphanumeric: [9, 11, 13], byte: [8, 16, 16] },
  Id = (() => {
    let t = new Uint8Array(510), e = new Uint8Array(256);
    for (let n = 0, r = 1; n < 255; n++) {
      t[n] = t[n + 255] = r, e[r] = n, r <<= 1, r & 256 && (r ^= 285);
    }
    return { exp: t, log: e };
  })();
function M2(t) {
  let { exp: e, log: n } = Id, r = new Uint8Array(t);
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
var _0 = [];
function P2(t) {
  let e = _0[t];
  if (e !== void 0) return e;
  let n = M2(t), { exp: r, log: o } = Id, s = new Uint8Array(256 * t);
  for (let i = 1; i < 256; i++) {
    let c = o[i], f = i * t;
    for (let d = 0; d < t; d++) {
      let u = n[d];
      u && (s[f + d] = r[o[u] + c]);
    }
  }
  return _0[t] = { gen: n, mul: s };
}
function j2(t, e, n) {
  let { exp: r, log: o } = Id, s = e.length, i = new Uint8Array(s);
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
function ia(t, e) {
  let n = B2[t - 1], r = C2[e][t - 1], o = R2[e][t - 1], s = Math.floor(n / o) - r, i = o - n % o;
  return { words: r, numBlocks: o, shortBlocks: i, blockLen: s, capacity: (n - r * o) * 8 };
}
var cn = (t) => {
  throw new Error(t);
};
function O0(t) {
  if (typeof t != "number") throw new TypeError(`"ver" expected number, got type=${typeof t}`);
  if (!Number.isSafeInteger(t)) throw new RangeError(`"ver" expected safe integer, got ${t}`);
  if (t < 1 || t > 40) throw new RangeError(`Invalid version=${t}. Expected number [1..40]`);
  return t;
}
function D2(t) {
  let e = "numeric";
  for (let n = 0; n < t.length; n++) {
    let r = oa[t.charCodeAt(n)];
    if (!(r >= 0)) return "byte";
    r > 9 && (e = "alphanumeric");
  }
  return e;
}
var oa = (() => {
  let t = new Int8Array(128).fill(-1);
  for (let e = 0; e < sa.length; e++) t[sa.charCodeAt(e)] = e;
  return t;
})();
function U2(t, e, n, r, o) {
  let s = ia(t, e), i = ds[r][Math.floor((t + 7) / 17)], c = r === "byte" ? o.length : n.length;
  c >= 1 << i && cn("Capacity overflow");
  let f = new Uint8Array(s.capacity >>> 3),
    d = 0,
    u = 0,
    l = 0,
    h = (O, C) => {
      for (d = d << C | O, u += C; u >= 8;) f[l++] = d >>> (u -= 8) & 255;
    };
  if (h($2[r], 4), h(c, i), r === "numeric") {
    for (let O = 0; O < c; O += 3) {
      let C = Math.min(3, c - O);
      h(Number(n.slice(O, O + C)), [0, 4, 7, 10][C]);
    }
  } else if (r === "alphanumeric") {
    for (let O = 0; O + 1 < c; O += 2) h(oa[n.charCodeAt(O)] * 45 + oa[n.charCodeAt(O + 1)], 11);
    c & 1 && h(oa[n.charCodeAt(c - 1)], 6);
  } else for (let O = 0; O < o.length; O++) h(o[O], 8);
  let p = l * 8 + u;
  p > s.capacity && cn("Capacity overflow"),
    u && (f[l] = d << 8 - u & 255),
    p += Math.min(4, s.capacity - p),
    p & 7 && (p += 8 - (p & 7));
  for (let O = p >>> 3, C = 0; O < f.length; O++, C ^= 1) f[O] = C ? 17 : 236;
  let { words: m, numBlocks: g, shortBlocks: w, blockLen: b } = s, x = P2(m), y = [], v = [];
  for (let O = 0, C = 0; O < g; O++) {
    let V = b + (O < w ? 0 : 1);
    y.push(f.subarray(C, C + V)), v.push(j2(y[O], x.gen, x.mul)), C += V;
  }
  let S = new Uint8Array(f.length + m * g), A = 0;
  for (let O = 0; O <= b; O++) for (let C of y) O < C.length && (S[A++] = C[O]);
  for (let O = 0; O < m; O++) for (let C of v) S[A++] = C[O];
  return S;
}
function q2(t, e) {
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
var E0 = (() => {
    let t = new Uint8Array(65536);
    for (let e = 1; e < t.length; e++) t[e] = t[e >>> 1] + (e & 1);
    return t;
  })(),
  lo = (t) => E0[t & 65535] + E0[t >>> 16],
  z2 = new Uint32Array(32);
function G2(t) {
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
var kr = (t) => {
    let e = t + 31 >>> 5;
    return { size: t, words: e, v: new Uint32Array(e * t) };
  },
  A0 = (t, e, n) => t.v[n * t.words + (e >>> 5)] >>> (e & 31) & 1,
  an = (t, e, n, r) => {
    let o = n * t.words + (e >>> 5), s = 1 << (e & 31);
    t.v[o] = r ? t.v[o] | s : t.v[o] & ~s;
  };
function B0(t, e) {
  let { size: n, words: r, v: o } = t, s = z2;
  for (let i = 0; i < n; i += 32) {
    for (let c = 0; c < r; c++) {
      let f = Math.min(32, n - i);
      for (let d = 0; d < f; d++) s[d] = o[(i + d) * r + c];
      s.fill(0, f), G2(s);
      for (let d = 0, u = c * 32; d < 32 && u < n; d++, u++) e.v[u * e.words + (i >>> 5)] = s[d];
    }
  }
}
function v0(t) {
  let { size: e, words: n, v: r } = t, o = e & 31 ? (1 << (e & 31)) - 1 >>> 0 : 4294967295, s = 0;
  for (let i = 0; i < n; i++) {
    let c = i === n - 1 ? o : 4294967295,
      f = r[3 * n + i],
      d = 4294967295,
      u = r[i] ^ r[n + i],
      l = r[n + i] ^ r[2 * n + i],
      h = r[2 * n + i] ^ f;
    for (let p = 0, m = 4 * n + i; p <= e - 5; p++, m += n) {
      let g = r[m], w = f ^ g, b = ~(u | l | h | w) & c;
      b && (s += lo(b >>> 0) + 2 * lo((b & d) >>> 0)), d = u, u = l, l = h, h = w, f = g;
    }
  }
  return s;
}
function S0(t) {
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
        w = r[d += n],
        b = r[d += n],
        x = r[d += n],
        y = r[d += n],
        v = r[d + n],
        S = c & u & ~l & h & p & m & ~g & w & ~(b | x | y | v),
        A = c & ~(u | l | h | p) & m & ~g & w & b & x & ~y & v;
      s += lo(S >>> 0) + lo(A >>> 0);
    }
  }
  return s;
}
function V2(t, e, n = 1 / 0) {
  let { size: r, words: o, v: s } = t, i = v0(t) + v0(e);
  if (i >= n) return i;
  let c = (1 << r - 32 * (o - 1) - 1) - 1 >>> 0, f = 0, d = 0;
  for (let p = 0; p < r; p++) {
    for (let m = 0; m < o; m++) {
      let g = s[p * o + m];
      if (d += lo(g >>> 0), p === r - 1) continue;
      let w = s[(p + 1) * o + m],
        b = m + 1 < o ? s[p * o + m + 1] : 0,
        x = m + 1 < o ? s[(p + 1) * o + m + 1] : 0,
        y = ~(g ^ w),
        v = ~(g ^ (g >>> 1 | b << 31)),
        S = ~(w ^ (w >>> 1 | x << 31)),
        A = y & v & S;
      m === o - 1 && (A &= c), f += lo(A >>> 0);
    }
  }
  let u = r * r,
    l = Math.ceil(Math.max(0, Math.abs(d * 100 - u * 50) - u * 5) / (u * 5)),
    h = i + 3 * f + 10 * l;
  return h >= n ? h : h + 40 * (S0(t) + S0(e));
}
function W2(t, e, n, r) {
  let o = t.size, s = H2(n, r);
  for (let i = 0; i < 15; i++) {
    let c = s >> i & 1;
    i < 6
      ? an(t, 8, i, c)
      : i < 8
      ? an(t, 8, i + 1, c)
      : i === 8
      ? an(t, 7, 8, c)
      : an(t, 14 - i, 8, c), i < 8 ? an(t, o - 1 - i, 8, c) : an(t, 8, o - 15 + i, c);
  }
  if (an(t, 8, o - 8, 1), e >= 7) {
    let i = F2(e);
    for (let c = 0; c < 18; c++) {
      let f = i >> c & 1, d = o - 11 + c % 3, u = c / 3 | 0;
      an(t, d, u, f), an(t, u, d, f);
    }
  }
}
var ra;
function K2(t) {
  let e = 21 + 4 * (t - 1),
    n = kr(e),
    r = new Uint8Array(e * e),
    o = (u, l, h) => {
      an(n, u, l, h), r[l * e + u] = 1;
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
  let s = L2(t);
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
  for (let u = 0; u < 8; u++) i.push(kr(e));
  let c = new Uint16Array(e * e), f = 0;
  for (let u = e - 1, l = -1, h = e - 1; u > 0; u -= 2, l = -l) {
    for (u === 6 && (u = 5);; h += l) {
      for (let p = 0; p < 2; p++) {
        let m = u - p;
        if (r[h * e + m]) continue;
        let g = h * n.words + (m >>> 5);
        c[f++] = g << 5 | m & 31;
        for (let w = 0, b = q2(m, h); b; w++, b >>= 1) b & 1 && (i[w].v[g] |= 1 << (m & 31));
      }
      if (h + l < 0 || h + l >= e) break;
    }
  }
  let d = i.map((u) => {
    let l = kr(e);
    return B0(u, l), l.v;
  });
  return {
    ver: t,
    tpl: n.v,
    pos: c.slice(0, f),
    planes: i.map((u) => u.v),
    planesT: d,
    work: [kr(e), kr(e), kr(e), kr(e)],
  };
}
function Y2(t, e, n, r, o = !1) {
  (ra === void 0 || ra.ver !== t) && (ra = K2(t));
  let { tpl: s, pos: i, planes: c, planesT: f, work: d } = ra, [u, l, h, p] = d;
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
    B0(u, l);
    let b = 1 / 0;
    for (let x = 0; x < 8; x++) {
      let y = c[x], v = f[x];
      for (let A = 0; A < h.v.length; A++) h.v[A] = u.v[A] ^ y[A], p.v[A] = l.v[A] ^ v[A];
      let S = V2(h, p, b);
      S < b && (b = S, g = x);
    }
  }
  let w = c[g];
  for (let b = 0; b < u.v.length; b++) u.v[b] ^= w[b];
  return o || W2(u, t, e, g), u;
}
var Rd = (t, e) => {
    if (typeof t != "number") throw new TypeError(`"${e}" expected number, got type=${typeof t}`);
    if (!Number.isSafeInteger(t)) throw new RangeError(`"${e}" expected safe integer, got ${t}`);
    return t;
  },
  T0 = (t, e) => {
    if (typeof t != "string") throw new TypeError(`"${e}" expected string, got type=${typeof t}`);
    return t;
  };
function Z2(t) {
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
function X2(t, e) {
  let n = ds.byte[Math.floor((t + 7) / 17)];
  return Math.min((1 << n) - 1, Math.floor((ia(t, e).capacity - 4 - n) / 8));
}
function J2(t) {
  return t instanceof Uint8Array ||
    ArrayBuffer.isView(t) && t.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in t &&
      t.BYTES_PER_ELEMENT === 1;
}
var us = (t, e, n) => t.map[e] >= 0 && t.map[n] >= 0 && A0(t.m, t.map[e], t.map[n]) === 1,
  N0 = [10, 27],
  C0 = String.fromCharCode(N0[0]);
function Q2(t) {
  let e = t.W, n = new Array(e);
  for (let r = 0; r < e; r++) {
    let o = new Array(e);
    for (let s = 0; s < e; s++) o[s] = us(t, s, r);
    n[r] = o;
  }
  return n;
}
function eE(t) {
  let e = t.W, n = "";
  for (let r = 0; r < e; r += 2) {
    for (let o = 0; o < e; o++) {
      let s = us(t, o, r), i = r + 1 >= e ? !0 : us(t, o, r + 1);
      n += !s && !i ? "\u2588" : !s && i ? "\u2580" : s && !i ? "\u2584" : " ";
    }
    n += C0;
  }
  return n;
}
function tE(t) {
  let e = t.W, n = String.fromCharCode(N0[1]), r = n + "[0m", o = "";
  for (let s = 0; s < e; s++) {
    for (let i = 0; i < e; i++) o += us(t, i, s) ? `${n}[40m  ${r}` : `${n}[1;47m  ${r}`;
    o += C0;
  }
  return o;
}
function nE(t, e) {
  let n = t.W, r = `<svg viewBox="0 0 ${n} ${n}" xmlns="http://www.w3.org/2000/svg">`, o = "", s;
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < n; c++) {
      if (!us(t, c, i)) continue;
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
function k0(t) {
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
      for (let w = 0; w < e; w++) u[w] >= 0 && (l[w] = A0(d, u[w], g));
    }
    for (let w = 0; w < e;) {
      if (m % r === 0) {
        let x = n - m;
        i[c++] = (x < r ? x : r) + 1, i[c++] = 128;
      }
      let b = Math.min(r - m % r, e - w);
      i.set(l.subarray(w, w + b), c), c += b, w += b, m += b;
    }
  }
  return s === 0 && (i[c++] = 1, i[c++] = 128),
    i[c++] = 1,
    i[c++] = 129,
    i[c++] = 0,
    i[c++] = 59,
    i;
}
function rE(t) {
  let e = t, n;
  if (typeof e.toBase64 == "function") n = e.toBase64();
  else {
    let r = "";
    for (let o = 0; o < e.length; o += 8192) r += String.fromCharCode(...e.subarray(o, o + 8192));
    n = btoa(r);
  }
  return "data:image/gif;base64," + n;
}
function oE(t, e = "raw", n = {}) {
  if (T0(t, "text"), T0(e, "output"), typeof n != "object" || n === null || Array.isArray(n)) {
    throw new TypeError(`"opts" expected object, got type=${typeof n}`);
  }
  let r = n.version;
  r !== void 0 && (r = O0(r));
  let o = n.ecc !== void 0 ? n.ecc : "medium";
  N2.includes(o) || cn(`invalid ecc=${o}`);
  let s = n.encoding !== void 0 ? n.encoding : D2(t);
  if (ds[s] || cn(`invalid encoding=${s}`), s !== "byte") {
    let x = s === "numeric" ? sa.slice(0, 10) : sa;
    for (let y of t) x.includes(y) || cn(`Unknown letter: "${y}". Allowed: ${x}`);
  }
  n.mask !== void 0 && (Rd(n.mask, "opts.mask") < 0 || n.mask > 7) && cn(`invalid mask=${n.mask}`);
  let i = n.textEncoder;
  if (s === "byte" && i === void 0) {
    let x = X2(r === void 0 ? 40 : r, o);
    (t.length > x || Z2(t) > x) && cn("Capacity overflow");
  }
  let c = s === "byte" ? (i !== void 0 ? i : (x) => new TextEncoder().encode(x))(t) : void 0;
  if (c !== void 0 && !J2(c)) {
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
      let x = ds[s][Math.floor((r + 7) / 17)];
      if (f < 1 << x && 4 + x + d <= ia(r, o).capacity) break;
    }
    r > 40 && cn("Capacity overflow");
  } else {
    let x = ds[s][Math.floor((r + 7) / 17)];
    (f >= 1 << x || 4 + x + d > ia(r, o).capacity) && cn("Capacity overflow");
  }
  let u = U2(r, o, t, s, c),
    l = Y2(r, o, u, n.mask),
    h = n.border === void 0 ? 2 : Rd(n.border, "opts.border");
  if (h <= 0) throw new RangeError(`invalid border=${h}`);
  let p = n.scale === void 0 ? 1 : Rd(n.scale, "opts.scale");
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
    ? Q2(b)
    : e === "ascii"
    ? eE(b)
    : e === "term"
    ? tE(b)
    : e === "svg"
    ? nE(b, n.optimize === void 0 ? !0 : n.optimize)
    : e === "gif"
    ? k0(b)
    : e === "data-url"
    ? rE(k0(b))
    : cn(`Unknown output: ${e}`);
}
var R0 = oE;
var sE = 4;
function I0({ text: t, label: e }) {
  let n = R0(t, "raw", { border: sE }),
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
function L0({ hash: t }) {
  let e = z(), n = Ct(me(e.trust)), [r, o] = Ee((s) => Zi(e, t, s), [t, n]);
  return a(N, {
    children: [
      a("nav", {
        class: "back-link no-print",
        "aria-label": "Breadcrumb",
        children: a("a", { href: ne({ page: "proof", hash: t }), children: "Back to the proof" }),
      }),
      a(Ke, { title: "Certificate of existence" }),
      a(ke, { loaded: r, what: "the proof", retry: o, render: (s) => a(iE, { hash: t, ...s }) }),
    ],
  });
}
function iE({ hash: t, bundle: e, verdict: n, trust: r }) {
  let { network: o, fingerprint: s, pins: i } = r,
    { tone: c, sentence: f, notes: d } = Qi({ bundle: e, verdict: n, network: o, isOtherFile: !1 });
  if (!n.valid) {
    return a(X, {
      tone: c,
      live: !0,
      title: f,
      children: [
        d.map((w) => a("p", { children: w }, w)),
        a("p", { children: "There is no certificate of a proof that does not verify." }),
      ],
    });
  }
  let { attestation: u } = e.signed_attestation,
    l = p0({ bundle: e, verdict: n }),
    h = i?.home.source === "file",
    [p] = n.time.not_before,
    m = Fi({ page: "proof", hash: t }),
    g = n.signers.map((w) => fo(w, o.id)).join(", ");
  return a(N, {
    children: [
      a(aE, {}),
      a("div", {
        class: "certificate",
        children: [
          a("p", { class: "certificate-sentence", children: f }),
          d.map((w) => a("p", { children: w }, w)),
          !h &&
          a(X, {
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
              a(qe, {
                items: {
                  "SHA-256 of the file": a(zn, { text: t, what: "hash" }),
                  "Signed at": de(u.timestamp),
                  "Not before": p && `${de(p.time)}, by ${p.source}`,
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
                          a(zn, { text: s, what: "fingerprint" }),
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
              a(I0, { text: m, label: "QR code of the address of the proof" }),
            ],
          }),
          a("p", {
            class: "small",
            children: [
              "Only the proof file proves anything, not this page. The proof does not show",
              " ",
              Er.slice(0, 2).join(", nor "),
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
function aE() {
  let [t, e] = M("");
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
var ls = 10;
function H0({ list: t }) {
  let [e, n] = M(0),
    { batches: r, isLoading: o, isWhole: s, error: i, older: c, refresh: f } = t,
    d = Math.min(e, Math.max(0, Math.ceil(r.length / ls) - 1)),
    u = r.slice(d * ls, (d + 1) * ls),
    l = (d + 1) * ls < r.length || !s,
    h = () => {
      (d + 2) * ls >= r.length && !s && c(), n(d + 1);
    };
  return a(W, {
    title: "Batches",
    children: [
      i !== void 0 && a(Oe, { error: i, title: "Cannot show the batches", retry: f }),
      u.length > 0
        ? a(N, {
          children: [
            a(Qe, {
              caption: "Batches, latest first",
              rows: u,
              keyOf: ({ id: p }) => p,
              columns: [["Batch", ({ id: p }) => a(Wn, { id: p })], [
                "Attestations",
                (p) => F(p.attestation_count),
                "numeric",
              ], [
                "Closed",
                (p) => a("span", { class: "nowrap", children: a(Vn, { time: p.period_end }) }),
              ], [
                "Interval",
                ({ period_start: p, period_end: m }) => p === 0 ? "first" : at(m - p),
                "numeric",
              ], ["Root", (p) => a(ae, { text: p.root_hash })]],
            }),
            a(Gn, {
              label: "Pages of batches",
              onBack: d === 0 ? void 0 : () => n(d - 1),
              onNext: l ? h : void 0,
              children: `${F(u.at(-1).id)} to ${F(u[0].id)}`,
            }),
          ],
        })
        : o
        ? a(jt, { label: "Loading the batches" })
        : i === void 0
        ? a(We, {
          title: "No batch yet",
          children: "The first one closes soon after the first attestation.",
        })
        : null,
    ],
  });
}
function F0(t, e, n) {
  return M0(t) ? [e, ...n] : [...n];
}
function $0(t, e, n) {
  let r = t >= 1 && t < e, [o, ...s] = n;
  return r && M0(t) && o !== void 0 && s.length === ss(t, e).length
    ? { shownRoot: o, path: s }
    : { path: n };
}
function M0(t) {
  let e = 1;
  for (; e < t;) e *= 2;
  return e === t;
}
async function Ld(t, e, { sth: n, logSignature: r }) {
  let { links: o, ...s } = e, i = await it(t, s, n);
  if (!i.valid) return st(i, ot("sth", i));
  let c = Dn(e, n.tree_head.tree_size)?.log_vkey;
  if (c === void 0) return st(i, { reason: "log_key_missing" });
  let f = ee(bn(n.tree_head));
  return await t.ed25519(ht(c).publicKey, f, r)
    ? i
    : st(i, { reason: "log_signature_invalid", field: "log_signature" });
}
function Hd(t, e, n, r) {
  let o = Ne(e.root_hash, E), s = Ne(n.root_hash, E);
  if (o === void 0 || s === void 0) return "unproven";
  if (e.tree_size === n.tree_size && r.length === 0) return Ce(o, s) ? "extends" : "contradicts";
  if (e.tree_size === 0 && r.length === 0) return "extends";
  let i = { first: e.tree_size, second: n.tree_size },
    c = $0(i.first, i.second, r),
    f = md(t, { ...i, firstRoot: c.shownRoot ?? o, path: c.path });
  return f === void 0 || !Ce(f.second, s) ? "unproven" : Ce(f.first, o) ? "extends" : "contradicts";
}
async function aa(t, e, n) {
  let r = await Ld(t, e, n.first),
    o = await Ld(t, e, n.second),
    s = cE(e, n) ?? ot("first", r) ?? ot("second", o) ?? fE(t.kernels, n);
  return { valid: s === void 0, ...s, first: r, second: o };
}
function cE({ id: t }, { origin: e }) {
  return e === t ? void 0 : { reason: "network_mismatch", field: "origin" };
}
function fE(t, { first: e, second: n, path: r }) {
  if (Hd(t, e.sth.tree_head, n.sth.tree_head, r) !== "contradicts") {
    return { reason: "contradiction_unproven", field: "consistency_path" };
  }
}
function ca(t, e) {
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
async function P0(t, e, { known: n, seen: r }, o) {
  let s = await it(t, e, r);
  if (!s.valid) return s;
  let i = ca(n, r.tree_head);
  if (i === "fork") return { ...st(s, { reason: "head_forked", field: "tree_head" }), relation: i };
  if (i === "other_network") {
    return { ...st(s, { reason: "network_mismatch", field: "tree_head.network_id" }), relation: i };
  }
  let [c, f] = i === "older" ? [r.tree_head, n] : [n, r.tree_head];
  return (c.tree_size === 0 ? o.length === 0 : yr(t.kernels, c, f, o))
    ? { ...s, relation: i }
    : { ...st(s, { reason: "consistency_invalid", field: "consistency_path" }), relation: i };
}
async function j0(t, e, n) {
  let { crypto: r, network: o } = t, { known: s, seen: i } = e, c = await it(r, o, s);
  if (!c.valid) return { finding: "other_keys", outcome: c };
  let f = ca(s.tree_head, i.tree_head);
  if (f === "same" || f === "fork") return { finding: f };
  let [d, u] = D0(e).map(({ tree_head: m }) => m.tree_size), l;
  try {
    d > 0 && (l = await n(d, u));
  } catch (m) {
    if (!(m instanceof xe) || m.status !== 404) throw m;
    return { finding: "denied", refusal: m };
  }
  let h = { known: s.tree_head, seen: i },
    { valid: p } = await P0(r, o, h, l?.consistency_path ?? []);
  return p
    ? { finding: f === "larger" ? "extends" : "outdated", ...l && { proof: l } }
    : l === void 0
    ? { finding: "unproven" }
    : { finding: await dE(t, e, l) ? "fork" : "unproven", proof: l };
}
async function dE({ crypto: t, network: e }, n, r) {
  for (let c of [r.first_sth, r.second_sth]) {
    let { valid: f } = await it(t, e, c);
    if (f) {
      for (let { tree_head: d } of [n.known, n.seen]) {
        if (ca(d, c.tree_head) === "fork") return !0;
      }
    }
  }
  let [o, s] = D0(n), i = Fd(r);
  return i !== void 0 && Hd(t.kernels, o.tree_head, s.tree_head, i) === "contradicts";
}
function Fd({ first: t, first_sth: e, consistency_path: n }) {
  let r = ji(n), o = Ne(e.tree_head.root_hash, E);
  return r && o && t > 0 ? F0(t, o, r) : void 0;
}
function D0({ known: t, seen: e }) {
  return [t, e].toSorted((n, r) => n.tree_head.tree_size - r.tree_head.tree_size);
}
async function U0(t, { known: e, seen: n }, r) {
  let o = await uE(t, [e, n], r);
  return {
    evidence: G0({
      found: "two histories of one log",
      network_id: t.network.id,
      fingerprint: t.fingerprint,
      found_at: t.now(),
      known_seen_at: e.seenAt,
      known: e.sth,
      seen: n.sth,
      ...r && { consistency_proof: r },
      ...o && { contradiction: ns(o) },
    }),
    ...o && { contradiction: z0(o) },
  };
}
function q0(t) {
  let e = "malformed_text";
  return ft(() => {
    let n = new Bt(Je(t, e), { where: "evidence", code: e }, ["contradiction"], {
      ignoreUnknown: !0,
    });
    return z0(Kp(JSON.stringify(n.value("contradiction")), e));
  });
}
async function uE({ crypto: t, network: e, now: n }, r, o) {
  let [s, i] = r.toSorted((u, l) => u.sth.tree_head.tree_size - l.sth.tree_head.tree_size).map(lE),
    c = o === void 0 ? [] : Fd(o);
  if (s === void 0 || i === void 0 || c === void 0) return;
  let f = { origin: e.id, foundAt: n(), first: s, second: i, path: c },
    { valid: d } = await aa(t, e, f);
  return d ? f : void 0;
}
function z0(t) {
  return G0(ns(t));
}
function lE({ sth: t, logSignature: e }) {
  return e && { sth: t, logSignature: e };
}
function G0(t) {
  return `${JSON.stringify(t, void 0, 2)}
`;
}
function fa({ caption: t, heads: e }) {
  return a(Qe, {
    caption: t,
    rows: e,
    columns: [
      ["Tree head", ([n]) => a("span", { class: "nowrap", children: n })],
      ["Size", ([, n]) => F(n.tree_head.tree_size), "numeric"],
      ["Root", ([n, r]) => a(ae, { text: r.tree_head.root_hash, what: `root of ${n}` })],
      ["Signed", ([, n]) => a("span", { class: "nowrap", children: de(n.tree_head.timestamp) })],
      ["By", ([, n]) =>
        a("span", {
          class: "lines mono small",
          children: Fn(n).map((r) => a("span", { class: "nowrap", children: r }, r)),
        })],
    ],
  });
}
function $d({ evidence: t, contradiction: e, networkId: n }) {
  let r = hs(n), o = `${r}.contradiction.json`;
  return a("div", {
    class: "lines",
    children: [
      a("div", {
        class: "row",
        children: [
          a(Pt, {
            fileName: `${r}.fork.json`,
            text: t,
            primary: !0,
            children: "Download the evidence",
          }),
          e !== void 0 &&
          a(Pt, { fileName: o, text: e, children: "Download for the command line" }),
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
function hs(t) {
  return t.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}
function V0({ evidence: t, networkId: e }) {
  return a(W, {
    title: "Stored evidence",
    aside: a(Q, { tone: "bad", children: "Fork" }),
    children: a(X, {
      tone: "bad",
      title: "This browser has seen two histories of this log",
      children: [
        a("p", {
          children:
            "The gateway shows one of them again, which does not undo the other. This browser keeps the evidence until you clear it.",
        }),
        a($d, { evidence: t, contradiction: q0(t), networkId: e }),
      ],
    }),
  });
}
function W0({ count: t, trustKey: e }) {
  let n = z(), [r, o] = Ee((s) => t === 0 ? Promise.resolve([]) : gE(n, s), [t, e]);
  return t === 0 ? null : a(W, {
    title: "Peers that contradict themselves",
    aside: a(Q, { tone: "bad", children: G(t, "contradiction") }),
    children: a(ke, {
      loaded: r,
      what: "the evidence",
      retry: o,
      render: (s) => s.map((i, c) => a(hE, { number: c + 1, ...i }, c)),
    }),
  });
}
function hE({ contradiction: t, result: e, number: n }) {
  let { origin: r, foundAt: o, first: s, second: i } = t,
    c = `${JSON.stringify(ns(t), void 0, 2)}
`;
  return a(N, {
    children: [
      a(X, {
        tone: e?.valid ? "bad" : "warn",
        title: pE(r, e),
        children: [
          a("p", { children: mE(e) }),
          a("p", {
            class: "muted small",
            children: ["Found ", de(o), ", according to this gateway."],
          }),
          a(Pt, {
            fileName: `${hs(r)}.contradiction.json`,
            text: c,
            children: "Download the evidence",
          }),
        ],
      }),
      a(fa, {
        caption: `Tree heads of contradiction ${n}`,
        heads: [["First", s.sth], ["Second", i.sth]],
      }),
    ],
  });
}
function pE(t, e) {
  return e === void 0
    ? `${t}: not verified`
    : e.valid
    ? `${t} signed two histories`
    : `${t}: this proves nothing`;
}
function mE(t) {
  return t === void 0
    ? "No configuration of this peer is pinned in this browser. Pin it on the Verify page to check the evidence here."
    : t.valid
    ? "Its witnesses and its log key signed both tree heads, and one log cannot have both."
    : t.reason === void 0
    ? ""
    : Nt[t.reason];
}
async function gE(t, e) {
  let [{ value: n }, r, o] = await Promise.all([
    t.api.contradictions(e),
    rn(t, e),
    t.crypto.crypto(),
  ]);
  return await Promise.all(n.map(async (s) => {
    let i = r.peers.find(({ id: c }) => c === s.origin);
    return i === void 0 ? { contradiction: s } : { contradiction: s, result: await aa(o, i, s) };
  }));
}
var Pd = "gateway_refused", wE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
function K0(t) {
  let e = { ignoreUnknown: !0 },
    n = Je(t, Pd),
    r = new Bt(n, { where: "event", code: Pd }, ["type"], e),
    o = r.text("type");
  switch (o) {
    case "hello":
      return {
        kind: "hello",
        networkId: r.text("network_id"),
        cursor: Md(r, "cursor"),
        heartbeatSeconds: r.integer("heartbeat_seconds"),
      };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", cursor: Md(r, "cursor") };
    default:
      return {
        kind: "event",
        id: Md(r, "id"),
        type: o,
        at: r.integer("at"),
        data: r.value("data") ?? null,
        text: t,
      };
  }
}
function Md(t, e) {
  let n = t.text(e);
  if (wE.test(n)) return n;
  throw new k(Pd, `Cannot read ${t.where}: ${e} is not a cursor (1 to 200 of A-Za-z0-9._-)`);
}
function Or(t, e) {
  if (!(typeof t != "object" || t === null || Array.isArray(t))) {
    return Object.hasOwn(t, e) ? t[e] : void 0;
  }
}
var Y0 = 1024 * 1024, bE = 65536, jd = "event stream";
async function Z0(t, e, { fetch: n = fetch, apiKey: r } = {}) {
  let o = { Accept: "text/event-stream", ...await ki(r) }, s;
  try {
    s = await n(t, { headers: o, credentials: "omit", redirect: "manual", signal: e });
  } catch (f) {
    throw new k("gateway_unreachable", `Cannot get ${jd}: no answer from ${t.origin}`, {
      cause: f,
    });
  }
  let i = Xf(s.headers) === "text/event-stream";
  if (s.status === 200 && i) return yE(s);
  let c = await Zf(s, bE);
  throw Zr(jd, s, c ?? new Uint8Array());
}
async function* yE(t) {
  let e = "", n = "";
  try {
    for await (let r of Ti(t.body.pipeThrough(new TextDecoderStream()))) {
      let [o = "", ...s] = r.split(`
`);
      e += o;
      for (let i of s) {
        let c = e.endsWith("\r") ? e.slice(0, -1) : e;
        e = i, c === "" ? (yield n, n = "") : c.startsWith("data:") && (n = c.slice(5).trimStart());
      }
      if (e.length > Y0) throw xE();
    }
  } catch (r) {
    if (r instanceof k) throw r;
  }
}
function xE() {
  return new k("gateway_refused", `Cannot read ${jd}: a frame exceeds ${Y0} characters`);
}
var Dd = ["batch.closed", "sth.published", "cross_anchor.added", "external_anchor.added"],
  X0 = ["attestation.accepted", "attestation.confirmed"];
function J0({ id: t, type: e, at: n, data: r }) {
  return { id: t, type: e, at: n, ..._E(e, r) };
}
function _E(t, e) {
  let n = Or(e, "hash");
  switch (t) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      let r = t === "attestation.accepted" ? "accepted" : "signed";
      return typeof n == "string" && Se(n, E)
        ? { text: `${n.slice(0, 16)}... ${r}`, route: { page: "proof", hash: n } }
        : { text: `A hash ${r}` };
    }
    case "batch.closed":
      return EE(e);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return vE(t, e);
    default:
      return { text: "An event of an unknown type" };
  }
}
function EE(t) {
  let [e, n] = [Or(t, "id"), Or(t, "attestation_count")];
  if (!pe(e)) return { text: "A batch closed" };
  let r = pe(n) ? ` with ${G(n, "attestation")}` : "";
  return { text: `Batch ${F(e)} closed${r}`, route: { page: "batch", id: e } };
}
function vE(t, e) {
  let n = Or(e, "tree_head"),
    r = Or(n ?? e, "tree_size"),
    o = Or(e, t === "cross_anchor.added" ? "witnessing_network" : "provider"),
    s = typeof o == "string" ? ` by ${o}` : "",
    i = pe(r) ? `Tree head of size ${F(r)}` : "A tree head",
    c = {
      "sth.published": "published",
      "cross_anchor.added": `cosigned${s}`,
      "external_anchor.added": `anchored${s}`,
    }[t],
    f = pe(r) ? { page: "batch", id: r } : void 0;
  return { text: `${i} ${c}`, ...f && { route: f } };
}
var eg = { latest: [], shown: [] };
function tg({ latest: t, shown: e }, n, r) {
  return { latest: SE(t, n, r), shown: e };
}
function Ud(t, e) {
  return t.shown === t.latest || e && t.shown.length > 0
    ? t
    : { latest: t.latest, shown: t.latest };
}
function ng({ latest: t, shown: e }) {
  return t.filter((n) => !e.includes(n)).length;
}
function SE(t, e, n) {
  let r = new Set(t.flatMap(Q0));
  return [
    ...e.filter((s) => {
      let i = Q0(s);
      if (i.some((c) => r.has(c))) return !1;
      for (let c of i) r.add(c);
      return !0;
    }).toReversed(),
    ...t,
  ].slice(0, n);
}
function Q0({ id: t, type: e, at: n, text: r }) {
  return [t, `${e} ${n} ${r}`];
}
var ho = class {
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
var TE = { firstMs: 500, longestMs: 3e4 }, kE = 3, OE = 30;
async function* da(t, e) {
  let { clock: n, changed: r } = t,
    o = new ho(TE, t.random),
    s = Jf(t),
    i = { cursor: t.after, networkId: void 0 };
  for (let c = 0; !e.aborted; c++) {
    let f = s[c % s.length], d = new AbortController(), u = new qd(n, d);
    try {
      let l = Cr(e, d.signal), h = await Z0(BE(f, t, i), l, t);
      for await (let p of NE(h, u)) o.reset(), p.kind === "event" && (yield p), CE(t, i, p);
    } catch (l) {
      if (e.aborted) return;
      if (c < s.length - 1 && Bi(l)) continue;
      if (!AE(l, i)) throw l;
    } finally {
      u.stop(), d.abort();
    }
    if (e.aborted) return;
    r("lost"), await n.sleep(o.afterFailure(), e);
  }
}
function AE(t, { networkId: e }) {
  return eo(t)
    ? !0
    : t instanceof xe
    ? e !== void 0 && t.status >= 500
    : e !== void 0 && _t(t, "gateway_unreachable");
}
function BE(t, { types: e, hash: n }, { cursor: r }) {
  let o = new URL("v1/events", t);
  return e.length > 0 && o.searchParams.set("types", e.join(",")),
    n !== void 0 && o.searchParams.set("hash", n),
    r !== void 0 && o.searchParams.set("after", r),
    o;
}
async function* NE(t, e) {
  for await (let n of t) {
    if (e.restart(), n === "") continue;
    let r = K0(n);
    r.kind === "hello" && (e.seconds = kE * r.heartbeatSeconds), yield r;
  }
}
var qd = class {
  #e;
  #t;
  seconds = OE;
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
function CE({ changed: t, reached: e }, n, r) {
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
var RE = 6;
function rg(t, e, n) {
  let r = new AbortController();
  return IE(t, e, n, r.signal), () => r.abort();
}
async function IE(t, e, n, r) {
  let o;
  for (; !r.aborted;) {
    n.state("connecting");
    let s = da({
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
      i instanceof xe || _t(i, "gateway_unreachable") || n.fault(i);
    }
    for (let i = 0; i < RE && !r.aborted; i++) await LE(t, n, r), await t.clock.sleep(t.pollMs, r);
  }
}
async function LE({ poll: t }, e, n) {
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
var ua = 12, HE = 1e4, FE = 400;
function og({ grown: t }) {
  let e = z(),
    [n, r] = M(!1),
    o = pt(null),
    s = pt(null),
    i = () => o.current?.matches(":hover, :focus-within") ?? !1,
    { lines: c, state: f, fault: d, showLatest: u } = ME(e, {
      withAttestations: n,
      grown: t,
      isHeld: i,
    }),
    [l, h] = $E[f],
    p = ng(c);
  return a(W, {
    title: "Live",
    aside: a(Q, { tone: l, children: h }),
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
        ? a(We, {
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
                children: `${p}${p < ua ? "" : " or more"} new`,
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
                        : a("a", { href: ne(m.route), children: m.text }),
                    }),
                    a("span", { class: "muted small nowrap", children: a(Vn, { time: m.at }) }),
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
var $E = {
  connecting: ["info", "Connecting"],
  live: ["good", "Live"],
  polling: ["neutral", "Polling every 10 s"],
  silent: ["warn", "No answer"],
};
function ME(t, { withAttestations: e, grown: n, isHeld: r }) {
  let [o, s] = M({ lines: eg, state: "connecting" });
  return le(() => {
    let c = [],
      f = (h) => {
        c.push(h), c.length > ua && c.splice(0, c.length - ua);
      },
      d = setInterval(() => {
        let h = c.splice(0);
        s((p) => {
          let m = h.length === 0 ? p.lines : tg(p.lines, h, ua), g = Ud(m, r());
          return g === p.lines ? p : { ...p, lines: g };
        }), h.some(({ type: p }) => p === "sth.published") && n();
      }, FE),
      u = e ? [...Dd, ...X0] : Dd,
      l = PE(() =>
        rg(DE(t), u, {
          event: (h) => f(J0(h)),
          state: (h) => s((p) => ({ ...p, state: h })),
          gap: () => f(jE(Ze(t.clock))),
          fault: (h) => s((p) => ({ ...p, fault: h })),
        })
      );
    return () => {
      l(), clearInterval(d);
    };
  }, [e]),
    { ...o, showLatest: () => s((c) => ({ ...c, lines: Ud(c.lines, !1) })) };
}
function PE(t) {
  let e,
    n = () => {
      document.visibilityState === "visible" ? e ??= t() : (e?.(), e = void 0);
    };
  return n(), document.addEventListener("visibilitychange", n), () => {
    document.removeEventListener("visibilitychange", n), e?.();
  };
}
function jE(t) {
  return { id: `gap ${t}`, type: "gap", at: t, text: "Some events before this are missing" };
}
function DE({ api: t, apiKey: e, clock: n }) {
  return {
    url: t.url,
    clock: n,
    random: Math.random,
    pollMs: HE,
    fetch: e.fetch,
    poll: async (r) => {
      try {
        let { tree_size: o, timestamp: s } = (await t.sth(void 0, r)).value.tree_head;
        return { id: `head ${o}`, type: "sth.published", at: s, data: { tree_size: o } };
      } catch (o) {
        if (qn(o, "no_tree_head")) return;
        throw o;
      }
    },
  };
}
var UE = [
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
function sg(t, e, n) {
  let o = Math.max(e - t, 1) / n,
    s = 10 ** Math.floor(Math.log10(o)),
    i = Math.max(1, [1, 2, 5, 10].map((d) => d * s).find((d) => d >= o)),
    c = Math.floor(t / i) * i,
    f = Math.max(Math.ceil(e / i) * i, c + i);
  return { min: c, max: f, ticks: ag(i, c, f) };
}
function ig(t, e, n) {
  let r = Math.max(e, t + 1),
    o = (r - t) / n,
    s = UE.find((i) => i >= o) ?? Math.ceil(o / (364 * 86400)) * 364 * 86400;
  return { min: t, max: r, ticks: ag(s, t, r) };
}
function ag(t, e, n) {
  let r = [];
  for (let o = Math.ceil(e / t) * t; o <= n; o += t) r.push(o);
  return r;
}
function zd(t, e, [n, r]) {
  let o = (e - t.min) / (t.max - t.min);
  return Math.round((n + o * (r - n)) * 10) / 10;
}
function cg(t) {
  return t.map(({ x: e, y: n }, r) => r === 0 ? `M${e} ${n}` : `H${e}V${n}`).join("");
}
function fg(t) {
  let [e, n] =
    [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([r]) =>
      t >= 10 * r || t >= r && t % (r / 10) === 0
    ) ?? [1, ""];
  return `${Math.round(t / e * 10) / 10}${n}`;
}
function dg(t, e) {
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
var ug = 460,
  Vd = 190,
  Ar = { left: 44, right: ug - 14, top: 10, bottom: Vd - 24 },
  qE = 36,
  zE = 60,
  Gd = 100;
function Wd(t) {
  let { title: e, summary: n, points: r, valueName: o, valueText: s } = t, [i, c] = M(!1);
  return a("figure", {
    class: "plot",
    children: [
      a("figcaption", {
        children: [
          a("span", { class: "plot-title", children: e }),
          a("span", { class: "muted small", children: n }),
        ],
      }),
      a(GE, { ...t }),
      a("details", {
        class: "plot-table",
        onToggle: (f) => c(f.target.open),
        children: [
          a("summary", { children: "Show as a table" }),
          i &&
          a(Qe, {
            caption: e,
            rows: r.toReversed().slice(0, Gd),
            columns: [["Time", ({ x: f }) => de(f)], [o, ({ y: f }) => s(f), "numeric"]],
          }),
          i && r.length > Gd &&
          a("p", { class: "muted small", children: `The latest ${Gd} of ${r.length}.` }),
        ],
      }),
    ],
  });
}
function GE({ title: t, summary: e, points: n, shape: r, fromZero: o = !1, valueText: s }) {
  let i = nr(),
    c = n.map(({ x: m }) => m),
    f = n.map(({ y: m }) => m),
    d = o || r === "stems" ? 0 : Math.min(...f),
    u = ig(Math.min(...c), Math.max(...c), 4),
    l = sg(d, Math.max(...f), 4),
    h = n.map(({ x: m, y: g }) => ({ x: lg(u, m), y: la(l, g) })),
    p = cg(h);
  return a("svg", {
    class: "plot-drawing",
    viewBox: `0 0 ${ug} ${Vd}`,
    role: "img",
    "aria-labelledby": `${i}-title ${i}-summary`,
    children: [
      a("title", { id: `${i}-title`, children: t }),
      a("desc", { id: `${i}-summary`, children: e }),
      a(VE, { timeline: u, axis: l }),
      r === "steps"
        ? a(N, {
          children: [
            a("path", { class: "plot-area", d: `${p}V${Ar.bottom}H${h[0]?.x ?? 0}Z` }),
            a("path", { class: "plot-line", d: p }),
          ],
        })
        : a("path", {
          class: "plot-stems",
          d: h.map(({ x: m, y: g }) => `M${m} ${Ar.bottom}V${g}`).join(""),
        }),
      h.length > zE ? null : h.map(({ x: m, y: g }, w) =>
        a("circle", {
          class: "plot-mark",
          cx: m,
          cy: g,
          r: 2.5,
          children: a("title", { children: `${de(n[w].x)}: ${s(n[w].y)}` }),
        }, w)
      ),
    ],
  });
}
function lg(t, e) {
  return zd(t, e, [Ar.left, Ar.right]);
}
function la(t, e) {
  return zd(t, e, [Ar.bottom, Ar.top]);
}
function VE({ timeline: t, axis: e }) {
  let { left: n, right: r } = Ar;
  return a("g", {
    class: "plot-grid",
    children: [
      e.ticks.map((o) =>
        a("g", {
          children: [
            a("line", { x1: n, x2: r, y1: la(e, o), y2: la(e, o) }),
            a("text", { class: "plot-value", x: n - 6, y: la(e, o) + 4, children: fg(o) }),
          ],
        }, o)
      ),
      t.ticks.map((o) => {
        let s = lg(t, o), i = s > r - qE;
        return a("text", {
          class: i ? "plot-time plot-time-last" : "plot-time",
          x: i ? r : s,
          y: Vd - 6,
          children: dg(o, t.max - t.min),
        }, o);
      }),
    ],
  });
}
var WE = 30;
function hg({ list: t }) {
  let { batches: e, isLoading: n, isWhole: r, error: o, older: s } = t;
  return a(W, {
    title: "Growth",
    aside: e.length === 0 || r
      ? void 0
      : a(te, { disabled: n, onClick: s, children: n ? "Loading" : "Show older batches" }),
    children: e.length > 0
      ? a(N, {
        children: [
          a("div", { class: "plots", children: [a(KE, { batches: e }), a(ZE, { batches: e })] }),
          a("p", {
            class: "muted small",
            children: "As the gateway lists it: no proof covers the times of batches.",
          }),
        ],
      })
      : n
      ? a(jt, { label: "Loading the batches" })
      : o === void 0
      ? a(We, { title: "Nothing to plot yet", children: "The plots start with the second batch." })
      : a(We, { title: "Nothing to plot", children: "The batches cannot be loaded." }),
  });
}
function KE({ batches: t }) {
  let e = Td(t), [n, r] = [e[0], e.at(-1)];
  if (n === void 0 || r === void 0 || e.length < 2) {
    return a(We, { title: "One batch so far", children: "The plot starts with the second one." });
  }
  let o = s0(t),
    s = o === void 0 ? "" : `, ${YE(o)} on average`,
    i = ({ x: c, y: f }) => `${F(f)} at ${de(c)}`;
  return a(Wd, {
    title: "Tree size",
    summary: `From ${i(n)} to ${i(r)}, in ${G(t.length, "batch", "batches")}${s}.`,
    valueName: "Attestations",
    points: e,
    shape: "steps",
    fromZero: n.y < r.y / 2,
    valueText: F,
  });
}
function YE(t) {
  let e = [["a second", 1], ["a minute", 60], ["an hour", 3600], ["a day", 86400]],
    [n, r] = e.find(([, s]) => t * s >= 1) ?? e[3],
    o = t * r;
  return `${o >= 10 ? F(Math.round(o)) : o.toFixed(1)} ${n}`;
}
function ZE({ batches: t }) {
  let e = z(),
    n = t.slice(0, WE),
    [r, o] = Ee(async (s) => {
      let i = [];
      for (let c of n) i.push(await f0(e, c, s));
      return i;
    }, [n[0]?.id]);
  return a(ke, {
    loaded: r,
    what: "the waits",
    retry: o,
    render: (s) => {
      let i = s.map((d) => d.seconds), [c, f] = [kd(i, .5) ?? 0, kd(i, 1) ?? 0];
      return a(Wd, {
        title: "Wait for the tree head",
        summary: `First attestation of each of the last ${
          G(s.length, "batch", "batches")
        }: median ${at(c)}, longest ${at(f)}.`,
        valueName: "Seconds",
        points: a0(s),
        shape: "stems",
        valueText: (d) => `${F(d)} s`,
      });
    },
  });
}
function pg(t) {
  return Array.from(t ?? [], (e) => ({ name: e.webkitRelativePath || e.name, file: e }));
}
async function mg(t) {
  let n = Array.from(t?.items ?? []).filter(({ kind: o }) => o === "file").map((o) => ({
      entry: o.webkitGetAsEntry(),
      file: o.getAsFile(),
    })
    ),
    r = { files: [], errors: [] };
  for (let { entry: o, file: s } of n) {
    o?.isDirectory ? await gg(o, r) : s !== null && r.files.push({ name: s.name, file: s });
  }
  return r;
}
async function gg(t, e) {
  let n = t.createReader();
  for (;;) {
    let r = await new Promise((s, i) => n.readEntries(s, i)).catch((s) => (e.errors.push(s), []));
    if (r.length === 0) return;
    let o = r.filter((s) => s.isFile);
    for (let s of await Promise.allSettled(o.map(XE))) {
      s.status === "fulfilled" ? e.files.push(s.value) : e.errors.push(s.reason);
    }
    for (let s of r) s.isDirectory && await gg(s, e);
  }
}
async function XE(t) {
  let e = await new Promise((n, r) => t.file(n, r));
  return { name: t.fullPath.replace(/^\//, ""), file: e };
}
var JE = "webkitdirectory" in HTMLInputElement.prototype;
function fn({ onFiles: t, multiple: e = !1, ...n }) {
  return a(bg, {
    ...n,
    multiple: e,
    onTaken: (o) => {
      let s = e ? o : o.slice(0, 1);
      s.length > 0 && t(s.map(({ file: i }) => i));
    },
    onFailed: () => {},
  });
}
function wg({ label: t, children: e, onFiles: n, onFailed: r }) {
  let o = pt(null),
    s = (i) => {
      i.length > 0 && n(i);
    };
  return le(() => {
    o.current !== null && (o.current.webkitdirectory = !0);
  }, []),
    a("div", {
      class: "folder-zone",
      children: [
        a(bg, { label: t, multiple: !0, onTaken: s, onFailed: r, children: e }),
        JE && a(N, {
          children: [
            a("input", {
              ref: o,
              type: "file",
              hidden: !0,
              onChange: () => s(yg(o.current)),
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
function bg(
  { label: t, icon: e = "upload", multiple: n, compact: r, onTaken: o, onFailed: s, children: i },
) {
  let [c, f] = M(!1), d = pt(null);
  return le(QE, []),
    a("label", {
      class: `drop-zone${c ? " drop-zone-over" : ""}${r ? " drop-zone-compact" : ""}`,
      onDragOver: (l) => {
        l.preventDefault(), f(!0);
      },
      onDragLeave: () => f(!1),
      onDrop: (l) => {
        l.preventDefault(),
          f(!1),
          mg(l.dataTransfer).then(({ files: h, errors: [p] }) => {
            o(h), p !== void 0 && s(p);
          });
      },
      children: [
        a("input", {
          ref: d,
          class: "visually-hidden",
          type: "file",
          multiple: n,
          onChange: () => o(yg(d.current)),
        }),
        a(He, { name: e }),
        a("span", {
          class: "drop-zone-text",
          children: [a("span", { class: "drop-zone-label", children: t }), i],
        }),
      ],
    });
}
function yg(t) {
  let e = pg(t?.files);
  return t !== null && (t.value = ""), e;
}
function QE() {
  let t = (e) => e.preventDefault();
  return addEventListener("dragover", t), addEventListener("drop", t), () => {
    removeEventListener("dragover", t), removeEventListener("drop", t);
  };
}
function po({ hashing: t }) {
  let [e, n] = M({ state: "none" }), r = pt(new AbortController());
  return le(() => () => r.current?.abort(), []), [e, (s) => {
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
function ha({ content: t, choose: e }) {
  return a(N, {
    children: [
      a(fn, {
        label: t.state === "none" ? "Compare with the file itself" : "Compare with another file",
        icon: "file",
        compact: !0,
        onFiles: ([n]) => e(n),
        children: a("span", {
          class: "muted small",
          children: "Optional. The file stays on this device.",
        }),
      }),
      a(Kd, { content: t, onRemove: () => e(void 0) }),
    ],
  });
}
function Kd({ content: t, onRemove: e }) {
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
      a(jn, { label: `Hashing, ${_n(t.done)} of ${_n(t.size)}`, value: t.done, max: t.size }),
      t.state === "hashed" && a(ae, { text: t.hash, what: "hash of the file" }),
      t.state === "failed" && a(Oe, { error: t.error }),
    ],
  });
}
var ev = 4 * 1024 * 1024;
async function pa(t) {
  if (t.size > ev) return { kind: "other" };
  let e = new Uint8Array(
    await t.arrayBuffer().catch((n) => {
      throw new k("file_failed", "Cannot read the file", { cause: n });
    }),
  );
  return ft(() => tv(dt(e))) ?? { kind: "other" };
}
function tv(t) {
  let e = nv(t);
  if (e.has("witnesses") && e.has("threshold")) return { kind: "configuration", text: t };
  if (!e.has("signed_attestation") && !e.has("batch_inclusion")) {
    let n = ft(() => Ei(t)) ?? [];
    return n.length > 0 ? { kind: "chain", text: t, links: n } : { kind: "other" };
  }
  try {
    return { kind: "bundle", text: t, bundle: es(t) };
  } catch (n) {
    return { kind: "damaged_bundle", error: rr(n) };
  }
}
function nv(t) {
  try {
    let e = Je(t, "malformed_bundle");
    return new Set(typeof e == "object" && e !== null ? Object.keys(e) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(t) ? ["signed_attestation"] : []);
  }
}
function xg(t, e) {
  return e.length > (t.succession?.length ?? 0) ? { ...t, succession: [...e] } : t;
}
function _g(t) {
  return t === "configuration"
    ? "It is a network's configuration. Choose it under What you trust."
    : "A proof is a file such as NAME.countersign.json, saved on the Stamp page. If this is the stamped file itself, compare it with its proof below.";
}
function ma(t) {
  let e = t.trim(),
    [, n] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(e) ?? [],
    [, r] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(e) ?? [],
    o = (n ?? r ?? e).toLowerCase();
  return Se(o, E)
    ? { hash: o }
    : o === ""
    ? { fault: "Paste a SHA-256 hash: 64 hexadecimal digits" }
    : /^[0-9a-f]+$/.test(o)
    ? { fault: `A SHA-256 hash has 64 digits, this one has ${o.length}` }
    : { fault: "A SHA-256 hash contains only the digits 0 to 9 and a to f" };
}
var rv = /^(?:(batch|position)\s*)?(\d[\d,]*)$/i;
function Eg(t) {
  let e = t.trim(), [, n] = /^https?:\/\/[^#\s]*(#\S*)$/.exec(e) ?? [];
  if (n !== void 0) return ov(n);
  let [, r, o = ""] = rv.exec(e) ?? [];
  if (o !== "" && o.length < E * 2) return sv(r, o);
  let s = ma(e);
  return "hash" in s
    ? { routes: [{ page: "proof", hash: s.hash }] }
    : e === ""
    ? { fault: "Enter a hash, a batch or a position" }
    : s;
}
function ov(t) {
  let e = os(t);
  return e.page === "unknown" ? { fault: "This is not the address of a proof" } : { routes: [e] };
}
function sv(t, e) {
  let n = mt(e.replaceAll(",", ""));
  if (n === void 0) return { fault: "A batch or a position is a number such as 1234" };
  let r = { page: "batch", id: n }, o = { page: "position", index: n };
  return t === void 0 ? { routes: [r, o] } : { routes: [t.toLowerCase() === "batch" ? r : o] };
}
function vg() {
  let [t, e] = M(""),
    [n, r] = M({ routes: [] }),
    o = (i) => {
      i.preventDefault();
      let c = Eg(t);
      if ("routes" in c && c.routes.length === 1) return Yd(c.routes[0]);
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
          a(so, {
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
              a("a", { class: "button", href: ne(i), children: iv(i) }, i.page)
            ),
          }),
        ],
      }),
      a(av, {}),
    ],
  });
}
function iv(t) {
  return t.page === "batch"
    ? `Batch ${F(t.id)}`
    : t.page === "position"
    ? `Position ${F(t.index)}`
    : t.page;
}
function Yd(t) {
  location.hash = ne(t);
}
function av() {
  let t = z(), [e, n] = po(t), [r, o] = M(void 0), s = e.state === "hashed" ? e.hash : void 0;
  le(() => {
    s !== void 0 && Yd({ page: "proof", hash: s });
  }, [s]);
  let i = async (c) => {
    o(void 0);
    try {
      let f = await pa(c);
      if (f.kind !== "bundle") return n(c);
      let { hash: d } = f.bundle.signed_attestation.attestation;
      Yd({ page: "proof", hash: d });
    } catch (f) {
      o(f);
    }
  };
  return a("div", {
    class: "stack-small",
    children: [
      a(fn, {
        compact: !0,
        icon: "file",
        label: "Or choose a file",
        onFiles: ([c]) => void i(c),
        children: a("span", {
          class: "muted small",
          children: "It is hashed here and stays on this device.",
        }),
      }),
      r !== void 0 && a(Oe, { error: r }),
      a(Kd, { content: e, onRemove: () => n(void 0) }),
    ],
  });
}
function Sg({ head: t, retry: e }) {
  return a(W, {
    title: "Latest tree head",
    children: Zd(t)
      ? a(We, {
        title: "The log is empty",
        children: "The first batch publishes its first tree head.",
      })
      : a(ke, { loaded: t, what: "the tree head", retry: e, render: (n) => a(cv, { ...n }) }),
  });
}
function Zd(t) {
  return t.state === "failed" && qn(t.error, "no_tree_head");
}
function cv({ sth: t, outcome: e, trust: n }) {
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
      a(qe, {
        items: {
          Root: a(ae, { text: o, what: "root hash" }),
          Signed: a(Dt, { time: s }),
          Witnesses: a(ta, { outcome: e, isPinned: n.isPinned }),
          Batch: a(Wn, { id: r }),
        },
      }),
      a(uo, { isPinned: n.isPinned }),
    ],
  });
}
function Tg({ network: t, retry: e }) {
  return a(W, {
    title: "Network",
    children: a(ke, { loaded: t, what: "the network", retry: e, render: (n) => a(fv, { ...n }) }),
  });
}
function fv(t) {
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
      a(qe, {
        items: {
          Network: a("span", { class: "mono", children: o }),
          Threshold: `${i} of ${G(c.length, "witness", "witnesses")}`,
          Scheme: s === "bls" ? "BLS12-381, aggregated" : "Ed25519",
          Fingerprint: a(ae, { text: n, what: "fingerprint" }),
          Pin: a(uv, { ...t }),
          "Log key": f && a(ae, { text: f, what: "log key" }),
          "In the log within": d === void 0 ? void 0 : at(d),
          Federation: a(lv, { ...e.federation }),
        },
      }),
      r === void 0 || r.fingerprint === n ? null : a(dv, { shown: o, pinned: r.id }),
    ],
  });
}
function dv({ shown: t, pinned: e }) {
  return t !== e
    ? a(X, {
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
    : a(X, {
      tone: "bad",
      title: "This gateway's configuration differs from the one you pinned",
      children: a("p", {
        children:
          "These pages verify everything under yours. Ask the operator why the two differ before you pin another.",
      }),
    });
}
function uv({ shown: t, fingerprint: e, pinned: n }) {
  return n === void 0
    ? a("span", {
      class: "row",
      children: [
        a(Q, { tone: "warn", children: "Not pinned" }),
        a("a", { href: ne({ page: "verify" }), children: "Pin a configuration" }),
      ],
    })
    : n.fingerprint === e
    ? a(Q, { tone: "good", children: "Pinned in this browser" })
    : n.id === t.id
    ? a(Q, { tone: "bad", children: "Differs from your pin" })
    : a(Q, { tone: "warn", children: "Your pin is for another network" });
}
function lv({ enabled: t, peer_networks: e, cross_anchor_threshold: n }) {
  return e.length === 0 ? a("span", { children: "No peer networks" }) : a("span", {
    class: "lines",
    children: [
      a("span", {
        children: t
          ? `${n} of ${G(e.length, "peer")} must cosign`
          : "Cosignatures of peers are not required",
      }),
      e.map((r) =>
        a("span", {
          class: "muted small",
          children: [
            a("span", { class: "mono", children: r.id }),
            r.min_witnesses === void 0
              ? ""
              : `, at least ${G(r.min_witnesses, "witness", "witnesses")}`,
            r.gateway_url === void 0 ? "" : `, ${r.gateway_url}`,
          ],
        }, r.id)
      ),
    ],
  });
}
function kg({ status: t, network: e, retry: n }) {
  let r = new Map(e?.witnesses.map(({ id: f, pubkey: d }) => [f, d])),
    o = t.value?.witnesses ?? [],
    s = o.filter(({ id: f, healthy: d }) => d && r.has(f)).length,
    i = [...r.keys()].filter((f) => !o.some((d) => d.id === f)),
    c = [...o.map((f) => ({ id: f.id, health: f })), ...i.map((f) => ({ id: f }))];
  return a(W, {
    title: "Witnesses",
    aside: t.value === void 0 || e === void 0 ? void 0 : a(Q, {
      tone: s >= e.threshold ? "good" : "bad",
      children: `${s} of ${r.size} answer, ${e.threshold} required`,
    }),
    children: a(ke, {
      loaded: t,
      what: "the status",
      retry: n,
      render: (f) =>
        a(N, {
          children: [
            a(Qe, {
              caption: "Witnesses and their health",
              rows: c,
              keyOf: ({ id: d }) => d,
              columns: [
                ["Witness", ({ id: d }) => a("span", { class: "mono witness-id", children: d })],
                ["Health", ({ health: d }) => a(hv, { health: d })],
                ["Last good answer", ({ health: d }) => a(pv, { health: d })],
                ["Public key", ({ id: d }) =>
                  r.has(d)
                    ? a(ae, { text: r.get(d), what: `public key of ${d}` })
                    : e === void 0
                    ? ""
                    : a(Q, { tone: "warn", children: "Not in the configuration" })],
              ],
            }),
            a(mv, { status: f }),
          ],
        }),
    }),
  });
}
function hv({ health: t }) {
  return t === void 0
    ? a(Q, { tone: "warn", children: "Not reported" })
    : t.healthy
    ? a(Q, { tone: "good", children: "Answers" })
    : a(Q, { tone: "bad", children: t.last_error ?? "Does not answer" });
}
function pv({ health: t }) {
  return t?.last_seen_at === void 0
    ? a("span", { class: "muted", children: "none yet" })
    : a("span", { class: "nowrap", children: a(Vn, { time: t.last_seen_at }) });
}
function mv({ status: t }) {
  let { pending_count: e, oldest_pending_age: n, status: r } = t,
    o = e === 0
      ? "No attestation waits for signatures"
      : `${G(e, "attestation")} not signed yet` + (n === void 0 ? "" : `, the oldest for ${at(n)}`);
  return a(N, {
    children: [
      r === "ok" ? null : a(X, {
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
function Og({ status: t }) {
  let { peers: e, anchors: n, beacon: r } = t;
  if (e.length === 0 && n.length === 0 && r === void 0) return null;
  let o = {
    "drand beacon": r === null
      ? a(Q, { tone: "warn", children: "None recent" })
      : r && `round ${F(r.round)}, ${at(r.age)} old`,
  };
  for (let s of n) o[Xi(s.provider, s.service)] = a(gv, { ...s });
  return a(W, {
    title: "Peers and anchors",
    children: [
      e.length === 0 ? null : a(Qe, {
        caption: "State of each peer",
        rows: e,
        keyOf: ({ id: s }) => s,
        columns: [["Peer network", ({ id: s }) => a("span", { class: "mono", children: s })], [
          "State",
          ({ failing: s }) =>
            s
              ? a(Q, { tone: "bad", children: "Last attempt failed" })
              : a(Q, { tone: "good", children: "Answers" }),
        ], [
          "Cosigned size",
          ({ last_cross_anchor: s }) => s === void 0 ? "none yet" : F(s.tree_size),
          "numeric",
        ], [
          "Age",
          ({ last_cross_anchor: s }) => s === void 0 ? "" : at(s.age),
          "numeric",
        ]],
      }),
      a(qe, { items: o }),
    ],
  });
}
function gv({ last: t }) {
  return t === void 0 ? a(Q, { tone: "neutral", children: "Nothing anchored yet" }) : a("span", {
    class: "row",
    children: [
      a(Q, { tone: t.status === "confirmed" ? "good" : "info", children: t.status }),
      a("span", { children: `size ${F(t.tree_size)}, ${at(t.age)} ago` }),
    ],
  });
}
var Xd = 100;
function Ag({ api: t, line: e }) {
  let [n, r] = M({ batches: [], isLoading: !0, isWhole: !1 }), [o, s] = M({});
  le(() => {
    let f = new AbortController(), { before: d } = o;
    r(({ error: l, ...h }) => ({ ...h, isLoading: !0 }));
    let u = { limit: Xd, ...d !== void 0 && { before: d } };
    return e.ask(() => t.batches(u, f.signal), f.signal).then(({ value: l }) => {
      f.signal.aborted || r((h) => d === void 0 ? wv(h, l) : bv(h, l));
    }, (l) => {
      f.signal.aborted || r((h) => ({ ...h, isLoading: !1, error: l }));
    }),
      () => f.abort();
  }, [o, t]);
  let i = qt(() => s({}), []), c = n.batches.at(-1)?.id;
  return {
    ...n,
    refresh: i,
    older: () => {
      c !== void 0 && s({ before: c });
    },
  };
}
function wv(t, e) {
  let n = xv(t.batches, e);
  return {
    batches: n ?? e,
    isLoading: !1,
    isWhole: n !== void 0 && t.batches.length > 0 ? t.isWhole : e.length < Xd,
  };
}
function bv(t, e) {
  return { batches: yv(t.batches, e), isLoading: !1, isWhole: e.length < Xd };
}
function yv(t, e) {
  let n = t.at(-1)?.id ?? 1 / 0;
  return [...t, ...e.filter((r) => r.id < n)];
}
function xv(t, e) {
  let n = t[0]?.id ?? 0, r = e.filter((s) => s.id > n), o = r.at(-1);
  if (!(o !== void 0 && t.length > 0 && o.first_index !== n)) return [...r, ...t];
}
var _v = 1e4;
function Bg() {
  let t = z(),
    { api: e, trust: n } = t,
    r = Ct(me(n)),
    [o, s] = Ee((h) => Ev(t, h), [r]),
    [i, c] = Ee((h) => Un(t, void 0, h), [r]),
    [f, d] = Ee(async (h) => (await e.status(h)).value, []),
    u = Ag(t);
  le(() => {
    let h = setInterval(() => {
      document.visibilityState === "visible" && d();
    }, _v);
    return () => clearInterval(h);
  }, []);
  let l = () => {
    c(), u.refresh();
  };
  return a(N, {
    children: [
      a(Ke, {
        title: "Explore",
        children:
          "The network behind this gateway, and the public log of everything that it signed.",
      }),
      a(vg, {}),
      a(W0, { count: f.value?.contradictions ?? 0, trustKey: r }),
      a("div", {
        class: "grid",
        children: [a(Sg, { head: i, retry: c }), a(Tg, { network: o, retry: s })],
      }),
      a(kg, { status: f, network: o.value?.shown, retry: d }),
      a(hg, { list: u }),
      a("div", { class: "grid grid-wide", children: [a(H0, { list: u }), a(og, { grown: l })] }),
      f.value !== void 0 && a(Og, { status: f.value }),
      a("p", {
        children: [
          a("a", { href: ne({ page: "tiles" }), children: "Tiles of the log" }),
          a("span", { class: "muted", children: ", for mirrors and monitors (C2SP tlog-tiles)" }),
        ],
      }),
    ],
  });
}
async function Ev(t, e) {
  let [{ value: n }, { network: r, fingerprint: o, isPinned: s }] = await Promise.all([
    t.api.network(e),
    rn(t, e),
  ]);
  return { shown: n, fingerprint: rt(n), ...s && { pinned: { id: r.id, fingerprint: o } } };
}
function Kn({ title: t, children: e, accept: n, onAccept: r, cancel: o, onCancel: s }) {
  return a(X, {
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
function Ng({ stored: t, fingerprint: e, forget: n }) {
  return a(W, {
    title: "What this browser remembers",
    children: [
      a(vv, { stored: t, fingerprint: e }),
      (t.kind === "head" || t.kind === "damaged") && a(Sv, { forget: n }),
    ],
  });
}
function vv({ stored: t, fingerprint: e }) {
  switch (t.kind) {
    case "none":
      return a(We, {
        title: "Nothing yet",
        children: "This browser remembers the first tree head that verifies.",
      });
    case "blocked":
      return a(X, {
        tone: "warn",
        title: "This browser does not let the page store anything",
        children: a("p", {
          children:
            "Without memory every visit is the first one, and the page cannot notice a fork.",
        }),
      });
    case "damaged":
      return a(X, {
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
      return a(qe, {
        items: {
          Size: F(s),
          Root: a(ae, { text: i, what: "remembered root" }),
          Signed: a(Dt, { time: c }),
          "Seen here": a(Dt, { time: r }),
          "Verified under": t.head.fingerprint === e
            ? "the configuration in use"
            : a(ae, { text: t.head.fingerprint, what: "fingerprint" }),
          "Log key's signature": o === void 0 ? "not shown by the gateway" : "stored",
        },
      });
    }
  }
}
function Sv({ forget: t }) {
  let [e, n] = M(!1);
  return e
    ? a(Kn, {
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
var Jd = [
    "Download the evidence, and do not clear what this page remembers.",
    "Do not rely on new attestations of this network until its operator has explained it in public.",
  ],
  Tv = {
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
        ...Jd,
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
        ...Jd,
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
        ...Jd,
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
  kv = {
    tone: "warn",
    badge: "Not compared",
    title: "There is nothing to compare this tree head with",
    meaning:
      "Its signatures verify, but this browser cannot remember it. At the next visit it cannot notice a log that changed.",
    steps: ["See below why this browser cannot remember it."],
  };
function ps({ finding: t, memory: e }) {
  return t === "first" && e !== "kept" ? kv : Tv[t];
}
var Ov = {
  kept: void 0,
  unchanged: void 0,
  full: "This browser has no storage left for the page, so it does not remember this tree head.",
  blocked: "This browser does not let the page store anything: each visit is the first one.",
  damaged: "The tree head stored for this network cannot be read. Clear it to start over.",
};
function Cg({ memory: t }) {
  return Ov[t];
}
var Rg = "malformed_text", Qd = 1;
function Ig(t) {
  let { sth: e, fingerprint: n, seenAt: r, logSignature: o } = t;
  return JSON.stringify({
    version: Qd,
    fingerprint: n,
    seen_at: r,
    sth: e,
    ...o && { log_signature: K(o) },
  });
}
var Av = H({ version: gn, fingerprint: De, seen_at: gn, sth: en, log_signature: Ko.optional() });
function Lg(t, e) {
  let { version: n, fingerprint: r, seen_at: o, sth: s, log_signature: i } = Av.parseText(t, {
    where: "remembered head",
    code: Rg,
  });
  if (n !== Qd || s.tree_head.network_id !== e) {
    throw new k(Rg, `Cannot read remembered head: expected version ${Qd} of network ${e}`);
  }
  return { sth: s, fingerprint: r, seenAt: o, ...i !== void 0 && { logSignature: Fe(i) } };
}
async function Hg(t, e, n, r) {
  if (e.log_vkey === void 0) return;
  let o = bn(n), { publicKey: s } = ht(e.log_vkey);
  for (let { name: i, payload: c } of Bv(o, r)) {
    if (i !== e.id || c.length !== nt.ed25519) continue;
    let f = Uint8Array.from(c);
    if (await t.ed25519(s, ee(o), f)) return f;
  }
}
function Bv(t, e) {
  let n = ft(() => Bd(e));
  return n?.text === t ? n.signatures : [];
}
var Nv = 4;
async function Fg(t, e) {
  let { store: n, network: r, now: o } = t;
  for (let s = 1;; s++) {
    let i = n.read(r.id),
      c = i.kind === "head" ? i.head : void 0,
      { keep: f, ...d } = await Cv(t, c, e);
    e.throwIfAborted(), d.fork !== void 0 && n.keepEvidence(r.id, d.fork.evidence);
    let u = { ...d, checkedAt: o() };
    if (i.kind === "damaged" || i.kind === "blocked") return { ...u, memory: i.kind };
    if (f === void 0) return { ...u, memory: "unchanged" };
    let l = n.replace(i.kind === "head" ? i.text : void 0, f);
    if (l !== "changed") return { ...u, memory: l };
    if (s === Nv) return { ...u, memory: "unchanged" };
  }
}
async function Cv(t, e, n) {
  let r = e === void 0 ? {} : { known: e }, o;
  try {
    o = (await t.gateway.sth(void 0, n)).value;
  } catch (s) {
    return s instanceof xe && s.reason === "no_tree_head"
      ? e === void 0 ? { finding: "empty" } : { finding: "denied", known: e, ...tu(s) }
      : { ...eu(s, n), ...r };
  }
  return await $g(t, e, o, n);
}
async function $g(t, e, n, r) {
  let o = e === void 0 ? {} : { known: e },
    { crypto: s, network: i, gateway: c } = t,
    f = await it(s, i, n);
  if (!f.valid) {
    let d = await Gi(s, c, i, r);
    return d !== void 0 ? await $g({ ...t, network: d }, e, n, r) : {
      finding: e === void 0 && n.tree_head.network_id !== i.id ? "other_network" : "unverified",
      ...o,
      seen: n,
      outcome: f,
    };
  }
  return e === void 0
    ? { finding: "first", seen: n, outcome: f, keep: await ga(t, n, r) }
    : { outcome: f, ...await Rv(t, { known: e, seen: n }, r) };
}
async function Rv(t, { known: e, seen: n }, r) {
  let o = { known: e, seen: n }, s;
  try {
    s = await j0(
      t,
      { known: e.sth, seen: n },
      async (d, u) => (await t.gateway.consistency(d, u, r)).value,
    );
  } catch (d) {
    return { ...eu(d, r), ...o };
  }
  let { refusal: i, ...c } = s;
  if (i !== void 0 && i.reason !== "tree_size_not_published") return { ...eu(i, r), ...o };
  let f = { ...c, ...o, ...i && tu(i) };
  switch (f.finding) {
    case "same": {
      let d = e.logSignature ? void 0 : await ga(t, n, r);
      return { ...f, ...d?.logSignature && { keep: d } };
    }
    case "extends":
      return { ...f, keep: await ga(t, n, r) };
    case "fork": {
      let d = await Iv(t, o, f.proof, r);
      return { ...f, fork: d };
    }
    default:
      return f;
  }
}
async function Iv(t, { known: e, seen: n }, r, o) {
  let s = await ga(t, n, o);
  return await U0(t, { known: e, seen: s }, r);
}
async function ga({ crypto: t, network: e, fingerprint: n, gateway: r, now: o }, s, i) {
  let c = { sth: s, fingerprint: n, seenAt: o() };
  try {
    let f = await r.checkpoint(i), d = await Hg(t, e, s.tree_head, f);
    return { ...c, ...d && { logSignature: d } };
  } catch (f) {
    if (i.throwIfAborted(), !(f instanceof k)) throw f;
    return c;
  }
}
function eu(t, e) {
  return e.throwIfAborted(),
    { finding: _t(t, "gateway_unreachable") ? "unreachable" : "refused", ...tu(t) };
}
function tu(t) {
  if (!(t instanceof k)) throw t;
  return { fault: { code: t.code, message: t.message } };
}
function ba({ check: t, fault: e }) {
  return Qr(e) || t?.finding === "unreachable" || t?.finding === "refused";
}
var wa = class {
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
        s = await this.#e.exclusively(o, () => Fg(r, e)),
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
function Mg({ state: t, recheck: e }) {
  let { check: n, fault: r, isChecking: o, trust: s } = t,
    i = $i() !== void 0 && ba(t),
    c = n === void 0 ? void 0 : ps(n),
    f = c?.tone === "good" && !s?.isPinned ? "info" : c?.tone;
  return a(W, {
    title: "Last check",
    aside: a(N, {
      children: [
        n !== void 0 &&
        a(N, {
          children: [
            a(Q, { tone: f, children: c.badge }),
            a("span", {
              class: "muted small",
              children: ["Checked ", a(Vn, { time: n.checkedAt })],
            }),
          ],
        }),
        a(te, { disabled: o, onClick: e, children: o ? "Checking" : "Check again" }),
      ],
    }),
    children: [
      i
        ? a("p", { class: "muted", children: "The log is checked when the gateway answers again." })
        : r === void 0 || o
        ? null
        : a(Oe, { error: r, title: "Cannot check the log" }),
      n === void 0 || i
        ? o && !i ? a(jt, { label: "Checking the log" }) : null
        : a(Lv, { check: n, networkId: s?.network.id ?? "", tone: f }),
    ],
  });
}
function Lv({ check: t, networkId: e, tone: n }) {
  let r = ps(t), o = Cg(t), s = Hv(t);
  return a(N, {
    children: [
      a(X, {
        tone: n,
        live: !0,
        title: r.title,
        children: [
          a("p", { children: r.meaning }),
          a(Fv, { check: t }),
          r.steps.length === 0 ? null : a("ol", {
            class: "next-steps",
            children: r.steps.map((i) => a("li", { children: i }, i)),
          }),
          t.fork !== void 0 ? a($d, { ...t.fork, networkId: e }) : r.tone === "bad"
            ? a(Pt, {
              fileName: `${hs(e)}.${t.finding}.json`,
              text: $v(t, e),
              children: "Download what was seen",
            })
            : null,
        ],
      }),
      o !== void 0 && a(X, { tone: "warn", title: o }),
      s.length === 0 ? null : a(fa, { caption: "Remembered and shown tree heads", heads: s }),
    ],
  });
}
function Hv({ known: t, seen: e, finding: n }) {
  let r = [];
  return t !== void 0 && !(n === "first" || n === "same") && r.push(["Remembered", t.sth]),
    e !== void 0 && r.push(["Shown now", e]),
    r;
}
function Fv({ check: { outcome: t, fault: e } }) {
  let n = t === void 0 || t.valid || t.reason === void 0;
  return e === void 0 && n ? null : a("p", {
    class: "failure-code",
    children: [a("code", { children: e?.code ?? t?.reason }), " ", e?.message ?? sn(t)],
  });
}
function $v(t, e) {
  let { finding: n, checkedAt: r, known: o, seen: s, proof: i } = t,
    c = { finding: n, network_id: e, checked_at: r, known: o?.sth, seen: s, consistency_proof: i };
  return `${JSON.stringify(c, void 0, 2)}
`;
}
var Pg = "countersign log sth --verify";
function jg({ trust: t }) {
  return a(W, {
    title: "What you trust",
    aside: t === void 0
      ? void 0
      : t.isPinned
      ? a(Q, { tone: "good", children: "Pinned" })
      : a(Q, { tone: "warn", children: "Not pinned" }),
    children: [
      t !== void 0 &&
      a(qe, {
        items: {
          Network: a("span", { class: "mono", children: t.network.id }),
          Fingerprint: a(ae, { text: t.fingerprint, what: "fingerprint" }),
        },
      }),
      t?.isPinned === !1 && a("p", {
        children: [
          "You have not pinned a configuration, so this page uses the witness keys that the gateway names. It still notices if the log changes from now on. It cannot notice a gateway that showed a false network on your first visit.",
          " ",
          a("a", { href: ne({ page: "verify" }), children: "Pin a configuration" }),
          " from a source that you trust.",
        ],
      }),
      a("p", {
        children:
          "This page comes from the gateway that it checks. To check without trusting the gateway's page, run the command line, which remembers the log in the same way:",
      }),
      a("p", {
        class: "row",
        children: [a("code", { children: Pg }), a(on, { text: Pg, what: "command" })],
      }),
    ],
  });
}
function Dg() {
  let { watch: t } = z(),
    e = me(t),
    { trust: n, check: r, evidence: o } = e,
    s = t.stored(),
    i = r === void 0 && e.isChecking;
  return a(N, {
    children: [
      a(Ke, {
        title: "Check the log",
        children:
          "A transparency log may only grow. This browser remembers the last tree head that it saw. At every visit, on every page, the gateway must prove that its log grew from there.",
      }),
      a(Mg, { state: e, recheck: () => void t.check() }),
      o === void 0 || r?.fork !== void 0
        ? null
        : a(V0, { evidence: o, networkId: n?.network.id ?? "" }),
      i ? null : a("div", {
        class: "grid",
        children: [
          s === void 0 || n === void 0 ? null : a(Ng, {
            stored: s,
            fingerprint: n.fingerprint,
            forget: () => void t.forget(),
          }),
          a(jg, { trust: n }),
        ],
      }),
    ],
  });
}
function Ug({ index: t }) {
  let e = z(), [n, r] = Ee((o) => Mv(e, t, o), [t]);
  return a(N, {
    children: [
      a(Ke, {
        title: `Position ${F(t)}`,
        isBelowExplore: !0,
        children: "The attestation at this place in the log; the first one is at position 0.",
      }),
      a(ke, {
        loaded: n,
        what: "the position",
        retry: r,
        render: ({ size: o }) =>
          o === void 0 ? a("p", { role: "status", children: "Opening its proof" }) : a(W, {
            title: "Not in the log",
            children: a(We, {
              title: "The log has no such position yet",
              children: a("p", { children: ["It has ", G(o, "attestation"), "."] }),
            }),
          }),
      }),
    ],
  });
}
async function Mv(t, e, n) {
  let r = await Un(t, void 0, n).catch((f) => {
      if (!qn(f, "no_tree_head")) throw f;
    }),
    { tree_size: o = 0, network_id: s = "" } = r?.sth.tree_head ?? {};
  if (e >= o) return { size: o };
  let i = { start: e, end: e + 1, size: o, networkId: s }, [c] = await Sr(t, i, n);
  return location.replace(ne({ page: "proof", hash: c.hash })), {};
}
var Pv = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};
function nu({ job: t }) {
  let [e, n] = t.progress === "batched" ? ["good", "In the log"] : Pv[t.status];
  return a(W, {
    title: "At the gateway",
    aside: a(Q, { tone: e, children: n }),
    children: [
      a(qe, {
        items: {
          Hash: a(ae, { text: t.hash, what: "hash" }),
          Accepted: a(Dt, { time: t.created_at }),
          "Last change": a(Dt, { time: t.updated_at }),
          Attempts: F(t.attempts),
          "Next attempt": t.next_attempt_at && a(Dt, { time: t.next_attempt_at }),
          Batch: t.batch_id && a(Wn, { id: t.batch_id }),
        },
      }),
      t.last_error !== void 0 &&
      a(X, {
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
var ou = 360,
  dn = { width: 104, height: 26 },
  ya = ou / 2,
  zg = { left: dn.width / 2 + 2, right: ou - dn.width / 2 - 2 },
  qg = 50,
  jv = 8;
function Gg(t) {
  let { tree: e, leafHash: n, index: r, size: o, steps: s, isVerified: i } = t,
    c = s.length * qg + dn.height + 4,
    f = (u) => c - 2 - dn.height / 2 - u * qg,
    d = `Leaf ${F(r)} of the ${e} of ${G(o, "leaf", "leaves")}: ${
      G(s.length, "step")
    } up to the root, which is ${i ? "" : "not "}verified`;
  return a("figure", {
    class: "path",
    children: [
      a("figcaption", { children: [d, "."] }),
      a("svg", {
        class: `path-picture ${i ? "path-verified" : "path-unverified"}`,
        viewBox: `0 0 ${ou} ${c}`,
        role: "img",
        "aria-label": d,
        children: [
          s.map((u, l) => a(Dv, { side: u.side, from: f(l), to: f(l + 1) }, l)),
          s.map((u, l) =>
            a(ru, { x: zg[u.side], y: f(l), hash: u.sibling, style: "path-sibling" }, l)
          ),
          s.map((u, l) =>
            a(ru, {
              x: ya,
              y: f(l + 1),
              hash: u.node,
              style: l === s.length - 1 ? "path-root" : "path-node",
            }, l)
          ),
          a(ru, { x: ya, y: f(0), hash: n, style: s.length === 0 ? "path-root" : "path-leaf" }),
        ],
      }),
      a("details", {
        children: [
          a("summary", { children: "The path as text" }),
          a(Uv, { leafHash: n, steps: s }),
        ],
      }),
    ],
  });
}
function Dv({ side: t, from: e, to: n }) {
  let [r, o] = [n + dn.height / 2, e - dn.height / 2];
  return a("g", {
    class: "path-edges",
    children: [
      a("path", { d: `M${ya} ${o}V${r}` }),
      a("path", { class: "path-edge-side", d: `M${zg[t]} ${o}V${(r + o) / 2}H${ya}` }),
    ],
  });
}
function ru({ x: t, y: e, hash: n, style: r }) {
  return a("g", {
    class: r,
    children: [
      a("rect", {
        x: t - dn.width / 2,
        y: e - dn.height / 2,
        width: dn.width,
        height: dn.height,
        rx: 4,
      }),
      a("text", { x: t, y: e + 4, "text-anchor": "middle", children: `${n.slice(0, jv)}\u2026` }),
    ],
  });
}
function Uv({ leafHash: t, steps: e }) {
  return a("ol", {
    class: "path-list",
    children: [
      a("li", { children: ["The leaf: ", a(ae, { text: t, what: "leaf hash" })] }),
      e.map(({ side: n, sibling: r, node: o }, s) =>
        a("li", {
          children: [
            "With ",
            a(ae, { text: r }),
            " on the ",
            n,
            s === e.length - 1 ? ", the root:" : ":",
            " ",
            a(ae, { text: o }),
          ],
        }, s)
      ),
    ],
  });
}
function Kg({ bundle: t, found: e, trust: n, fileName: r }) {
  let { verdict: o, isOtherFile: s } = e,
    { network: i, pins: c, isPinned: f } = n,
    { tone: d, sentence: u, notes: l } = Qi({
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
      a(X, {
        tone: Ji(d, c),
        icon: h ? "seal" : d === "warn" ? "warning" : "cross",
        live: !0,
        title: u,
        children: [
          l.map((p) => a("p", { children: p }, p)),
          h && r === void 0 &&
          a("p", {
            children: "No file was compared. Choose the file to check that it has this hash.",
          }),
          !f && a(uo, { isPinned: !1 }),
        ],
      }),
      c?.home.source === "gateway" &&
      a(X, {
        tone: "warn",
        title: "The configuration came from the gateway",
        children: a("p", {
          children: "This verdict is right only if the gateway did not lie about its own keys.",
        }),
      }),
    ],
  });
}
function xa({ bundle: t, found: e, trust: n, children: r }) {
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
              a(W, {
                title: "What was attested",
                children: a(qe, {
                  items: {
                    "SHA-256": a(ae, { text: f.hash, what: "hash" }),
                    Network: f.network_id,
                    Time: de(f.timestamp),
                    "Position in the log": F(f.sequence),
                    "Signed with": d.size === 1
                      ? "no other attestation"
                      : `${G(d.size - 1, "other")} in one round`,
                  },
                }),
              }),
              a(W, { title: "When it was signed", children: a(qv, { time: o.time }) }),
            ],
          }),
          a(W, { title: "Layers", children: a(y0, { bundle: t, verdict: o, isPinned: l }) }),
          a(W, {
            title: `Witnesses of ${u.id}`,
            children: a(Qe, {
              caption: "Witnesses and what they signed",
              rows: s,
              keyOf: ({ id: h }) => h,
              columns: [
                [
                  "Witness",
                  ({ id: h }) => a("span", { class: "witness-id", children: fo(h, u.id) }),
                ],
                ["Attestation", ({ attestation: h }) => a(Wg, { state: h })],
                [
                  "Tree head",
                  ({ head: h }) =>
                    h === void 0
                      ? a("span", { class: "muted", children: "none" })
                      : a(Wg, { state: h }),
                ],
              ],
            }),
          }),
          c.length === 0 ? null : a(W, {
            title: "Path to the root",
            children: a("div", {
              class: "paths",
              children: c.map((h) => a(Gg, { leafHash: i, ...h }, h.tree)),
            }),
          }),
          a(W, {
            title: "What this does not prove",
            children: a(Gv, { trust: n, unauthenticated: o.unauthenticated }),
          }),
          r,
        ],
      }),
    ],
  });
}
function qv({ time: t }) {
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
              a("b", { children: de(n.time) }),
              ". Only clocks vouch for this time: no random beacon proves when it was signed at the earliest.",
            ],
          })
          : a("p", {
            children: [
              "Between ",
              a("b", { children: de(e.time) }),
              " and ",
              a("b", { children: de(n.time) }),
              ".",
            ],
          }),
        a("ul", {
          class: "bounds",
          children: [
            t.not_before.map((r) => a(Vg, { name: "Not before", ...r }, r.source)),
            t.not_after.map((r) => a(Vg, { name: "Not after", ...r }, `${r.source} ${r.word}`)),
          ],
        }),
        t.failed.map(({ source: r, reason: o }) =>
          a(X, {
            tone: "warn",
            title: `${r} does not verify`,
            children: a("p", { children: Nt[o] }),
          }, r)
        ),
        t.contradictions.map(({ not_before: r, not_after: o }, s) =>
          a(X, {
            tone: "bad",
            title: "Two times contradict each other",
            children: a("p", {
              children: [
                o.source,
                " of ",
                de(o.time),
                " precedes ",
                r.source,
                " of",
                " ",
                de(r.time),
                ": one of them is wrong.",
              ],
            }),
          }, s)
        ),
      ],
    });
}
function Vg({ name: t, source: e, time: n, word: r }) {
  return a("li", { children: [t, " ", de(n), ": ", e, ", vouched for by ", r] });
}
var zv = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Not configured"],
};
function Wg({ state: t }) {
  let [e, n] = zv[t];
  return a(Q, { tone: e, children: n });
}
function Gv({ trust: t, unauthenticated: e }) {
  let { network: n, pins: r } = t,
    o = r === void 0
      ? "This gateway"
      : r.home.source === "file"
      ? `Your file ${r.home.name}`
      : `This gateway, ${r.home.name}`;
  return a(N, {
    children: [
      a("ul", { children: Er.map((s) => a("li", { children: s }, s)) }),
      e.length === 0 ? null : a("details", {
        children: [
          a("summary", { children: [G(e.length, "field"), " without a signature"] }),
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
function su(t, { leafHash: e, index: n, size: r, path: o }) {
  let s = [], [i, c, f] = [e, n, r - 1];
  for (let d of o) {
    if (f <= 0) break;
    for (; c === f && c % 2 === 0 && f > 0;) [c, f] = [c / 2, f / 2];
    let u = Ne(d, E) ?? new Uint8Array(E), l = c % 2 === 1 ? "left" : "right";
    i = l === "left" ? t.nodeHash(u, i) : t.nodeHash(i, u),
      s.push({ side: l, sibling: d, node: K(i) }),
      [c, f] = [Math.floor(c / 2), Math.floor(f / 2)];
  }
  return s;
}
function Zg(t, e, { layers: n }) {
  let r = e.batch_inclusion?.sth, o = new Set(t.witnesses.map(({ id: i }) => i));
  return [...new Set([...o, ...Fn(e.signed_attestation), ...r === void 0 ? [] : Fn(r)])].map(
    (i) => {
      let c = o.has(i);
      return {
        id: i,
        attestation: Yg(i, c, e.signed_attestation, n.attestation),
        head: r && Yg(i, c, r, n.batch),
      };
    },
  );
}
function Yg(t, e, n, { signatures: r, witness: o }) {
  return e
    ? Fn(n).includes(t)
      ? r?.signers.includes(t) ? "verified" : o === t ? "wrong" : "not_counted"
      : "missing"
    : "unknown";
}
async function Xg(t, e, n, r) {
  let o = await xn(t, e, n, {}), { attestation: s } = n.signed_attestation, i = io(t.kernels, s);
  return {
    verdict: o,
    isOtherFile: r !== void 0 && r !== s.hash,
    witnesses: Zg(e.network, n, o),
    leafHash: K(i),
    paths: Vv(t, n, { verdict: o, leafHash: i }),
  };
}
function Vv(
  { kernels: t },
  { signed_attestation: e, batch_inclusion: n },
  { verdict: { layers: r }, leafHash: o },
) {
  let s = [];
  if (n !== null) {
    let i = e.attestation.sequence,
      c = n.sth.tree_head.tree_size,
      f = n.merkle_proof.inclusion_path,
      d = su(t, { leafHash: o, index: i, size: c, path: f }),
      u = r.batch.status === "verified";
    s.push({ tree: "log", index: i, size: c, steps: d, isVerified: u });
  }
  if (e.round.size > 1) {
    let { index: i, size: c, inclusion_path: f } = e.round,
      d = su(t, { leafHash: o, index: i, size: c, path: f }),
      u = r.attestation.status === "verified";
    s.push({ tree: "round", index: i, size: c, steps: d, isVerified: u });
  }
  return s;
}
function _a(t, { proof: e, trust: n, content: r }) {
  let o = r.state === "hashed" ? r.hash : void 0,
    s = n && [n.fingerprint, ...n.peers.map(rt)],
    [i, c] = Ee(async () => {
      if (e === void 0 || n === void 0) return;
      let d = await t.crypto.crypto();
      return await Xg(d, n, e.bundle, o);
    }, [e?.text, o, s]);
  if (e === void 0 || n === void 0 || r.state === "failed") return { state: "idle" };
  if (r.state === "hashing") return { state: "waiting", label: "Waiting for the hash of the file" };
  if (i.state === "failed") return { state: "failed", error: i.error, retry: c };
  if (i.value === void 0) return { state: "waiting", label: "Verifying in this browser" };
  let f = r.state === "hashed" ? r.name : void 0;
  return { state: "found", view: { bundle: e.bundle, found: i.value, trust: n, fileName: f } };
}
function Ea({ verification: t }) {
  switch (t.state) {
    case "idle":
      return null;
    case "waiting":
      return a(jt, { label: t.label });
    case "failed":
      return a(Oe, { error: t.error, retry: t.retry });
    case "found":
      return a(Kg, { ...t.view });
  }
}
var Wv = 2e3;
function Jg({ hash: t }) {
  let e = z(),
    [n, r] = Ee(async (s) => (await e.api.job(t, 0, s)).value, [t]),
    o = n.value?.status === "failed" ? "failed" : n.value?.progress;
  return le(() => {
    if (o === void 0 || o === "batched" || o === "failed") return;
    let s = setInterval(r, Wv);
    return () => clearInterval(s);
  }, [o]),
    a(N, {
      children: [
        a(Ke, {
          title: "Proof",
          isBelowExplore: !0,
          children: "Fetched from this gateway and verified in this browser.",
        }),
        n.state === "failed" && qn(n.error, "hash_unknown") ? a(Kv, { hash: t }) : a(ke, {
          loaded: n,
          what: "the proof",
          retry: r,
          render: (s) => s.status === "confirmed" ? a(Yv, { job: s }) : a(nu, { job: s }),
        }),
      ],
    });
}
function Kv({ hash: t }) {
  return a(W, {
    title: "Not found",
    children: [
      a(ae, { text: t, what: "hash" }),
      a(We, {
        title: "This gateway does not know the hash",
        children: [
          a("p", { children: "Nobody submitted it here, or it is the hash of other content." }),
          a("p", {
            children: a("a", {
              class: "button",
              href: ne({ page: "stamp" }),
              children: [a(He, { name: "seal" }), a("span", { children: "Stamp something" })],
            }),
          }),
        ],
      }),
    ],
  });
}
function Yv({ job: t }) {
  let { hash: e, progress: n } = t,
    r = z(),
    o = Ct(me(r.trust)),
    [s, i] = Ee(async (p) => {
      let { text: m, value: g } = await cs(r.api, e, p);
      return { text: m, bundle: g };
    }, [e, n]),
    [c, f] = Ee((p) => rn(r, p), [o]),
    [d, u] = po(r),
    l = _a(r, { proof: s.value, trust: c.value, content: d }),
    h = Fi({ page: "proof", hash: e });
  return a(N, {
    children: [
      a(ke, { loaded: c, what: "the network", retry: f, render: () => a(Ea, { verification: l }) }),
      a(ke, {
        loaded: s,
        what: "the proof",
        retry: i,
        render: ({ text: p }) =>
          a("div", {
            class: "verify-columns",
            children: [
              a(W, {
                title: "This proof",
                children: [
                  a("p", {
                    class: "stamp-hash",
                    children: [
                      a("span", { class: "muted nowrap", children: "SHA-256" }),
                      " ",
                      a(ae, { text: e, what: "hash" }),
                    ],
                  }),
                  a("div", {
                    class: "row",
                    children: [
                      a(Pt, {
                        fileName: `${e}.countersign.json`,
                        text: p,
                        primary: !0,
                        children: "Download the proof",
                      }),
                      a(on, { text: h, what: "link to this page", named: !0 }),
                      a("a", {
                        class: "button",
                        href: ne({ page: "certificate", hash: e }),
                        children: [
                          a(He, { name: "file" }),
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
              a(W, { title: "Is it about your file?", children: a(ha, { content: d, choose: u }) }),
            ],
          }),
      }),
      l.state === "found" && a(xa, { ...l.view, children: a(nu, { job: t }) }),
    ],
  });
}
function Qg({ label: t, action: e, onHash: n }) {
  let [r, o] = M(""), [s, i] = M(void 0);
  return a("form", {
    class: "field",
    onSubmit: (u) => {
      u.preventDefault();
      let l = ma(r);
      if ("fault" in l) return i(l.fault);
      i(void 0), o(""), n(l.hash);
    },
    noValidate: !0,
    children: a(so, {
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
function Zv(t) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(t) ? t : `'${t.replaceAll("'", "'\\''")}'`;
}
function ew(t) {
  return Zv(t.startsWith("-") ? `./${t}` : t);
}
function tw(t) {
  return t.slice(t.lastIndexOf("/") + 1);
}
function ms(t) {
  return `${t.name ?? t.hash.slice(0, 16)}.countersign.json`;
}
function nw(t) {
  return t.name !== void 0
    ? `countersign verify ${ew(t.name)}`
    : `countersign verify-proof --bundle ${ew(ms(t))} --hash ${t.hash}`;
}
function iu({ bundle: t, hash: e, unverified: n }) {
  let r = z(),
    o = me(r.trust),
    [s] = Ee(async () => {
      let { state: u } = r.trust;
      if (u.state !== "pinned") return;
      let l = await r.crypto.crypto();
      return await xn(l, co(u.trust), t.value, { hash: e });
    }, [Ct(o), t.text, e]);
  if (o.state !== "pinned") {
    return n ??
      a("span", {
        class: "muted small",
        children: [
          "Not verified here: no configuration is pinned.",
          " ",
          a("a", { href: ne({ page: "proof", hash: e }), children: "Pin one and verify" }),
        ],
      });
  }
  if (s.state === "failed") {
    return a(Q, { tone: "warn", children: "Cannot be verified in this browser" });
  }
  let i = s.value;
  if (i === void 0) return n ?? a("span", { class: "muted small", children: "Verifying" });
  let { name: c, tone: f } = fs(i);
  if (i.valid) {
    let u = Ji(f, o.trust);
    return a(Q, { tone: u, icon: "seal", children: ["Verified here: ", c] });
  }
  let { reason: d } = i.layers.attestation;
  return a(X, {
    tone: "bad",
    live: !0,
    title: "The gateway's proof is invalid",
    children: a("p", {
      children: [d === void 0 ? "" : Nt[d], " Do not rely on it. Keep it as evidence."],
    }),
  });
}
var gs = class {
    #e = new Set();
    subscribe(e) {
      return this.#e.add(e), () => this.#e.delete(e);
    }
    notify() {
      for (let e of this.#e) e();
    }
  },
  un = class extends gs {
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
var Xv = { firstMs: 1e3, longestMs: 15e3 },
  Jv = 864e5,
  mo = class extends un {
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
          if (n?.aborted || !rw(r)) throw r;
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
        let s = new ho(Xv, this.#e.random);
        for (let i = n;;) {
          this.setState(i), await this.#s(i, s.afterFailure());
          try {
            return await e();
          } catch (c) {
            if (r?.aborted || !rw(c)) throw c;
            i = c;
          }
        }
      } finally {
        this.#t = void 0, o();
      }
    }
    #s(e, n) {
      let o = e instanceof xe || e instanceof ro ? e.retryAfter : void 0;
      return o === void 0 ? this.#e.wait(n) : this.#e.sleep(Math.min(Math.max(n, o * 1e3), Jv));
    }
  };
function rw(t) {
  return Qr(t) || oo(t);
}
function En({ phase: t, job: e }) {
  return (t === "anchoring" || t === "settled") && e?.status === "confirmed";
}
function Sa({ phase: t, job: e, isSaved: n }) {
  return n !== !0 && t !== "cancelled" && t !== "failed" && e?.status !== "failed";
}
var va = class extends gs {
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
var ow = 200,
  Qv = 3,
  sw = 10,
  iw = 500,
  eS = 2e3,
  tS = 5e3,
  nS = 120,
  rS = 4,
  oS = { isTransient: () => !1 },
  Ta = class {
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
      this.#e = e, this.#t = n, this.submissions = new mo(e), this.questions = e.questions;
    }
    start() {
      this.#a(this.#h);
    }
    show(e) {
      this.#o = e, this.#c();
    }
    async fetchProof({ id: e, hash: n }) {
      let r = await this.questions.ask(() => cs(this.#e.gateway, n)), o = this.#t.get(e);
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
        let r = Math.min(ow, await this.submissions.ask(n)),
          o = () => this.#t.inPhase("sending", r);
        await this.#u("sending", o, (s) =>
          this.submissions.ask(() => {
            let i = s();
            if (i.length === 0) return Promise.resolve([]);
            let c = this.#t.inPhase("sending", r + 1).length <= r;
            return e(i, c ? Qv : 0);
          })),
          this.#a(this.#p),
          this.#a(this.#m);
      }
    }
    async #p() {
      let { gateway: e, wait: n } = this.#e;
      for (;;) {
        let r = () => this.#t.inPhase("signing", ow);
        if (r().length === 0) return;
        await this.#u("signing", r, (o) =>
          this.questions.ask(async () => {
            let [s, ...i] = o();
            return s === void 0
              ? []
              : i.length > 0
              ? await e.submit(o(), sw, oS)
              : [(await e.job(s, sw)).value];
          })),
          this.#a(this.#m),
          r().length > 0 && await n(iw);
      }
    }
    async #u(e, n, r) {
      let o = [];
      try {
        let s = await r(() => (o = n(), [...new Set(o.map(({ hash: c }) => c))])),
          i = new Map(s.map((c) => [c.hash, c]));
        for (let { id: c, hash: f } of o) this.#w(c, e, i.get(f));
      } catch (s) {
        for (let { id: i } of o) {
          this.#t.get(i)?.phase === e && this.#t.change(i, { phase: "failed", error: s });
        }
      }
    }
    #w(e, n, r) {
      let o = this.#t.get(e);
      if (r === void 0 || o?.phase !== n) return;
      let s = tm(r) ? r.status === "failed" ? "settled" : "batching" : "signing";
      this.#t.put({ ...o, job: r, phase: s });
    }
    async #m() {
      let { gateway: e, wait: n } = this.#e, r = () => this.#t.inPhase("batching");
      for (; r().length > 0;) {
        this.#c();
        try {
          let o = r().every(aw) ? 1 / 0 : await this.#d();
          this.anchoring ??= (await this.questions.ask(() => e.status())).value;
          for (let s of r()) {
            !aw(s) && sS(s) >= o ||
              this.#t.change(s.id, { phase: this.#f ? "anchoring" : "settled" });
          }
        } catch (o) {
          for (let { id: s } of r()) this.#t.change(s, { phase: "failed", error: o });
        }
        this.#c(), r().length > 0 && await n(eS);
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
          await Promise.all(Array.from({ length: rS }, async () => {
            for (let s of r) await this.#b(s);
          })), n().some((s) => this.#l(s))
        ) {
          await e(iw);
          continue;
        }
        let o = n().filter(({ phase: s }) => s === "anchoring");
        if (o.length === 0) return;
        await e(tS, this.#s.signal);
        for (let { id: s } of o) this.#r.add(s);
      }
    }
    #l(e) {
      return e.phase === "batching"
        ? e.bundle === void 0
        : En(e)
        ? (e.bundle?.value.batch_inclusion ?? null) === null || this.#r.has(e.id)
        : !1;
    }
    async #b(e) {
      let { id: n } = e;
      this.#r.delete(n);
      try {
        let r = await this.fetchProof(e);
        if (this.#t.change(n, { bundle: r }), this.#t.get(n)?.phase !== "anchoring") return;
        let s = (this.#i.get(n) ?? 0) + 1;
        this.#i.set(n, s),
          (s > nS || au(r.value, this.anchoring)) && this.#t.change(n, { phase: "settled" });
      } catch (r) {
        this.#t.change(n, { phase: "failed", error: r });
      }
    }
  };
function aw({ job: t }) {
  return t?.progress === "batched";
}
function sS({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? 1 / 0;
}
function au(t, { peers: e, anchors: n }) {
  let r = new Set(t.cross_anchors.map((s) => s.witnessing_network)),
    o = t.external_anchors.filter(({ status: s }) => s === "confirmed");
  return e.every(({ id: s }) => r.has(s)) && o.length >= n.length;
}
function cu(t, e) {
  return [iS(t), aS(t), cS(t), fS(t, e)];
}
function iS({ job: t, phase: e }) {
  let n = "Accepted";
  return t !== void 0
    ? { name: n, state: "done", text: de(t.created_at) }
    : e === "failed"
    ? { name: n, state: "failed", text: "Not accepted" }
    : { name: n, state: "active", text: "Sending the hash" };
}
function aS({ job: t }) {
  let e = "Confirmed";
  if (t === void 0) return { name: e, state: "waiting", text: "Signed by the witnesses" };
  if (t.status === "failed") {
    return { name: e, state: "failed", text: t.last_error?.message ?? "Nobody can sign it" };
  }
  if (t.signed_attestation !== void 0) {
    let { attestation: { network_id: o } } = t.signed_attestation,
      s = Fn(t.signed_attestation).map((i) => fo(i, o));
    return { name: e, state: "done", text: `Signed by ${s.join(", ")}` };
  }
  let n = t.attempts > 0 ? `, ${G(t.attempts, "attempt")}` : "",
    r = t.last_error === void 0 ? "" : `: ${t.last_error.code}`;
  return { name: e, state: "active", text: `Waiting for witnesses${n}${r}` };
}
function cS(t) {
  let { job: e, bundle: n } = t, r = "Batched", o = n?.value.batch_inclusion ?? null;
  if (o !== null) {
    let { batch: s, merkle_proof: { leaf_index: i } } = o;
    return { name: r, state: "done", text: `Position ${F(i)} in the log`, batchId: s.id };
  }
  return En(t)
    ? { name: r, state: "done", text: "In the log" }
    : e?.status === "confirmed"
    ? { name: r, state: "active", text: "Waiting for the next batch" }
    : { name: r, state: "waiting", text: "Added to the log" };
}
function fS({ bundle: t, phase: e }, n) {
  let r = "Anchored";
  if (n === void 0 || t === void 0) {
    return { name: r, state: "waiting", text: "Signed by other networks and services" };
  }
  if (n.peers.length + n.anchors.length === 0) {
    return { name: r, state: "skipped", text: "This network has no peers and no anchors" };
  }
  let o = au(t.value, n) ? "done" : e === "settled" ? "skipped" : "active";
  return { name: r, state: o, text: dS(t.value, n) };
}
function dS({ cross_anchors: t, external_anchors: e }, { peers: n, anchors: r }) {
  let o = new Set(t.map(({ witnessing_network: c }) => c)).size,
    s = e.filter(({ status: c }) => c === "confirmed").length,
    i = e.length - s;
  return [
    ...n.length === 0 ? [] : [`${o} of ${G(n.length, "peer")}`],
    ...r.length === 0 ? [] : [`${s} of ${G(r.length, "external anchor")}`],
    ...i === 0 ? [] : [`${i} pending`],
  ].join(", ");
}
var uS = {
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
function cw({ phase: t, job: e, done: n = 0, size: r = 0 }) {
  if (e?.status === "failed") return { tone: "bad", text: "Failed" };
  let [o, s] = uS[t], i = t === "hashing" && n > 0 ? ` ${Math.floor(100 * n / r)} %` : "";
  return { tone: o, text: s + i };
}
var lS = [
  [["queued", "hashing"], "to hash"],
  [["sending"], "to send"],
  [["signing"], "waiting for witnesses"],
  [["batching"], "waiting for the next batch"],
  [["failed"], "failed"],
  [["cancelled"], "cancelled"],
];
function fu(t) {
  let e = new Map();
  for (let { phase: o } of t) e.set(o, (e.get(o) ?? 0) + 1);
  let n = (o) => o.reduce((s, i) => s + (e.get(i) ?? 0), 0),
    r = lS.map(([o, s]) => [n(o), s]).filter(([o]) => o > 0);
  return {
    logged: t.filter(En).length,
    failed: n(["failed"]),
    unfinished: n(["queued", "hashing", "sending", "signing", "batching"]),
    text: r.map(([o, s]) => `${F(o)} ${s}`).join(", "),
  };
}
function fw(t) {
  let e = t.name ?? "The hash";
  if (t.phase === "hashing") return `${e}: hashing`;
  if (t.phase === "failed") return `${e}: failed`;
  if (t.phase === "cancelled") return `${e}: cancelled`;
  let n = t.hash === void 0
    ? void 0
    : cu(t, void 0).slice(0, 3).findLast(({ state: r }) => r === "done");
  return n === void 0 ? "" : `${e}: ${n.name.toLowerCase()}`;
}
var hS = { done: "check", active: "clock", waiting: void 0, failed: "cross", skipped: void 0 },
  pS = {
    done: "done",
    active: "in progress",
    waiting: "waiting",
    failed: "failed",
    skipped: "skipped",
  };
function ka({ steps: t }) {
  return a("ol", {
    class: "steps",
    children: t.map(({ name: e, state: n, text: r, batchId: o }) => {
      let s = hS[n];
      return a("li", {
        class: `step step-${n}`,
        children: [
          a("span", {
            class: "step-mark",
            "aria-hidden": "true",
            children: s !== void 0 && a(He, { name: s }),
          }),
          a("span", {
            class: "step-text",
            children: [
              a("span", {
                class: "step-name",
                children: [e, a("span", { class: "visually-hidden", children: [", ", pS[n]] })],
              }),
              a("span", { class: "step-detail", children: r }),
              o === void 0 ? null : a("a", {
                class: "step-detail",
                href: ne({ page: "batch", id: o }),
                children: ["Batch ", F(o)],
              }),
            ],
          }),
        ],
      }, e);
    }),
  });
}
function dw({ row: t, isOpen: e, onToggle: n }) {
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
              a(He, { name: t.name === void 0 ? "key" : "file" }),
              a("span", { children: s }),
              t.size !== void 0 && a("span", { class: "muted small", children: _n(t.size) }),
            ],
          }),
          a("div", {
            class: "card-aside",
            children: [
              n !== void 0 && a(mS, { row: t }),
              n !== void 0 &&
              a(te, {
                kind: "quiet",
                label: `${e ? "Hide" : "Show"} details of ${s}`,
                onClick: n,
                children: e ? "Hide" : "Details",
              }),
              a(wS, { row: t, stamps: o, title: s }),
            ],
          }),
        ],
      }),
      e ? a(gS, { row: t, stamps: o, isShort: n !== void 0 }) : t.phase === "failed" &&
        a("div", { class: "card-body", children: a(uw, { row: t, stamps: o }) }),
    ],
  });
}
function uw({ row: t, stamps: e }) {
  return a(Oe, { error: t.error, retry: () => e.retry(t.id) });
}
function mS({ row: t }) {
  let { tone: e, text: n } = cw(t), r = a(Q, { tone: e, children: n });
  return t.bundle === void 0 || t.hash === void 0
    ? r
    : a(iu, { bundle: t.bundle, hash: t.hash, unverified: r });
}
function gS({ row: t, stamps: e, isShort: n }) {
  return a("div", {
    class: "card-body",
    children: [
      t.hash === void 0 ? a(bS, { row: t }) : a("p", {
        class: "stamp-hash",
        children: [
          a("span", { class: "muted nowrap", children: "SHA-256" }),
          " ",
          a(ae, { text: t.hash, what: "hash" }),
        ],
      }),
      t.phase === "failed" && a(uw, { row: t, stamps: e }),
      t.hash === void 0 || t.phase === "failed" && t.job === void 0
        ? null
        : a(ka, { steps: cu(t, e.follower.anchoring) }),
      t.hash === void 0 || t.bundle === void 0 ? null : a(yS, {
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
function wS({ row: t, stamps: e, title: n }) {
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
          onClick: id(() => e.remove(t.id)),
          children: a(He, { name: "cross" }),
        }),
      ],
    });
}
function bS({ row: { phase: t, done: e = 0, size: n = 0 } }) {
  if (t === "cancelled") {
    return a("p", { class: "muted", children: "Cancelled. Nothing was sent." });
  }
  if (t === "queued") {
    return a("p", { class: "muted", children: "Waiting for other files to be hashed." });
  }
  if (t !== "hashing") return null;
  let r = `Hashing in this browser, ${_n(e)} of ${_n(n)}`;
  return a(jn, { label: r, value: e, max: n });
}
function yS({ name: t, hash: e, bundle: n, isShort: r, onSaved: o }) {
  let s = { name: t === void 0 ? void 0 : tw(t), hash: e },
    i = nw(s),
    c = n.value.batch_inclusion !== null;
  return a("div", {
    class: "stamp-outcome",
    children: [
      a(iu, { bundle: n, hash: e }),
      a("div", {
        class: "row",
        children: [
          a(Pt, {
            fileName: ms(s),
            text: n.text,
            primary: c,
            onSaved: o,
            children: c ? "Save the proof" : "Save the proof so far",
          }),
          a("a", {
            class: "button",
            href: ne({ page: "proof", hash: e }),
            children: "View the proof",
          }),
          r && a(on, { text: i, what: "command line", named: !0 }),
        ],
      }),
      r ? null : a("div", {
        class: "command",
        children: [a("code", { children: i }), a(on, { text: i, what: "command line" })],
      }),
    ],
  });
}
var go = class {
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
var ws = class {
  width;
  #e;
  #t = !1;
  constructor(e) {
    this.width = Gf(e), this.#e = e;
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
var Oa = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  constructor(e, n, r) {
    this.#e = e,
      this.#t = n,
      this.#n = new go(r.tiles),
      this.#o = new go(r.sizes),
      this.#r = new go(r.tiles);
  }
  root(e) {
    if (e === 0) return Wf(this.#e);
    let n = this.#w(e);
    return n instanceof Promise ? n.then(gw) : gw(n);
  }
  inclusionPath(e, n) {
    return Pi(e, n),
      this.#s(e, n, (r, o) => this.#a(e, n, { column: r, edge: o, from: 0, to: 1 / 0 }));
  }
  inclusionHex(e, n) {
    Pi(e, n);
    let r = this.#c(e, n);
    return r !== void 0 ? r : this.#s(e, n, (o, s) => {
      let i = this.#a(e, n, { column: o, edge: s, from: 0, to: Xr });
      return [...mw(i), ...this.#h(e, n, o, s)];
    });
  }
  consistencyPath(e, n) {
    return this.#i(ss(e, n), e - 1, n);
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
      : Promise.all([o, s]).then(([i, c]) => r(c, i));
  }
  #a(e, n, { column: r, edge: o, from: s, to: i }) {
    let c = [], f = Math.floor(e / 2 ** s), d = Math.floor((n - 1) / 2 ** s);
    for (let u = s; u < i && d > 0; u++) {
      let l = f % 2 === 1 ? f - 1 : f + 1;
      l === d ? c.push(pw(o, u)) : l < d && c.push(this.#u(r, u, l)),
        f = Math.floor(f / 2),
        d = Math.floor(d / 2);
    }
    return c;
  }
  #c(e, n) {
    let r = Math.floor(e / Le);
    if (r === Math.floor((n - 1) / Le)) return;
    let o = this.#n.get(lw(0, r)), s = this.#r.get(hw(e, n));
    if (s === void 0 || !(o instanceof ws) || o.width < Le) return;
    let i = [];
    for (let c = 0, f = e % Le; c < Xr; c++, f >>>= 1) i.push(K(o.node(this.#e, c, f ^ 1)));
    return i.push(...s), i;
  }
  #h(e, n, r, o) {
    let s = hw(e, n), i = this.#r.get(s);
    if (i !== void 0) return i;
    let c = Xr, f = mw(this.#a(e, n, { column: r, edge: o, from: c, to: 1 / 0 }));
    return this.#r.set(s, f), f;
  }
  #p({ start: e, end: n }, r, o, s) {
    let i = 0;
    for (; 2 ** i < n - e;) i++;
    return n === r ? pw(s, i) : this.#u(o, i, e / 2 ** i);
  }
  #u(e, n, r) {
    let o = e[Math.floor(n / Xr)], s = n % Xr;
    return o.node(this.#e, s, r % (Le >>> s));
  }
  #w(e) {
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
    let s = _e(...o);
    return this.#o.set(n, s), s;
  }
  #d(e, n) {
    let r = [], o = !0, s = e, i = n;
    do {
      s = Math.floor(s / Le);
      let c = Jr(r.length, s, n), f = c === 0 ? void 0 : this.#f(r.length, s, c);
      f instanceof Promise && (o = !1), r.push(f), i = Math.ceil(i / Le);
    } while (i > 1);
    return o ? r : Promise.all(r);
  }
  #f(e, n, r) {
    let o = lw(e, n), s = this.#n.get(o);
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
    return new ws(Vf(o, 0, r));
  }
};
function lw(t, e) {
  return e * 64 + t;
}
function hw(t, e) {
  return `${Math.floor(t / Le)}/${e}`;
}
function pw(t, e) {
  return t.subarray(e * E, (e + 1) * E);
}
function mw(t) {
  return t.map((e) => K(e));
}
function gw(t) {
  return t.subarray(t.length - E);
}
var xS = { tiles: 1024, sizes: 64 },
  Aa = class {
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
        let i = Math.max(s, Jr(r, o, this.#o));
        return (await e.tile(r, o, i)).subarray(0, s * E);
      };
      this.#t = new Oa(e.kernels, { nodes: n }, xS);
    }
    async prepare(e) {
      let n = e.toSorted((o, s) => du(o) - du(s)), r = n.at(-1);
      return n.length > 1 && r !== void 0 && await this.#a(r).catch(() => {}), n;
    }
    async proof(e) {
      let n = e.job?.signed_attestation;
      if (n === void 0 || n.attestation.hash !== e.hash) return await this.#e.fetchProof(e);
      let { sequence: r } = n.attestation;
      for (;;) {
        if (r >= this.#r) return _S(n);
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
          ? this.#r = Math.min(this.#r, du(e))
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
      let h = io(i, e.attestation), p = Ne(u, E) ?? new Uint8Array();
      if (!Cm(i, { leafHash: h, index: f, size: d, path: l, root: p })) return;
      let m = {
        hash: c,
        leaf_hash: K(h),
        leaf_index: f,
        tree_size: d,
        inclusion_path: l.map((g) => K(g)),
        root_hash: u,
        batch_id: n.id,
      };
      return ww({
        signed_attestation: e,
        batch_inclusion: { batch: n, merkle_proof: m, sth: r },
        cross_anchors: o,
        external_anchors: s,
      });
    }
  };
function du({ job: t }) {
  return t?.signed_attestation?.attestation.sequence ?? -1;
}
function _S(t) {
  return ww({
    signed_attestation: t,
    batch_inclusion: null,
    cross_anchors: [],
    external_anchors: [],
  });
}
function ww(t) {
  return { value: t, text: JSON.stringify(t) };
}
var yw = 65534,
  ES = { signature: 67324752, length: 30 },
  vS = { signature: 33639248, length: 46 },
  SS = { signature: 101010256, length: 22 },
  uu = 20,
  TS = 2048,
  kS = Uint32Array.from({ length: 256 }, (t, e) => {
    let n = e;
    for (let r = 0; r < 8; r++) n = n & 1 ? 3988292384 ^ n >>> 1 : n >>> 1;
    return n;
  });
function OS(t) {
  let e = 4294967295;
  for (let n of t) e = kS[(e ^ n) & 255] ^ e >>> 8;
  return ~e >>> 0;
}
function AS(t) {
  let e = new Date(t * 1e3),
    n = e.getUTCFullYear() - 1980 << 9 | e.getUTCMonth() + 1 << 5 | e.getUTCDate(),
    r = e.getUTCHours() << 11 | e.getUTCMinutes() << 5 | e.getUTCSeconds() >> 1;
  return (n << 16 | r) >>> 0;
}
function lu({ signature: t, length: e }, n) {
  let r = new Uint8Array(e), o = new DataView(r.buffer);
  o.setUint32(0, t, !0);
  let s = 4;
  for (let i of n) {
    typeof i == "number" ? o.setUint16(s, i, !0) : o.setUint32(s, i[0], !0),
      s += typeof i == "number" ? 2 : 4;
  }
  return r;
}
var Ba = class {
  #e = [];
  #t = [];
  #n = new Set();
  #o;
  #r = 0;
  constructor(e) {
    this.#o = AS(e);
  }
  add(e, n) {
    let r = ee(this.#s(BS(e))),
      o = this.#r,
      [s, i] = [[OS(n)], [n.length]],
      c = [TS, 0, [this.#o], s, i, i, r.length, 0];
    this.#i(lu(ES, [uu, ...c]), r, n), this.#t.push(lu(vS, [uu, uu, ...c, 0, 0, 0, [0], [o]]), r);
  }
  finish() {
    let [e, n] = [this.#r, this.#n.size];
    return this.#i(...this.#t),
      this.#i(lu(SS, [0, 0, n, n, [this.#r - e], [e], 0])),
      new Blob(this.#e, { type: "application/zip" });
  }
  #i(...e) {
    for (let n of e) this.#e.push(n), this.#r += n.length;
  }
  #s(e) {
    let n = e.indexOf(".", e.lastIndexOf("/") + 2),
      [r, o] = n < 0 ? [e, ""] : [e.slice(0, n), e.slice(n)],
      s = e;
    for (let i = 2; this.#n.has(bw(s)); i++) s = `${r} (${i})${o}`;
    return this.#n.add(bw(s)), s;
  }
};
function bw(t) {
  return t.normalize("NFC").toLowerCase();
}
function BS(t) {
  return t.split(/[/\\]+/).filter((e) => e !== "").map((e) => /^\.+$/.test(e) ? "_" : e).join("/");
}
var NS = 4, CS = 20;
function hu(t) {
  let e = t.filter((r) => r.phase === "batching" || En(r)),
    n = e.filter(({ isSaved: r }) => r !== !0);
  return (n.length > 0 ? n : e).slice(0, yw);
}
async function xw(t, { proofs: e, verify: n, onProgress: r, now: o, signal: s }) {
  let i = new Ba(o),
    c = [],
    f = [],
    d = [],
    u = (await e.prepare(t)).values(),
    [l, h] = [0, 0],
    p = async (g) => {
      try {
        return await e.proof(g);
      } catch (w) {
        if (!(w instanceof k) || (d.push(g), h === 0 && d.length >= Math.min(t.length, CS))) {
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
      await n?.(b, g.hash) === !1 && c.push(g),
        b.batch_inclusion !== null && f.push(g.id),
        i.add(
          ms({ name: g.name, hash: g.hash }),
          ee(`${x.trimEnd()}
`),
        ),
        r(++l, t.length);
    };
  try {
    await Promise.all(Array.from({ length: NS }, async () => {
      for (let g of u) await m(g);
    }));
  } catch (g) {
    for (let w of u);
    throw g;
  }
  return { zip: i.finish(), count: h, whole: f, invalid: c, refused: d };
}
function _w(t, e) {
  let n = { ...t, ed25519: RS(t.ed25519) };
  return async (r, o) => {
    let s = await xn(n, e, r, { hash: o });
    return fs(s).tone === "good";
  };
}
function RS(t) {
  let e = new Map();
  return (n, r, o) => {
    let s = [n, r, o].map(K).join(), i = e.get(s);
    return i === void 0 && e.set(s, i = t(n, r, o)), i;
  };
}
var IS = 100, Ew = 5;
function vw(t) {
  let [e, n] = M({ state: "idle" }), r = pt(new AbortController());
  return le(() => () => r.current?.abort(), []), {
    saving: e,
    start: (i) => {
      r.current?.abort();
      let { signal: c } = r.current = new AbortController(),
        f = 0,
        d = (u) => {
          c.aborted || n(u);
        };
      d({ state: "running", done: 0, of: i.length }),
        LS(t, i, {
          signal: c,
          onProgress: (u, l) => {
            let h = t.clock.nowMs();
            h - f < IS || (f = h, d({ state: "running", done: u, of: l }));
          },
        }).then(d, (u) => d({ state: "failed", error: u }));
    },
    stop: () => {
      r.current?.abort(), n({ state: "idle" });
    },
  };
}
async function LS({ api: t, line: e, stamps: n, trust: r, crypto: o, clock: s }, i, c) {
  let { state: f } = r,
    d = await o.crypto(),
    u = f.state === "pinned" ? _w(d, co(f.trust)) : void 0,
    l = new Aa({
      fetchProof: (g) => n.follower.fetchProof(g),
      tile: (...g) => e.ask(() => t.tile(...g), c.signal),
      kernels: d.kernels,
    }),
    h = Ze(s),
    p = await xw(i, { ...c, proofs: l, verify: u, now: h });
  c.signal.throwIfAborted();
  let m = new Date(h * 1e3).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  ad(`proofs-${m.replace("T", "-")}.zip`, p.zip);
  for (let g of p.whole) n.rows.change(g, { isSaved: !0 });
  return { state: "saved", archive: p, isVerified: u !== void 0 };
}
function Sw({ rows: t, start: e }) {
  let n = hu(t);
  return n.length === 0 ? null : a(te, {
    icon: "download",
    kind: "primary",
    onClick: () => e(n),
    children: ["Save ", G(n.length, "proof")],
  });
}
function Tw({ saving: t, start: e, stop: n }) {
  let { stamps: r } = z();
  if (t.state === "running") {
    let { done: o, of: s } = t, i = `Collecting proofs, ${F(o)} of ${F(s)}`;
    return a("div", {
      class: "stamp-saving",
      children: [
        a(jn, { label: i, value: o, max: s }),
        a(te, { kind: "quiet", isRemoved: !0, onClick: n, children: "Stop collecting" }),
      ],
    });
  }
  if (t.state === "failed") {
    let o = () => e(hu(r.rows.state));
    return a(Oe, { error: t.error, title: "Cannot save the proofs", retry: o });
  }
  return t.state === "idle" ? null : a(N, {
    children: [
      a(HS, { rows: t.archive.refused }),
      a(FS, { archive: t.archive, isVerified: t.isVerified }),
    ],
  });
}
function HS({ rows: t }) {
  return t.length === 0 ? null : a(X, {
    tone: "warn",
    live: !0,
    title: `${G(t.length, "proof")} could not be saved`,
    children: a("p", {
      children: ["The gateway did not give the proof of ", kw(t), ". Save again later."],
    }),
  });
}
function FS({ archive: { count: t, whole: e, invalid: n }, isVerified: r }) {
  if (n.length > 0) {
    let o = n.length === 1 ? "does" : "do",
      s = `${G(n.length, "proof")} of the archive ${o} not verify`;
    return a(X, {
      tone: "bad",
      live: !0,
      title: s,
      children: a("p", { children: ["Do not rely on them. Keep them as evidence: ", kw(n), "."] }),
    });
  }
  return a(X, {
    tone: r ? "good" : "info",
    live: !0,
    title: `${G(t, "proof")} saved`,
    children: [
      e.length < t &&
      a("p", { children: [G(t - e.length, "proof"), " not in the log yet: save again later."] }),
      a("p", {
        children: r
          ? "Each was verified here. Keep the archive with the files."
          : "None was verified here: no configuration is pinned. Keep the archive with the files.",
      }),
    ],
  });
}
function kw(t) {
  let e = t.slice(0, Ew).map(({ name: n, hash: r }) => n ?? r).join(", ");
  return t.length > Ew ? `${e} and others` : e;
}
var $S = 3, pu = 25, Ow = 10;
function Aw({ rows: t }) {
  let { stamps: e } = z(),
    [n, r] = M(0),
    [o, s] = M(!1),
    [i, c] = M([]),
    f = fu(t),
    d = o && f.failed > 0,
    u = d ? t.filter(({ phase: b }) => b === "failed") : t,
    l = Math.max(0, Math.ceil(u.length / pu) - 1),
    h = Math.min(n, l) * pu,
    p = u.slice(h, h + pu),
    m = p.map(({ id: b }) => b);
  le(() => e.follower.show(m), [m.join()]), le(() => () => e.follower.show([]), []);
  let g = t.length > $S, w = (b) => c((x) => x.includes(b) ? x.filter((y) => y !== b) : [...x, b]);
  return a(N, {
    children: [
      a(jS, {}),
      a("p", {
        class: "visually-hidden",
        role: "status",
        children: g ? MS(f.logged, t.length) : t.map(fw).filter(Boolean).join(". "),
      }),
      t.length > 1 && a(PS, { rows: t, isFiltered: d, onFilter: () => s(!d) }),
      a("div", {
        class: g ? "stamp-rows" : "stack",
        children: p.map((b) =>
          a(dw, {
            row: b,
            isOpen: !g || i.includes(b.id),
            onToggle: g ? () => w(b.id) : void 0,
          }, b.id)
        ),
      }),
      a(Gn, {
        label: "Pages of the list",
        names: ["Back", "Next"],
        onBack: h === 0 ? void 0 : () => r(Math.min(n, l) - 1),
        onNext: n >= l ? void 0 : () => r(n + 1),
        children: [F(h + 1), " to ", F(h + p.length), " of ", F(u.length)],
      }),
    ],
  });
}
function MS(t, e) {
  let n = Math.floor(100 * t / e / Ow) * Ow;
  return n === 0 ? "" : `${n} percent of ${G(e, "stamp")} are in the log`;
}
function PS({ rows: t, isFiltered: e, onFilter: n }) {
  let r = z(),
    { stamps: o } = r,
    s = vw(r),
    [i, c] = M(!1),
    { failed: f, unfinished: d, logged: u, text: l } = fu(t),
    h = t.filter(Sa).length,
    p = () => {
      c(!1);
      for (let { id: g } of t) o.remove(g);
    },
    m = () => {
      for (let { id: g, phase: w } of t) w === "failed" && o.retry(g);
    };
  return a("div", {
    class: "stamp-tools",
    children: [
      d > 0
        ? a(jn, { label: l, value: u, max: t.length })
        : l !== "" && a("p", { class: "muted small", children: l }),
      a("div", {
        class: "row",
        children: [
          s.saving.state !== "running" && a(Sw, { rows: t, start: s.start }),
          f > 0 &&
          a(N, {
            children: [
              a(te, { onClick: m, children: ["Try ", G(f, "failed row"), " again"] }),
              a(te, { onClick: n, children: e ? "Show all" : "Show failed only" }),
            ],
          }),
          a(te, { kind: "quiet", onClick: () => h > 0 ? c(!0) : p(), children: "Clear the list" }),
        ],
      }),
      a(Tw, { ...s }),
      i && a(Kn, {
        title: `${G(h, "proof")} ${h === 1 ? "is" : "are"} not saved`,
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
function jS() {
  return me(z().tokens)
    ? a("p", {
      class: "muted small",
      children:
        "This gateway accepts new hashes only with tokens. This browser earns them by proofs of work, about a second for each hash.",
    })
    : null;
}
function Bw() {
  let { network: t } = me(z().watch).trust ?? {};
  return a("div", {
    class: "grid",
    children: [
      a(W, {
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
      a(W, {
        title: "Who uses it",
        children: a("p", {
          children:
            "People who keep contracts, reports, measurements or designs, and who publish software: whoever has to show later that a file is as old as they say.",
        }),
      }),
      a(W, {
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
                  G(t.witnesses.length, "witness", "witnesses"),
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
              href: ne({ page: "explore" }),
              children: "See the witnesses and the log",
            }),
          }),
        ],
      }),
    ],
  });
}
function Nw() {
  let { stamps: t } = z(), e = me(t.rows), [n, r] = M(void 0);
  return a(N, {
    children: [
      a(Ke, {
        title: "Stamp",
        children:
          "Get a signed proof that a file existed today. The file stays on this device: this page hashes it here and sends only the SHA-256 hash, 32 bytes.",
      }),
      a("div", {
        class: "stamp-inputs",
        children: [
          a(wg, {
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
          n !== void 0 && a(Oe, { error: n, title: "Cannot read all of the folder" }),
          a(Qg, {
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
              : `${G(e.length, "stamp")}, ${F(e.filter(En).length)} in the log`,
          }),
          e.length === 0 ? a(US, {}) : a(Aw, { rows: e }),
        ],
      }),
    ],
  });
}
var DS = [{ name: "Accepted", state: "waiting", text: "The gateway stores the hash." }, {
  name: "Confirmed",
  state: "waiting",
  text: "Independent witnesses sign it with the time.",
}, {
  name: "Batched",
  state: "waiting",
  text: "It enters a public log, in which every change would be noticed.",
}, { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." }];
function US() {
  return a(N, {
    children: [
      a("div", {
        class: "card",
        children: a("div", {
          class: "card-body",
          children: [
            a(ka, { steps: DS }),
            a("p", {
              class: "muted",
              children:
                "Save the proof with the file. Anyone can verify it without this gateway, on this page or with the command line.",
            }),
          ],
        }),
      }),
      a(Bw, {}),
    ],
  });
}
function Rw(t) {
  if (t === 0) return [];
  let e = [Cw("entries", t)];
  for (let n = 0; Le ** n <= t; n++) e.push(Cw(n, t));
  return e;
}
function Cw(t, e) {
  let n = t === "entries" ? 0 : t;
  return { level: t, full: Kf(n, e), partial: Yf(n, e), span: Le ** n };
}
function Iw({ full: t, partial: e }) {
  return t + (e > 0 ? 1 : 0);
}
function Lw(t, e, n) {
  let r = [];
  for (let o = e; o >= 0 && r.length < n; o--) {
    let s = o < t.full ? Le : t.partial, i = o * Le * t.span;
    r.push({
      index: o,
      width: s,
      isFull: s === Le,
      first: i,
      end: i + s * t.span,
      ...t.level !== "entries" && { bytes: s * E },
      path: Si(t.level, o, s),
    });
  }
  return r;
}
var Na = 25;
function Hw() {
  let t = z(), e = Ct(me(t.trust)), [n, r] = Ee((o) => Un(t, void 0, o), [e]);
  return a(N, {
    children: [
      a(Ke, {
        title: "Tiles",
        isBelowExplore: !0,
        children:
          "The log as files of 256 hashes or entries each, which never change once they are full. Mirrors and monitors read them without any code of ours.",
      }),
      Zd(n)
        ? a(W, {
          title: "Tiles",
          children: a(We, {
            title: "The log is empty",
            children: "Tiles appear with the first batch.",
          }),
        })
        : a(ke, {
          loaded: n,
          what: "the tiles",
          retry: r,
          render: ({ sth: o }) => a(qS, { size: o.tree_head.tree_size }),
        }),
    ],
  });
}
function qS({ size: t }) {
  let e = Rw(t), [n, r] = M(0), o = e[n] ?? e[0];
  return a(N, {
    children: [
      a(W, {
        title: "Levels",
        aside: a("span", { class: "muted", children: G(t, "attestation") }),
        children: a(Qe, {
          caption: "Levels of tiles",
          rows: e,
          columns: [
            ["Level", (s, i) =>
              a("button", {
                type: "button",
                class: "link-button",
                "aria-pressed": i === n ? "true" : "false",
                onClick: () => r(i),
                children: mu(s),
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
      o !== void 0 && a(zS, { level: o }, o.level),
    ],
  });
}
function mu({ level: t }) {
  return t === "entries" ? "Entries" : `Level ${t}`;
}
function zS({ level: t }) {
  let e = Iw(t), [n, r] = M(e - 1);
  return a(W, {
    title: mu(t),
    aside: a("span", { class: "muted", children: G(e, "tile") }),
    children: [
      a(Qe, {
        caption: `Tiles of ${mu(t)}, latest first`,
        rows: Lw(t, n, Na),
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
          ({ bytes: o }) => o === void 0 ? "varies" : _n(o),
          "numeric",
        ]],
      }),
      a(Gn, {
        label: "Pages of tiles",
        onBack: n >= e - 1 ? void 0 : () => r(Math.min(e - 1, n + Na)),
        onNext: n - Na < 0 ? void 0 : () => r(n - Na),
      }),
    ],
  });
}
function Fw(t) {
  let [e, n] = M({ state: "none" }),
    [r, o] = M(void 0),
    s = async (c, f) => {
      let { name: d } = c, u = await pa(c);
      u.kind === "chain"
        ? o({ name: d, ...u })
        : u.kind === "bundle"
        ? n({ state: "read", name: d, text: u.text, bundle: u.bundle })
        : u.kind === "damaged_bundle"
        ? n({ state: "failed", name: d, error: u.error })
        : u.kind === "other" && !f
        ? t(c)
        : n({ state: "wrong_file", name: d, kind: u.kind });
    },
    i = (c) => {
      for (let f of c) {
        s(f, c.length === 1).catch((d) => n({ state: "failed", name: f.name, error: d }));
      }
    };
  return [GS(e, r), i, r];
}
function GS(t, e) {
  if (t.state !== "read" || e === void 0) return t;
  let n = xg(t.bundle, e.links);
  return n === t.bundle ? t : {
    ...t,
    bundle: n,
    text: `${t.text}
${e.text}`,
  };
}
function $w({ proof: t }) {
  switch (t.state) {
    case "none":
      return null;
    case "failed":
      return a(Oe, { error: t.error, title: `Cannot verify ${t.name}` });
    case "wrong_file":
      return a(X, {
        tone: "bad",
        icon: "warning",
        live: !0,
        title: `${t.name} is not a proof`,
        children: a("p", { children: _g(t.kind) }),
      });
    case "read":
      return a("p", { class: "supplied", children: t.name });
  }
}
function Mw({ onPin: t }) {
  let [e, n] = M(!1);
  return e ? a(VS, { onPin: t, onCancel: () => n(!1) }) : a("div", {
    class: "row",
    children: a(te, {
      kind: "quiet",
      isRemoved: !0,
      onClick: () => n(!0),
      children: "I have none: ask this gateway",
    }),
  });
}
function VS({ onPin: t, onCancel: e }) {
  let { api: n, clock: r } = z(), [o, s] = Ee((i) => n.network(i), []);
  return a(ke, {
    loaded: o,
    what: "the gateway's configuration",
    retry: s,
    render: ({ text: i, value: c }) =>
      a(Kn, {
        title: "You would trust the gateway for its own keys",
        accept: "Trust the gateway for it",
        onAccept: () =>
          t({ network: c, text: i, source: "gateway", name: n.url.origin, pinnedAt: Ze(r) }),
        cancel: "Cancel",
        onCancel: e,
        children: [
          a("p", {
            children:
              "A lying gateway gives you its own keys, and every proof that it forges verifies. Do this only to try things out, or after you compared the fingerprint with one from another source.",
          }),
          a("p", { children: [c.id, ", fingerprint:"] }),
          a(zn, { text: rt(c), what: "fingerprint" }),
        ],
      }),
  });
}
function Pw({ trust: t }) {
  let e = z(),
    [n, r] = M(void 0),
    { enabled: o, peer_networks: s, cross_anchor_threshold: i } = t.home.network.federation;
  if (!o || s.length === 0) return null;
  let c = async (f) => {
    r(void 0);
    try {
      let d = t;
      for (let u of f) d = n0(d, await KS(e, t, u));
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
        children: [G(i, "peer"), " must have cosigned the log before the verdict names them."],
      }),
      a("ul", {
        class: "peer-list",
        children: s.map(({ id: f }) => a("li", { children: a(WS, { trust: t, id: f }) }, f)),
      }),
      n !== void 0 && a(Oe, { error: n }),
      a(fn, {
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
function WS({ trust: t, id: e }) {
  let n = z(), r = t.peers.find(({ network: o }) => o.id === e);
  return r === void 0
    ? a("span", {
      class: "row",
      children: [a("span", { children: e }), a(Q, { tone: "warn", children: "No configuration" })],
    })
    : a(N, {
      children: [
        a("span", {
          class: "row",
          children: [
            a("span", { children: e }),
            a(Q, { tone: "good", icon: "key", children: ["From ", r.name] }),
            a(te, {
              kind: "quiet",
              label: `Forget ${e}`,
              isRemoved: !0,
              onClick: () => n.trust.pin(vd(t, e)),
              children: "Forget",
            }),
          ],
        }),
        a(ae, { text: rt(r.network), what: `fingerprint of ${e}` }),
      ],
    });
}
async function KS(t, e, n) {
  let r = await Yi(t, n), { peer_networks: o } = e.home.network.federation;
  if (o.some(({ id: s }) => s === r.network.id)) return r;
  throw new k(
    "invalid_configuration",
    `Cannot use ${n.name}: ${r.network.id} is not a peer of the pinned network`,
  );
}
function Dw() {
  let t = z(),
    e = me(t.trust),
    [n, r] = M(void 0),
    [o, s] = M(void 0),
    i = async (d) => {
      s(void 0);
      try {
        let u = await Yi(t, d), { state: l } = t.trust;
        l.state === "pinned" && YS(l.trust.home, u) ? r(u) : jw(t, u);
      } catch (u) {
        s(u);
      }
    },
    c = (d) => {
      r(void 0), jw(t, d);
    },
    f = e.state === "none" || e.state === "broken";
  return a(W, {
    title: "What you trust",
    children: [
      e.state === "loading" && a(jt, { label: "Loading the pins" }),
      e.state === "broken" &&
      a(Oe, { error: e.error, title: "Cannot read the pins of this browser" }),
      e.state === "pinned" && a(ZS, { ...e }),
      f &&
      a("p", {
        children:
          "A proof is verified with the keys of a network's witnesses. Get them from somebody you trust, not from the gateway that you want to check, and compare their fingerprint.",
      }),
      n === void 0 || e.state !== "pinned"
        ? null
        : a(XS, { last: e.trust.home, next: n, onAccept: () => c(n), onCancel: () => r(void 0) }),
      o !== void 0 && a(Oe, { error: o }),
      a(fn, {
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
      f && a(Mw, { onPin: c }),
    ],
  });
}
function YS(t, e) {
  return rt(t.network) !== rt(e.network);
}
function jw({ trust: t }, e) {
  let { state: n } = t,
    r = n.state === "pinned" && n.trust.home.network.id === e.network.id ? n.trust.peers : [];
  t.pin({ home: e, peers: r });
}
function ZS({ trust: t, kept: e }) {
  let n = z(), { network: r, source: o, name: s, pinnedAt: i } = t.home;
  return a(N, {
    children: [
      a(qe, {
        items: {
          Network: r.id,
          Rule: `${r.threshold} of ${
            G(r.witnesses.length, "witness", "witnesses")
          } must have signed (${r.signature_scheme})`,
          Fingerprint: a(zn, { text: rt(r), what: "fingerprint" }),
          Source: o === "file" ? `Your file ${s}` : `This gateway, ${s}`,
          Pinned: de(i),
        },
      }),
      o === "gateway" &&
      a(X, {
        tone: "warn",
        title: "This configuration came from the gateway",
        children: a("p", {
          children:
            "If the gateway lied, its forged proofs verify. Compare the fingerprint with one that the network publishes elsewhere.",
        }),
      }),
      e ? null : a(X, {
        tone: "warn",
        title: "This browser does not store the pin",
        children: a("p", { children: "The pin lasts until you leave this page." }),
      }),
      a(Pw, { trust: t }),
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
function XS({ last: t, next: e, onAccept: n, onCancel: r }) {
  let o = t.network.id === e.network.id;
  return a(Kn, {
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
      a(zn, { text: rt(e.network), what: "fingerprint" }),
    ],
  });
}
function Uw() {
  let t = z(),
    e = me(t.trust),
    [n, r] = po(t),
    [o, s, i] = Fw(r),
    c = o.state === "read" ? o : void 0,
    f = e.state === "pinned" ? Sd(e.trust) : void 0,
    d = _a(t, { proof: c, trust: f, content: n });
  return a(N, {
    children: [
      a(Ke, {
        title: "Verify",
        children:
          "Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.",
      }),
      a(Ea, { verification: d }),
      c !== void 0 && (e.state === "none" || e.state === "broken") && a(JS, { bundle: c.bundle }),
      a("div", {
        class: "verify-columns",
        children: [
          a(W, {
            title: "What you check",
            children: [
              a(fn, {
                label: o.state === "none"
                  ? "Choose a proof, or drop it here"
                  : "Choose another proof",
                icon: "seal",
                multiple: !0,
                compact: !0,
                onFiles: s,
                children: a("span", {
                  class: "muted small",
                  children:
                    "NAME.countersign.json, and the file itself if you like. If the network's keys have changed, also its succession (/v1/succession).",
                }),
              }),
              a($w, { proof: o }),
              i !== void 0 &&
              a("p", {
                class: "supplied",
                children: [i.name, ": ", G(i.links.length, "succession")],
              }),
              a(ha, { content: n, choose: r }),
            ],
          }),
          a(Dw, {}),
        ],
      }),
      d.state === "found" && a(xa, { ...d.view }),
    ],
  });
}
function JS({ bundle: t }) {
  return a(X, {
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
var QS = [[{ page: "stamp" }, "Stamp", "seal"], [{ page: "verify" }, "Verify", "check"], [
    { page: "explore" },
    "Explore",
    "search",
  ], [{ page: "log" }, "Check the log", "chain"]],
  eT = {
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
function tT(t) {
  switch (t.page) {
    case "stamp":
      return a(Nw, {}, "stamp");
    case "verify":
      return a(Uw, {}, "verify");
    case "proof":
      return a(Jg, { hash: t.hash }, ne(t));
    case "certificate":
      return a(L0, { hash: t.hash }, ne(t));
    case "explore":
      return a(Bg, {}, "explore");
    case "batch":
      return a(x0, { id: t.id }, ne(t));
    case "position":
      return a(Ug, { index: t.index }, ne(t));
    case "tiles":
      return a(Hw, {}, "tiles");
    case "log":
      return a(Dg, {}, "log");
    case "unknown":
      return a(nT, {}, "unknown");
  }
}
function nT() {
  return a(Ke, {
    title: "No such page",
    children: "This address is not a page of the explorer. Choose a page above.",
  });
}
function qw() {
  let { apiKey: t } = z(), { version: e } = me(t), [n, r] = M(() => os(location.hash));
  return le(() => {
    let o = () => {
      r(os(location.hash)), scrollTo(0, 0);
    };
    return addEventListener("hashchange", o), () => removeEventListener("hashchange", o);
  }, []),
    a(N, {
      children: [
        a("button", {
          type: "button",
          class: "skip-link",
          onClick: rT,
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
                children: [a(He, { name: "seal" }), a("span", { children: "Countersign" })],
              }),
              a("nav", {
                class: "site-nav",
                "aria-label": "Pages",
                children: QS.map(([o, s, i]) =>
                  a("a", {
                    href: ne(o),
                    "aria-current": eT[n.page] === o.page ? "page" : void 0,
                    children: [a(He, { name: i }), a("span", { children: s })],
                  }, s)
                ),
              }),
              a(km, {}),
            ],
          }),
        }),
        a("main", {
          id: "content",
          tabindex: -1,
          children: [
            n.page === "log" ? null : a(sT, {}),
            a(oT, {}),
            a(vm, { apiKey: t }),
            a(pc, { fallbackRender: (o) => a(Oe, { error: o }), children: tT(n) }, String(e)),
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
            a(Sm, { apiKey: t }),
          ],
        }),
      ],
    });
}
function rT() {
  document.getElementById("content")?.focus();
}
function oT() {
  let t = $i();
  if (t === void 0) return null;
  let { title: e, code: n } = Hi(t);
  return a(X, {
    tone: "warn",
    live: !0,
    title: e,
    children: a("p", {
      children: [
        "This page tries again and continues where it stopped. ",
        a("code", { children: n }),
      ],
    }),
  });
}
function sT() {
  let { check: t, evidence: e } = me(z().watch),
    n = t === void 0 ? void 0 : ps(t),
    r = n?.tone === "bad";
  return !r && e === void 0 ? null : a(X, {
    tone: "bad",
    icon: "warning",
    live: !0,
    title: r ? n.title : "This browser has seen two histories of this log",
    children: a("p", {
      children: a("a", { href: ne({ page: "log" }), children: "See the finding and what to do" }),
    }),
  });
}
var wo = 48, gu = 96, iT = 256, aT = 16;
function bu(t) {
  return new wu(t);
}
var wu = class {
  #e;
  #t;
  #n;
  #o;
  #r;
  #i;
  #s;
  #a;
  #c;
  #h = new mn(1024);
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
    return ei(e);
  }
  skToPk(e) {
    if (this.#l(e), this.#e.skToPk() === 0) throw Ur();
    return this.#t.slice(this.#a, this.#a + gu);
  }
  sign(e, n, r) {
    if (this.#g(n, r), this.#l(e), this.#e.sign() === 0) throw Ur();
    return this.#y();
  }
  keyValidate(e) {
    return this.#p(e) !== void 0;
  }
  signatureValidate(e) {
    return e.length !== wo
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
    if (e.every((n) => n.length === wo)) {
      this.#e.startSignatureSum();
      for (let n = 0; n < e.length; n += 2) {
        let r = this.#b(e[n], e[n + 1]);
        if (this.#e.addSignatures(r) === 0) return;
      }
      return this.#e.finishSignatureSum() === 0 ? void 0 : this.#y();
    }
  }
  aggregateKeys(e) {
    let n = this.#u(e);
    if (n !== void 0) {
      return this.#t.set(n, this.#c), this.#e.encodeKey(), this.#t.slice(this.#a, this.#a + gu);
    }
  }
  fastAggregateVerify(e, n, r, o) {
    let s = this.#u(e);
    return s === void 0 || r.length !== wo
      ? !1
      : (this.#t.set(s, this.#c), this.#t.set(r, this.#s), this.#g(n, o), this.#e.verify() !== 0);
  }
  batchVerify(e, n) {
    let r = e.map(() => !1), o = this.#w(e), s = this.#e.slotLimit();
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
    if (e.length !== gu) return;
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
      let s = r.publicKeys.map(K).join();
      if (!n.has(s)) {
        let f = this.#u(r.publicKeys);
        n.set(s, f && { point: f });
      }
      let i = n.get(s);
      return i !== void 0 && r.signature.length === wo ? { index: o, check: r, group: i } : [];
    });
  }
  #m(e, n) {
    let r = [];
    return e.forEach(({ check: o }, s) => {
      if (s % 2 === 0) {
        let i = this.#b(o.signature, e[s + 1]?.check.signature), c = this.#e.keepSignatures(s, i);
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
        crypto.getRandomValues(this.#t.subarray(n, n + o.length * aT)),
        this.#t.set(r, this.#c),
        this.#e.addGroup(o.length);
    }
    return this.#e.combinationHolds() !== 0;
  }
  #g(e, n) {
    let r = ee(n), o = this.#e.tagBytes();
    if (r.length > o) {
      throw new k(
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
    if (e.length !== Dr) throw Ur();
    this.#t.set(e, this.#i);
  }
  #b(e, n) {
    return this.#t.set(e, this.#s), n === void 0 ? 1 : (this.#t.set(n, this.#s + wo), 2);
  }
  #y() {
    return this.#t.slice(this.#s, this.#s + wo);
  }
  #x() {
    return this.#t.slice(this.#c, this.#c + iT);
  }
};
var cT = Uint8Array.of(0), fT = new Uint8Array();
function zw(t) {
  return new yu(t);
}
var yu = class {
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
    return this.#h(fT, e);
  }
  leafHashes(e, n) {
    let r = new Uint8Array(n.length * E);
    for (let o = 0; o < n.length;) {
      let s = o === 0 ? 0 : n[o - 1], i = this.#c(n, o, s);
      if (i === o) {
        let c = e.subarray(s, n[o]);
        r.set(this.#h(cT, c), o * E), o++;
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
      let { entries: f, ends: d } = df(e);
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
    return n > this.#s ? this.#w(e) : (this.#t.set(e, this.#i), this.#f(this.#e.treeLevels(n)));
  }
  inclusionPaths(e, n) {
    if (n > this.#e.roundLimit()) return ri(e, n);
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
  #w(e) {
    let n = e.length / E,
      r = mr(n),
      o = Math.log2(this.#s),
      s = new Uint8Array(r.reduce((c, f) => c + f) * E),
      i = new Uint8Array(r[o] * E);
    for (let c = 0; c < n; c += this.#s) {
      let f = Math.min(c + this.#s, n),
        d = this.treeLevels(e.subarray(c * E, f * E)),
        u = mr(f - c),
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
    return mr(e.length / E).reduce((r, o) => r + o, 0) * E;
  }
  #d(e) {
    return this.#t.subarray(this.#i, this.#i + e * E);
  }
  #f(e) {
    return this.#t.slice(this.#i, this.#i + e * E);
  }
};
async function xu(t) {
  for (let e of t) {
    if (e.isSupported()) {
      try {
        let n = await e.load();
        if (e.passes?.(n) ?? !0) return { name: e.name, exports: n };
      } catch {}
    }
  }
}
function _u(t, e) {
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
var dT = [65, 0, 253, 15, 253, 98, 26],
  uT = [65, 0, 253, 15, 65, 0, 253, 15].concat([65, 0, 253, 15, 253, 135, 2, 26]);
function lT(t) {
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
function Eu(t) {
  return typeof WebAssembly == "object" && WebAssembly.validate(lT(t));
}
function vu() {
  return Eu([]);
}
function Gw() {
  return Eu(dT);
}
function Vw() {
  return Eu(uT);
}
var Ca = [{
  name: "hashing.simd",
  isSupported: Gw,
  load: () => import("../../wasm/build/hashing.simd.wasm"),
}, {
  name: "hashing.scalar",
  isSupported: vu,
  load: () => import("../../wasm/build/hashing.scalar.wasm"),
}];
async function hT(t = Ca) {
  let e = await xu(t);
  return e && zw(e.exports);
}
function Kw(t) {
  return hT(_u(Ca, t));
}
var pT = "QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_",
  mT =
    "852926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1";
function Ww(t) {
  return K(bu(t).hashToG1(ee(""), pT)) === mT;
}
var Yw = [{
  name: "bls.fma",
  isSupported: Vw,
  load: () => import("../../wasm/build/bls.fma.wasm"),
  passes: Ww,
}, {
  name: "bls.scalar",
  isSupported: vu,
  load: () => import("../../wasm/build/bls.scalar.wasm"),
  passes: Ww,
}];
async function gT(t = Yw) {
  let e = await xu(t);
  return e && bu(e.exports);
}
function Zw(t) {
  return gT(_u(Yw, t));
}
function Xw(t, e) {
  let n = new Map(
    t.split(" ").filter((r) => r.includes("=")).map((r) => {
      let [o, s] = r.split("=");
      return [o, s];
    }),
  );
  return (r) => new URL(n.get(r) ?? `assets/${r}`, e);
}
function Jw(t) {
  let e = (i) => fetch(t(i)), n, r;
  function o() {
    return n ??= Zw(e).then((i) => i ?? Do);
  }
  async function s() {
    let [i, c] = await Promise.all([Kw(e), Of()]);
    return { kernels: i ?? Uo, ed25519: c, bls: await o() };
  }
  return { blsFor: (i) => i.includes("bls") ? o() : Promise.resolve(Do), crypto: () => r ??= s() };
}
var Ra = "countersign.head.",
  bs = "countersign.fork.",
  Ia = class {
    #e;
    constructor(e) {
      this.#e = e;
    }
    read(e) {
      let n = this.#t(Ra + e);
      if (n === void 0) return { kind: "blocked" };
      if (n === null) return { kind: "none" };
      try {
        return { kind: "head", text: n, head: Lg(n, e) };
      } catch (r) {
        if (!(r instanceof k)) throw r;
        return { kind: "damaged", text: n };
      }
    }
    replace(e, n) {
      let r = Ra + n.sth.tree_head.network_id, o = this.#t(r);
      return o === void 0 ? "blocked" : o !== (e ?? null) ? "changed" : this.#n(r, Ig(n));
    }
    evidence(e) {
      return this.#t(bs + e) ?? void 0;
    }
    keepEvidence(e, n) {
      let r = this.#t(bs + e);
      return r === void 0 ? "blocked" : r === null ? this.#n(bs + e, n) : "kept";
    }
    forget(e) {
      try {
        let n = this.#e();
        n.removeItem(Ra + e), n.removeItem(bs + e);
      } catch {}
    }
    concerns(e, n) {
      return n === null || n === Ra + e || n === bs + e;
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
function Qw(t) {
  let { api: e, crypto: n, trust: r, line: o, stamps: s, clock: i } = t,
    c = new Ia(() => localStorage),
    f = new wa({
      trust: (d) => rn(t, d),
      context: async ({ network: d, fingerprint: u }) => ({
        network: d,
        fingerprint: u,
        gateway: e,
        store: c,
        crypto: await n.crypto(),
        now: () => Ze(i),
      }),
      exclusively: wT,
    });
  r.subscribe(() => void f.check());
  for (let d of [o, s.follower.submissions]) {
    d.subscribe(() => {
      d.state === void 0 && ba(f.state) && !f.state.isChecking && f.check();
    });
  }
  return addEventListener("storage", ({ key: d }) => void f.storageChanged(d)), f;
}
async function wT(t, e) {
  return "locks" in navigator
    ? await navigator.locks.request(`countersign.log.${t}`, e)
    : await e();
}
var Su = "api-key",
  La = class extends un {
    #e;
    constructor(e) {
      super({ key: e.read(Su), fault: void 0, version: 0 }), this.#e = e;
    }
    use(e) {
      e === "" ? this.#e.remove(Su) : this.#e.write(Su, e);
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
var Ha = "countersign.", Fa = tb(() => localStorage), eb = tb(() => sessionStorage);
function tb(t) {
  return {
    read: (e) => Tu(() => t().getItem(Ha + e) ?? void 0),
    write: (e, n) => Tu(() => (t().setItem(Ha + e, n), !0)) ?? !1,
    remove: (e) => Tu(() => t().removeItem(Ha + e)),
  };
}
function Tu(t) {
  try {
    return t();
  } catch {
    return;
  }
}
function nb(t, e) {
  addEventListener("storage", ({ key: n }) => {
    (n === null || n === Ha + t) && e();
  });
}
var $a = class {
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
      let c = () => {
          this.#o.delete(d);
          for (let u of this.#r) u.task === d && this.#c(u);
          i(o.reason), this.#i();
        },
        d = {
          request: { kind: "file", file: e },
          onStart: n,
          report: (u) => {
            if (u.kind === "progress") return r(u.done, u.size);
            o.removeEventListener("abort", c),
              u.kind === "hashed"
                ? (r(u.size, u.size), s(u.hash))
                : i(new k("file_failed", `Cannot hash the file: ${rb(u)}`));
          },
        };
      o.addEventListener("abort", c, { once: !0 }), this.#o.add(d), this.#i();
    });
  }
  findWork(e, n) {
    let r = { kind: "work", subject: e, demand: n, modules: this.#n };
    return new Promise((o, s) => {
      let i = (f) => {
          f.kind === "found" ? o(f.proof) : s(new Error(`Cannot search a proof of work: ${rb(f)}`));
        },
        c = [...this.#o];
      this.#o.clear();
      for (let f of [{ request: r, report: i }, ...c]) this.#o.add(f);
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
function rb(t) {
  return t.kind === "failed" ? t.message : "the worker answered something else";
}
var bT = ["batch.closed", "cross_anchor.added", "external_anchor.added"],
  yT = 1e4,
  Ma = class {
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
      await this.#e.clock.sleep(e, Cr(...r, this.#n.signal)), --this.#t === 0 && this.#c();
    }
    wake() {
      this.#n.abort(), this.#n = new AbortController();
    }
    #s() {
      if (this.#o !== void 0 || this.#i) return;
      let e = this.#o = new AbortController();
      this.#a(e.signal).catch((n) => {
        this.#i = rr(n) instanceof xe;
      }).finally(() => {
        this.#o === e && (this.#o = void 0);
      });
    }
    async #a(e) {
      let n = bT, r = da({ ...this.#e, types: n, changed: () => {}, reached: () => {} }, e);
      for await (let o of r) this.wake();
    }
    #c() {
      let e = this.#r = new AbortController();
      this.#e.clock.sleep(yT, e.signal).then(() => {
        e.signal.aborted || (this.#o?.abort(), this.#o = void 0);
      });
    }
  };
function ob(t) {
  let e = (n) => n.preventDefault();
  t.rows.subscribe(() => {
    t.hasUnsaved ? addEventListener("beforeunload", e) : removeEventListener("beforeunload", e);
  });
}
var xT = Mt + 16;
function sb(t) {
  let e = crypto.getRandomValues(new Uint8Array(xT));
  return 1n + to(e) % (t - 1n);
}
function ku(t, e, n) {
  let r = 1n;
  for (let o = e, s = t; o > 0n; o >>= 1n) o & 1n && (r = r * s % n), s = s * s % n;
  return r;
}
function Ou(t, e) {
  let [n, r] = [e, t % e], [o, s] = [0n, 1n];
  for (; r !== 0n;) {
    let i = n / r;
    [n, r] = [r, n - i * r], [o, s] = [s, o - i * s];
  }
  if (n === 1n) return o < 0n ? o + e : o;
}
var Bu = 48, Pa = Mt - Bu - 1;
function Au(...t) {
  return new Uint8Array(Ml(_e(...t)));
}
function ib(t, e) {
  let n = [];
  for (let r = 0; r * Bu < e; r++) n.push(Au(t, Uint8Array.of(0, 0, 0, r)));
  return _e(...n).slice(0, e);
}
function ab(t, e) {
  let n = Au(new Uint8Array(8), Au(t), e), r = new Uint8Array(Pa);
  r[r.length - e.length - 1] = 1, r.set(e, r.length - e.length);
  let o = ib(n, r.length).map((s, i) => s ^ r[i]);
  return o[0] &= 127, _e(o, n, Uint8Array.of(188));
}
function _T({ modulus: t }, e, n) {
  let r = Ri(ku(n, rd, t)), o = r.subarray(Pa, Pa + Bu), s = ib(o, Pa).map((i, c) => i ^ r[c]);
  return Ce(r, ab(e, s.subarray(-nd)));
}
function ET(t) {
  return { salt: crypto.getRandomValues(new Uint8Array(nd)), blind: sb(t) };
}
function cb(t, e, n = ET(t.modulus)) {
  let { modulus: r } = t, o = to(ab(e, n.salt)), s = Ou(n.blind, r);
  if (s === void 0 || Ou(o, r) === void 0) {
    throw new k("invalid_key", "Cannot blind message: the modulus has small factors");
  }
  let i = o * ku(n.blind, rd, r) % r;
  return { blinded: Ri(i), inverse: s };
}
function fb(t, e, n, r) {
  let o = r.length === Mt ? to(r) : t.modulus, s = o * n % t.modulus;
  if (o >= t.modulus || !_T(t, e, s)) {
    throw new k("issuer_refused", "Cannot unblind signature: it is not by the issuer's key");
  }
  return Ri(s);
}
function db({ challenge: t, tokenKey: e }) {
  let n = bm(e),
    r = ii(e),
    o = {
      nonce: crypto.getRandomValues(new Uint8Array(uf)),
      challengeDigest: np(t),
      tokenKeyId: r,
    },
    s = lf(o),
    { blinded: i, inverse: c } = cb(n, s);
  return {
    request: ym({ truncatedTokenKeyId: r.at(-1), blindedMessage: i }),
    finish: (f) => ({ ...o, authenticator: fb(n, s, c, xm(f)) }),
  };
}
var vT = "CountersignWork", ST = 26;
var TT = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i;
function ub(t) {
  let e = Number(TT.exec(t)?.[1]);
  return e >= 1 && e <= ST ? e : void 0;
}
function lb({ time: t, counter: e }) {
  return `${vT} time="${t}", counter="${e}"`;
}
function hb(t, e, n) {
  let r = ({ notBefore: o = 0, notAfter: s = 1 / 0 }) => o <= n && n < s;
  for (let { tokenKey: o, notBefore: s = 0 } of t.tokenKeys) {
    if (!(n < s)) {
      for (let i of e) {
        let c = i.keys.find((f) => K(f.tokenKey) === K(o));
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
function pb(t, e) {
  let n = t.find(({ url: o }) => o !== void 0)?.url;
  if (n === void 0) return;
  let r = gm(n, { insecure: !1 });
  if (Ci(r.hostname) && !Ci(e.hostname)) {
    throw new k(
      "gateway_refused",
      `Cannot fetch tokens: the remote gateway names an issuer on this machine, ${r.origin}`,
    );
  }
  return { url: r, offers: t.filter((o) => o.url === n) };
}
var ja = class {
  #e;
  #t;
  constructor(e) {
    this.#e = e;
  }
  async fetch() {
    let { key: e } = this.#e, { request: n, finish: r } = db(e), o = rp(r(await this.#n(n)));
    return e.notAfter === void 0 ? { token: o } : { token: o, notAfter: e.notAfter };
  }
  async #n(e) {
    let { client: n, key: { requestUri: r }, onWork: o } = this.#e,
      s = await n.request(r, e, await this.#o(e));
    if (s.kind === "response") return s.response;
    let i = ub(s.challenge);
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
    return lb(await i(f, { time: Ze(o), bits: c }));
  }
};
var kT = 16,
  OT = 8,
  mb = new Set(["token_invalid", "token_expired", "token_spent"]),
  Da = class {
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
          if (mb.has(r.reason) && e.length > 1) {
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
        isTransient: (o) => eo(o) && !(this.#s && gb(o)),
      });
    }
    async #h(e, n) {
      if (mb.has(n.reason)) {
        let [r] = e;
        return this.#t.delete(r) ? (this.#a++, this.#a <= OT) : !1;
      }
      if (n.reason === "token_required") {
        if (e.every((r) => this.#p(r))) return !1;
        if (await this.#u(e)) return !0;
        throw await this.#g(e);
      }
      return !gb(n) || !this.#s ? !1 : (this.#s = await this.#u(e), !0);
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
        let c = this.#n.get(i);
        c !== void 0 && this.#t.set(i, c), this.#n.delete(i);
      }
      return o.forEach((i, c) => this.#t.set(i, s[c])), r.length > 0;
    }
    async #w(e, n) {
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
      return await Promise.all(Array.from({ length: kT }, async () => {
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
function gb(t) {
  return t instanceof xe && t.reason === "rate_limited";
}
var wb = 4,
  Ua = class extends un {
    #e;
    #t;
    #n;
    #o = [];
    #r;
    constructor(e) {
      super(!1), this.#e = e;
      let { api: n } = e;
      this.#t = new Da({
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
      return this.#n ??= await this.#i(), this.#n ? wb : 1 / 0;
    }
    async submit(e, n) {
      try {
        return await this.#t.submit(e, n);
      } catch (r) {
        throw _t(r, "tokens_missing") && (this.#n = void 0), r;
      }
    }
    async #i() {
      try {
        return (await this.#e.api.admission()).value.mode === "token_required";
      } catch (e) {
        if (Qr(e)) throw e;
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
      if (!this.#n || e > wb) return [];
      let n = Ze(this.#e.clock);
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
            if (oo(r) || (this.#r = void 0, !n)) throw r;
          }
        }
      } finally {
        this.setState(!1);
      }
    }
    async #h() {
      let { api: e, crypto: n, hashing: r, clock: o } = this.#e,
        s = pb((await e.admission()).value.issuers, e.url);
      if (s === void 0) return;
      let i = new Ii({ url: s.url }),
        c = hb(await i.directory(), s.offers, Ze(o)),
        { kernels: f } = await n.crypto();
      return new ja({
        client: i,
        key: c,
        kernels: f,
        clock: o,
        findWork: (d, u) => r.findWork(d, u),
      });
    }
  };
var qa = class {
  rows;
  follower;
  #e;
  #t = new Map();
  #n = new Map();
  #o = 1;
  constructor(e) {
    this.rows = new va(e.later), this.follower = new Ta(e, this.rows), this.#e = e.hashing;
  }
  get hasUnsaved() {
    return this.rows.state.some(Sa);
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
var za = class extends un {
  #e;
  #t;
  #n = 0;
  constructor(e, n) {
    super({ state: "loading" }), this.#e = e, this.#t = n;
  }
  async load() {
    let e = ++this.#n, n;
    try {
      let r = await this.#t.blsFor(this.#e.read(vr) ?? ""), o = e0(this.#e, r);
      n = o === void 0 ? { state: "none" } : { state: "pinned", trust: o, kept: !0 };
    } catch (r) {
      n = { state: "broken", error: r };
    }
    e === this.#n && this.setState(n);
  }
  pin(e) {
    this.#n++, this.setState({ state: "pinned", trust: e, kept: t0(this.#e, e) });
  }
  forget() {
    this.#n++, this.#e.remove(vr), this.setState({ state: "none" });
  }
};
Tm(Fa);
var xb = document.baseURI,
  AT = document.querySelector("meta[name=countersign-assets]"),
  Ga = Xw(AT?.content ?? "", xb),
  Nu = Jw(Ga),
  Ru = new za(Fa, Nu);
Ru.load();
nb(vr, () => void Ru.load());
var bb = 4,
  ys = new La(eb),
  xs = {
    api: new Ni({ url: new URL(xb), blsFor: Nu.blsFor, fetch: ys.fetch }),
    apiKey: ys,
    assets: Ga,
    crypto: Nu,
    storage: Fa,
    trust: Ru,
    clock: Sn,
    hashing: new $a(
      () => new Worker(Ga("hash_worker.js")),
      Math.min(bb, navigator.hardwareConcurrency ?? bb),
      Object.fromEntries(Ca.map(({ name: t }) => {
        let e = `${t}.wasm`;
        return [e, Ga(e).href];
      })),
    ),
  },
  _b = new Ma({ url: xs.api.url, clock: Sn, random: Math.random, fetch: ys.fetch });
addEventListener("online", () => _b.wake());
var BT = 100,
  Cu = new Ua(xs),
  Eb = { wait: (t, e) => _b.wait(t, e), sleep: (t) => Sn.sleep(t), random: Math.random },
  vb = new mo(Eb),
  Sb = new qa({
    ...Eb,
    questions: vb,
    gateway: xs.api,
    submitNew: (t, e) => Cu.submit(t, e),
    maxNew: () => Cu.maxNew(),
    hashing: xs.hashing,
    later: (t) => setTimeout(t, BT),
  });
ob(Sb);
var yb = { ...xs, line: vb, tokens: Cu, stamps: Sb }, Tb = { ...yb, watch: Qw(yb) };
ys.subscribe(() => {
  ys.state.fault === void 0 && Tb.watch.check();
});
fc(a(cd.Provider, { value: Tb, children: a(qw, {}) }), document.getElementById("app"));
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
/*!
 * Copyright (c) 2023 Paul Miller (paulmillr.com)
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
