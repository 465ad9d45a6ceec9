import { Button, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import { ChoiceField, FieldGroup, TextField } from '../../../parts/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import { TemplateField } from '../phones/TemplateField.tsx'
import { LetterCosts } from '../sms/LetterCosts.tsx'
import type { ContentProps } from '../write/channel.ts'
import type { RcsAction } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const AUTOMATIC_ALPHABET = 3

type Props = ContentProps<RcsAction>

function Fallback({ form, isReadOnly }: Props) {
  const t = useText(rcsMessageTexts)
  const { fallback } = form.value
  if (!fallback)
    return isReadOnly ? null : (
      <div>
        <Button variant="default" onClick={() => form.set('/fallback', { type: 'sms', text: '' })}>
          {t('addFallback')}
        </Button>
      </div>
    )
  return (
    <FieldGroup title={t('fallback')}>
      <small>{t('fallbackWhy')}</small>
      <TemplateField {...{ form, isReadOnly }} hasLinks rows={3} at="/fallback/text" label={t('fallbackText')} />
      <LetterCosts
        text={fallback.text}
        format={AUTOMATIC_ALPHABET}
        onReplace={isReadOnly ? undefined : (text) => form.set('/fallback/text', text)}
      />
      <TextField {...{ form, isReadOnly }} at="/fallback/sender" label={t('sender')} />
      <NumberInput
        maw={320}
        hideControls
        label={t('after')}
        error={form.faultAt('/fallback/after')}
        readOnly={isReadOnly}
        min={1}
        value={fallback.after?.unit === 'HOUR' ? fallback.after.value : ''}
        onChange={(hours) => form.set('/fallback/after', hours === '' ? null : { unit: 'HOUR', value: Number(hours) })}
      />
      {!isReadOnly && (
        <div>
          <Button variant="subtle" color="gray" onClick={() => form.set('/fallback', null)}>
            {t('remove')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

/** Who a rich message is from and what for, and the SMS where it does not arrive. */
export function Sending(props: Props) {
  const t = useText(rcsMessageTexts)
  const profiles = useQuery({
    queryKey: ['rcsProfiles'],
    queryFn: ({ signal }) => data(api.GET('/channel/rcs/profiles', { signal })),
  })
  return (
    <>
      <Fallback {...props} />
      <FieldGroup title={t('setting')}>
        <ChoiceField
          {...props}
          isNumber
          at="/settings/profile"
          label={t('agent')}
          help={t('agentHelp')}
          choices={(profiles.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <ChoiceField
          {...props}
          at="/settings/purpose/type"
          label={t('purpose')}
          choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </FieldGroup>
    </>
  )
}
