import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Body } from '../../api/shapes.ts'
import type { Form } from '../../parts/form/use-form.ts'
import { NEW } from '../../parts/form/use-resource.ts'
import { type Flaw, flawsOf } from './flaws.ts'
import type { Webtask } from './webtask-kind.ts'

const PAUSE_MS = 500
const NONE: readonly Flaw[] = []

type Checked = NonNullable<Body<'/scripting/webtasks/flaws', 'post'>>

/** What the service finds wrong with a webtask as it is written, a moment after each change; nothing of it is stored or run. */
export function useFlaws(id: string, form: Form<Webtask>, isReadOnly: boolean): readonly Flaw[] {
  const { value, scripting } = form.value
  // Secrets are not sent with each pause: nothing that is found depends on them.
  const { secrets: _, ...environment } = scripting.environment
  const checked = { value, scripting: { ...scripting, environment }, ...(id !== NEW && { id: Number(id) }) }
  const now = JSON.stringify(checked)
  const [rested, setRested] = useState(now)
  useEffect(() => {
    const timer = setTimeout(() => setRested(now), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [now])
  const check = useQuery({
    queryKey: ['webtask', id, 'flaws', rested],
    queryFn: ({ signal }) =>
      data(api.POST('/scripting/webtasks/flaws', { body: JSON.parse(rested) as Checked, signal })),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
    retry: false,
    gcTime: 0,
  })
  const refused = flawsOf(form.error)
  // Those of a refused save are of the same text until it is written on.
  return check.data ?? (refused.length > 0 ? refused : NONE)
}
