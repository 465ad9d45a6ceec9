import { Split } from '../../../components/layout/Panel.tsx'
import type { Contact, Field } from '../contact-columns.tsx'
import { Devices } from './Devices.tsx'
import { KnownFields } from './KnownFields.tsx'
import { Memberships } from './Memberships.tsx'
import { Reach } from './Reach.tsx'
import { Timeline } from './Timeline.tsx'

/** What happened, beside what is known. */
export function Activity({ contact, fields }: { contact: Contact; fields: readonly Field[] }) {
  return (
    <Split
      isAsideFirst
      aside={
        <>
          <Reach contact={contact} fields={fields} />
          <KnownFields contact={contact} fields={fields} />
          <Memberships id={contact.id} />
          <Devices id={contact.id} />
        </>
      }
    >
      <Timeline id={contact.id} />
    </Split>
  )
}
