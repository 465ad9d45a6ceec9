import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { type Kind, useResource, useStored } from '../../components/form/use-resource.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import type { Topic as TopicDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/topics/$id')
const topicPath = (id: string): string => `/pressure/topics/${id}`

/** Whether marketing messages must have a topic. */
function Needed() {
  const t = useText(pressureTexts)
  const queries = useQueryClient()
  const mayChange = useMay('admin')
  const needed = useQuery({
    queryKey: ['topicNeeded'],
    queryFn: ({ signal }) => data(api.GET('/settings/marketing/pressure/topic', { signal })),
  })
  const set = async (value: boolean): Promise<void> => {
    queries.setQueryData(['topicNeeded'], await data(api.PUT('/settings/marketing/pressure/topic', { body: value })))
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
export function Topics() {
  const t = useText(pressureTexts)
  const topics = useTopics()
  return (
    <PressurePage part="topics">
      <Needed />
      {topics.error && <Problem error={topics.error} onRetry={() => void topics.refetch()} />}
      {topics.isPending && <Skeleton />}
      {topics.data?.length === 0 && <Empty title={t('noTopics')}>{t('noTopicsWhy')}</Empty>}
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

const kind: Kind<TopicDocument> = {
  ...{ name: 'topic', list: 'topics', home: '/pressure/topics', pathOf: topicPath, idOf: ({ id }) => id, blank },
  read: (id, init) => versioned(api.GET('/marketing/pressure/topics/{id}', { params: { path: { id } }, ...init })),
  create: (topic) => versioned(api.POST('/marketing/pressure/topics', { body: bodyOf(topic) })),
  replace: (id, topic, headers) =>
    versioned(api.PUT('/marketing/pressure/topics/{id}', { params: { path: { id } }, headers, body: bodyOf(topic) })),
  remove: (id) => data(api.DELETE('/marketing/pressure/topics/{id}', { params: { path: { id } } })),
}

function Edit({ id, stored }: { id: string; stored: Stored<TopicDocument> }) {
  const t = useText(pressureTexts)
  const isReadOnly = !useMay('admin')
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
          <Panel title={t('used')}>
            <WhereUsed
              path={`/topics/${id}/links`}
              load={(signal) =>
                data(api.GET('/marketing/pressure/topics/{id}/links', { params: { path: { id } }, signal }))
              }
            />
          </Panel>
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
export function Topic() {
  const t = useText(pressureTexts)
  const { id } = route.useParams()
  const topic = useStored(kind, id)
  return (
    <Loaded read={topic} title={t('topic')} parent={{ label: t('topics'), to: '/pressure/topics' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
