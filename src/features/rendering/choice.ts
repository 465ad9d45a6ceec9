import type { TemplatePart } from '../../channels/authored.ts'
import type { ContentSource } from './content.ts'
import type { RenderInput } from './render.ts'
import type { RenderPool } from './render-pool.ts'

/** Content that is chosen if its condition is true, as between `{% if` and `%}`. */
export interface ConditionalContent {
  /** Unique within the list. */
  id: string
  condition: string
}

/** Settings for evaluating conditions: the same as for rendering the contents. */
export type ConditionSource = Omit<ContentSource, 'parts'>

/** Content chosen for each message. */
export interface ConditionChoices {
  /** Ids in the order of the messages; undefined where no condition is true. */
  chosen: (string | undefined)[]
  /** Conditions that could not be evaluated: they count as false. */
  failed: number
}

/** Output of a condition that is true. */
const TRUE_OUTPUT = '1'

/** A condition as a part of a content, which prints something when it is true. */
export function buildConditionPart({ id, condition }: ConditionalContent): TemplatePart {
  return { name: id, template: `{% if ${condition} %}${TRUE_OUTPUT}{% endif %}`, mode: 'text', links: 'tracked' }
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
  const chosenIds = new Array<string | undefined>(inputs.length).fill(undefined)
  if (conditionals.length === 0) return { chosen: chosenIds, failed: 0 }
  const rendered = await renders.renderAll(buildConditionsContent(conditionals, source), inputs)
  let openIndexes: number[] = []
  for (const [messageIndex, partResult] of rendered.entries()) {
    if (partResult.outcome !== 'rendered') openIndexes.push(messageIndex)
    else chosenIds[messageIndex] = conditionals.find(({ id }) => partResult.parts[id])?.id
  }
  let failed = 0
  for (const conditional of conditionals) {
    if (openIndexes.length === 0) break
    const singleCondition = buildConditionsContent([conditional], source)
    const answers = await renders.renderAll(
      singleCondition,
      openIndexes.map((messageIndex) => inputs[messageIndex]!),
    )
    const remainingIndexes: number[] = []
    for (const [index, answer] of answers.entries()) {
      const messageIndex = openIndexes[index]!
      if (answer.outcome === 'rendered' && answer.parts[conditional.id]) chosenIds[messageIndex] = conditional.id
      else remainingIndexes.push(messageIndex)
      if (answer.outcome !== 'rendered') failed++
    }
    openIndexes = remainingIndexes
  }
  return { chosen: chosenIds, failed }
}
