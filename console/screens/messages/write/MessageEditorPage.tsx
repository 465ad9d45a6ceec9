import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useHasRight } from '../../../api/me.ts'
import { DocumentLoader } from '../../../components/form/DocumentLoader.tsx'
import { ResourcePage } from '../../../components/form/ResourcePage.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { useMessageRoom } from '../../../layout/bar/use-message-room.ts'
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
import { CampaignControls } from './CampaignProgress.tsx'
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

function StepFields({ channel, stored: storedMessage, step, form, isReadOnly, onDone, version, onVersion }: PartProps) {
  const { Content } = channel
  const fieldProps = { channel, form, isReadOnly }
  if (step === 'content') return <Content form={form} isReadOnly={isReadOnly} />
  if (step === 'versions' && hasContentVersions(channel, form.value))
    return <MessageVersions {...fieldProps} version={version} onVersion={onVersion} />
  if (step === 'audience') return <MessageAudience {...fieldProps} />
  if (step === 'when')
    return channel.When ? <channel.When form={form} isReadOnly={isReadOnly} /> : <MessageSchedule {...fieldProps} />
  return (
    <MessageSendStep channel={channel} message={storedMessage.data} isDirty={form.changes.length > 0} onDone={onDone} />
  )
}

/** The fields of the step, with the preview next to them. */
function EditorWithPreview(props: PartProps) {
  const { channel, step, form, version } = props
  const { Preview } = channel
  const openExperiment = step === 'versions' ? findMessageExperiment(form.value) : null
  const isReviewed = step === 'send' && !form.value.monitor
  const hasPreview = step === 'content' || isReviewed || openExperiment !== null
  const previewMessage = openExperiment
    ? applyMessageVersion(channel, form.value, findOpenVersionIndex(openExperiment, version))
    : form.value
  return (
    <div className={styles['write']} data-beside={hasPreview || undefined}>
      <div className={styles['fields']}>
        <StepFields {...props} />
      </div>
      {hasPreview && (
        <div className={styles['preview']}>
          <Preview value={previewMessage} />
        </div>
      )}
    </div>
  )
}

function MessageForm({ channel, stored: storedMessage, step, onDone }: EditProps) {
  const t = useTranslator(messageTexts)
  const queryClient = useQueryClient()
  const { data } = storedMessage
  const canWrite = useHasRight('write')
  const navigate = route.useNavigate()
  const { kind, name: channelName } = channel
  const id = String(data.id)
  const messageStatus = channel.standing(data)
  const isReadOnly = !canWrite || isMessageLocked(messageStatus)
  const messageTabs = useMessageTabs({ name: channelName, hasVersions: hasContentVersions(channel, data) }, id, step)
  const { version } = route.useSearch()
  const onVersion = (next: string | undefined): void =>
    void navigate({ search: { step, ...(next !== undefined && { version: next }) }, replace: true })
  const schedulerPointer = channel.schedulerAt
  const refreshList = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['messages', channelName] })
  return (
    <ResourcePage<EditedMessage>
      name={`${kind.name}.${id}`}
      title={data.name}
      parent={useMessageRoom(channel.isCampaign(data))}
      badge={<CampaignItemState item={messageStatus} />}
      note={isMessageLocked(messageStatus) && t('locked')}
      action={<CampaignControls channel={channel} message={data} onDone={onDone} />}
      stored={storedMessage}
      isReadOnly={isReadOnly}
      tabs={messageTabs}
      save={(next, etag) => kind.replace(id, next, etag === null ? {} : { 'if-match': etag })}
      load={() => kind.read(id, {})}
      onSaved={(next) => {
        queryClient.setQueryData([kind.name, id], next)
        void refreshList()
      }}
      removal={{
        title: t('deleteTitle', { name: data.name }),
        action: t('delete'),
        why: t('deleteWhy'),
        done: t('deleted', { name: data.name }),
        remove: async () => {
          await kind.remove(id)
          await refreshList()
          await navigate({ to: '/messages/$channel', params: { channel: channelName }, search: {} })
        },
      }}
      pointers={[
        ...channel.pointers,
        ...EXPERIMENT_FIELD_POINTERS,
        `${schedulerPointer}/type`,
        `${schedulerPointer}/startDate`,
        `${schedulerPointer}/endDate`,
        `${schedulerPointer}/speed`,
        `${schedulerPointer}/windowHours`,
      ]}
      nameOf={(pointer) => channel.labelOf?.(pointer) ?? pointer}
    >
      {(form) => (
        <EditorWithPreview
          channel={channel}
          stored={storedMessage}
          step={step}
          form={form}
          isReadOnly={isReadOnly}
          onDone={onDone}
          version={version}
          onVersion={onVersion}
        />
      )}
    </ResourcePage>
  )
}

function MessageLoader({ channel, id }: { channel: MessageChannelSpec; id: string }) {
  const t = useTranslator(messageTexts)
  const queryClient = useQueryClient()
  const { step = 'content' } = route.useSearch()
  const message = useMessage(channel, id)
  const onDone = (): Promise<void> =>
    queryClient.invalidateQueries({ queryKey: [channel.kind.name, id] }).then(() => {
      void queryClient.invalidateQueries({ queryKey: ['messages', channel.name] })
    })
  return (
    <DocumentLoader read={message} title={t('message')} parent={useMessageRoom(true)}>
      {(storedMessage) => {
        const homeChannel = channel.belongsTo?.(storedMessage.data) ?? channel.name
        if (homeChannel !== channel.name) return <Navigate to={objectPaths.message(homeChannel, id)} replace />
        // Another state is another version: what the form began with is stored no more.
        const { state, active } = channel.standing(storedMessage.data)
        return (
          <MessageForm
            key={`${id} ${state ?? active}`}
            channel={channel}
            stored={storedMessage}
            step={step}
            onDone={onDone}
          />
        )
      }}
    </DocumentLoader>
  )
}

/** Writing of one message: content, audience, when, and sending. */
export function MessageEditorPage() {
  const t = useTranslator(messageTexts)
  const { channel, id } = route.useParams()
  const channelSpec = MESSAGE_CHANNELS[channel as MessageChannelName]
  return channelSpec ? <MessageLoader key={id} channel={channelSpec} id={id} /> : <EmptyState title={t('noEditor')} />
}
