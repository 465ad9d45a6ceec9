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

type Way = 'design' | 'html' | 'empty' | 'copy'
type Kind = 'campaign' | 'message'

const WAYS: Readonly<Record<'email' | 'other', readonly Way[]>> = {
  email: ['design', 'html', 'copy'],
  other: ['empty', 'copy'],
}
const WIDTH_PX = { narrow: 460, wide: 720 }

const pageOf = (language: string): string =>
  `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">\n<title></title>\n</head>\n<body>\n\n</body>\n</html>\n`

/** Makes a copy of a message under another name; answers its id. */
async function copy(channel: MessageChannelName, id: string, name: string): Promise<string | number> {
  const made = await duplicateMessage(channel, id)
  const kind = MESSAGE_CHANNELS[channel]?.kind
  const stored = await kind?.read(String(made.id), {})
  if (stored) await kind?.replace(String(made.id), { ...stored.data, name }, {})
  return made.id
}

function KindChoice({ value, onChange }: { value: Kind; onChange(kind: Kind): void }) {
  const t = useTranslator(messageTexts)
  return (
    <Radio.Group label={t('kind')} value={value} onChange={(next) => onChange(next as Kind)}>
      <Stack gap={8} mt={8}>
        <Radio value="campaign" label={t('kindCampaign')} description={t('kindCampaignWhy')} />
        <Radio value="message" label={t('kindMessage')} description={t('kindMessageWhy')} />
      </Stack>
    </Radio.Group>
  )
}

function WayChoice({
  channel,
  value,
  onChange,
}: {
  channel: MessageChannelName
  value: Way
  onChange(way: Way): void
}) {
  const t = useTranslator(messageTexts)
  return (
    <Radio.Group label={t('begin')} value={value} onChange={(next) => onChange(next as Way)}>
      <Stack gap={8} mt={8}>
        {WAYS[channel === 'email' ? 'email' : 'other'].map((way) => (
          <Radio key={way} value={way} label={t(`begin_${way}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Asks for the name, the kind and the beginning of a new message, makes it and opens it. */
export function NewMessageDialog({ channel, onClose }: { channel: MessageChannelName; onClose(): void }) {
  const t = useTranslator(messageTexts)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { language } = useLocale()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('campaign')
  const [way, setWay] = useState<Way>(channel === 'email' ? 'design' : 'empty')
  const [load, setLoad] = useState<DesignLoader>(() => async () => BLANK_DESIGN)
  const [copied, setCopied] = useState<string | null>(null)
  const make = async (): Promise<string | number | undefined> => {
    if (way === 'copy') return copied === null ? undefined : copy(channel, copied, name.trim())
    const begun: Partial<Record<Way, () => Promise<EmailStartContent>>> = {
      design: async () => ({ design: await load() }),
      html: async () => ({ html: pageOf(language) }),
    }
    return MESSAGE_CHANNELS[channel]?.create(name.trim(), kind === 'campaign', await begun[way]?.())
  }
  return (
    <ConfirmDialog
      title={t(`new_${channel}`)}
      action={t('create')}
      isDangerous={false}
      width={way === 'design' ? WIDTH_PX.wide : WIDTH_PX.narrow}
      onClose={onClose}
      onConfirm={async () => {
        const made = await make()
        void queries.invalidateQueries({ queryKey: ['messages', channel] })
        if (made !== undefined) await navigate({ to: objectPaths.message(channel, made) })
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
      {way !== 'copy' && <KindChoice value={kind} onChange={setKind} />}
      <WayChoice channel={channel} value={way} onChange={setWay} />
      {way === 'design' && <DesignTemplatePicker onChange={(next) => setLoad(() => next)} />}
      {way === 'copy' && <CopiedMessageField channel={channel} value={copied} onChange={setCopied} />}
    </ConfirmDialog>
  )
}
