import { Button } from '@mantine/core'
import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { FormPeriodField } from '../phones/FormPeriodField.tsx'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import { CategoryField, MorePhoneSettings, PhoneNumberFields, PurposeFields } from '../phones/Settings.tsx'
import { LetterCosts } from '../sms/LetterCosts.tsx'
import type { MessageContentProps } from '../write/channel.ts'
import { type ApiRcsAction, useRcsProfiles } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

const AUTOMATIC_ALPHABET = 3
const TRAFFIC_TYPES = ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'] as const

type Props = MessageContentProps<ApiRcsAction>

function FallbackFields({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsMessageTexts)
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
      <LiquidTextField
        form={form}
        isReadOnly={isReadOnly}
        hasLinks
        rows={3}
        at="/fallback/text"
        label={t('fallbackText')}
      />
      <LetterCosts
        text={fallback.text}
        format={AUTOMATIC_ALPHABET}
        onReplace={isReadOnly ? undefined : (text) => form.set('/fallback/text', text)}
      />
      <TextField form={form} isReadOnly={isReadOnly} at="/fallback/sender" label={t('sender')} />
      <FormPeriodField
        form={form}
        isReadOnly={isReadOnly}
        at="/fallback/after"
        label={t('after')}
        help={t('afterWhy')}
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

/** Sender and purpose of a rich message, and the fallback SMS if it does not arrive. */
export function RcsSendingFields(props: Props) {
  const t = useTranslator(rcsMessageTexts)
  const rcsProfiles = useRcsProfiles()
  return (
    <>
      <FallbackFields {...props} />
      <FieldGroup title={t('setting')}>
        <ChoiceField
          {...props}
          isNumber
          at="/settings/profile"
          label={t('agent')}
          help={t('agentHelp')}
          choices={(rcsProfiles.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <PurposeFields {...props} />
        <FormPeriodField
          {...props}
          isEnveloped
          at="/settings/expiration"
          label={t('expiration')}
          help={t('expirationWhy')}
        />
        <CategoryField {...props} />
        <MorePhoneSettings {...props}>
          <PhoneNumberFields {...props} />
          <ChoiceField
            {...props}
            isClearable
            at="/settings/trafficType"
            label={t('trafficType')}
            help={t('trafficTypeWhy')}
            choices={TRAFFIC_TYPES.map((value) => ({ value, label: t(value) }))}
          />
        </MorePhoneSettings>
      </FieldGroup>
    </>
  )
}
