import { useMemo, useRef, useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { isApiRefusal, type RequestFault } from '../../../api/refusal.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useAsyncAction } from '../../../components/use-act.ts'
import type { CompilableForm } from '../compilable-kind.ts'
import type { ApiScriptFlaw } from '../flaws.ts'
import { useLastArguments } from './kept-arguments.ts'

export type ApiPreviewOutcome = Exclude<ApiAnswer<'previewCompilable'>, { flaws: unknown }>
type PreviewBody = NonNullable<ApiRequestBody<'previewCompilable'>>

/** A finished preview: of the whole pipeline, or of the rows after a number of steps. */
export interface FinishedPreview {
  steps: number | null
  outcome: ApiPreviewOutcome
  /** The value that was previewed. */
  of: CompilableForm['value']
}

export interface CompilablePreviewState {
  made: FinishedPreview | null
  /** Flaws found by the last preview; null if there was none since the last save. */
  flaws: readonly ApiScriptFlaw[] | null
  isBusy: boolean
  error: unknown
  /** The steps whose rows are asked for, while they are. */
  asked: number | null
  run(steps: number | null): void
  given: CompilableForm['preview']
  /** `/arguments/top`, `/limit`. */
  set(at: string, value: unknown): void
  faultAt(at: string): string | undefined
  /** Faults of the arguments, by pointers into them. */
  faults: readonly RequestFault[]
}

interface PreviewOptions {
  id: string
  form: FormState<CompilableForm>
  /** The version that is stored: flaws of an earlier one do not count. */
  etag: string | null
  isReadOnly: boolean
}

/** The value whose rows after some steps are looked at. */
function truncateSteps(value: CompilableForm['value'], steps: number | null): CompilableForm['value'] {
  return steps === null || value.type !== 'pipeline' ? value : { ...value, cursors: value.cursors.slice(0, steps) }
}

/** Arguments that there are parameters for, and that are given. */
function filterArguments({
  value,
  given: previewArguments,
}: {
  value: CompilableForm['value']
  given: CompilableForm['preview']
}) {
  const parameterNames = new Set(value.parameters.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(previewArguments.arguments).filter(
      ([name, argumentValue]) => parameterNames.has(name) && argumentValue !== null,
    ),
  )
}

const ARGUMENTS_POINTER = /^\/arguments(?=\/|$)/

const extractArgumentFaults = (error: unknown): RequestFault[] =>
  (isApiRefusal(error) ? error.errors : [])
    .filter(({ pointer }) => ARGUMENTS_POINTER.test(pointer))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(ARGUMENTS_POINTER, ''), detail }))

/** Tries what is in the form, saved or not; nothing is stored or written. Who may not write keeps the arguments in this browser. */
export function useCompilablePreview({ id, form, etag, isReadOnly }: PreviewOptions): CompilablePreviewState {
  const [finishedPreview, setFinishedPreview] = useState<FinishedPreview | null>(null)
  const [foundFlaws, setFoundFlaws] = useState<{ etag: string | null; flaws: readonly ApiScriptFlaw[] } | null>(null)
  const [localArguments, setLocalArguments] = useLastArguments(`compilable.${id}`, form.value.preview)
  const requestedSteps = useRef<number | null>(null)
  const previewArguments = isReadOnly ? localArguments : form.value.preview
  const { value } = form.value
  const previewAction = useAsyncAction(async () => {
    const stepCount = requestedSteps.current
    const body = {
      value: truncateSteps(value, stepCount),
      arguments: filterArguments({ value, given: previewArguments }),
      limit: previewArguments.limit,
    } as PreviewBody
    const answer = await apiClient.previewCompilable({ path: { id }, body })
    const hasFlaws = 'flaws' in answer
    if (hasFlaws || stepCount === null) setFoundFlaws({ etag, flaws: hasFlaws ? answer.flaws : [] })
    setFinishedPreview(hasFlaws ? null : { steps: stepCount, outcome: answer, of: value })
  })
  const { error } = previewAction
  return {
    made: finishedPreview,
    isBusy: previewAction.isBusy,
    error,
    given: previewArguments,
    asked: previewAction.isBusy ? requestedSteps.current : null,
    flaws: foundFlaws?.etag === etag ? foundFlaws.flaws : null,
    run: (steps) => {
      requestedSteps.current = steps
      void previewAction.run()
    },
    set: (at, next) =>
      isReadOnly ? setLocalArguments((before) => setPointerValue(before, at, next)) : form.set(`/preview${at}`, next),
    faultAt: (at) => (isApiRefusal(error) ? error.errors.find(({ pointer }) => pointer === at)?.detail : undefined),
    faults: useMemo(() => extractArgumentFaults(error), [error]),
  }
}
