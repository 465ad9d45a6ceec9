import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { useContactFields } from '../../../api/definitions.ts'
import { ChoiceField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useTopics } from '../../pressure/use-topics.ts'
import styles from './Phones.module.css'
import { FOLDED_SETTING_POINTERS } from './setting-pointers.ts'
import { phonesTexts } from './texts.ts'

interface Props<T> {
  form: FormState<T>
  isReadOnly: boolean
}

const named = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })

/** What a message is for, and what it is about. */
export function PurposeFields<T>(own: Props<T>) {
  const t = useTranslator(phonesTexts)
  const topics = useTopics().data ?? []
  return (
    <>
      <ChoiceField
        {...own}
        at="/settings/purpose/type"
        label={t('purpose')}
        help={t('purposeWhy')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      {topics.length > 0 && (
        <ChoiceField
          {...own}
          isClearable
          at="/settings/mp/topic"
          label={t('topic')}
          choices={topics.map(({ id, label }) => ({ value: id, label }))}
        />
      )}
    </>
  )
}

/** Under which heading lists and reports show it. */
export function CategoryField<T>(own: Props<T>) {
  const t = useTranslator(phonesTexts)
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => readAnswer(apiClient.GET('/categories')) })
  return (
    <ChoiceField
      {...own}
      isNumber
      at="/informations/category"
      label={t('category')}
      choices={(categories.data ?? []).map(named)}
    />
  )
}

/** Whose consent is needed, and where the number stands. */
export function PhoneNumberFields<T>(own: Props<T>) {
  const t = useTranslator(phonesTexts)
  const phones = (useContactFields().data ?? []).filter(({ type }) => type === 'phone')
  return (
    <>
      <ChoiceField {...own} isNumber at="/settings/field" label={t('field')} choices={phones.map(named)} />
      <ChoiceField
        {...own}
        isNumber
        at="/settings/consent"
        label={t('consent')}
        choices={([0, 1, 2] as const).map((value) => ({ value: String(value), label: t(`consent${value}`) }))}
      />
      <SwitchField {...own} at="/settings/priority" label={t('priority')} help={t('priorityWhy')} />
    </>
  )
}

/** What seldom changes, folded until it is asked for or refused: `children`, language, and pressure. */
export function MorePhoneSettings<T>({ children, ...own }: Props<T> & { children?: ReactNode }) {
  const t = useTranslator(phonesTexts)
  const isFaulty = FOLDED_SETTING_POINTERS.some((pointer) => own.form.faultAt(pointer) !== undefined)
  return (
    <details className={styles['more']} {...(isFaulty && { open: true })}>
      <summary>{t('moreSettings')}</summary>
      <div>
        {children}
        <TextField {...own} at="/settings/culture" label={t('culture')} help={t('cultureWhy')} />
        <SwitchField {...own} at="/settings/mp/use" label={t('pressureUse')} help={t('pressureUseWhy')} />
        <SwitchField {...own} at="/settings/mp/increment" label={t('pressureCounts')} help={t('pressureCountsWhy')} />
      </div>
    </details>
  )
}
