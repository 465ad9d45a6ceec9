import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../parts/Empty.tsx'
import { FieldGroup, LongTextField, TextField } from '../../parts/form/fields.tsx'
import { Loaded } from '../../parts/form/Loaded.tsx'
import { ResourcePage } from '../../parts/form/ResourcePage.tsx'
import type { Stored } from '../../parts/form/use-form.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { WhereUsed } from '../../parts/used/WhereUsed.tsx'
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

function Edit({ id, stored }: { id: string; stored: Stored<TopicDocument> }) {
  const t = useText(pressureTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const isReadOnly = !useMay('admin')
  const isNew = id === 'new'
  const path = { params: { path: { id } } }
  const { label: name } = stored.data
  const save = ({ label, description }: TopicDocument, etag: string | null): Promise<Stored<TopicDocument>> => {
    const body = { label, description: description || null }
    const headers = etag === null ? {} : { 'if-match': etag }
    return isNew
      ? versioned(api.POST('/marketing/pressure/topics', { body }))
      : versioned(api.PUT('/marketing/pressure/topics/{id}', { ...path, headers, body }))
  }
  return (
    <ResourcePage
      name={`topic.${id}`}
      title={isNew ? t('newTopic') : name}
      parent={{ label: t('topics'), to: '/pressure/topics' }}
      stored={stored}
      isNew={isNew}
      isReadOnly={isReadOnly}
      save={save}
      load={() => versioned(api.GET('/marketing/pressure/topics/{id}', path))}
      onSaved={(next) => {
        void queries.invalidateQueries({ queryKey: ['topics'] })
        queries.setQueryData(['topic', next.data.id], next)
        if (isNew) void navigate({ to: topicPath(next.data.id), replace: true })
      }}
      pointers={['/label', '/description']}
      aside={
        !isNew && (
          <Panel title={t('used')}>
            <WhereUsed
              path={`/topics/${id}/links`}
              load={(signal) => data(api.GET('/marketing/pressure/topics/{id}/links', { ...path, signal }))}
            />
          </Panel>
        )
      }
      {...(!isNew && {
        removal: {
          title: t('deleteTitle', { name }),
          action: t('delete'),
          why: t('deleteTopic'),
          done: t('deleted', { name }),
          remove: async () => {
            await data(api.DELETE('/marketing/pressure/topics/{id}', path))
            await queries.invalidateQueries({ queryKey: ['topics'] })
            await navigate({ to: '/pressure/topics' })
          },
        },
      })}
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

const made: Stored<TopicDocument> = { data: blank, etag: null }

/** A topic: its name, and what asks for it. */
export function Topic() {
  const t = useText(pressureTexts)
  const { id } = route.useParams()
  const topic = useQuery({
    queryKey: ['topic', id],
    queryFn: ({ signal }) =>
      id === 'new' ? made : versioned(api.GET('/marketing/pressure/topics/{id}', { params: { path: { id } }, signal })),
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded read={topic} title={t('topic')} parent={{ label: t('topics'), to: '/pressure/topics' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
