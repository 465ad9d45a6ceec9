import { Badge } from '../../components/Badge.tsx'
import { Copy } from '../../components/Copy.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { type DomainRecord, tones } from './domain-records.ts'
import { deliverabilityTexts } from './texts.ts'

function RecordRow({ record }: { record: DomainRecord }) {
  const t = useText(deliverabilityTexts)
  const { purpose, type, name, value, state, found, key } = record
  return (
    <tr>
      <th scope="row">
        {t(purpose)}
        {key && <small>{t(key.state)}</small>}
      </th>
      <td>
        <Badge tone={tones[state]}>{t(state)}</Badge>
      </td>
      <td>{type}</td>
      <td className={styles['value']}>
        <Copy value={name} />
      </td>
      <td className={styles['value']}>
        {value === null ? t('ownAddresses') : <Copy value={value} />}
        {state === 'missing' && found.length > 0 && <small>{t('foundThere', { found: found.join(' · ') })}</small>}
      </td>
    </tr>
  )
}

/** The records to publish, each with what was found of it, and to be copied. */
export function Records({ records }: { records: readonly DomainRecord[] }) {
  const t = useText(deliverabilityTexts)
  return (
    <Sheet label={t('records')}>
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
    </Sheet>
  )
}
