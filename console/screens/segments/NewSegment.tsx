import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Segment } from '../../api/definitions.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Page } from '../../components/layout/Page.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { Definition, type Draft, POINTERS } from './Definition.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments/new')

const emptyDraft = (type: 'static' | 'dynamic', criteria: Draft['criteria']): Draft => ({
  ...{ type, name: '', description: null, expiration: null, isTest: false, parentId: null },
  criteria: type === 'dynamic' ? (criteria ?? { all: [] }) : null,
})

function Creation() {
  const t = useText(segmentTexts)
  const { type, criteria } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const [stored] = useState(() => ({ data: emptyDraft(type, criteria ?? null), etag: null }))
  const [made] = useState<{ segment?: Segment }>({})
  const form = useForm<Draft>({
    name: `segment.new.${type}`,
    stored,
    save: async (draft) => {
      made.segment = await data(api.POST('/segments', { body: draft }))
      return { data: draft, etag: null }
    },
    load: async () => stored,
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['segments'] })
      const tab = type === 'static' ? { tab: 'contacts' } : {}
      if (made.segment) void navigate({ to: pathOf.segment(made.segment.id), search: tab as never })
    },
  })
  return (
    <Page
      title={t(type === 'static' ? 'newStatic' : 'create')}
      parent={{ label: t('title'), to: '/segments' }}
      note={t(type === 'static' ? 'staticWhy' : 'dynamicWhy')}
    >
      <FormFrame form={form} pointers={POINTERS}>
        <Definition form={form} isReadOnly={false} />
        {form.changes.length === 0 && (
          <div>
            <Button type="submit">{t('save')}</Button>
          </div>
        )}
      </FormFrame>
    </Page>
  )
}

/** A segment that is made: a dynamic one by its criteria, a static one by a name. */
export function NewSegment() {
  return (
    <Allowed right="write" to="/segments">
      <Creation />
    </Allowed>
  )
}
