import { CopyButton } from '../../components/CopyButton.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { type ApiDomainRecord, domainRecordTones } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

function RecordRow({ record }: { record: ApiDomainRecord }) {
  const t = useTranslator(deliverabilityTexts)
  const { purpose, type, name, value, state, found: foundValue, key } = record
  return (
    <tr>
      <th scope="row">
        {t(purpose)}
        {key && <small>{t(key.state)}</small>}
      </th>
      <td>
        <StateBadge tone={domainRecordTones[state]}>{t(state)}</StateBadge>
      </td>
      <td>{type}</td>
      <td className={styles['value']}>
        <CopyButton value={name} />
      </td>
      <td className={styles['value']}>
        {value === null ? t('ownAddresses') : <CopyButton value={value} />}
        {state === 'missing' && foundValue.length > 0 && (
          <small>{t('foundThere', { found: foundValue.join(' · ') })}</small>
        )}
      </td>
    </tr>
  )
}

/** The records to publish, each with what was found of it, and to be copied. */
export function DomainRecordList({ records }: { records: readonly ApiDomainRecord[] }) {
  const t = useTranslator(deliverabilityTexts)
  return (
    <PlainTable label={t('records')}>
      <thead>
        <tr>
          <th scope="col">{t('record')}</th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('value')}</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <RecordRow key={`${record.purpose} ${record.name} ${record.type} ${record.value}`} record={record} />
        ))}
      </tbody>
    </PlainTable>
  )
}
