import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiSegment } from '../../api/definitions.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { useDocumentForm } from '../../components/form/use-form.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { SEGMENT_POINTERS, type SegmentForm, SegmentFormFields } from './SegmentFormFields.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments/new')

const emptyDraft = (type: 'static' | 'dynamic', criteria: SegmentForm['criteria']): SegmentForm => ({
  ...{ type, name: '', description: null, expiration: null, isTest: false, parentId: null },
  criteria: type === 'dynamic' ? (criteria ?? { all: [] }) : null,
})

function Creation() {
  const t = useTranslator(segmentTexts)
  const { type, criteria } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const [stored] = useState(() => ({ data: emptyDraft(type, criteria ?? null), etag: null }))
  const [made] = useState<{ segment?: ApiSegment }>({})
  const form = useDocumentForm<SegmentForm>({
    name: `segment.new.${type}`,
    stored,
    save: async (draft) => {
      made.segment = await readAnswer(apiClient.POST('/segments', { body: draft }))
      return { data: draft, etag: null }
    },
    load: async () => stored,
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['segments'] })
      const tab = type === 'static' ? { tab: 'contacts' } : {}
      if (made.segment) void navigate({ to: objectPaths.segment(made.segment.id), search: tab as never })
    },
  })
  return (
    <ScreenPage
      title={t(type === 'static' ? 'newStatic' : 'create')}
      parent={{ label: t('title'), to: '/segments' }}
      note={t(type === 'static' ? 'staticWhy' : 'dynamicWhy')}
    >
      <FormLayout form={form} pointers={SEGMENT_POINTERS}>
        <SegmentFormFields form={form} isReadOnly={false} />
        {form.changes.length === 0 && (
          <div>
            <Button type="submit">{t('save')}</Button>
          </div>
        )}
      </FormLayout>
    </ScreenPage>
  )
}

/** A segment that is made: a dynamic one by its criteria, a static one by a name. */
export function NewSegmentPage() {
  return (
    <RightGuard right="write" to="/segments">
      <Creation />
    </RightGuard>
  )
}
