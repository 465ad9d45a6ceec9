import { Radio, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { BLANK_DESIGN } from '../../../components/design/model/templates.ts'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { MESSAGE_CHANNELS } from '../channels.ts'
import type { MessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import type { EmailStartContent } from '../write/channel.ts'
import { CopiedMessageField } from './CopiedMessageField.tsx'
import { duplicateMessage } from './calls.ts'
import { type DesignLoader, DesignTemplatePicker } from './DesignTemplatePicker.tsx'

type CreationMode = 'design' | 'html' | 'empty' | 'copy'
type MessageKind = 'campaign' | 'message'

const CREATION_MODES: Readonly<Record<'email' | 'other', readonly CreationMode[]>> = {
  email: ['design', 'html', 'copy'],
  other: ['empty', 'copy'],
}
const DIALOG_WIDTHS_PX = { narrow: 460, wide: 720 }

const buildBlankPage = (language: string): string =>
  `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">\n<title></title>\n</head>\n<body>\n\n</body>\n</html>\n`

/** Makes a copy of a message under another name; answers its id. */
async function copyMessage(channel: MessageChannelName, id: string, name: string): Promise<string | number> {
  const duplicate = await duplicateMessage(channel, id)
  const documentKind = MESSAGE_CHANNELS[channel]?.kind
  const storedCopy = await documentKind?.read(String(duplicate.id), {})
  if (storedCopy) await documentKind?.replace(String(duplicate.id), { ...storedCopy.data, name }, {})
  return duplicate.id
}

function KindChoice({ value, onChange }: { value: MessageKind; onChange(kind: MessageKind): void }) {
  const t = useTranslator(messageTexts)
  return (
    <Radio.Group label={t('kind')} value={value} onChange={(next) => onChange(next as MessageKind)}>
      <Stack gap={8} mt={8}>
        <Radio value="campaign" label={t('kindCampaign')} description={t('kindCampaignWhy')} />
        <Radio value="message" label={t('kindMessage')} description={t('kindMessageWhy')} />
      </Stack>
    </Radio.Group>
  )
}

function CreationModeChoice({
  channel,
  value,
  onChange,
}: {
  channel: MessageChannelName
  value: CreationMode
  onChange(creationMode: CreationMode): void
}) {
  const t = useTranslator(messageTexts)
  return (
    <Radio.Group label={t('begin')} value={value} onChange={(next) => onChange(next as CreationMode)}>
      <Stack gap={8} mt={8}>
        {CREATION_MODES[channel === 'email' ? 'email' : 'other'].map((creationMode) => (
          <Radio key={creationMode} value={creationMode} label={t(`begin_${creationMode}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Asks for the name, the kind and the beginning of a new message, makes it and opens it. */
export function NewMessageDialog({ channel, onClose }: { channel: MessageChannelName; onClose(): void }) {
  const t = useTranslator(messageTexts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { language } = useLocale()
  const [name, setName] = useState('')
  const [messageKind, setMessageKind] = useState<MessageKind>('campaign')
  const [creationMode, setCreationMode] = useState<CreationMode>(channel === 'email' ? 'design' : 'empty')
  const [loadDesign, setDesignLoader] = useState<DesignLoader>(() => async () => BLANK_DESIGN)
  const [copiedId, setCopied] = useState<string | null>(null)
  const createMessage = async (): Promise<string | number | undefined> => {
    if (creationMode === 'copy') return copiedId === null ? undefined : copyMessage(channel, copiedId, name.trim())
    const startContents: Partial<Record<CreationMode, () => Promise<EmailStartContent>>> = {
      design: async () => ({ design: await loadDesign() }),
      html: async () => ({ html: buildBlankPage(language) }),
    }
    return MESSAGE_CHANNELS[channel]?.create(
      name.trim(),
      messageKind === 'campaign',
      await startContents[creationMode]?.(),
    )
  }
  return (
    <ConfirmDialog
      title={t(`new_${channel}`)}
      action={t('create')}
      isDangerous={false}
      width={creationMode === 'design' ? DIALOG_WIDTHS_PX.wide : DIALOG_WIDTHS_PX.narrow}
      onClose={onClose}
      onConfirm={async () => {
        const createdId = await createMessage()
        void queryClient.invalidateQueries({ queryKey: ['messages', channel] })
        if (createdId !== undefined) await navigate({ to: objectPaths.message(channel, createdId) })
      }}
    >
      <TextInput
        required
        data-autofocus
        autoComplete="off"
        maxLength={255}
        label={t('name')}
        description={t('nameWhy')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {creationMode !== 'copy' && <KindChoice value={messageKind} onChange={setMessageKind} />}
      <CreationModeChoice channel={channel} value={creationMode} onChange={setCreationMode} />
      {creationMode === 'design' && <DesignTemplatePicker onChange={(next) => setDesignLoader(() => next)} />}
      {creationMode === 'copy' && <CopiedMessageField channel={channel} value={copiedId} onChange={setCopied} />}
    </ConfirmDialog>
  )
}
