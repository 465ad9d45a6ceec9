#!/usr/bin/perl
# A message centre of Net::SMPP (Debian: libnet-smpp-perl), the tests' second opinion on the wire format. It serves one
# bind, prints what it reads as lines of JSON, and answers every submission with a receipt and an echo from the contact.
use strict;
use warnings;
use JSON::PP;
use Net::SMPP;

$| = 1;
my ($port) = @ARGV;
my $json = JSON::PP->new->canonical;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => $port, smpp_version => 0x34, async => 1) or die "listen: $!";
print $json->encode({ listening => $port }), "\n";

my $centre = $listener->accept or die "accept: $!";
my $count = 0;
while (my $pdu = $centre->read_pdu) {
  my $cmd = $pdu->{cmd};
  if ($cmd == 0x00000009) {
    print $json->encode({ bind => $pdu->{system_id}, password => $pdu->{password}, version => $pdu->{interface_version} }), "\n";
    $centre->bind_transceiver_resp(seq => $pdu->{seq}, system_id => 'perl');
  } elsif ($cmd == 0x00000004) {
    my $id = sprintf('%X', 100 + ++$count);
    print $json->encode({
      id => $id,
      source => $pdu->{source_addr},
      sourceTon => $pdu->{source_addr_ton},
      destination => $pdu->{destination_addr},
      esmClass => $pdu->{esm_class},
      dataCoding => $pdu->{data_coding},
      validity => $pdu->{validity_period},
      text => unpack('H*', $pdu->{short_message}),
      payload => unpack('H*', $pdu->{message_payload} // ''),
      sar => unpack('H*', join '', map { $pdu->{$_} // '' } qw(sar_msg_ref_num sar_total_segments sar_segment_seqnum)),
    }), "\n";
    $centre->submit_sm_resp(seq => $pdu->{seq}, message_id => $id);
    my @addresses = (source_addr_ton => 1, source_addr_npi => 1, source_addr => $pdu->{destination_addr},
      dest_addr_ton => 5, destination_addr => $pdu->{source_addr});
    my $text = 'id:' . sprintf('%010d', hex $id)
      . ' sub:001 dlvrd:000 submit date:2603200800 done date:2603200801 stat:UNDELIV err:027 text:';
    $centre->deliver_sm(@addresses, esm_class => 4, short_message => $text);
    $centre->deliver_sm(@addresses, data_coding => $pdu->{data_coding}, esm_class => $pdu->{esm_class},
      short_message => $pdu->{short_message});
  } elsif ($cmd == 0x80000005) {
    print $json->encode({ answered => $pdu->{status} }), "\n";
  } elsif ($cmd == 0x00000015) {
    $centre->enquire_link_resp(seq => $pdu->{seq});
  } elsif ($cmd == 0x00000006) {
    print $json->encode({ unbound => 1 }), "\n";
    $centre->unbind_resp(seq => $pdu->{seq});
    last;
  }
}
