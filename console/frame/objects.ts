import { useRouter } from '@tanstack/react-router'

/** Where the pages of objects are, by the type that the interface gives them. */
const PATHS: Record<string, string> = {
  contact: '/contacts/$id',
  segment: '/segments/$id',
  field: '/fields/$id',
  valueList: '/value-lists/$id',
  form: '/forms/$id',
  rule: '/pressure/$id',
  topic: '/pressure/topics/$id',
  import: '/imports/$id',
  importFormat: '/imports/formats/$id',
  action: '/messages/$id',
  mailMessage: '/messages/$id',
  mailCampaign: '/messages/$id',
  smsMessage: '/messages/$id',
  smsCampaign: '/messages/$id',
  rcs: '/rcs/$id',
  rcsMessage: '/rcs/$id',
  rcsCampaign: '/rcs/$id',
  notification: '/notifications/$id',
  workflow: '/workflows/$id',
  compilable: '/compilables/$id',
  webtask: '/webtasks/$id',
  campaign: '/campaigns/$id',
  category: '/categories/$id',
  webhook: '/developers/webhooks/$id',
  application: '/settings/applications/$id',
  displayCampaign: '/display/campaigns/$id',
  displayPlacement: '/display/placements/$id',
  profile: '/settings/sending/$id',
  rcsProfile: '/settings/rcs/$id',
}

/** The page of an object; undefined where its type has none in this console. */
export function useObjectPath(): (type: string, id: string | number) => string | undefined {
  const { routesByPath } = useRouter()
  return (type, id) => {
    const path = PATHS[type]
    return path !== undefined && path in routesByPath ? path.replace('$id', encodeURIComponent(String(id))) : undefined
  }
}
