import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const gatewayTexts = defineTextCatalogue(en, () => import('./fr.ts'))
