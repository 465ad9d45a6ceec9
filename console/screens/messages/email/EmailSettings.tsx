import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useTopics } from '../../pressure/use-topics.ts'
import type { ApiAction } from '../action.ts'
import { useSendingSettings } from '../use-sending.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** Purpose of the message, its tracking and its sending options. */
export function EmailSettings(contentProps: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const sendingSettings = useSendingSettings()
  const topics = useTopics()
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => apiClient.listCategories() })
  const emailFormats = ([1, 2, 3] as const).map((value) => ({ value: String(value), label: t(`format${value}`) }))
  const emailProfiles = (sendingSettings.data?.profiles ?? []).filter(({ channel }) => channel === 'email')
  const toChoice = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })
  return (
    <FieldGroup title={t('settings')}>
      <ChoiceField
        {...contentProps}
        isNumber
        at="/informations/category"
        label={t('category')}
        choices={(categories.data ?? []).map(toChoice)}
      />
      <ChoiceField
        {...contentProps}
        at="/settings/purpose/type"
        label={t('purpose')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <ChoiceField {...contentProps} isNumber at="/settings/contentFormat" label={t('format')} choices={emailFormats} />
      <ChoiceField
        {...contentProps}
        isNumber
        isClearable
        at="/settings/sendingProfile"
        label={t('profile')}
        choices={emailProfiles.map(toChoice)}
      />
      {(topics.data?.length ?? 0) > 0 && (
        <ChoiceField
          {...contentProps}
          isClearable
          at="/settings/mp/topic"
          label={t('topic')}
          choices={(topics.data ?? []).map(({ id, label }) => ({ value: id, label }))}
        />
      )}
    </FieldGroup>
  )
}
