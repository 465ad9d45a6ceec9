import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
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
import type { ApiTopic as TopicDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/topics/$id')
const topicPath = (id: string): string => `/pressure/topics/${id}`

/** Whether marketing messages must have a topic. */
function Needed() {
  const t = useTranslator(pressureTexts)
  const queries = useQueryClient()
  const mayChange = useHasRight('admin')
  const needed = useQuery({
    queryKey: ['topicNeeded'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/settings/marketing/pressure/topic', { signal })),
  })
  const set = async (value: boolean): Promise<void> => {
    queries.setQueryData(
      ['topicNeeded'],
      await readAnswer(apiClient.PUT('/settings/marketing/pressure/topic', { body: value })),
    )
  }
  return (
    <Switch
      mb={16}
      label={t('topicNeeded')}
      description={t('topicNeededHelp')}
      disabled={!mayChange || needed.data === undefined}
      checked={needed.data === true}
      onChange={(event) => void set(event.currentTarget.checked)}
    />
  )
}

/** Every topic. */
export function TopicsPage() {
  const t = useTranslator(pressureTexts)
  const topics = useTopics()
  return (
    <PressurePage part="topics">
      <Needed />
      {topics.error && <ProblemAlert error={topics.error} onRetry={() => void topics.refetch()} />}
      {topics.isPending && <LoadingSkeleton />}
      {topics.data?.length === 0 && <EmptyState title={t('noTopics')}>{t('noTopicsWhy')}</EmptyState>}
      {topics.data && topics.data.length > 0 && (
        <ul className={styles['rules']}>
          {topics.data.map(({ id, label, description }) => (
            <li key={id}>
              <Link to={topicPath(id)}>{label}</Link>
              {description && <p>{description}</p>}
            </li>
          ))}
        </ul>
      )}
    </PressurePage>
  )
}

const blank: TopicDocument = {
  ...{ id: '', label: '', description: null, stamp: { creation: '', modification: '' } },
  ...{ createdBy: '', modifiedBy: '', who: { creation: null, modification: null } },
}

const bodyOf = ({ label, description }: TopicDocument) => ({ label, description: description || null })

const kind: ResourceDefinition<TopicDocument> = {
  ...{ name: 'topic', list: 'topics', home: '/pressure/topics', pathOf: topicPath, idOf: ({ id }) => id, blank },
  read: (id, init) =>
    readVersionedAnswer(apiClient.GET('/marketing/pressure/topics/{id}', { params: { path: { id } }, ...init })),
  create: (topic) => readVersionedAnswer(apiClient.POST('/marketing/pressure/topics', { body: bodyOf(topic) })),
  replace: (id, topic, headers) =>
    readVersionedAnswer(
      apiClient.PUT('/marketing/pressure/topics/{id}', { params: { path: { id } }, headers, body: bodyOf(topic) }),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/marketing/pressure/topics/{id}', { params: { path: { id } } })),
}

function Edit({ id, stored }: { id: string; stored: StoredDocument<TopicDocument> }) {
  const t = useTranslator(pressureTexts)
  const isReadOnly = !useHasRight('admin')
  const { label: name } = stored.data
  const resource = useResource(kind, id, {
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
      stored={stored}
      isReadOnly={isReadOnly}
      pointers={['/label', '/description']}
      aside={
        !resource.isNew && (
          <PagePanel title={t('used')}>
            <WhereUsed
              path={`/topics/${id}/links`}
              load={(signal) =>
                readAnswer(apiClient.GET('/marketing/pressure/topics/{id}/links', { params: { path: { id } }, signal }))
              }
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
  const topic = useStoredDocument(kind, id)
  return (
    <DocumentLoader read={topic} title={t('topic')} parent={{ label: t('topics'), to: '/pressure/topics' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </DocumentLoader>
  )
}
