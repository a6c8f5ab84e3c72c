/**
 * The default theme with fonts of the reader's system and colours near those of the explorer.
 *
 * @module
 */

import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
