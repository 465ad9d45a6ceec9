import { Button } from '@mantine/core'
import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import { PeriodField } from '../phones/PeriodField.tsx'
import { CategoryField, MoreSettings, NumberFields, PurposeFields } from '../phones/Settings.tsx'
import { TemplateField } from '../phones/TemplateField.tsx'
import { LetterCosts } from '../sms/LetterCosts.tsx'
import type { ContentProps } from '../write/channel.ts'
import { type RcsAction, useRcsProfiles } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const AUTOMATIC_ALPHABET = 3
const TRAFFIC = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const

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
      <PeriodField {...{ form, isReadOnly }} at="/fallback/after" label={t('after')} help={t('afterWhy')} />
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
  const profiles = useRcsProfiles()
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
        <PurposeFields {...props} />
        <PeriodField
          {...props}
          isEnveloped
          at="/settings/expiration"
          label={t('expiration')}
          help={t('expirationWhy')}
        />
        <CategoryField {...props} />
        <MoreSettings {...props}>
          <NumberFields {...props} />
          <ChoiceField
            {...props}
            isClearable
            at="/settings/trafficType"
            label={t('trafficType')}
            help={t('trafficTypeWhy')}
            choices={TRAFFIC.map((value) => ({ value, label: t(value) }))}
          />
        </MoreSettings>
      </FieldGroup>
    </>
  )
}
