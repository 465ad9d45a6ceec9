import { useMemo, useRef, useState } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { isApiRefusal, type RequestFault } from '../../../api/refusal.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { useAsyncAction } from '../../../components/use-act.ts'
import type { CompilableForm } from '../compilable-kind.ts'
import type { ApiScriptFlaw } from '../flaws.ts'
import { useLastArguments } from './kept-arguments.ts'

export type ApiPreviewOutcome = Exclude<ApiAnswer<'/scripting/compilables/{id}/preview', 'post'>, { flaws: unknown }>
type Asked = NonNullable<ApiRequestBody<'/scripting/compilables/{id}/preview', 'post'>>

/** A preview that was made: of the whole, or of the rows after so many steps. */
export interface FinishedPreview {
  steps: number | null
  outcome: ApiPreviewOutcome
  /** What it was made of. */
  of: CompilableForm['value']
}

export interface CompilablePreviewState {
  made: FinishedPreview | null
  /** What the last preview found wrong; null: there was none since the last save. */
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
  /** Of the arguments, by pointers into them. */
  faults: readonly RequestFault[]
}

interface Options {
  id: string
  form: FormState<CompilableForm>
  /** The version that is stored: flaws of an earlier one do not count. */
  etag: string | null
  isReadOnly: boolean
}

/** The value whose rows after some steps are looked at. */
function upTo(value: CompilableForm['value'], steps: number | null): CompilableForm['value'] {
  return steps === null || value.type !== 'pipeline' ? value : { ...value, cursors: value.cursors.slice(0, steps) }
}

/** Arguments that there are parameters for, and that are given. */
function argumentsOf({ value, given }: { value: CompilableForm['value']; given: CompilableForm['preview'] }) {
  const names = new Set(value.parameters.map(({ name }) => name))
  return Object.fromEntries(Object.entries(given.arguments).filter(([name, one]) => names.has(name) && one !== null))
}

const OF_ARGUMENTS = /^\/arguments(?=\/|$)/

const faultsOfArguments = (error: unknown): RequestFault[] =>
  (isApiRefusal(error) ? error.errors : [])
    .filter(({ pointer }) => OF_ARGUMENTS.test(pointer))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(OF_ARGUMENTS, ''), detail }))

/** Tries what is in the form, saved or not; nothing is stored or written. Who may not write keeps the arguments in this browser. */
export function useCompilablePreview({ id, form, etag, isReadOnly }: Options): CompilablePreviewState {
  const [made, setMade] = useState<FinishedPreview | null>(null)
  const [found, setFound] = useState<{ etag: string | null; flaws: readonly ApiScriptFlaw[] } | null>(null)
  const [own, setOwn] = useLastArguments(`compilable.${id}`, form.value.preview)
  const asked = useRef<number | null>(null)
  const given = isReadOnly ? own : form.value.preview
  const { value } = form.value
  const act = useAsyncAction(async () => {
    const steps = asked.current
    const body = { value: upTo(value, steps), arguments: argumentsOf({ value, given }), limit: given.limit } as Asked
    const answer = await readAnswer(
      apiClient.POST('/scripting/compilables/{id}/preview', { params: { path: { id } }, body }),
    )
    const isFlawed = 'flaws' in answer
    if (isFlawed || steps === null) setFound({ etag, flaws: isFlawed ? answer.flaws : [] })
    setMade(isFlawed ? null : { steps, outcome: answer, of: value })
  })
  const { error } = act
  return {
    ...{ made, isBusy: act.isBusy, error, given, asked: act.isBusy ? asked.current : null },
    flaws: found?.etag === etag ? found.flaws : null,
    run: (steps) => {
      asked.current = steps
      void act.run()
    },
    set: (at, next) =>
      isReadOnly ? setOwn((before) => setPointerValue(before, at, next)) : form.set(`/preview${at}`, next),
    faultAt: (at) => (isApiRefusal(error) ? error.errors.find(({ pointer }) => pointer === at)?.detail : undefined),
    faults: useMemo(() => faultsOfArguments(error), [error]),
  }
}
