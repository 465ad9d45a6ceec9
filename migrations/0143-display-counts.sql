-- Events of display are counted too, clicks whether or not the page joined them to an impression.
insert into stale_event_counts (account, channel, start)
select distinct account, channel, quarter_of(at) from events where channel = 'display';
