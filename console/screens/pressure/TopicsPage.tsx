import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import type { ApiTopic } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/topics/$id')
const buildTopicPath = (id: string): string => `/pressure/topics/${id}`

/** Setting that requires a topic for marketing messages. */
function TopicRequirement() {
  const t = useTranslator(pressureTexts)
  const queryClient = useQueryClient()
  const mayChange = useHasRight('admin')
  const requirementQuery = useQuery({
    queryKey: ['topicNeeded'],
    queryFn: ({ signal }) => apiClient.getPressureTopicSettings({ signal }),
  })
  const changeRequirement = async (value: boolean): Promise<void> => {
    queryClient.setQueryData(['topicNeeded'], await apiClient.updatePressureTopicSettings({ body: value }))
  }
  return (
    <Switch
      mb={16}
      label={t('topicNeeded')}
      description={t('topicNeededHelp')}
      disabled={!mayChange || requirementQuery.data === undefined}
      checked={requirementQuery.data === true}
      onChange={(event) => void changeRequirement(event.currentTarget.checked)}
    />
  )
}

/** Every topic. */
export function TopicsPage() {
  const t = useTranslator(pressureTexts)
  const topicsQuery = useTopics()
  return (
    <PressurePage part="topics">
      <TopicRequirement />
      {topicsQuery.error && <ProblemAlert error={topicsQuery.error} onRetry={() => void topicsQuery.refetch()} />}
      {topicsQuery.isPending && <LoadingSkeleton />}
      {topicsQuery.data?.length === 0 && <EmptyState title={t('noTopics')}>{t('noTopicsWhy')}</EmptyState>}
      {topicsQuery.data && topicsQuery.data.length > 0 && (
        <ul className={styles['rules']}>
          {topicsQuery.data.map(({ id, label, description }) => (
            <li key={id}>
              <Link to={buildTopicPath(id)}>{label}</Link>
              {description && <p>{description}</p>}
            </li>
          ))}
        </ul>
      )}
    </PressurePage>
  )
}

const blankTopic: ApiTopic = {
  id: '',
  label: '',
  description: null,
  stamp: { creation: '', modification: '' },
  createdBy: '',
  modifiedBy: '',
  who: { creation: null, modification: null },
}

const buildBody = ({ label, description }: ApiTopic) => ({ label, description: description || null })

const topicResource: ResourceDefinition<ApiTopic> = {
  name: 'topic',
  list: 'topics',
  home: '/pressure/topics',
  pathOf: buildTopicPath,
  idOf: ({ id }) => id,
  blank: blankTopic,
  read: (id, init) => readVersionedAnswer(apiClient.getPressureTopic, { path: { id }, ...init }),
  create: (topic) => readVersionedAnswer(apiClient.createPressureTopic, { body: buildBody(topic) }),
  replace: (id, topic, headers) =>
    readVersionedAnswer(apiClient.updatePressureTopic, { path: { id }, headers, body: buildBody(topic) }),
  remove: (id) => apiClient.deletePressureTopic({ path: { id } }),
}

function TopicForm({ id, stored: storedTopic }: { id: string; stored: StoredDocument<ApiTopic> }) {
  const t = useTranslator(pressureTexts)
  const isReadOnly = !useHasRight('admin')
  const { label: name } = storedTopic.data
  const resource = useResource(topicResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteTopic'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage
      {...resource}
      title={resource.isNew ? t('newTopic') : name}
      parent={{ label: t('topics'), to: '/pressure/topics' }}
      stored={storedTopic}
      isReadOnly={isReadOnly}
      pointers={['/label', '/description']}
      aside={
        !resource.isNew && (
          <PagePanel title={t('used')}>
            <WhereUsed
              path={`/topics/${id}/links`}
              load={(signal) => apiClient.listPressureTopicLinks({ path: { id }, signal })}
            />
          </PagePanel>
        )
      }
    >
      {(form) => (
        <FieldGroup>
          <TextField form={form} at="/label" label={t('name')} isReadOnly={isReadOnly} />
          <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

/** A topic: its name, and what asks for it. */
export function TopicPage() {
  const t = useTranslator(pressureTexts)
  const { id } = route.useParams()
  const topicQuery = useStoredDocument(topicResource, id)
  return (
    <DocumentLoader read={topicQuery} title={t('topic')} parent={{ label: t('topics'), to: '/pressure/topics' }}>
      {(storedTopic) => <TopicForm key={id} id={id} stored={storedTopic} />}
    </DocumentLoader>
  )
}
