/**
 * The script of a gateway's page.
 *
 * @module
 */

import { startPage } from "./start.tsx";

startPage();
