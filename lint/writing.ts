/**
 * A lint plugin for how code is written: members are not spread only to keep them on one line, and a
 * comment says something.
 *
 * @module
 */

/** `node` without `as const`. */
function withoutConst(node: Deno.lint.Expression): Deno.lint.Expression {
  return node.type === "TSAsExpression" ? withoutConst(node.expression) : node;
}

const plugin: Deno.lint.Plugin = {
  name: "writing",
  rules: {
    spread: {
      create: (context) => ({
        SpreadElement(node) {
          const { type } = withoutConst(node.argument);
          if (type !== "ObjectExpression" && type !== "ArrayExpression") return;
          context.report({ node, message: "A literal is spread: write its members one on a line" });
        },
      }),
    },
    comment: {
      create: (context) => ({
        Program() {
          for (const comment of context.sourceCode.getAllComments()) {
            if (!/\bSee the module\./.test(comment.value)) continue;
            const message = "Say in one sentence what it is, or delete the comment";
            context.report({ range: comment.range, message });
          }
        },
      }),
    },
  },
};

// The linter requires a default export.
export default plugin;
