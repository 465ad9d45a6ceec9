import type { TemplatePart } from '../../channels/authored.ts'
import type { ContentSource } from './content.ts'
import type { RenderInput } from './render.ts'
import type { RenderPool } from './render-pool.ts'

/** What is chosen where a condition is true, as between `{% if` and `%}`. */
export interface ConditionalContent {
  /** Of the one list each has its own. */
  id: string
  condition: string
}

/** What conditions are evaluated with: what the contents themselves are rendered with. */
export type ConditionSource = Omit<ContentSource, 'parts'>

/** What was chosen of each message. */
export interface ConditionChoices {
  /** Ids in the order of the messages; undefined where no condition is true. */
  chosen: (string | undefined)[]
  /** Conditions that could not be evaluated: they count as false. */
  failed: number
}

/** What a condition prints when it is true. */
const TRUE = '1'

/** A condition as a part of a content, which prints something when it is true. */
export function buildConditionPart({ id, condition }: ConditionalContent): TemplatePart {
  return { name: id, template: `{% if ${condition} %}${TRUE}{% endif %}`, mode: 'text', links: 'tracked' }
}

/** All conditions as one content. */
export function buildConditionsContent(
  conditionals: readonly ConditionalContent[],
  source: ConditionSource,
): ContentSource {
  return { ...source, parts: conditionals.map(buildConditionPart) }
}

/**
 * Chooses for each message the first whose condition is true. All conditions are evaluated at once; one by one only for those
 * messages of which one fails.
 */
export async function chooseFirstMatching(
  renders: Pick<RenderPool, 'renderAll'>,
  conditionals: readonly ConditionalContent[],
  source: ConditionSource,
  inputs: readonly RenderInput[],
): Promise<ConditionChoices> {
  const chosen = new Array<string | undefined>(inputs.length).fill(undefined)
  if (conditionals.length === 0) return { chosen, failed: 0 }
  const rendered = await renders.renderAll(buildConditionsContent(conditionals, source), inputs)
  let open: number[] = []
  for (const [place, one] of rendered.entries()) {
    if (one.outcome !== 'rendered') open.push(place)
    else chosen[place] = conditionals.find(({ id }) => one.parts[id])?.id
  }
  let failed = 0
  for (const conditional of conditionals) {
    if (open.length === 0) break
    const alone = buildConditionsContent([conditional], source)
    const answers = await renders.renderAll(
      alone,
      open.map((place) => inputs[place]!),
    )
    const left: number[] = []
    for (const [index, answer] of answers.entries()) {
      const place = open[index]!
      if (answer.outcome === 'rendered' && answer.parts[conditional.id]) chosen[place] = conditional.id
      else left.push(place)
      if (answer.outcome !== 'rendered') failed++
    }
    open = left
  }
  return { chosen, failed }
}
