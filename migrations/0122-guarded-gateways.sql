-- Whether the hosts of a gateway were given over the interface: then they must be public ones, or those that the installation
-- allows, whenever it is tried there.
alter table gateways add column guarded boolean not null default false;
