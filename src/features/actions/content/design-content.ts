import { isDeepStrictEqual } from 'node:util'
import type { ServiceContext } from '../../../context.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import type { DesignDocument } from '../../designs/design-schemas.ts'
import { requireDesignSize } from '../../designs/designs.ts'
import type { StoredActionContent } from '../resource/action-repository.ts'
import { type ActionBody, MAX_CONTENT_PART_LENGTH } from '../resource/action-schemas.ts'

const POINTER = '/content/design'

/** A design and the HTML that was made of it. */
export interface CompiledDesign {
  design: DesignDocument
  html: string
}

/**
 * Makes the HTML of the design of a body; undefined where it brings none, or the one that is stored. Throws 400 with
 * pointers below `/content/design`, 503 after 5 s of waiting for other designs.
 */
export async function compileContentDesign(
  { designs }: Pick<ServiceContext, 'designs'>,
  { content }: ActionBody,
  stored: Pick<StoredActionContent, 'design'> | undefined,
): Promise<CompiledDesign | undefined> {
  const design = content?.design
  if (!design || isDeepStrictEqual(design, stored?.design)) return undefined
  requireDesignSize(design, POINTER)
  const { html } = await designs.compile({ design, base: POINTER })
  if (html.length > MAX_CONTENT_PART_LENGTH)
    throw badRequestProblem(
      POINTER,
      `becomes ${html.length} characters of HTML; ${MAX_CONTENT_PART_LENGTH} are allowed`,
    )
  return { design, html }
}

/**
 * A content with the design that a write leaves it: a new one makes the HTML, another HTML drops the stored one, and null
 * drops it and keeps the HTML. Throws conflict `changed-meanwhile` when another write stored another design just now.
 */
export function applyContentDesign(
  stored: StoredActionContent,
  given: NonNullable<ActionBody['content']>,
  { merged, made }: { merged: StoredActionContent; made: CompiledDesign | undefined },
): StoredActionContent {
  const { design: _, ...plain } = merged
  // Messages of other channels have none.
  if (!('html' in stored)) return plain
  if (made) return { ...plain, html: made.html, design: made.design }
  if (given.design === null) return plain
  const isKept = given.design === undefined || isDeepStrictEqual(given.design, stored.design)
  if (!isKept)
    throw conflictProblem('changed-meanwhile', 'The design was changed meanwhile: read the action and try again.')
  if (stored.design === undefined || plain.html !== stored.html) return plain
  return { ...plain, design: stored.design }
}
