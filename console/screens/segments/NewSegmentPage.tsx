import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { type ApiSegment, NO_SEGMENT_EXPIRATION } from '../../api/definitions.ts'
import { describeSegmentCriteria } from '../../components/criteria/describe-leaf.ts'
import {
  type CriteriaGroup,
  countLeavesWithin,
  toApiCriteria,
  toCriteriaGroup,
} from '../../components/criteria/model.ts'
import { useCriteriaWords } from '../../components/criteria/use-criteria-words.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { useDocumentForm } from '../../components/form/use-form.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { SEGMENT_POINTERS, type SegmentForm, SegmentFormFields } from './SegmentFormFields.tsx'
import { SegmentTemplates } from './SegmentTemplates.tsx'
import { segmentTexts } from './texts.ts'

const route = getRouteApi('/segments/new')

const MAX_NAME_LENGTH = 100

const createBlankSegment = (type: 'static' | 'dynamic', criteria: SegmentForm['criteria']): SegmentForm => ({
  type,
  name: '',
  description: null,
  expiration: NO_SEGMENT_EXPIRATION,
  isTest: false,
  parentId: null,
  criteria: type === 'dynamic' ? (criteria ?? { all: [] }) : null,
})

function SegmentCreation() {
  const t = useTranslator(segmentTexts)
  const { type, criteria, name } = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const [initialDocument] = useState(() => ({
    data: createBlankSegment(type, criteria ? toApiCriteria(criteria) : null),
    etag: null,
  }))
  const [creationResult] = useState<{ segment?: ApiSegment }>({})
  const words = useCriteriaWords()
  /** The name that is saved if none is written: what the file or template is called, else the criteria. */
  const [templateName, setTemplateName] = useState(name ?? '')
  const proposeName = (draft: SegmentForm): string =>
    templateName || describeSegmentCriteria(toCriteriaGroup(draft.criteria), words).slice(0, MAX_NAME_LENGTH)
  const form = useDocumentForm<SegmentForm>({
    name: `segment.new.${type}`,
    stored: initialDocument,
    save: async (draft) => {
      const namedDraft = { ...draft, name: draft.name.trim() || proposeName(draft) }
      creationResult.segment = await apiClient.createSegment({ body: namedDraft })
      return { data: namedDraft, etag: null }
    },
    load: async () => initialDocument,
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['segments'] })
      const tabSearch = type === 'static' ? { tab: 'contacts' } : {}
      if (creationResult.segment)
        void navigate({ to: objectPaths.segment(creationResult.segment.id), search: tabSearch as never })
    },
  })
  const isBlank = countLeavesWithin(toCriteriaGroup(form.value.criteria)) === 0
  const chooseTemplate = (templateCriteria: CriteriaGroup, chosenName: string): void => {
    setTemplateName(chosenName)
    form.set('/criteria', templateCriteria)
  }
  return (
    <ScreenPage
      title={t(type === 'static' ? 'newStatic' : 'create')}
      parent={{ label: t('title'), to: '/segments' }}
      note={t(type === 'static' ? 'staticWhy' : 'dynamicWhy')}
    >
      <FormLayout form={form} pointers={SEGMENT_POINTERS}>
        <SegmentFormFields
          form={form}
          isReadOnly={false}
          proposedName={proposeName(form.value)}
          templates={isBlank && <SegmentTemplates onChoose={chooseTemplate} />}
        />
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
      <SegmentCreation />
    </RightGuard>
  )
}
