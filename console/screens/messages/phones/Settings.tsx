import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiClient } from '../../../api/client.ts'
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

const toChoice = ({ id, name }: { id: string | number; name: string }) => ({ value: String(id), label: name })

/** Purpose and topic of a message. */
export function PurposeFields<T>(fieldProps: Props<T>) {
  const t = useTranslator(phonesTexts)
  const topics = useTopics().data ?? []
  return (
    <>
      <ChoiceField
        {...fieldProps}
        at="/settings/purpose/type"
        label={t('purpose')}
        help={t('purposeWhy')}
        choices={(['marketing', 'service'] as const).map((value) => ({ value, label: t(value) }))}
      />
      {topics.length > 0 && (
        <ChoiceField
          {...fieldProps}
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
export function CategoryField<T>(fieldProps: Props<T>) {
  const t = useTranslator(phonesTexts)
  const categories = useQuery({ queryKey: ['categories'], queryFn: () => apiClient.listCategories() })
  return (
    <ChoiceField
      {...fieldProps}
      isNumber
      at="/informations/category"
      label={t('category')}
      choices={(categories.data ?? []).map(toChoice)}
    />
  )
}

/** Required consent, and the field that contains the phone number. */
export function PhoneNumberFields<T>(fieldProps: Props<T>) {
  const t = useTranslator(phonesTexts)
  const phoneFields = (useContactFields().data ?? []).filter(({ type }) => type === 'phone')
  return (
    <>
      <ChoiceField
        {...fieldProps}
        isNumber
        at="/settings/field"
        label={t('field')}
        choices={phoneFields.map(toChoice)}
      />
      <ChoiceField
        {...fieldProps}
        isNumber
        at="/settings/consent"
        label={t('consent')}
        choices={([0, 1, 2] as const).map((value) => ({ value: String(value), label: t(`consent${value}`) }))}
      />
      <SwitchField {...fieldProps} at="/settings/priority" label={t('priority')} help={t('priorityWhy')} />
    </>
  )
}

/** Rarely changed settings, collapsed until opened or refused: `children`, language, and pressure. */
export function MorePhoneSettings<T>({ children, ...fieldProps }: Props<T> & { children?: ReactNode }) {
  const t = useTranslator(phonesTexts)
  const hasFoldedFault = FOLDED_SETTING_POINTERS.some((pointer) => fieldProps.form.faultAt(pointer) !== undefined)
  return (
    <details className={styles['more']} {...(hasFoldedFault && { open: true })}>
      <summary>{t('moreSettings')}</summary>
      <div>
        {children}
        <TextField {...fieldProps} at="/settings/culture" label={t('culture')} help={t('cultureWhy')} />
        <SwitchField {...fieldProps} at="/settings/mp/use" label={t('pressureUse')} help={t('pressureUseWhy')} />
        <SwitchField
          {...fieldProps}
          at="/settings/mp/increment"
          label={t('pressureCounts')}
          help={t('pressureCountsWhy')}
        />
      </div>
    </details>
  )
}
