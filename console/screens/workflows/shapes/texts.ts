import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const literalShapeTexts = defineTextCatalogue(en, () => import('./fr.ts'))
