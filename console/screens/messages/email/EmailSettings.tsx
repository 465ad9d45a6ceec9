import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { ChoiceField, FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useTopics } from '../../pressure/use-topics.ts'
import type { ApiAction } from '../action.ts'
import { useSendingSettings } from '../use-sending.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

/** What it is for, and how it is counted and sent. */
export function EmailSettings(own: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const sending = useSendingSettings()
  const topics = useTopics()
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => readAnswer(apiClient.GET('/categories')) })
  const formats = ([1, 2, 3] as const).map((value) => ({ value: String(value), label: t(`format${value}`) }))
  const profiles = (sending.data?.profiles ?? []).filter(({ channel }) => channel === 'email')
  const named = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })
  return (
    <FieldGroup title={t('settings')}>
      <ChoiceField
        {...own}
        isNumber
        at="/informations/category"
        label={t('category')}
        choices={(categories.data ?? []).map(named)}
      />
      <ChoiceField
        {...own}
        at="/settings/purpose/type"
        label={t('purpose')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <ChoiceField {...own} isNumber at="/settings/contentFormat" label={t('format')} choices={formats} />
      <ChoiceField
        {...own}
        isNumber
        isClearable
        at="/settings/sendingProfile"
        label={t('profile')}
        choices={profiles.map(named)}
      />
      {(topics.data?.length ?? 0) > 0 && (
        <ChoiceField
          {...own}
          isClearable
          at="/settings/mp/topic"
          label={t('topic')}
          choices={(topics.data ?? []).map(({ id, label }) => ({ value: id, label }))}
        />
      )}
    </FieldGroup>
  )
}
