import { Radio, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../../parts/Confirm.tsx'
import { pathOf } from '../../../paths.ts'
import { useText } from '../../../text/catalogue.ts'
import { CHANNELS } from '../channels.ts'
import type { ChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'

/** Asks for the name and the kind of a new message, makes it and opens it. */
export function NewMessage({ channel, onClose }: { channel: ChannelName; onClose(): void }) {
  const t = useText(messageTexts)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'campaign' | 'message'>('campaign')
  return (
    <Confirm
      title={t(`new_${channel}`)}
      action={t('create')}
      isDangerous={false}
      onClose={onClose}
      onConfirm={async () => {
        const made = await CHANNELS[channel]?.create(name.trim(), kind === 'campaign')
        if (made !== undefined) await navigate({ to: pathOf.message(channel, made) })
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
      <Radio.Group label={t('kind')} value={kind} onChange={(next) => setKind(next as typeof kind)}>
        <Stack gap={8} mt={8}>
          <Radio value="campaign" label={t('kindCampaign')} description={t('kindCampaignWhy')} />
          <Radio value="message" label={t('kindMessage')} description={t('kindMessageWhy')} />
        </Stack>
      </Radio.Group>
    </Confirm>
  )
}
