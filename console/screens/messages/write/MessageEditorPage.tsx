import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useHasRight } from '../../../api/me.ts'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { CampaignItemState } from '../../campaigns/item-state.tsx'
import { MESSAGE_CHANNELS } from '../channels.ts'
import type { MessageChannelName, MessageEditorStep } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { useMessage } from '../use-message.ts'
import { useMessageTabs } from '../use-message-tabs.ts'
import {
  applyMessageVersion,
  EXPERIMENT_FIELD_POINTERS,
  findMessageExperiment,
  hasContentVersions,
} from '../versions/experiment.ts'
import { findOpenVersionIndex, MessageVersions } from '../versions/MessageVersions.tsx'
import type { EditedMessage, MessageChannelSpec, StoredMessage } from './channel.ts'
import { MessageAudience } from './MessageAudience.tsx'
import styles from './MessageEditorPage.module.css'
import { MessageSchedule } from './MessageSchedule.tsx'
import { MessageSendStep } from './MessageSendStep.tsx'
import { isMessageLocked } from './standing.ts'

const route = getRouteApi('/messages/$channel/$id')

/** The version that is open, and how another one is. */
interface VersionProps {
  version: string | undefined
  onVersion(id: string | undefined): void
}

interface EditProps {
  channel: MessageChannelSpec
  stored: StoredMessage
  step: MessageEditorStep
  onDone(): Promise<void>
}

interface PartProps extends EditProps, VersionProps {
  form: FormState<EditedMessage>
  isReadOnly: boolean
}

function Part({ channel, stored, step, form, isReadOnly, onDone, version, onVersion }: PartProps) {
  const { Content } = channel
  const own = { channel, form, isReadOnly }
  if (step === 'content') return <Content form={form} isReadOnly={isReadOnly} />
  if (step === 'versions' && hasContentVersions(channel, form.value))
    return <MessageVersions {...own} version={version} onVersion={onVersion} />
  if (step === 'audience') return <MessageAudience {...own} />
  if (step === 'when')
    return channel.When ? <channel.When form={form} isReadOnly={isReadOnly} /> : <MessageSchedule {...own} />
  return <MessageSendStep channel={channel} message={stored.data} isDirty={form.changes.length > 0} onDone={onDone} />
}

/** What is written, and its preview beside it. */
function Written(props: PartProps) {
  const { channel, step, form, version } = props
  const { Preview } = channel
  const tried = step === 'versions' ? findMessageExperiment(form.value) : null
  const isBeside = step === 'content' || tried !== null
  const shown = tried ? applyMessageVersion(channel, form.value, findOpenVersionIndex(tried, version)) : form.value
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
  const t = useTranslator(messageTexts)
  const queries = useQueryClient()
  const { data } = stored
  const mayWrite = useHasRight('write')
  const navigate = route.useNavigate()
  const { kind, name: channelName } = channel
  const id = String(data.id)
  const standing = channel.standing(data)
  const isReadOnly = !mayWrite || isMessageLocked(standing)
  const tabs = useMessageTabs({ name: channelName, hasVersions: hasContentVersions(channel, data) }, id, step)
  const { version } = route.useSearch()
  const onVersion = (next: string | undefined): void =>
    void navigate({ search: { step, ...(next !== undefined && { version: next }) }, replace: true })
  const at = channel.schedulerAt
  const relist = (): Promise<void> => queries.invalidateQueries({ queryKey: ['messages', channelName] })
  return (
    <ResourcePage<EditedMessage>
      name={`${kind.name}.${id}`}
      title={data.name}
      parent={{ label: t(channelName), to: `/messages/${channelName}` }}
      badge={<CampaignItemState item={standing} />}
      note={isMessageLocked(standing) && t('locked')}
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
        ...EXPERIMENT_FIELD_POINTERS,
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

function Known({ channel, id }: { channel: MessageChannelSpec; id: string }) {
  const t = useTranslator(messageTexts)
  const queries = useQueryClient()
  const { step = 'content' } = route.useSearch()
  const message = useMessage(channel, id)
  const onDone = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: [channel.kind.name, id] }).then(() => {
      void queries.invalidateQueries({ queryKey: ['messages', channel.name] })
    })
  return (
    <DocumentLoader
      read={message}
      title={t('message')}
      parent={{ label: t(channel.name), to: `/messages/${channel.name}` }}
    >
      {(stored) => {
        const home = channel.belongsTo?.(stored.data) ?? channel.name
        if (home !== channel.name) return <Navigate to={objectPaths.message(home, id)} replace />
        // Another state is another version: what the form began with is stored no more.
        const { state, active } = channel.standing(stored.data)
        return <Edit key={`${id} ${state ?? active}`} {...{ channel, stored, step, onDone }} />
      }}
    </DocumentLoader>
  )
}

/** Writing of one message: content, audience, when, and sending. */
export function MessageEditorPage() {
  const t = useTranslator(messageTexts)
  const { channel, id } = route.useParams()
  const known = MESSAGE_CHANNELS[channel as MessageChannelName]
  return known ? <Known key={id} channel={known} id={id} /> : <EmptyState title={t('noEditor')} />
}
