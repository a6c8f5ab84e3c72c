/**
 * The anchors in bundles: which cover a published head, as JSON with the consistency path from that
 * head to theirs. What was found is kept with the head, until another anchor is stored or for good
 * once nothing can be added.
 *
 * @module
 */

import { type CountersignError, hasCode } from "../../errors.ts";
import type { AnchorSource, HeadAnchor } from "../ports.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { SthRecord } from "../../format/records.ts";

/** JSON of the two lists of a bundle (protocol.md "Resources"). */
export interface AnchorTexts {
  readonly crossAnchors: string;
  readonly externalAnchors: string;
}

/** What was found for one head; `undefined` until then. */
export interface KeptAnchors {
  texts?: AnchorTexts;
  /** {@linkcode AnchorSource.version} at which it was looked for. */
  version?: number;
  /** The look-up under way, which all who ask meanwhile share. */
  finding?: Promise<AnchorTexts>;
}

/** Of a head that nothing covers. */
export const NO_ANCHORS: AnchorTexts = { crossAnchors: "[]", externalAnchors: "[]" };

/** What {@linkcode AnchorFinder} works with. */
export interface AnchorFinderContext {
  readonly anchors: AnchorSource;
  readonly heads: PublishedHeads;
  /** RFC 9162 consistency path, in hex. */
  readonly consistencyHex: (first: number, second: number) => Promise<string[]>;
  /** Called for damage in the log because of which an anchor is left out. */
  readonly damaged: (error: CountersignError) => void;
}

/** Finds the anchors of heads. */
export class AnchorFinder {
  readonly #context: AnchorFinderContext;

  constructor(context: AnchorFinderContext) {
    this.#context = context;
  }

  /** The anchors of `head`, whose `kept` ones are answered without a promise while they hold. */
  of(head: SthRecord, kept: KeptAnchors): AnchorTexts | Promise<AnchorTexts> {
    const { version } = this.#context.anchors;
    // Final ones have a version that none exceeds.
    if (kept.texts !== undefined && kept.version! >= version) return kept.texts;
    if (kept.finding !== undefined && kept.version === version) return kept.finding;
    // Taken before the store is read: what is stored meanwhile is looked for again.
    kept.version = version;
    const finding = this.#find(head).then(({ texts, isFinal }) => {
      if (kept.finding === finding) {
        delete kept.finding;
        kept.texts = texts;
        if (isFinal) kept.version = Infinity;
      }
      return texts;
    }, (error) => {
      if (kept.finding === finding) {
        delete kept.finding;
        delete kept.texts;
      }
      throw error;
    });
    kept.finding = finding;
    delete kept.texts;
    return finding;
  }

  async #find(
    head: SthRecord,
  ): Promise<{ readonly texts: AnchorTexts; readonly isFinal: boolean }> {
    const found = await this.#context.anchors.covering(head.size);
    const paths = new Map<number, Promise<string[]>>();
    let isWhole = true;
    const list = async (anchors: readonly HeadAnchor[]) => {
      const texts: string[] = [];
      for (const anchor of anchors) {
        const text = await this.#text(head.size, anchor, paths);
        if (text === undefined) isWhole = false;
        else texts.push(text);
      }
      return `[${texts.join(",")}]`;
    };
    const texts = {
      crossAnchors: await list(found.crossAnchors),
      externalAnchors: await list(found.externalAnchors),
    };
    return { texts, isFinal: found.isFinal && isWhole };
  }

  /**
   * JSON of `anchor`; `undefined` if this log does not contain its tree head or cannot prove it.
   */
  async #text(
    size: number,
    anchor: HeadAnchor,
    paths: Map<number, Promise<string[]>>,
  ): Promise<string | undefined> {
    try {
      if (!await this.#isOfThisLog(anchor)) return undefined;
      return anchor.json(await this.#path(size, anchor, paths));
    } catch (error) {
      // The bundle is whole without it.
      if (!hasCode(error, "store_corrupt")) throw error;
      this.#context.damaged(error);
      return undefined;
    }
  }

  /** An anchor of a tree that this store does not have would fail whoever verifies the bundle. */
  async #isOfThisLog({ treeSize, rootHash }: HeadAnchor): Promise<boolean> {
    const published = await this.#context.heads.at(treeSize);
    return published?.root.toHex() === rootHash;
  }

  #path(
    size: number,
    { treeSize }: HeadAnchor,
    paths: Map<number, Promise<string[]>>,
  ): Promise<string[]> {
    const path = paths.get(treeSize) ??
      (treeSize === size ? Promise.resolve([]) : this.#context.consistencyHex(size, treeSize));
    paths.set(treeSize, path);
    return path;
  }
}
