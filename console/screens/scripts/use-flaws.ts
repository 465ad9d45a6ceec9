import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Body } from '../../api/shapes.ts'
import { isSame } from '../../components/form/pointers.ts'
import type { Form } from '../../components/form/use-form.ts'
import { NEW } from '../../components/form/use-resource.ts'
import { type Flaw, flawsOf } from './flaws.ts'
import type { Webtask } from './webtasks/webtask-kind.ts'

const PAUSE_MS = 500
const NONE: readonly Flaw[] = []

type Checked = NonNullable<Body<'/scripting/webtasks/flaws', 'post'>>

/** What is checked of a webtask, as it is written now. */
const checkedOf = (id: string, { value, scripting }: Webtask): Checked => {
  // Secrets are not sent with each pause: nothing that is found depends on them.
  const { secrets: _, ...environment } = scripting.environment
  return { value, scripting: { ...scripting, environment }, ...(id !== NEW && { id: Number(id) }) } as Checked
}

/** What the service finds wrong with a webtask as it is written, a moment after each change; nothing of it is stored or run. */
export function useFlaws(id: string, form: Form<Webtask>, isReadOnly: boolean): readonly Flaw[] {
  const { value } = form
  // Answers are known by a number: a long text as a key would be hashed with each key that is typed.
  const [rested, setRested] = useState({ nth: 0, checked: checkedOf(id, value) })
  useEffect(() => {
    const timer = setTimeout(() => {
      const checked = checkedOf(id, value)
      setRested((before) => (isSame(before.checked, checked) ? before : { nth: before.nth + 1, checked }))
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [id, value])
  const check = useQuery({
    queryKey: ['webtask', id, 'flaws', rested.nth],
    queryFn: ({ signal }) => data(api.POST('/scripting/webtasks/flaws', { body: rested.checked, signal })),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
    gcTime: 0,
  })
  const refused = flawsOf(form.error)
  // Those of a refused save are of the same text until it is written on.
  return check.data ?? (refused.length > 0 ? refused : NONE)
}
