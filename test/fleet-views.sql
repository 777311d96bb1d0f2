create view pub.fleet_ship as select number, name, weight from ship;
