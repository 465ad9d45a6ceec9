import { useMemo, useRef, useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { type Fault, isRefusal } from '../../../api/refusal.ts'
import type { Answer, Body } from '../../../api/shapes.ts'
import { withValue } from '../../../components/form/pointers.ts'
import type { Form } from '../../../components/form/use-form.ts'
import { useAct } from '../../../components/use-act.ts'
import type { Compilable } from '../compilable-kind.ts'
import type { Flaw } from '../flaws.ts'
import { useKept } from './kept-arguments.ts'

export type Outcome = Exclude<Answer<'/scripting/compilables/{id}/preview', 'post'>, { flaws: unknown }>
type Asked = NonNullable<Body<'/scripting/compilables/{id}/preview', 'post'>>

/** A preview that was made: of the whole, or of the rows after so many steps. */
export interface Made {
  steps: number | null
  outcome: Outcome
  /** What it was made of. */
  of: Compilable['value']
}

export interface Previewing {
  made: Made | null
  /** What the last preview found wrong; null: there was none since the last save. */
  flaws: readonly Flaw[] | null
  isBusy: boolean
  error: unknown
  /** The steps whose rows are asked for, while they are. */
  asked: number | null
  run(steps: number | null): void
  given: Compilable['preview']
  /** `/arguments/top`, `/limit`. */
  set(at: string, value: unknown): void
  faultAt(at: string): string | undefined
  /** Of the arguments, by pointers into them. */
  faults: readonly Fault[]
}

interface Options {
  id: string
  form: Form<Compilable>
  /** The version that is stored: flaws of an earlier one do not count. */
  etag: string | null
  isReadOnly: boolean
}

/** The value whose rows after some steps are looked at. */
function upTo(value: Compilable['value'], steps: number | null): Compilable['value'] {
  return steps === null || value.type !== 'pipeline' ? value : { ...value, cursors: value.cursors.slice(0, steps) }
}

/** Arguments that there are parameters for, and that are given. */
function argumentsOf({ value, given }: { value: Compilable['value']; given: Compilable['preview'] }) {
  const names = new Set(value.parameters.map(({ name }) => name))
  return Object.fromEntries(Object.entries(given.arguments).filter(([name, one]) => names.has(name) && one !== null))
}

const OF_ARGUMENTS = /^\/arguments(?=\/|$)/

const faultsOfArguments = (error: unknown): Fault[] =>
  (isRefusal(error) ? error.errors : [])
    .filter(({ pointer }) => OF_ARGUMENTS.test(pointer))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(OF_ARGUMENTS, ''), detail }))

/** Tries what is in the form, saved or not; nothing is stored or written. Who may not write keeps the arguments in this browser. */
export function usePreview({ id, form, etag, isReadOnly }: Options): Previewing {
  const [made, setMade] = useState<Made | null>(null)
  const [found, setFound] = useState<{ etag: string | null; flaws: readonly Flaw[] } | null>(null)
  const [own, setOwn] = useKept(`compilable.${id}`, form.value.preview)
  const asked = useRef<number | null>(null)
  const given = isReadOnly ? own : form.value.preview
  const { value } = form.value
  const act = useAct(async () => {
    const steps = asked.current
    const body = { value: upTo(value, steps), arguments: argumentsOf({ value, given }), limit: given.limit } as Asked
    const answer = await data(api.POST('/scripting/compilables/{id}/preview', { params: { path: { id } }, body }))
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
    set: (at, next) => (isReadOnly ? setOwn((before) => withValue(before, at, next)) : form.set(`/preview${at}`, next)),
    faultAt: (at) => (isRefusal(error) ? error.errors.find(({ pointer }) => pointer === at)?.detail : undefined),
    faults: useMemo(() => faultsOfArguments(error), [error]),
  }
}
