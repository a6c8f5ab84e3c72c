/**
 * The anchors in bundles: those that cover a published head, as JSON, with the consistency path from that
 * head to theirs. The result is cached with the head until another anchor is stored, or for ever once no
 * anchor can be added.
 *
 * @module
 */

import { type CountersignError, hasCode } from "../../base/errors.ts";
import type { AnchorSource, HeadAnchor } from "../ports.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type { PublishedLog } from "./published_log.ts";

/** JSON of the two lists of a bundle (protocol.md "Resources"). */
export interface AnchorTexts {
  readonly crossAnchors: string;
  readonly externalAnchors: string;
  /** Absent if no stored cosignature is of a checkpoint that covers the head. */
  readonly witnessed?: WitnessedHead;
}

/** The same head or a later one, with stored cosignatures. */
export interface WitnessedHead {
  readonly head: SthRecord;
  /** JSON of its checkpoint. */
  readonly checkpoint: string;
}

/** The cache of one head. */
export interface KeptAnchors {
  texts?: AnchorTexts;
  /** {@linkcode AnchorSource.version} before the look-up. */
  version?: number;
  /** The look-up in progress, shared by concurrent callers. */
  finding?: Promise<AnchorTexts>;
}

/** For a head that no anchor covers. */
export const NO_ANCHORS: AnchorTexts = { crossAnchors: "[]", externalAnchors: "[]" };

export interface AnchorFinderContext {
  readonly anchors: Pick<AnchorSource, "version" | "covering">;
  readonly heads: Pick<PublishedHeads, "at">;
  readonly log: Pick<PublishedLog, "checkpointOf" | "consistencyPath">;
  /** Called for damage in the log because of which an anchor is omitted. */
  readonly damaged: (error: CountersignError) => void;
}

/** Finds the anchors of heads. */
export class AnchorFinder {
  readonly #context: AnchorFinderContext;

  constructor(context: AnchorFinderContext) {
    this.#context = context;
  }

  /** The anchors of `head`; without a promise while the ones in `kept` are current. */
  of(head: SthRecord, kept: KeptAnchors): AnchorTexts | Promise<AnchorTexts> {
    const { version } = this.#context.anchors;
    // Final texts have an infinite version.
    if (kept.texts !== undefined && kept.version! >= version) return kept.texts;
    if (kept.finding !== undefined && kept.version === version) return kept.finding;
    // Set before the store is read: an anchor that is stored meanwhile causes another look-up.
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
    const { witnessed } = found;
    const later = witnessed && await this.#context.heads.at(witnessed.size);
    const texts = {
      crossAnchors: await list(found.crossAnchors),
      externalAnchors: await list(found.externalAnchors),
      ...(witnessed !== undefined && later?.root.toHex() === witnessed.rootHash && {
        witnessed: {
          head: later,
          checkpoint: JSON.stringify(this.#context.log.checkpointOf(later, witnessed)),
        },
      }),
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
      // The bundle is valid without it.
      if (!hasCode(error, "store_corrupt")) throw error;
      this.#context.damaged(error);
      return undefined;
    }
  }

  /** A bundle with an anchor of another tree would not verify. */
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
      (treeSize === size ? Promise.resolve([]) : this.#consistencyHex(size, treeSize));
    paths.set(treeSize, path);
    return path;
  }

  async #consistencyHex(first: number, second: number): Promise<string[]> {
    return (await this.#context.log.consistencyPath(first, second)).map((node) => node.toHex());
  }
}
