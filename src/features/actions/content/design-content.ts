import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import { badRequest, conflict } from '../../../lib/errors/problem.ts'
import type { Design } from '../../designs/design-schemas.ts'
import { checkSize } from '../../designs/designs.ts'
import type { StoredContent } from '../resource/action-repository.ts'
import { type ActionBody, MAX_PART } from '../resource/action-schemas.ts'

const POINTER = '/content/design'

/** A design and the HTML that was made of it. */
export interface MadeDesign {
  design: Design
  html: string
}

/**
 * Makes the HTML of the design of a body; undefined where it brings none, or the one that is stored. Throws 400 with
 * pointers below `/content/design`, 503 after 5 s of waiting for other designs.
 */
export async function makeDesign(
  { designs }: Pick<Context, 'designs'>,
  { content }: ActionBody,
  stored: Pick<StoredContent, 'design'> | undefined,
): Promise<MadeDesign | undefined> {
  const design = content?.design
  if (!design || isDeepStrictEqual(design, stored?.design)) return undefined
  checkSize(design, POINTER)
  const { html } = await designs.compile({ design, base: POINTER })
  if (html.length > MAX_PART)
    throw badRequest(POINTER, `becomes ${html.length} characters of HTML; ${MAX_PART} are allowed`)
  return { design, html }
}

/**
 * A content with the design that a write leaves it: a new one makes the HTML, another HTML drops the stored one, and null
 * drops it and keeps the HTML. Throws conflict `changed-meanwhile` when another write stored another design just now.
 */
export function withDesign(
  stored: StoredContent,
  given: NonNullable<ActionBody['content']>,
  { merged, made }: { merged: StoredContent; made: MadeDesign | undefined },
): StoredContent {
  const { design: _, ...plain } = merged
  // Messages of other channels have none.
  if (!('html' in stored)) return plain
  if (made) return { ...plain, html: made.html, design: made.design }
  if (given.design === null) return plain
  const isKept = given.design === undefined || isDeepStrictEqual(given.design, stored.design)
  if (!isKept) throw conflict('changed-meanwhile', 'The design was changed meanwhile: read the action and try again.')
  if (stored.design === undefined || plain.html !== stored.html) return plain
  return { ...plain, design: stored.design }
}
