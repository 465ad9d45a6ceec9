import { isDeepStrictEqual } from 'node:util'
import type { ServiceContext } from '../../../context.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import type { DesignDocument } from '../../designs/design-schemas.ts'
import { requireDesignSize } from '../../designs/designs.ts'
import type { StoredActionContent } from '../resource/action-repository.ts'
import { type ActionBody, MAX_CONTENT_PART_LENGTH } from '../resource/action-schemas.ts'

const DESIGN_POINTER = '/content/design'

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
  storedContent: Pick<StoredActionContent, 'design'> | undefined,
): Promise<CompiledDesign | undefined> {
  const design = content?.design
  if (!design || isDeepStrictEqual(design, storedContent?.design)) return undefined
  requireDesignSize(design, DESIGN_POINTER)
  const { html } = await designs.compile({ design, base: DESIGN_POINTER })
  if (html.length > MAX_CONTENT_PART_LENGTH)
    throw badRequestProblem(
      DESIGN_POINTER,
      `compiles to ${html.length} characters of HTML; at most ${MAX_CONTENT_PART_LENGTH} are allowed`,
    )
  return { design, html }
}

/**
 * A content with the design that a write leaves it: a new one makes the HTML, another HTML drops the stored one, and null
 * drops it and keeps the HTML. Throws conflict `changed-meanwhile` when another write stored another design just now.
 */
export function applyContentDesign(
  storedContent: StoredActionContent,
  newContent: NonNullable<ActionBody['content']>,
  { merged, made: compiledDesign }: { merged: StoredActionContent; made: CompiledDesign | undefined },
): StoredActionContent {
  const { design: _, ...contentWithoutDesign } = merged
  // Messages of other channels have none.
  if (!('html' in storedContent)) return contentWithoutDesign
  if (compiledDesign) return { ...contentWithoutDesign, html: compiledDesign.html, design: compiledDesign.design }
  if (newContent.design === null) return contentWithoutDesign
  const isDesignUnchanged =
    newContent.design === undefined || isDeepStrictEqual(newContent.design, storedContent.design)
  if (!isDesignUnchanged)
    throw conflictProblem('changed-meanwhile', 'The design was changed in the meantime. Read the action and try again.')
  if (storedContent.design === undefined || contentWithoutDesign.html !== storedContent.html)
    return contentWithoutDesign
  return { ...contentWithoutDesign, design: storedContent.design }
}
