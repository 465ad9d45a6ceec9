import { Checkbox, TextInput } from '@mantine/core'
import { FieldGroup } from '../../components/form/fields.tsx'
import { LineList } from '../../components/form/LineList.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ApplicationsPage.module.css'
import type { ApplicationForm } from './application-kind.ts'
import { applicationTexts } from './texts.ts'

interface Props {
  form: FormState<ApplicationForm>
  of: 'routes' | 'channels'
  isReadOnly: boolean
}

/** Names of an application with what the app gets for them; one is the default. */
export function ApplicationNamedValues({ form, of, isReadOnly }: Props) {
  const t = useTranslator(applicationTexts)
  const values = form.value[of] ?? []
  type NamedValue = (typeof values)[number]
  const changeValues = (next: NamedValue[]): void => form.set(`/${of}`, next)
  const changeValue = (place: number, value: NamedValue): void => changeValues(values.with(place, value))
  const makeDefault = (place: number, isDefault: boolean): void =>
    changeValues(values.map((value, at) => ({ ...value, default: at === place && isDefault })))
  return (
    <FieldGroup title={t(of)}>
      <p className={styles['words']}>{t(of === 'routes' ? 'routesWhy' : 'channelsWhy')}</p>
      {form.faultAt(`/${of}`) && <p role="alert">{form.faultAt(`/${of}`)}</p>}
      <LineList
        values={values}
        onChange={changeValues}
        addLabel={t(of === 'routes' ? 'addRoute' : 'addChannel')}
        fresh={(): NamedValue => ({ name: '', value: { type: 'literal', value: '' }, default: values.length === 0 })}
        removeLabel={({ name }) => t('remove', { name })}
        isReadOnly={isReadOnly}
        className={styles['named']}
      >
        {(value, place) => (
          <>
            <TextInput
              label={t('name')}
              readOnly={isReadOnly}
              error={form.faultAt(`/${of}/${place}/name`)}
              value={value.name}
              onChange={(event) => changeValue(place, { ...value, name: event.currentTarget.value })}
            />
            <TextInput
              label={t('value')}
              readOnly={isReadOnly}
              error={form.faultAt(`/${of}/${place}/value/value`)}
              value={value.value.value}
              onChange={(event) =>
                changeValue(place, { ...value, value: { type: 'literal', value: event.currentTarget.value } })
              }
            />
            <Checkbox
              mb={8}
              label={t('default')}
              disabled={isReadOnly}
              checked={value.default}
              onChange={(event) => makeDefault(place, event.currentTarget.checked)}
            />
          </>
        )}
      </LineList>
    </FieldGroup>
  )
}
