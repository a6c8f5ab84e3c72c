/*
 * Says so when the page does not start. It is no module and not bundled, so that old browsers run it.
 * The newest built-ins without which the page does not work came with Chrome 111, Firefox 119 and
 * Safari 16.4.
 */
(function () {
  const isTooOld = !("toSorted" in Array.prototype && "isWellFormed" in String.prototype);
  // Modules run before this event.
  addEventListener("load", function () {
    const isEmpty = document.getElementById("app").childElementCount === 0;
    if (isTooOld || isEmpty) document.getElementById("not-started").hidden = false;
  });
})();
