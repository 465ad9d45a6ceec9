import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useMay } from '../../../api/me.ts'
import { Loaded } from '../../../components/form/Loaded.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { Form } from '../../../components/form/use-form.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { pathOf } from '../../../paths.ts'
import { useText } from '../../../text/catalogue.ts'
import { ItemState } from '../../campaigns/item-state.tsx'
import { CHANNELS } from '../channels.ts'
import type { ChannelName, Step } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { useMessage } from '../use-message.ts'
import { useMessageTabs } from '../use-message-tabs.ts'
import { EXPERIMENT_POINTERS, experimentOf, hasVersions, messageOf } from '../versions/experiment.ts'
import { openVersion, Versions } from '../versions/Versions.tsx'
import { Audience } from './Audience.tsx'
import type { Channel, Message, StoredMessage } from './channel.ts'
import { Send } from './Send.tsx'
import { isLocked } from './standing.ts'
import { When } from './When.tsx'
import styles from './Write.module.css'

const route = getRouteApi('/messages/$channel/$id')

/** The version that is open, and how another one is. */
interface VersionProps {
  version: string | undefined
  onVersion(id: string | undefined): void
}

interface EditProps {
  channel: Channel
  stored: StoredMessage
  step: Step
  onDone(): Promise<void>
}

interface PartProps extends EditProps, VersionProps {
  form: Form<Message>
  isReadOnly: boolean
}

function Part({ channel, stored, step, form, isReadOnly, onDone, version, onVersion }: PartProps) {
  const { Content } = channel
  const own = { channel, form, isReadOnly }
  if (step === 'content') return <Content form={form} isReadOnly={isReadOnly} />
  if (step === 'versions' && hasVersions(channel, form.value))
    return <Versions {...own} version={version} onVersion={onVersion} />
  if (step === 'audience') return <Audience {...own} />
  if (step === 'when') return channel.When ? <channel.When form={form} isReadOnly={isReadOnly} /> : <When {...own} />
  return <Send channel={channel} message={stored.data} isDirty={form.changes.length > 0} onDone={onDone} />
}

/** What is written, and its preview beside it. */
function Written(props: PartProps) {
  const { channel, step, form, version } = props
  const { Preview } = channel
  const tried = step === 'versions' ? experimentOf(form.value) : null
  const isBeside = step === 'content' || tried !== null
  const shown = tried ? messageOf(channel, form.value, openVersion(tried, version)) : form.value
  return (
    <div className={styles['write']} data-beside={isBeside || undefined}>
      <div className={styles['fields']}>
        <Part {...props} />
      </div>
      {isBeside && (
        <div className={styles['preview']}>
          <Preview value={shown} />
        </div>
      )}
    </div>
  )
}

function Edit({ channel, stored, step, onDone }: EditProps) {
  const t = useText(messageTexts)
  const queries = useQueryClient()
  const { data } = stored
  const mayWrite = useMay('write')
  const navigate = route.useNavigate()
  const { kind, name: channelName } = channel
  const id = String(data.id)
  const standing = channel.standing(data)
  const isReadOnly = !mayWrite || isLocked(standing)
  const tabs = useMessageTabs({ name: channelName, hasVersions: hasVersions(channel, data) }, id, step)
  const { version } = route.useSearch()
  const onVersion = (next: string | undefined): void =>
    void navigate({ search: { step, ...(next !== undefined && { version: next }) }, replace: true })
  const at = channel.schedulerAt
  const relist = (): Promise<void> => queries.invalidateQueries({ queryKey: ['messages', channelName] })
  return (
    <ResourcePage<Message>
      name={`${kind.name}.${id}`}
      title={data.name}
      parent={{ label: t(channelName), to: `/messages/${channelName}` }}
      badge={<ItemState item={standing} />}
      note={isLocked(standing) && t('locked')}
      stored={stored}
      isReadOnly={isReadOnly}
      tabs={tabs}
      save={(next, etag) => kind.replace(id, next, etag === null ? {} : { 'if-match': etag })}
      load={() => kind.read(id, {})}
      onSaved={(next) => {
        queries.setQueryData([kind.name, id], next)
        void relist()
      }}
      removal={{
        title: t('deleteTitle', { name: data.name }),
        action: t('delete'),
        why: t('deleteWhy'),
        done: t('deleted', { name: data.name }),
        remove: async () => {
          await kind.remove(id)
          await relist()
          await navigate({ to: '/messages/$channel', params: { channel: channelName }, search: {} })
        },
      }}
      pointers={[
        ...channel.pointers,
        ...EXPERIMENT_POINTERS,
        `${at}/type`,
        `${at}/startDate`,
        `${at}/endDate`,
        `${at}/speed`,
        `${at}/windowHours`,
      ]}
      nameOf={(pointer) => channel.labelOf?.(pointer) ?? pointer}
    >
      {(form) => <Written {...{ channel, stored, step, form, isReadOnly, onDone, version, onVersion }} />}
    </ResourcePage>
  )
}

function Known({ channel, id }: { channel: Channel; id: string }) {
  const t = useText(messageTexts)
  const queries = useQueryClient()
  const { step = 'content' } = route.useSearch()
  const message = useMessage(channel, id)
  const onDone = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: [channel.kind.name, id] }).then(() => {
      void queries.invalidateQueries({ queryKey: ['messages', channel.name] })
    })
  return (
    <Loaded read={message} title={t('message')} parent={{ label: t(channel.name), to: `/messages/${channel.name}` }}>
      {(stored) => {
        const home = channel.belongsTo?.(stored.data) ?? channel.name
        if (home !== channel.name) return <Navigate to={pathOf.message(home, id)} replace />
        // Another state is another version: what the form began with is stored no more.
        const { state, active } = channel.standing(stored.data)
        return <Edit key={`${id} ${state ?? active}`} {...{ channel, stored, step, onDone }} />
      }}
    </Loaded>
  )
}

/** Writing of one message: content, audience, when, and sending. */
export function Write() {
  const t = useText(messageTexts)
  const { channel, id } = route.useParams()
  const known = CHANNELS[channel as ChannelName]
  return known ? <Known key={id} channel={known} id={id} /> : <Empty title={t('noEditor')} />
}
